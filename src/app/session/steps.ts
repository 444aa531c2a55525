// Calls of tools as entries of a conversation: running, with what they say meanwhile, then with their result and what it takes of the prompt.
import { spacedJson } from '../../core/calls/json.ts';
import type { ToolCall } from '../../core/dialog/dialog.ts';
import type { ToolResult } from '../../core/dialog/tool.ts';
import type { Decision } from '../../core/report/decisions.ts';
import type { Entry } from '../../protocol/view.ts';

type StepEntry = Extract<Entry, { kind: 'step' }>;

/** Characters of a running call that are shown. */
const mostSaid = 4000;

export class Steps {
  private readonly publish: (entry: StepEntry) => void;
  /** Running ones by the id of their call. */
  private readonly running = new Map<string, StepEntry>();
  /** Ended ones by the id of their result. */
  private readonly uncounted = new Map<string, StepEntry>();

  constructor(publish: (entry: StepEntry) => void) {
    this.publish = publish;
  }

  /** `own`: the user started it. */
  begin(call: ToolCall, id: string, own = false): void {
    const input = spacedJson(call.arguments);
    const empty = { head: '', body: '', milliseconds: null, tokens: null };
    const step: StepEntry = {
      kind: 'step',
      id,
      tool: call.name,
      input,
      state: 'running',
      ...empty,
      ...(own && { own }),
    };
    this.running.set(call.id, step);
    this.publish(step);
  }

  /** Words of a call while it runs: the latest of them. */
  output(call: string, text: string): void {
    const step = this.running.get(call);
    if (step === undefined) return;
    const said = { ...step, body: (step.body + text).slice(-mostSaid) };
    this.running.set(call, said);
    this.publish(said);
  }

  /** `item`: id of the result in the dialog; null where it is not part of it. */
  end(call: string, { ok, head, body, milliseconds }: Omit<ToolResult, 'changed'>, item: string | null): void {
    const step = this.running.get(call);
    this.running.delete(call);
    if (step === undefined) return;
    const done: StepEntry = { ...step, state: ok ? 'ok' : 'failed', head, body, milliseconds: milliseconds ?? null };
    if (item !== null) this.uncounted.set(item, done);
    this.publish(done);
  }

  /** A prompt with the results of tools was measured: from then on it is known what they take of it. */
  counted(decisions: readonly Decision[]): void {
    if (this.uncounted.size === 0) return;
    for (const { item, before } of decisions) {
      const step = this.uncounted.get(item ?? '');
      if (step === undefined || before === 0) continue;
      this.publish({ ...step, tokens: before });
      this.uncounted.delete(item ?? '');
    }
  }
}

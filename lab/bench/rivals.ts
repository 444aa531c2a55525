// The usual policies of clients for a full window: the oldest turns go, as far as needed at every call or down to three quarters. Prompts are made here,
// from the same trace, system text, tools, template and limit as ours.

import type { Generated } from '../../src/core/dialog/dialog.ts';
import { budgetFor, defaultPolicy } from '../../src/core/prompt/budget.ts';
import type { Measure, Message, Prompt, Segment } from '../../src/core/prompt/prompt.ts';
import type { Fitted } from '../../src/core/pruning/fitted.ts';
import { openEngine } from '../cli/engine.ts';
import { createNewTokens } from '../cli/trace/newTokens.ts';
import type { RecordedStep, Trace } from '../cli/trace/trace.ts';
import { type Counts, meanFill, sum } from './result.ts';

/** Messages that are dropped together: the user's message, or an assistant's message with its results. Turns begin with the user's. */
interface Part {
  readonly turn: number;
  readonly messages: readonly Message[];
}

export interface Asked {
  readonly turn: number;
  readonly prompt: Prompt;
  readonly measure: Measure;
  /** Something was let go of since the call before. */
  readonly crossed: boolean;
  readonly answer: RecordedStep;
}

export type Answered = (asked: Asked) => Promise<Generated | null>;
type Measurer = (prompt: Prompt) => Promise<Measure>;

/** `target`: how far a drop goes, as a share of the limit. */
export async function walk(trace: Trace, high: number, target: number, measure: Measurer, answered: Answered) {
  let parts: readonly Part[] = [];
  for (const [i, { user, steps }] of trace.turns.entries()) {
    const turn = i + 1;
    parts = [...parts, { turn, messages: [{ role: 'user', segments: [text(`u${turn}`, user)] }] }];
    for (const [step, answer] of steps.entries()) {
      const kept = await fitted(trace, parts, { high, target }, measure);
      const crossed = kept.parts.length < parts.length;
      parts = kept.parts;
      const generated = await answered({ turn, ...kept, crossed, answer });
      parts = [...parts, { turn, messages: answerMessages(`${turn}.${step}`, answer, generated) }];
    }
  }
}

async function fitted(
  trace: Trace,
  all: readonly Part[],
  { high, target }: { readonly high: number; readonly target: number },
  measurer: Measurer,
) {
  let parts = all;
  for (let limit = high; ; ) {
    const prompt: Prompt = {
      messages: [head(trace), ...parts.flatMap(({ messages }) => messages)],
      tools: trace.tools,
    };
    const measure = await measurer(prompt);
    const rest = withoutOldest(parts);
    if (measure.total <= limit || rest === parts) return { parts, prompt, measure };
    limit = Math.floor(high * target);
    parts = rest;
  }
}

/** Without the oldest turn; of the running turn, when it is alone, without the oldest call and its results. */
function withoutOldest(parts: readonly Part[]): readonly Part[] {
  const [first] = parts;
  const running = parts.at(-1)?.turn;
  if (first !== undefined && first.turn !== running) return parts.filter(({ turn }) => turn !== first.turn);
  // The latest results stay: they were just asked for.
  return parts.length > 2 ? parts.filter((_, i) => i !== 1) : parts;
}

function head(trace: Trace): Message {
  return { role: 'system', segments: [{ layer: 'system', item: null, part: 'text', text: trace.system }] };
}

function text(item: string, words: string): Segment {
  return { layer: 'history', item, part: 'text', text: words };
}

function answerMessages(id: string, { text: words, calls, results }: RecordedStep, generated: Generated | null) {
  const kept = generated === null ? {} : { generated };
  const spoken: Message = { role: 'assistant', segments: [{ ...text(`a${id}`, words), calls, ...kept }] };
  const answers = calls.map((call, i): Message => {
    const shown = text(`r${id}.${i}`, resultText(call.name, results[i] ?? ''));
    return { role: 'tool', call: { id: call.id, tool: call.name }, segments: [shown] };
  });
  return [spoken, ...answers];
}

/** A result with the first line that ours has. */
export function resultText(tool: string, body: string): string {
  return `${tool}: ${body.split('\n').length} lines, ${body.length} characters:\n${body}`;
}

/** Plays the trace so, with reuse of the common prefix. */
export async function runRival(model: string, window: number, trace: Trace, target: number): Promise<Counts> {
  const { high, reserve } = budgetFor(window, defaultPolicy);
  const { client } = await openEngine(model, window, 1);
  const rows: { readonly turn: number; readonly total: number; readonly decoded: number; readonly crossed: boolean }[] =
    [];
  const newTokens = createNewTokens();
  let fresh = 0;
  const common = { slot: 0, maxTokens: reserve, toolCalls: 'none', reuse: 'exact' } as const;
  try {
    await walk(
      trace,
      high,
      target,
      (prompt) => client.request('measure', { prompt }),
      async (asked) => {
        const { prompt, measure, turn, crossed, answer } = asked;
        fresh += newTokens({ prompt, measure } as Fitted);
        const sampling = { temperature: 0, seed: 1 };
        const forced = { text: answer.text, calls: answer.calls };
        const { prefill, generated } = await client.request('generate', { ...common, prompt, sampling, forced });
        rows.push({ turn, total: measure.total, decoded: prefill.decoded, crossed });
        return generated;
      },
    );
  } finally {
    await client.dispose();
  }
  return {
    calls: rows.length,
    promptTokens: sum(rows, ({ total }) => total),
    decoded: sum(rows, ({ decoded }) => decoded),
    decodedIdle: null,
    shifted: 0,
    crossings: rows.filter(({ crossed }) => crossed).length,
    fill: meanFill(rows.map(({ turn, total }) => ({ turn, share: total / high }))),
    newTokens: fresh,
    warm: null,
  };
}

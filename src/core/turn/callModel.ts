// A model call: fits the prompt and generates, and tries again after an emergency trim as long as the engine reports a full context and
// anything is left to remove.
import type { GraphNode } from '../agent/graph.ts';
import { compacts } from '../agent/mechanisms.ts';
import type { Item } from '../dialog/dialog.ts';
import type { Quotable } from '../dialog/quotable.ts';
import type { Signal, ToolSchema } from '../dialog/tool.ts';
import { faultOf } from '../faults/faults.ts';
import type { Generation, Model, PrefillProgress } from '../model/model.ts';
import { budgetFor, leastToldWindow, thoughtsWithin } from '../prompt/budget.ts';
import { emergency, emergencyText } from '../pruning/emergency.ts';
import { type FitRequest, fitPrompt } from '../pruning/fitPrompt.ts';
import type { Fitted } from '../pruning/fitted.ts';
import type { PruneState } from '../pruning/pruneState.ts';
import { type BegunAnswer, continued } from './continuing.ts';
import { filesKnown } from './gate.ts';
import type { NewItem, TurnPorts, TurnSetup } from './turnPorts.ts';

/** Most of an answer's tokens that may be thoughts where nobody can switch them, as a share: the rest is for the answer itself. */
const thoughtShare = 0.5;

/** The node that runs, and what is special about its next call. */
export interface CallRequest {
  readonly node: GraphNode;
  readonly turnStart: boolean;
  /** Tools in its prompt, whose calls are read. */
  readonly known: readonly ToolSchema[];
  /** Tools that may be called now. */
  readonly offered: readonly ToolSchema[];
}

/** The turn as one call sees it. */
export interface Caller {
  readonly setup: TurnSetup;
  /** The prompt of the call before: its stack is kept, and a window that was learned. */
  readonly last: Fitted | null;
  readonly pruned: PruneState;
  readonly path: () => readonly Item[];
  /** The answer that the call goes on with. */
  readonly begun: BegunAnswer | null;
  readonly add: (item: NewItem) => void;
  readonly ports: Pick<TurnPorts, 'newId' | 'emit' | 'tools'>;
  readonly fitted: (fitted: Fitted) => void;
  readonly onText: (text: string) => void;
  readonly signal: Signal;
}

export interface Called {
  readonly fitted: Fitted;
  readonly generation: Generation;
}

export async function callModel(model: Model, caller: Caller, asked: CallRequest): Promise<Called> {
  const { setup, pruned, last } = caller;
  const { budget } = last?.node.slot === asked.node.slot ? last : setup;
  let fitted = await fitFor(model, caller, { stack: last?.stack ?? setup.stack, pruned, budget }, asked);
  let isLearned = false;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await generate(model, caller, fitted, asked);
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== 'doesNotFit') throw error;
      const { window } = fault;
      // A server's window is known for certain only once it refuses a prompt: one that names another each time is heard once.
      if (!isLearned && window >= leastToldWindow && window < fitted.budget.window) {
        isLearned = true;
        const learned = { ...fitted, budget: budgetFor(window, setup.policy, setup.thoughtTokens) };
        fitted = await fitFor(model, caller, learned, { ...asked, turnStart: false });
        continue;
      }
      const left = emergency(fitted.context, fitted.pruned);
      if (left === fitted.pruned) throw error;
      // A note in front of an answer that was begun would be none of its own.
      if (isFirst && caller.begun === null) caller.add({ origin: 'note', text: emergencyText });
      fitted = await fitFor(model, caller, { ...fitted, pruned: left }, { ...asked, turnStart: false });
    }
  }
}

type From = Pick<Fitted, 'stack' | 'pruned' | 'budget'>;

async function fitFor(model: Model, caller: Caller, from: From, { node, turnStart }: CallRequest): Promise<Fitted> {
  const { stack, pruned, budget } = from;
  const { switches } = caller.setup;
  const compactionId = compacts(switches, budget.window) ? caller.ports.newId() : null;
  const { erases } = caller.setup.cache;
  const { begun } = caller;
  const request: FitRequest = {
    ...caller.setup,
    ...{ stack, budget, path: caller.path(), pruned, node, turnStart, compactionId, erases },
    ...(begun !== null && { continued: (prompt) => continued(prompt, begun) }),
  };
  const fitted = await fitPrompt(request, (prompt) => model.measure(prompt));
  caller.fitted(fitted);
  return fitted;
}

async function generate(model: Model, caller: Caller, fitted: Fitted, { node, offered }: CallRequest): Promise<Called> {
  const toolCalls = offered.length > 0 ? node.calls : 'none';
  const maxTokens = fitted.budget.reserve;
  const { cache, policy, thoughtTokens: wanted } = caller.setup;
  const { reuse } = cache;
  const thoughtTokens =
    wanted === undefined ? Math.floor(maxTokens * thoughtShare) : thoughtsWithin(fitted.budget, policy, wanted);
  const quotable = await quotableNow(offered, caller, fitted.pruned);
  const request = { prompt: fitted.prompt, maxTokens, thoughtTokens, toolCalls, reuse, ...quotable };
  const onPrefill = (progress: PrefillProgress) => caller.ports.emit({ type: 'prefilling', progress });
  const generation = await model.generate(request, caller.onText, caller.signal, onPrefill);
  const { thinking } = fitted.prompt;
  if (thinking === undefined) return { fitted, generation };
  return { fitted, generation: { ...generation, generated: { ...generation.generated, thinking } } };
}

/** Texts that the offered tools' calls could quote now. */
async function quotableNow(
  offered: CallRequest['offered'],
  { ports, path }: Caller,
  pruned: PruneState,
): Promise<{ readonly quotable?: Quotable }> {
  const source = ports.tools
    .flatMap((tool) => (tool.effect !== 'read' && named(offered, tool.schema.name) ? [tool.deeds] : []))
    .find((one) => one.quotable !== undefined);
  const quotable = (await source?.quotable?.(filesKnown(path(), pruned))) ?? null;
  return quotable === null ? {} : { quotable };
}

function named(offered: CallRequest['offered'], name: string): boolean {
  return offered.some((one) => one.name === name);
}

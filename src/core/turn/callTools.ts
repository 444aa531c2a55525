// Runs the tools a model asked for, in parallel: all are read-only. Whatever goes wrong becomes a result the model can read.

import type { Item, ResultItem, ToolCall } from '../dialog/dialog.ts';
import type { Signal, Tool, ToolResult } from '../dialog/tool.ts';
import { reasonOf } from '../faults/faults.ts';
import { currentStart, type PruneState, shownItems } from '../pruning/pruneState.ts';

/**
 * One result item per call, in their order. Never rejects. `earlier` are results that still stand in the prompt: a call
 * that asks the same again, or the same as another one of this message, is told so instead of running.
 */
export async function callTools(
  calls: readonly ToolCall[],
  earlier: ReadonlyMap<string, string>,
  tools: readonly Tool[],
  signal: Signal,
): Promise<readonly NewResult[]> {
  const running = new Map<string, Promise<ToolResult>>();
  const answered = calls.map(async (call): Promise<NewResult> => {
    const named = { origin: 'result', call: call.id, tool: call.name } as const;
    const key = callKey(call);
    const isSound = call.problem === undefined;
    const known = isSound ? earlier.get(key) : undefined;
    if (known !== undefined) return { ...named, ok: true, ...pointer(known) };
    const before = isSound ? running.get(key) : undefined;
    if (before !== undefined) {
      const { ok, head } = await before;
      return { ...named, ok, ...pointer(head) };
    }
    const work = runTool(call, tools, signal);
    running.set(key, work);
    return { ...named, ...(await work) };
  });
  return Promise.all(answered);
}

/** The calls of one round with their results, and whether they brought anything new. Never rejects. */
export async function runRound(
  calls: readonly ToolCall[],
  { path, held }: { readonly path: readonly Item[]; readonly held: PruneState },
  tools: readonly Tool[],
  signal: Signal,
): Promise<{ readonly results: readonly NewResult[]; readonly isNew: boolean }> {
  const results = await callTools(calls, answersOf(path, held), tools, signal);
  return { results, isNew: bringsNew(path, calls, results) };
}

/** Begins the head of a result that only points at an earlier one. */
export const answeredAbove = 'Already answered above:';

function pointer(head: string): Pick<ToolResult, 'head' | 'body'> {
  return { head: `${answeredAbove} ${head.replace(/:$/, '.')}`, body: '' };
}

type NewResult = Omit<ResultItem, 'id' | 'parent'>;

/** Heads of this turn's results that stand in the prompt with their bodies, by what was asked. */
export function answersOf(path: readonly Item[], held: PruneState): ReadonlyMap<string, string> {
  const start = currentStart(path);
  const turn = shownItems(path, held).flatMap(([at, item]) => (at < start ? [] : [item]));
  const asked = new Map(
    turn.flatMap((item) => (item.origin === 'call' ? item.calls : [])).map((call) => [call.id, call]),
  );
  const answers = new Map<string, string>();
  for (const item of turn) {
    const call = item.origin === 'result' ? asked.get(item.call) : undefined;
    if (item.origin !== 'result' || call === undefined || !item.ok || item.body === '' || held.cleared.has(item.id))
      continue;
    answers.set(callKey(call), item.head);
  }
  return answers;
}

/**
 * Whether a round brought what its turn did not have: an answer to another question, or another answer. A model that asks the
 * same again gets the same again, and would go on so until its rounds are over.
 */
function bringsNew(path: readonly Item[], calls: readonly ToolCall[], results: readonly NewResult[]): boolean {
  const turn = path.slice(currentStart(path));
  const asked = new Map(
    turn.flatMap((item) => (item.origin === 'call' ? item.calls : [])).map((call) => [call.id, call]),
  );
  const known = new Set(
    turn.flatMap((item) => {
      const call = item.origin === 'result' ? asked.get(item.call) : undefined;
      return call === undefined || item.origin !== 'result' ? [] : [answerKey(call, item)];
    }),
  );
  return results.some((result, at) => {
    const call = calls[at];
    return !result.head.startsWith(answeredAbove) && call !== undefined && !known.has(answerKey(call, result));
  });
}

function answerKey(call: ToolCall, { head, body }: Pick<ToolResult, 'head' | 'body'>): string {
  return JSON.stringify([callKey(call), head, body]);
}

/** The same for calls that ask the same. */
export function callKey(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  const entries = Object.entries(call.arguments).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([call.name, entries]);
}

async function runTool(call: ToolCall, tools: readonly Tool[], signal: Signal): Promise<ToolResult> {
  if (signal.aborted) return refusal('Cancelled by the user.');
  if (call.problem !== undefined) return refusal(call.problem);
  const tool = tools.find(({ schema }) => schema.name === call.name);
  if (tool === undefined) {
    return refusal(`There is no tool "${call.name}". Tools: ${tools.map(({ schema }) => schema.name).join(', ')}.`);
  }
  try {
    return await Promise.race([tool.run(call.arguments, signal), cancelled(signal)]);
  } catch (error) {
    return refusal(`${call.name} failed: ${reasonOf(error)}`);
  }
}

/** Settles when the turn is cancelled, so that a tool that does not listen cannot hold it. */
function cancelled(signal: Signal): Promise<ToolResult> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(refusal('Cancelled by the user.')), { once: true });
  });
}

function refusal(head: string): ToolResult {
  return { ok: false, head: head.replace(/\s+/g, ' '), body: '' };
}

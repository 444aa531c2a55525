// Runs the tools a model asked for: what only looks in parallel, what has an effect one after the other, each once.

import type { Item, ResultItem, ToolCall } from '../dialog/dialog.ts';
import type { DeedSource, Tool, TurnWords } from '../dialog/tool.ts';
import { currentStart, type PruneState, shownItems } from '../pruning/pruneState.ts';
import { act, filesKnown, lookUp, refusal, type ToolAnswer, type ToolRun, withSeen } from './gate.ts';

/**
 * Returns a result item for each call, in their order. Never rejects. `earlier` are results that still stand in the prompt: a call that
 * repeats one of them, or another call of this message, is told so instead of running.
 */
export async function callTools(
  calls: readonly ToolCall[],
  earlier: ReadonlyMap<string, EarlierAnswer>,
  run: ToolRun,
): Promise<readonly NewResult[]> {
  const known = new Map<string, EarlierAnswer>(earlier);
  const answered: Promise<NewResult>[] = [];
  let files = run.known;
  let together: Together = { answers: new Map(), end: 0 };
  /** Earlier calls finish first, because these may change what they read; later calls see the changes. */
  const begin = async (source: DeedSource, at: number) => {
    await Promise.all(answered);
    const { asked, end } = callsOf(calls, source, at, run.tools);
    const fresh = asked.filter((call) => !known.has(callKey(call)));
    const answers = await act(fresh, source, files === undefined ? run : { ...run, known: files });
    for (const { changed } of answers.values()) await forget(known, changed);
    files = files === undefined ? files : withSeen(files, [...answers.values()]);
    return { answers, end };
  };
  for (const [at, call] of calls.entries()) {
    const named = { origin: 'result', call: call.id, tool: call.name } as const;
    const before = call.problem === undefined ? known.get(callKey(call)) : undefined;
    const tool = run.tools.find(({ schema }) => schema.name === call.name);
    if (before !== undefined) {
      answered.push(before.answer.then(({ ok, head }) => ({ ...named, ok, ...pointer(head) })));
    } else if (call.problem !== undefined || tool === undefined) {
      answered.push(Promise.resolve({ ...named, ...refusal(call.problem ?? noTool(call, run.tools)) }));
    } else if (tool.effect === 'read') {
      const answer = lookUp(call, tool, run);
      answered.push(answer.then((result) => ({ ...named, ...result })));
      known.set(callKey(call), { answer, touches: async () => (await tool.touches?.(call.arguments)) ?? null });
    } else {
      if (at >= together.end) together = await begin(tool.deeds, at);
      const answer = Promise.resolve(together.answers.get(call.id) ?? unanswered);
      answered.push(answer.then(({ ran: _, ...result }) => ({ ...named, ...result })));
      known.set(callKey(call), { answer, touches: tool.effect === 'run' ? anything : nowhere });
    }
  }
  return Promise.all(answered);
}

function noTool({ name }: ToolCall, tools: readonly Tool[]): string {
  return `There is no tool "${name}". Tools: ${tools.map(({ schema }) => schema.name).join(', ')}.`;
}

const unanswered = refusal('It was not made.');
const nowhere = async () => [];
const anything = async () => null;

/** Calls that stand side by side and are made together, up to the place `end`. */
interface Together {
  readonly answers: ReadonlyMap<string, ToolAnswer>;
  readonly end: number;
}

/** Calls that a source plans as one from a place on, up to the first call of another tool. Repeated calls are listed once. */
function callsOf(calls: readonly ToolCall[], source: DeedSource, from: number, tools: readonly Tool[]) {
  const isOther = ({ name }: ToolCall) => {
    const tool = tools.find(({ schema }) => schema.name === name);
    return !source.together || tool === undefined || tool.effect === 'read' || tool.deeds !== source;
  };
  const other = calls.findIndex((call, i) => i > from && isOther(call));
  const end = other < 0 ? calls.length : other;
  const own = calls.slice(from, end).filter(({ problem }) => problem === undefined);
  return { asked: own.filter((call, i) => own.findIndex((one) => callKey(one) === callKey(call)) === i), end };
}

/** An answer given before, and the files its call looked at. */
interface EarlierAnswer {
  readonly answer: Promise<Pick<ToolAnswer, 'ok' | 'head'>>;
  readonly touches: () => Promise<readonly string[] | null>;
}

/** Forgets answers about changed files, so that these may be read again. */
async function forget(known: Map<string, EarlierAnswer>, changed: ToolAnswer['changed']): Promise<void> {
  if (changed === undefined) return;
  for (const [key, { touches }] of [...known]) {
    const touched = changed === 'anything' ? null : await touches();
    if (touched === null || changed === 'anything' || touched.some((one) => changed.includes(one))) known.delete(key);
  }
}

/** The calls of one round with their results, and whether they brought anything new. Never rejects. */
export async function runRound(
  calls: readonly ToolCall[],
  { path, pruned }: { readonly path: readonly Item[]; readonly pruned: PruneState },
  run: ToolRun,
): Promise<{ readonly results: readonly NewResult[]; readonly isNew: boolean }> {
  const known = filesKnown(path, pruned);
  const turn = turnWords(path);
  const results = await callTools(calls, await answersOf(path, pruned, run.tools), { ...run, known, turn });
  return { results, isNew: bringsNew(path, calls, results) };
}

/** The message of the current turn, as far as the user wrote it. */
function turnWords(path: readonly Item[]): TurnWords {
  const turn = path.slice(currentStart(path));
  const [first] = turn;
  const message = first?.origin === 'user' ? first.text : '';
  return { message, hasOthers: turn.some(({ origin }) => origin === 'result' || origin === 'attachment') };
}

/** Begins the head of a result that only points at an earlier one. */
export const answeredAbove = 'Already answered above:';

function pointer(head: string): Pick<ToolAnswer, 'head' | 'body'> {
  return { head: `${answeredAbove} ${head.replace(/:$/, '.')}`, body: '' };
}

type NewResult = Omit<ResultItem, 'id' | 'parent'>;

/** This turn's results of tools that only look, as far as they stand in the prompt with their bodies and still hold, by what was asked. */
export async function answersOf(
  path: readonly Item[],
  pruned: PruneState,
  tools: readonly Tool[],
): Promise<ReadonlyMap<string, EarlierAnswer>> {
  const start = currentStart(path);
  const turn = shownItems(path, pruned).flatMap(([at, item]) => (at < start ? [] : [item]));
  const asked = callsById(turn);
  const answers = new Map<string, EarlierAnswer>();
  for (const item of turn) {
    if (item.origin !== 'result') continue;
    await forget(answers, item.changed);
    const call = asked.get(item.call);
    const tool = tools.find(({ schema }) => schema.name === call?.name);
    const stands = item.ok && item.body !== '' && !pruned.cleared.has(item.id);
    if (call === undefined || !stands || (tool !== undefined && tool.effect !== 'read')) continue;
    const touches = async () => (await tool?.touches?.(call.arguments)) ?? null;
    answers.set(callKey(call), { answer: Promise.resolve(item), touches });
  }
  return answers;
}

function callsById(items: readonly Item[]): ReadonlyMap<string, ToolCall> {
  return new Map(items.flatMap((item) => (item.origin === 'call' ? item.calls : [])).map((call) => [call.id, call]));
}

/**
 * Whether a round brought what its turn did not have: an answer to another question, or another answer. A model that asks the
 * same again gets the same again, and would go on so until its rounds are over.
 */
function bringsNew(path: readonly Item[], calls: readonly ToolCall[], results: readonly NewResult[]): boolean {
  const turn = path.slice(currentStart(path));
  const asked = callsById(turn);
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

function answerKey(call: ToolCall, { head, body }: Pick<ToolAnswer, 'head' | 'body'>): string {
  return JSON.stringify([callKey(call), head, body]);
}

/** The same for calls that ask the same. */
export function callKey(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  const entries = Object.entries(call.arguments).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([call.name, entries]);
}

// Calls of one message that are made together: each unit is allowed, or not, and made as one.
import type { Item, ToolCall } from '../dialog/dialog.ts';
import { filesBeside } from '../dialog/filesNamed.ts';
import type { BatchUnit, FilesKnown, SeenFile, ToolBatch } from '../dialog/tool.ts';
import { reasonOf } from '../faults/faults.ts';
import { currentStart, type PruneState, shownItems } from '../pruning/pruneState.ts';
import { askUser, notAllowed, refusal, type ToolAnswer, type ToolRun } from './runTool.ts';

const nothingKnown: FilesKnown = { message: '', seen: new Map(), beside: [], failed: new Map() };

/** Resolves to the answer of each call, by its id. Never rejects. */
export async function runBatch(
  calls: readonly ToolCall[],
  batch: ToolBatch,
  run: ToolRun,
): Promise<ReadonlyMap<string, ToolAnswer>> {
  const planned = await batch.plan(calls, run.known ?? nothingKnown, run.signal);
  const answers = new Map<string, ToolAnswer>(planned.flatMap(({ refused }) => [...(refused ?? [])]));
  const ask = async (together: readonly BatchUnit[]) => {
    const answered = await answersOf(together, calls, run);
    for (const [id, answer] of answered ?? allOf(together, notAllowed)) answers.set(id, answer);
    return answered !== null;
  };
  // A change that may lose something is a question by itself: such a one is not always asked.
  const [doubtful, units] = parted(
    planned.filter(({ refused }) => refused === null),
    ({ doubt }) => doubt !== '',
  );
  // The changes of an answer belong together: the question comes first, and after a no nothing else is made unasked.
  const [reasoned, plain] = parted(units, ({ asks }) => asks !== '' || run.dressed === true);
  if (await ask(reasoned)) for (const unit of plain) await ask([unit]);
  else await ask(plain.map((unit) => ({ ...unit, asks: 'you did not allow another change of this answer' })));
  for (const unit of doubtful) await ask([unit]);
  return answers;
}

function parted<T>(all: readonly T[], fits: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(fits), all.filter((one) => !fits(one))];
}

function allOf(units: readonly BatchUnit[], answer: ToolAnswer): ReadonlyMap<string, ToolAnswer> {
  return new Map(units.flatMap((unit) => unit.calls).map((id) => [id, answer]));
}

/** Asks one question for all of these units; null after a no. */
async function answersOf(
  units: readonly BatchUnit[],
  calls: readonly ToolCall[],
  run: ToolRun,
): Promise<ReadonlyMap<string, ToolAnswer> | null> {
  if (run.signal.aborted) return allOf(units, refusal('Cancelled by the user.'));
  const ids = units.flatMap((unit) => unit.calls);
  const call = calls.find(({ id }) => ids.includes(id));
  const [first] = units;
  if (first === undefined || call === undefined) return new Map();
  const preview = units.map((unit) => unit.preview).join('\n\n');
  const because = units.flatMap(({ asks, doubt }) => [asks, doubt].filter((one) => one !== '')).join('\n');
  const no = await askUser({ call, calls: ids.length, effect: 'write', preview, because, doubt: first.doubt }, run);
  if (no !== null) return no === notAllowed ? null : allOf(units, no);
  const answers = new Map<string, ToolAnswer>();
  for (const unit of units) for (const [id, answer] of await madeOf(unit, run)) answers.set(id, answer);
  return answers;
}

async function madeOf(unit: BatchUnit, { signal }: ToolRun): Promise<ReadonlyMap<string, ToolAnswer>> {
  const all = (answer: ToolAnswer) => new Map(unit.calls.map((id) => [id, answer]));
  if (signal.aborted) return all(refusal('Cancelled by the user.'));
  try {
    return await unit.run(signal);
  } catch (error) {
    return all({ ...refusal(`Not done: ${reasonOf(error)}`), changed: 'anything' satisfies ToolAnswer['changed'] });
  }
}

/** The same with what edits of the running answer left of files. */
export function withSeen(known: FilesKnown, answers: readonly ToolAnswer[]): FilesKnown {
  const seen = new Map(known.seen);
  for (const one of answers.flatMap((answer) => answer.seen ?? [])) see(seen, one, one.whole);
  return { ...known, seen };
}

/** Some lines of a file that is known whole, and is the same, take nothing away. */
function see(seen: Map<string, SeenFile>, one: SeenFile, isWhole: boolean): void {
  const before = seen.get(one.file);
  seen.set(one.file, { ...one, whole: isWhole || (before?.whole === true && before.hash === one.hash) });
}

/** A path's knowledge of files. Files that the prompt no longer shows are known by their hash only. */
export function filesKnown(path: readonly Item[], pruned: PruneState): FilesKnown {
  const shown = new Set(shownItems(path, pruned).map(([, { id }]) => id));
  const start = currentStart(path);
  const seen = new Map<string, SeenFile>();
  const failed = new Map<string, number>();
  for (const [at, item] of path.entries()) {
    if (item.origin !== 'result') continue;
    const stands = shown.has(item.id) && !pruned.cleared.has(item.id);
    for (const one of item.seen ?? []) {
      see(seen, one, one.whole && stands);
      if (!item.ok && at > start) failed.set(one.file, (failed.get(one.file) ?? 0) + 1);
    }
  }
  return { message: path[start]?.id ?? '', seen, beside: filesBeside(path), failed };
}

// Calls of one message that are made together: each unit is allowed, or not, and made as one.
import type { Item, ToolCall } from '../dialog/dialog.ts';
import type { BatchUnit, FilesKnown, SeenFile, ToolBatch } from '../dialog/tool.ts';
import { reasonOf } from '../faults/faults.ts';
import { currentStart, type PruneState, shownItems } from '../pruning/pruneState.ts';
import { askUser, refusal, type ToolAnswer, type ToolRun } from './runTool.ts';

const nothingKnown: FilesKnown = { message: '', seen: new Map(), failed: new Map() };

/** What each call is answered, by its id. Never rejects. */
export async function runBatch(
  calls: readonly ToolCall[],
  batch: ToolBatch,
  run: ToolRun,
): Promise<ReadonlyMap<string, ToolAnswer>> {
  const answers = new Map<string, ToolAnswer>();
  for (const unit of await batch.plan(calls, run.known ?? nothingKnown, run.signal)) {
    for (const [id, answer] of await answersOf(unit, calls, run)) answers.set(id, answer);
  }
  return answers;
}

async function answersOf(
  unit: BatchUnit,
  calls: readonly ToolCall[],
  run: ToolRun,
): Promise<ReadonlyMap<string, ToolAnswer>> {
  const all = (answer: ToolAnswer) => new Map(unit.calls.map((id) => [id, answer]));
  if (run.signal.aborted) return all(refusal('Cancelled by the user.'));
  const call = calls.find(({ id }) => unit.calls.includes(id));
  if (unit.refused !== null || call === undefined) return unit.refused ?? new Map();
  const because = [unit.asks, unit.doubt].filter((one) => one !== '').join('\n');
  const no = await askUser({ call, effect: 'write', preview: unit.preview, because, doubt: unit.doubt }, run);
  if (no !== null) return all(no);
  try {
    return await unit.run(run.signal);
  } catch (error) {
    return all({ ...refusal(`Not done: ${reasonOf(error)}`), changed: 'anything' satisfies ToolAnswer['changed'] });
  }
}

/** What the results on a path tell of files. What is no longer in the prompt is known by its hash only. */
export function filesKnown(path: readonly Item[], held: PruneState): FilesKnown {
  const shown = new Set(shownItems(path, held).map(([, { id }]) => id));
  const start = currentStart(path);
  const seen = new Map<string, SeenFile>();
  const failed = new Map<string, number>();
  for (const [at, item] of path.entries()) {
    if (item.origin !== 'result') continue;
    const stands = shown.has(item.id) && !held.cleared.has(item.id);
    for (const one of item.seen ?? []) {
      const before = seen.get(one.file);
      // Some lines of a file that is known whole, and is the same, take nothing away.
      const whole = (one.whole && stands) || (before?.whole === true && before.hash === one.hash);
      seen.set(one.file, { ...one, whole });
      if (!item.ok && at > start) failed.set(one.file, (failed.get(one.file) ?? 0) + 1);
    }
  }
  return { message: path[start]?.id ?? '', seen, failed };
}

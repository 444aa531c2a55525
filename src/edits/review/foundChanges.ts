// Notes files that a command changed, so that they wait in the review as those of the edit tools do.
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { FileSnapshots, FoundChange, NewSnapshot } from '../../core/stored/fileSnapshots.ts';
import { type KeepingPorts, layersOver } from './keeper.ts';
import { contentOf, lookAt, textOf } from './look.ts';
import { standingAs } from './standing.ts';

/** Gives those that wait now. A file that cannot be looked at is left out. */
export async function noteFound(
  { store, files, now }: KeepingPorts,
  session: string,
  message: ItemId,
  changes: readonly FoundChange[],
): Promise<readonly FoundChange[]> {
  const noted: { readonly change: FoundChange; readonly snapshot: NewSnapshot }[] = [];
  for (const change of changes) {
    const found = await lookAt(files, change.file, change.shown).catch(() => 'unread' as const);
    if (found === 'unread') continue;
    const snapshot = { ...change, wanted: found?.bytes ?? null, ...waitingBefore(store, change) };
    noted.push({ change, snapshot });
  }
  store.begin(
    session,
    message,
    noted.map(({ snapshot }) => snapshot),
    now(),
  );
  store.settle(
    session,
    message,
    noted.map(({ snapshot: { file, wanted } }) => ({ file, bytes: wanted })),
  );
  return noted.map(({ change }) => change);
}

/** Changes that waited before the command. Code blocks that wait are no layer of their own any more. */
function waitingBefore(store: FileSnapshots, { file, before }: FoundChange) {
  const known = store.file(file);
  const was =
    before === null ? null : { bytes: before, text: textOf(before), hash: contentOf(before) ?? '', unsaved: false };
  const { base, mixed } = layersOver(known === null ? null : standingAs(store, known, was), before);
  return { base, mixed };
}

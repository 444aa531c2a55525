// How it stands with the files that a conversation changed: what waits for the user's word, and what was taken back.
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { ChangedFile, FileSnapshot, FileSnapshots } from '../../core/stored/fileSnapshots.ts';
import type { EditableFiles } from '../files/editable.ts';
import { followed } from './follow.ts';
import { type Hunk, hunksOf } from './hunks.ts';
import { bytesLike, type Look, lookAt, textOf } from './look.ts';

/** A changed file against what the user has seen of it. */
export interface Standing {
  readonly row: ChangedFile;
  readonly current: Look;
  /** What it would be without the changes that wait; null is no file. */
  readonly base: Uint8Array | null;
  /** Somebody wrote into the changes, or the file came, or went. */
  readonly mixed: boolean;
  /** None where nothing waits. */
  readonly hunks: readonly Hunk[];
}

/** Rejects with words where the file cannot be looked at. */
export async function standingOf(store: FileSnapshots, files: EditableFiles, given: ChangedFile): Promise<Standing> {
  const current = await lookAt(files, given.file, given.shown);
  const row = settled(store, given, current);
  const { base, mixed } = baseNow(store, row, current);
  const [before, now] = [base === null ? '' : textOf(base), current?.text ?? ''];
  // An empty file that came or went has no lines.
  const isOther = (base === null) !== (current === null) || before !== now;
  const hunks = isOther && row.base !== row.now ? hunksOrWhole(before, now) : [];
  return { row, current, base, mixed, hunks };
}

/** A change that was cut off was made, or was not. */
function settled(store: FileSnapshots, row: ChangedFile, current: Look): ChangedFile {
  if (row.wanted === undefined) return row;
  const { wanted, ...rest } = row;
  const found = current?.hash ?? null;
  const next = found === wanted ? { ...rest, now: wanted } : rest;
  if (found === wanted || found === row.now) store.put(next);
  return next;
}

function baseNow(store: FileSnapshots, row: ChangedFile, current: Look): Pick<Standing, 'base' | 'mixed'> {
  const base = row.base === null ? null : store.content(row.base);
  const found = current?.hash ?? null;
  if (found === row.now) return { base, mixed: false };
  const now = row.now === null ? null : store.content(row.now);
  if (base === null || now === null || current === null) return { base, mixed: true };
  const next = followed(textOf(base), textOf(now), current.text);
  return { base: bytesLike(next.base, current.bytes), mixed: next.mixed };
}

function hunksOrWhole(before: string, now: string): readonly Hunk[] {
  const hunks = hunksOf(before, now);
  return hunks.length > 0 ? hunks : [{ before: { start: 0, lines: [] }, after: { start: 0, lines: [] } }];
}

/** A turn that changed files. */
export interface ChangingTurn {
  readonly message: ItemId;
  readonly files: readonly string[];
  /** All of it was taken back. */
  readonly undone: boolean;
}

export function turnsThatChanged(store: FileSnapshots, session: string): readonly ChangingTurn[] {
  const all = store.of(session).filter(({ before, after }) => before !== after);
  const messages = [...new Set(all.map(({ message }) => message))];
  return messages.map((message) => {
    const own = all.filter((one) => one.message === message);
    return { message, files: own.map(({ shown }) => shown), undone: own.every((one) => isUndone(store, one)) };
  });
}

/** The file stands before this snapshot, or before an earlier one. */
function isUndone(store: FileSnapshots, { file, id }: FileSnapshot): boolean {
  const row = store.file(file);
  const all = store.ofFile(file);
  if (row === null || row.redo === undefined) return false;
  return all.some((one) => one.id <= id && one.before === row.now);
}

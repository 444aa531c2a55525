// How it stands with the files that a conversation changed: what waits for the user's word, and what was taken back. Nothing is written here.
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
  /** Somebody else wrote into the changes, or the file came, or went. */
  readonly mixed: boolean;
  readonly waits: boolean;
  /** None where nothing waits, and one without lines for an empty file that came or went. */
  readonly hunks: readonly Hunk[];
}

/** Rejects with words where the file cannot be looked at. */
export async function standingOf(store: FileSnapshots, files: EditableFiles, given: ChangedFile): Promise<Standing> {
  const current = await lookAt(files, given.file, given.shown);
  const row = settledRow(given, current);
  const { base, mixed } = baseNow(store, row, current);
  const [before, now] = [base === null ? '' : textOf(base), current?.text ?? ''];
  const waits = row.base !== row.now && ((base === null) !== (current === null) || before !== now);
  return { row, current, base, mixed, waits, hunks: waits ? hunksOrWhole(before, now) : [] };
}

/** A change that was cut off was made, or was not. */
function settledRow({ wanted, ...row }: ChangedFile, current: Look): ChangedFile {
  return wanted !== undefined && (current?.hash ?? null) === wanted ? { ...row, now: wanted } : row;
}

function baseNow(store: FileSnapshots, row: ChangedFile, current: Look): Pick<Standing, 'base' | 'mixed'> {
  const base = row.base === null ? null : store.content(row.base);
  if ((current?.hash ?? null) === row.now) return { base, mixed: row.mixed };
  const now = row.now === null ? null : store.content(row.now);
  if (base === null || now === null || current === null) return { base, mixed: true };
  const next = followed(textOf(base), textOf(now), current.text);
  return { base: bytesLike(next.base, current.bytes), mixed: row.mixed || next.mixed };
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

/** In their order. */
export function turnsThatChanged(store: FileSnapshots, session: string): readonly ChangingTurn[] {
  const all = store.of(session).filter(({ before, after }) => before !== after);
  const files = new Set(all.map(({ file }) => file));
  const known = new Map([...files].map((file) => [file, { row: store.file(file), chain: store.ofFile(file) }]));
  const messages = [...new Set(all.map(({ message }) => message))];
  return messages.map((message) => {
    const own = all.filter((one) => one.message === message);
    const undone = own.every((one) => {
      const { row = null, chain = [] } = known.get(one.file) ?? {};
      return row !== null && isUndone(row, chain, one);
    });
    return { message, files: own.map(({ shown }) => shown), undone };
  });
}

/** The file stands before this snapshot, or before an earlier one. */
function isUndone({ now }: ChangedFile, chain: readonly FileSnapshot[], { id }: FileSnapshot): boolean {
  return now !== chain.at(-1)?.after && chain.some((one) => one.id <= id && one.before === now);
}

// How it stands with the files that a conversation changed: what waits for the user's word, and what was taken back. Nothing is written here.

import type { ItemId } from '../../core/dialog/dialog.ts';
import type { ChangedFile, Content, FileSnapshot, FileSnapshots } from '../../core/stored/fileSnapshots.ts';
import type { EditableFiles } from '../files/editable.ts';
import { type Hunk, type HunkLines, hunksOf, textLines } from './hunks.ts';
import { hunksIn, type Layers, type ReviewHunk } from './layers.ts';
import { bytesLike, type Look, lookAt, textOf } from './look.ts';

/** A changed file against what the user has seen of it. */
export interface Standing {
  readonly row: ChangedFile;
  readonly current: Look;
  /** The file without the changes that wait; null is no file. */
  readonly base: Uint8Array | null;
  /** The file without those of code blocks alone; the file as it is where none waits. */
  readonly under: Uint8Array | null;
  /** Somebody else wrote into the changes, or the file came, or went. */
  readonly mixed: boolean;
  readonly waits: boolean;
  /** None where nothing waits, and one without lines for an empty file that came or went. */
  readonly hunks: readonly ReviewHunk[];
}

/** Rejects with words where the file cannot be looked at. */
export async function standingOf(store: FileSnapshots, files: EditableFiles, given: ChangedFile): Promise<Standing> {
  return standingAs(store, given, await lookAt(files, given.file, given.shown));
}

/** The same for a file as it is, or was. */
export function standingAs(store: FileSnapshots, given: ChangedFile, current: Look): Standing {
  const row = settledRow(given, current);
  const { base, under, mixed } = layersNow(store, row, current);
  const layers = layersOf({ base, under, current });
  const waits = row.base !== row.now && ((base === null) !== (current === null) || layers.base !== layers.now);
  return { row, current, base, under, mixed, waits, hunks: waits ? hunksOrWhole(layers, row) : [] };
}

export function layersOf({ base, under, current }: Pick<Standing, 'base' | 'under' | 'current'>): Layers {
  return { base: textOf(base), under: textOf(under), now: current?.text ?? '' };
}

/** A change that was cut off was made, or was not. */
function settledRow({ wanted, ...row }: ChangedFile, current: Look): ChangedFile {
  return wanted !== undefined && (current?.hash ?? null) === wanted ? { ...row, now: wanted } : row;
}

type LayerBytes = Pick<Standing, 'base' | 'under' | 'mixed'>;

function layersNow(store: FileSnapshots, { base, now, mixed, applied }: ChangedFile, current: Look): LayerBytes {
  const content = (hash: Content) => (hash === null ? null : store.content(hash));
  const is = current?.bytes ?? null;
  const [before, under] = [content(base), applied === undefined ? is : content(applied.under)];
  if ((current?.hash ?? null) === now) return { base: before, under, mixed };
  if (applied === undefined) {
    const next = carryOver(before, content(now), is);
    return { base: next.bytes, under, mixed: mixed || next.mixed };
  }
  const above = carryOver(under, content(now), is);
  const below = carryOver(before, under, above.bytes);
  return { base: below.bytes, under: above.bytes, mixed: mixed || above.mixed || below.mixed };
}

/** Bytes from before changes, with what came beside those since. */
export function carryOver(
  before: Uint8Array | null,
  now: Uint8Array | null,
  is: Uint8Array | null,
): { readonly bytes: Uint8Array | null; readonly mixed: boolean } {
  if (now === is) return { bytes: before, mixed: false };
  if (before === null || now === null || is === null) return { bytes: before, mixed: true };
  const { base, mixed } = followed(textOf(before), textOf(now), textOf(is));
  return { bytes: bytesLike(base, is), mixed };
}

function hunksOrWhole(layers: Layers, { applied }: ChangedFile): readonly ReviewHunk[] {
  const hunks = hunksIn(layers);
  const none = { start: 0, lines: [] };
  const author = applied === undefined ? 'agent' : 'block';
  return hunks.length > 0 ? hunks : [{ before: none, under: none, after: none, author }];
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

/** But for code blocks, the file stands before this snapshot, or before an earlier one. */
function isUndone({ now: is, applied }: ChangedFile, chain: readonly FileSnapshot[], { id }: FileSnapshot): boolean {
  const now = applied === undefined ? is : applied.under;
  return now !== chain.at(-1)?.after && chain.some((one) => one.id <= id && one.before === now);
}

// Adds what came into a file beside waiting changes to the text before them as well, so that taking the changes back keeps it.

interface Followed {
  /** The text before the changes, with what came beside them since. */
  readonly base: string;
  /** Something was written into a change, or came at its edge, and is a part of it then: taking it back takes those words along. */
  readonly mixed: boolean;
}

/** `base` and `now`: the text before the changes and with them; `current`: what it has become since. */
export function followed(base: string, now: string, current: string): Followed {
  const ours = hunksOf(base, now);
  const lines = [...textLines(base)];
  let mixed = false;
  // From the end, so that places in front stay where they are.
  for (const { before, after } of hunksOf(now, current).toReversed()) {
    const at = placeBefore(ours, before);
    if (at === null) mixed = true;
    else lines.splice(at, before.lines.length, ...after.lines);
  }
  return { base: lines.join(''), mixed };
}

/** The line of the text before at which lines of the text with the changes stand; null where they are a part of a change. */
function placeBefore(ours: readonly Hunk[], { start, lines }: HunkLines): number | null {
  let moved = 0;
  const end = start + lines.length;
  for (const { before, after } of ours) {
    const last = after.start + after.lines.length;
    // Lines that only come at the edge of a change could be meant as a part of it; those that stand there already are not.
    const edge = lines.length === 0 ? 1 : 0;
    if (last + edge <= start) moved += before.lines.length - after.lines.length;
    else if (after.start >= end + edge) break;
    else return null;
  }
  return start + moved;
}

// What the user does with the changes of an agent: keeps them, takes them back, makes them again; per file, per change, per turn. What
// somebody else wrote since is overwritten only after a yes to exactly that.
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { ChangedFile, Content, FileSnapshot, ReviewNews } from '../../core/stored/fileSnapshots.ts';
import { sha256Of } from '../../tools/files/hash.ts';
import type { FileChange } from '../files/editable.ts';
import { keepHunk, undoHunk } from './hunks.ts';
import type { KeepingPorts } from './keeper.ts';
import { bytesLike, type Look, textOf } from './look.ts';
import { type Standing, standingOf } from './standing.ts';

/** A file that somebody else wrote since: what would be overwritten, and by what. */
export interface Overwriting {
  readonly file: string;
  readonly shown: string;
  readonly current: Look;
  /** Null is no file. */
  readonly target: Uint8Array | null;
}

/** Whether a file may be overwritten. */
export type Agree = (what: Overwriting) => Promise<boolean>;

export class Review {
  private readonly ports: KeepingPorts;
  private readonly agree: Agree;

  constructor(ports: KeepingPorts, agree: Agree) {
    this.ports = ports;
    this.agree = agree;
  }

  /** Rejects with words where the file cannot be looked at; null where nothing of it is known. */
  async standing(file: string): Promise<Standing | null> {
    const row = this.ports.store.file(file);
    return row === null ? null : standingOf(this.ports.store, this.ports.files, row);
  }

  /** `at`: one of its hunks, from 0; null for all. What the user wrote beside is kept as well. */
  async keep(file: string, at: number | null): Promise<void> {
    const found = await this.standing(file);
    if (found === null || found.hunks.length === 0) return;
    const { row, current, base, hunks } = found;
    const hunk = at === null || hunks.length === 1 ? undefined : hunks[at];
    const bytes = current?.bytes ?? null;
    const next = hunk === undefined ? bytes : bytesLike(keepHunk(base === null ? '' : textOf(base), hunk), bytes);
    this.put(row, { base: next, now: bytes, news: hunk === undefined ? 'kept' : 'kept in part' });
  }

  /** True where it was done. What was written beside the changes stays. */
  async undo(file: string, at: number | null): Promise<boolean> {
    const found = await this.standing(file);
    if (found === null || found.hunks.length === 0) return true;
    const { row, current, base, mixed, hunks } = found;
    const hunk = at === null || hunks.length === 1 ? undefined : hunks[at];
    const part = hunk === undefined || current === null ? null : undoHunk(current.text, hunk);
    const target = part === null ? base : bytesLike(part, current?.bytes ?? null);
    const news = part === null ? 'undone' : 'undone in part';
    return this.become(row, current, { target, base, news, asks: mixed });
  }

  /** What it was before changes were taken back: they wait for the user's word again. */
  async redo(file: string): Promise<boolean> {
    const found = await this.standing(file);
    if (found?.row.redo === undefined) return true;
    const { row, current, base } = found;
    const asks = (current?.hash ?? null) !== row.now;
    return this.become(row, current, { target: this.content(row.redo ?? null), base, news: 'made again', asks });
  }

  /** All files that a turn and those after it changed, as they were before. Those that were not done, since the user said no. */
  restore(session: string, message: ItemId): Promise<readonly string[]> {
    return this.each(session, message, (first, _row, current) => ({
      target: this.content(first.before),
      base: this.content(first.before),
      news: 'undone',
      asks: !this.isKept(first.file, current),
    }));
  }

  /** The same as they were before that. */
  again(session: string, message: ItemId): Promise<readonly string[]> {
    return this.each(session, message, (first, row, current) => {
      if (row.redo === undefined) return null;
      const asks = (current?.hash ?? null) !== row.now;
      return { target: this.content(row.redo), base: this.content(first.before), news: 'made again', asks };
    });
  }

  /** Nothing of anybody else is in it: it is as a turn found it, or left it. */
  private isKept(file: string, current: Look): boolean {
    const found = current?.hash ?? null;
    return this.ports.store.ofFile(file).some(({ before, after }) => before === found || after === found);
  }

  private async each(
    session: string,
    message: ItemId,
    to: (first: FileSnapshot, row: ChangedFile, current: Look) => Becoming | null,
  ): Promise<readonly string[]> {
    const all = this.ports.store.of(session).filter(({ before, after }) => before !== after);
    const from = all.findIndex((one) => one.message === message);
    const left: string[] = [];
    const firsts = new Map(
      all
        .slice(from < 0 ? all.length : from)
        .toReversed()
        .map((one) => [one.file, one]),
    );
    for (const first of [...firsts.values()].toReversed()) {
      const found = await this.standing(first.file);
      if (found === null) continue;
      const { row, current } = found;
      const becoming = to(first, row, current);
      if (becoming === null) continue;
      const isDone = await this.become(row, current, { ...becoming, mode: first.mode });
      if (!isDone) left.push(first.shown);
    }
    return left;
  }

  private async become(row: ChangedFile, current: Look, to: Becoming): Promise<boolean> {
    const { file, shown } = row;
    const { target, base, news } = to;
    const wanted = target === null ? null : sha256Of(target);
    const found = current?.hash ?? null;
    if (wanted !== found) {
      if (to.asks && !(await this.agree({ file, shown, current, target }))) return false;
      const kept: ChangedFile = { ...row, base: hashOf(base), now: found, wanted };
      this.ports.store.put(
        kept,
        [base, target, current?.bytes ?? null].filter((bytes) => bytes !== null),
      );
      await this.ports.files.change([changeTo(file, found, target, to.mode ?? this.modeOf(file))]);
    }
    const left = (await this.ports.files.read(file)).is === 'absent' ? null : await this.bytesOf(file, target);
    const redo = news === 'made again' ? {} : { redo: current?.bytes ?? null };
    this.put(row, { base: sameAs(base, target, left), now: left, news, ...redo });
    return true;
  }

  private async bytesOf(file: string, target: Uint8Array | null): Promise<Uint8Array | null> {
    const found = await this.ports.files.read(file);
    return found.is === 'text' && target !== null && found.unsaved ? Buffer.from(found.text) : target;
  }

  private put({ file, shown, session }: ChangedFile, { base, now, redo, news }: Decided): void {
    const contents = [base, now, redo ?? null].filter((bytes) => bytes !== null);
    const again = redo === undefined ? {} : { redo: hashOf(redo) };
    this.ports.store.put({ file, shown, session, base: hashOf(base), now: hashOf(now), ...again, news }, contents);
  }

  /** Rejects where it is no longer kept. */
  private content(hash: Content): Uint8Array | null {
    if (hash === null) return null;
    const bytes = this.ports.store.content(hash);
    if (bytes === null) throw new Error('This snapshot is no longer kept.');
    return bytes;
  }

  private modeOf(file: string): number | null {
    return this.ports.store.ofFile(file).find(({ mode }) => mode !== null)?.mode ?? null;
  }
}

/** What a file is to become. */
interface Becoming {
  readonly target: Uint8Array | null;
  readonly base: Uint8Array | null;
  readonly news: ReviewNews;
  /** The user has to agree. */
  readonly asks: boolean;
  readonly mode?: number | null;
}

interface Decided {
  readonly base: Uint8Array | null;
  readonly now: Uint8Array | null;
  readonly redo?: Uint8Array | null;
  readonly news: ReviewNews;
}

function changeTo(path: string, before: Content, target: Uint8Array | null, mode: number | null): FileChange {
  if (target !== null) return { do: 'put', path, before, bytes: target, mode };
  return { do: 'delete', path, before: before ?? '' };
}

function hashOf(bytes: Uint8Array | null): Content {
  return bytes === null ? null : sha256Of(bytes);
}

/** Where all was taken back nothing waits, also in a buffer whose line ends are not the file's. */
function sameAs(base: Uint8Array | null, target: Uint8Array | null, left: Uint8Array | null): Uint8Array | null {
  return hashOf(base) === hashOf(target) ? left : base;
}

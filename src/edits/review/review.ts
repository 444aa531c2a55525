// What the user does with the changes of an agent: keeps them, takes them back, makes them again; per file, per change, per turn. What
// somebody else wrote is overwritten only after a yes to exactly that.
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { ChangedFile, Content, FileSnapshot, ReviewNews } from '../../core/stored/fileSnapshots.ts';
import { sha256Of } from '../../tools/files/hash.ts';
import type { FileChange } from '../files/editable.ts';
import { hunkKeys, keepHunk, undoHunk } from './hunks.ts';
import type { KeepingPorts } from './keeper.ts';
import { bytesLike, type Look, textOf } from './look.ts';
import { type Standing, standingOf } from './standing.ts';

/** A file that somebody else wrote into: what would be overwritten, and by what. Null is no file. */
export interface Overwriting {
  readonly file: string;
  readonly shown: string;
  readonly current: Look;
  readonly target: Uint8Array | null;
}

/** What the user has agreed to overwrite, by its hash; null for nothing yet. */
export type Agreed = { readonly hash: Content } | null;

/** What is done at once gives null; what asks first gives the question, and nothing is done yet. */
export type Deed = Promise<Overwriting | null>;

/** What a file is to become. */
interface Becoming {
  readonly target: Uint8Array | null;
  /** What waits afterwards is what differs from this. */
  readonly base: Uint8Array | null;
  readonly news: ReviewNews;
  /** The user has to agree. */
  readonly asks: boolean;
  readonly agreed: Agreed;
}

export class Review {
  private readonly ports: KeepingPorts;

  constructor(ports: KeepingPorts) {
    this.ports = ports;
  }

  /** Null where nothing of the file is known. Rejects with words where it cannot be looked at. */
  async standing(file: string): Promise<Standing | null> {
    const row = this.ports.store.file(file);
    return row === null ? null : standingOf(this.ports.store, this.ports.files, row);
  }

  /** `key`: of one of its hunks; null for all. What the user wrote beside is kept as well; a file that cannot be read is left alone. */
  async keep(file: string, key: string | null): Promise<void> {
    const known = this.ports.store.file(file);
    const found = await this.standing(file).catch(() => null);
    if (known !== null && found === null) this.ports.store.put({ ...plain(known), base: known.now, news: 'kept' });
    if (found === null || !found.waits) return;
    const { row, current, base, hunks } = found;
    const at = key === null ? -1 : hunkKeys(hunks).indexOf(key);
    const hunk = hunks[at];
    if (key !== null && hunk === undefined) return;
    const bytes = current?.bytes ?? null;
    const isAll = hunk === undefined || hunks.length === 1;
    const next = isAll ? bytes : bytesLike(keepHunk(base === null ? '' : textOf(base), hunk), bytes);
    const news = isAll ? 'kept' : 'kept in part';
    this.put(row, { base: next, now: bytes, mixed: !isAll && found.mixed, news: together(row.news, news) });
  }

  /** What was written beside the changes stays. */
  async undo(file: string, key: string | null, agreed: Agreed = null): Deed {
    const found = await this.standing(file);
    if (found === null || !found.waits) return null;
    const { row, current, base, mixed, hunks } = found;
    const hunk = key === null ? undefined : hunks[hunkKeys(hunks).indexOf(key)];
    if (key !== null && hunk === undefined) return null;
    const part = hunk === undefined || hunks.length === 1 || current === null ? null : undoHunk(current.text, hunk);
    const target = part === null ? base : bytesLike(part, current?.bytes ?? null);
    const news = together(row.news, part === null ? 'undone' : 'undone in part');
    return this.become(found, { target, base, news, asks: mixed, agreed });
  }

  /** What it was before changes were taken back: they wait for the user's word again. */
  async redo(file: string, agreed: Agreed = null): Deed {
    const found = await this.standing(file);
    if (found?.row.redo === undefined) return null;
    const { row, current, base } = found;
    const asks = (current?.hash ?? null) !== row.now;
    return this.become(found, { target: this.content(row.redo ?? null), base, news: 'made again', asks, agreed });
  }

  /** Files that turns of a session changed, in the order in which they were first changed. */
  filesOf(session: string, messages: ReadonlySet<ItemId>): readonly string[] {
    return [...new Set(this.made(session, messages).map(({ file }) => file))];
  }

  /** A file as it was before these turns of a session. */
  async restore(session: string, messages: ReadonlySet<ItemId>, file: string, agreed: Agreed = null): Deed {
    const [first] = this.made(session, messages).filter((one) => one.file === file);
    const found = first === undefined ? null : await this.standing(file);
    if (first === undefined || found === null) return null;
    const chain = this.ports.store.ofFile(file);
    const own = chain.filter(({ id }) => id >= first.id);
    const target = this.content(first.before);
    // What waited before these turns waits on.
    const base = this.content(first.base);
    const asks = !isOnly(own, session, messages) || !own.some((one) => stands(one, found.current));
    const news = first.base === first.before ? 'undone' : 'undone in part';
    return this.become(found, { target, base, news, asks, agreed });
  }

  /** A file as these turns left it last. */
  async again(session: string, messages: ReadonlySet<ItemId>, file: string, agreed: Agreed = null): Deed {
    const last = this.made(session, messages).findLast((one) => one.file === file);
    const found = last === undefined ? null : await this.standing(file);
    if (last === undefined || found === null) return null;
    const { row, current, base } = found;
    const asks = (current?.hash ?? null) !== row.now;
    return this.become(found, { target: this.content(last.after), base, news: 'made again', asks, agreed });
  }

  private made(session: string, messages: ReadonlySet<ItemId>): readonly FileSnapshot[] {
    return this.ports.store
      .of(session)
      .filter(({ message, before, after }) => messages.has(message) && before !== after);
  }

  private async become({ row, current, mixed }: Standing, to: Becoming): Deed {
    const { file, shown } = row;
    const { target, base, news, agreed } = to;
    const [wanted, found] = [hashOf(target), current?.hash ?? null];
    const isThere = wanted === found;
    if (!isThere && to.asks && agreed?.hash !== found) return { file, shown, current, target };
    if (!isThere) {
      const former = this.ports.store.file(file) ?? row;
      const contents = [base, target, current?.bytes ?? null].filter((bytes) => bytes !== null);
      this.ports.store.put({ ...row, base: hashOf(base), now: found, wanted }, contents);
      try {
        await this.ports.files.change([changeTo(file, found, target, this.modeOf(file))]);
      } catch (error) {
        this.ports.store.put(former);
        throw error;
      }
    }
    const left = await this.left(file, target);
    const isBase = hashOf(base) === hashOf(target);
    const isMore = row.redo !== undefined && row.news === 'undone in part' && found === row.now;
    const redo = news === 'made again' ? {} : isThere || isMore ? redoOf(row) : { redo: found };
    const contents = [left, base, current?.bytes ?? null].filter((bytes) => bytes !== null);
    // Where all was taken back nothing waits, also in a buffer whose line ends are not the file's.
    const next = {
      base: isBase ? hashOf(left) : hashOf(base),
      now: hashOf(left),
      mixed: !isBase && mixed,
      ...redo,
      news,
    };
    this.ports.store.put({ ...plain(row), ...next }, contents);
    return null;
  }

  /** Of an unsaved buffer, its text. */
  private async left(file: string, target: Uint8Array | null): Promise<Uint8Array | null> {
    const found = await this.ports.files.read(file);
    return found.is === 'text' && target !== null && found.unsaved ? Buffer.from(found.text) : target;
  }

  private put(row: ChangedFile, to: Decided): void {
    const { base, now, mixed, news } = to;
    const contents = [base, now].filter((bytes) => bytes !== null);
    this.ports.store.put({ ...plain(row), base: hashOf(base), now: hashOf(now), mixed, news }, contents);
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

interface Decided {
  readonly base: Uint8Array | null;
  readonly now: Uint8Array | null;
  readonly mixed: boolean;
  readonly news: ReviewNews;
}

/** Nothing of it is under way, and nothing was taken back. */
function plain({ wanted: _wanted, redo: _redo, ...row }: ChangedFile): ChangedFile {
  return row;
}

function redoOf({ redo }: ChangedFile): { readonly redo?: Content } {
  return redo === undefined ? {} : { redo };
}

/** All that was made of the file since is of these turns, one building on the other. */
function isOnly(chain: readonly FileSnapshot[], session: string, messages: ReadonlySet<ItemId>): boolean {
  return chain.every(
    (one, i) =>
      one.session === session &&
      messages.has(one.message) &&
      !one.between &&
      (i === 0 || one.before === chain[i - 1]?.after),
  );
}

/** The file is as this turn found it, or left it. */
function stands({ before, after }: FileSnapshot, current: Look): boolean {
  const found = current?.hash ?? null;
  return before === found || after === found;
}

/** What the model is told of two decisions about one file. */
function together(former: ReviewNews, next: ReviewNews): ReviewNews {
  const [kept, undone] = [next.startsWith('kept'), next.startsWith('undone')];
  const isBoth =
    (former === 'both in part' && (kept || undone)) ||
    (former === 'undone in part' && kept) ||
    (former === 'kept in part' && undone);
  return isBoth ? 'both in part' : next;
}

function changeTo(path: string, before: Content, target: Uint8Array | null, mode: number | null): FileChange {
  if (target !== null) return { do: 'put', path, before, bytes: target, mode };
  return { do: 'delete', path, before: before ?? '' };
}

function hashOf(bytes: Uint8Array | null): Content {
  return bytes === null ? null : sha256Of(bytes);
}

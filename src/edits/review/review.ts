// Does what the user decides about changes: keeps them, takes them back, makes them again; per file, per change, per code block, per turn. Text that
// somebody else wrote is overwritten only after a yes to exactly that.
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { ChangedFile, Content, FileSnapshot, ReviewNews } from '../../core/stored/fileSnapshots.ts';
import type { FileChange } from '../files/editable.ts';
import { removeEmptyAbove } from '../files/openFolder.ts';
import { hunkKeys } from './hunks.ts';
import type { KeepingPorts } from './keeper.ts';
import { keepHunks, type Layers, type ReviewHunk, undoHunks } from './layers.ts';
import { bytesLike, contentOf, type Look, textOf } from './look.ts';
import { layersOf, type Standing, standingOf } from './standing.ts';

/** A file that somebody else wrote into: what would be overwritten, and by what. Null is no file. */
export interface Overwriting {
  readonly file: string;
  readonly shown: string;
  readonly current: Look;
  readonly target: Uint8Array | null;
}

/** The content that the user has agreed to overwrite, by its hash; null for nothing yet. */
export type Agreed = { readonly hash: Content } | null;

/** Resolves to null where the deed is done, and to the question where it has to ask first: then nothing is done yet. */
export type ReviewAct = Promise<Overwriting | null>;

interface Decided {
  /** The content before the changes that wait afterwards. */
  readonly base: Uint8Array | null;
  readonly now: Uint8Array | null;
  /** Left out where no code block waits. */
  readonly under?: Uint8Array | null;
  readonly mixed: boolean;
  readonly news: ReviewNews;
  readonly redo?: Content;
}

/** The content that a file is to get, and whether the user has to agree first. */
interface Becoming extends Pick<Decided, 'base' | 'under' | 'news'> {
  readonly target: Uint8Array | null;
  /** The user has to agree. */
  readonly asks: boolean;
  readonly agreed: Agreed;
}

export class Review {
  private readonly ports: KeepingPorts;

  constructor(ports: KeepingPorts) {
    this.ports = ports;
  }

  /** Returns a file's changes as they stand; null where nothing of the file is known. Rejects with words where it cannot be looked at. */
  async standing(file: string): Promise<Standing | null> {
    const row = this.ports.store.file(file);
    return row === null ? null : standingOf(this.ports.store, this.ports.files, row);
  }

  /** `key`: of a hunk, or of a code block; null for all. What the user wrote beside is kept as well; a file that cannot be read is left alone. */
  async keep(file: string, key: string | null): Promise<void> {
    const known = this.ports.store.file(file);
    const found = await this.standing(file).catch(() => null);
    const news = known?.applied === undefined ? 'kept' : known.news;
    if (known !== null && found === null) this.ports.store.put({ ...plain(known), base: known.now, news });
    const chosen = found === null ? [] : chosenOf(found, key);
    if (found === null || chosen.length === 0) return;
    const { row, current, hunks } = found;
    const bytes = current?.bytes ?? null;
    const left = hunks.filter((hunk) => !chosen.includes(hunk));
    const layers = keepHunks(layersOf(found), chosen);
    const base = left.length === 0 ? bytes : bytesLike(layers.base, bytes);
    const mixed = left.length > 0 && found.mixed;
    const next = { base, now: bytes, mixed, news: newsOf(row, chosen, isAgents(left) ? 'kept in part' : 'kept') };
    await this.decided(row, { ...next, ...underOf(left, layers, bytes) });
  }

  /** Takes changes back; what was written beside them stays. A code block that lies over an agent's change goes first, and leaves that change. */
  async undo(file: string, key: string | null, agreed: Agreed = null): ReviewAct {
    const found = await this.standing(file);
    const chosen = found === null ? [] : chosenOf(found, key);
    if (found === null || chosen.length === 0) return null;
    const { row, current, base, under, mixed, hunks } = found;
    const is = current?.bytes ?? null;
    const layers = undoHunks(layersOf(found), chosen);
    const left = hunks.filter((hunk) => !chosen.includes(hunk));
    const isBase = key === null || layers.now === layers.base;
    const whole = isBase ? base : layers.now === textOf(under) ? under : bytesLike(layers.now, is);
    const target = whole === null ? null : bytesLike(textOf(whole), is ?? whole);
    const news = newsOf(row, chosen, isAgents(left) ? 'undone in part' : 'undone');
    const blocks = isBase ? {} : underOf(left, layers, is);
    return this.become(found, { target, base: isBase ? target : base, news, asks: mixed, agreed, ...blocks });
  }

  /** A code block that the user took back by hand, or closed without saving, waits no more. */
  async notice(file: string): Promise<void> {
    const found = await this.standing(file).catch(() => null);
    if (found?.row.applied === undefined) return;
    const { row, current, base, under, mixed } = found;
    const isGone = (under === null) === (current === null) && textOf(under) === (current?.text ?? '');
    if (isGone) this.put(row, { base, now: current?.bytes ?? null, mixed, news: row.news });
  }

  /** Returns a file to what it was before changes were taken back: they wait for the user's word again. */
  async redo(file: string, agreed: Agreed = null): ReviewAct {
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
  async restore(session: string, messages: ReadonlySet<ItemId>, file: string, agreed: Agreed = null): ReviewAct {
    const [first] = this.made(session, messages).filter((one) => one.file === file);
    const found = first === undefined ? null : await this.standing(file);
    if (first === undefined || found === null) return null;
    const chain = this.ports.store.ofFile(file);
    const own = chain.filter(({ id }) => id >= first.id);
    const target = this.content(first.before);
    // Changes that waited before these turns go on waiting.
    const base = this.content(first.base);
    const asks = !isOnly(own, session, messages) || !own.some((one) => stands(one, found.current));
    const news = first.base === first.before ? 'undone' : 'undone in part';
    return this.become(found, { target, base, news, asks, agreed });
  }

  /** A file as these turns left it last. */
  async again(session: string, messages: ReadonlySet<ItemId>, file: string, agreed: Agreed = null): ReviewAct {
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

  private async become({ row, current, mixed }: Standing, to: Becoming): ReviewAct {
    const { file, shown } = row;
    const { target, base, news, agreed } = to;
    const [wanted, found] = [contentOf(target), current?.hash ?? null];
    const isThere = wanted === found;
    if (!isThere && to.asks && agreed?.hash !== found) return { file, shown, current, target };
    if (!isThere) {
      const former = this.ports.store.file(file) ?? row;
      const writing = { ...row, base: contentOf(base), now: found, wanted };
      this.ports.store.put(writing, [base, target, current?.bytes ?? null]);
      try {
        await this.ports.files.change([changeTo(file, found, target, this.modeOf(row))]);
        if (target === null) await removeEmptyAbove(file, this.ports.store.folders());
      } catch (error) {
        this.ports.store.put(former);
        throw error;
      }
    }
    const left = await this.left(file, target);
    const isBase = contentOf(base) === contentOf(target);
    const isMore = row.redo !== undefined && row.news === 'undone in part' && found === row.now;
    const redo = news === 'made again' ? {} : isThere || isMore ? redoOf(row) : { redo: found };
    // Once everything is taken back nothing waits, even in a buffer whose line ends are not the file's.
    const next = { base: isBase ? left : base, now: left, mixed: !isBase && mixed, news, ...redo };
    await this.decided(row, to.under === undefined ? next : { ...next, under: to.under }, current?.bytes ?? null);
    return null;
  }

  /** Returns what is in the file now: the text of an unsaved buffer, else what was written. */
  private async left(file: string, target: Uint8Array | null): Promise<Uint8Array | null> {
    const found = await this.ports.files.read(file);
    return found.is === 'text' && target !== null && found.unsaved ? Buffer.from(found.text) : target;
  }

  /** A file that was saved is saved again once no code block waits in it. */
  private async decided(row: ChangedFile, to: Decided, former: Uint8Array | null = null): Promise<void> {
    this.put(row, to, former);
    if (row.applied?.saves === true && to.under === undefined) await this.ports.files.save(row.file);
  }

  private put(row: ChangedFile, to: Decided, former: Uint8Array | null = null): void {
    const { base, now, under = null, mixed, news } = to;
    const waits = to.under !== undefined && row.applied !== undefined;
    const applied = waits ? { applied: { ...row.applied, under: contentOf(under) } } : {};
    // Without code blocks it belongs to the conversation whose agent changed it.
    const session = row.applied === undefined || waits ? row.session : this.ownerOf(row);
    const next = { session, base: contentOf(base), now: contentOf(now), mixed, news, ...redoOf(to), ...applied };
    this.ports.store.put({ ...plain(row), ...next }, [base, now, under, former]);
  }

  private ownerOf({ file, session }: ChangedFile): string {
    return this.ports.store.ofFile(file).at(-1)?.session ?? session;
  }

  /** Rejects where it is no longer kept. */
  private content(hash: Content): Uint8Array | null {
    if (hash === null) return null;
    const bytes = this.ports.store.content(hash);
    if (bytes === null) throw new Error('This snapshot is no longer kept.');
    return bytes;
  }

  private modeOf({ file, applied }: ChangedFile): number | null {
    return applied?.mode ?? this.ports.store.ofFile(file).find(({ mode }) => mode !== null)?.mode ?? null;
  }
}

/** Nothing of it is under way, nothing was taken back, and no code block waits. */
function plain({ wanted: _wanted, redo: _redo, applied: _applied, ...row }: ChangedFile): ChangedFile {
  return row;
}

function redoOf({ redo }: Pick<ChangedFile, 'redo'>): { readonly redo?: Content } {
  return redo === undefined ? {} : { redo };
}

function chosenOf({ row, hunks }: Standing, key: string | null): readonly ReviewHunk[] {
  if (key === null) return hunks;
  if (row.applied?.keys.includes(key) === true) return hunks.filter(({ author }) => author === 'block');
  const hunk = hunks[hunkKeys(hunks).indexOf(key)];
  return hunk === undefined ? [] : [hunk];
}

function isAgents(hunks: readonly ReviewHunk[]): boolean {
  return hunks.some(({ author }) => author === 'agent');
}

/** The text without code blocks, where some still wait. */
function underOf(left: readonly ReviewHunk[], { under }: Layers, like: Uint8Array | null): Pick<Decided, 'under'> {
  return left.some(({ author }) => author === 'block') ? { under: bytesLike(under, like) } : {};
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

/** Returns the news for the model: a decision is added to those that it was not told yet. News of code blocks it gets none. */
function newsOf({ news }: ChangedFile, chosen: readonly ReviewHunk[], next: ReviewNews): ReviewNews {
  return isAgents(chosen) ? together(news, next) : news;
}

/** Merges two decisions about one file into the one that the model is told. */
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

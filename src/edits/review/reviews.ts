// The changes of all conversations: kept before they are made, shown, decided upon, and told to the model. One thing is done at a time; a
// question that waits holds nothing up.

import { pathToFileURL } from 'node:url';
import type { ItemId } from '../../core/dialog/dialog.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type {
  ChangedFile,
  FileSnapshots,
  FoundChange,
  NewSnapshot,
  ReviewNews,
} from '../../core/stored/fileSnapshots.ts';
import type { EditPorts } from '../tools.ts';
import { type BlockEdit, noteBlocks } from './applying.ts';
import { type KeepingPorts, keepBefore, layersOver } from './keeper.ts';
import { contentOf, lookAt, textOf } from './look.ts';
import { type Agreed, type Overwriting, Review, type ReviewAct } from './review.ts';
import { type ChangingTurn, type Standing, standingAs, standingOf, turnsThatChanged } from './standing.ts';

/** A file with what waits in it, or was taken back. */
export interface ReviewedNow {
  /** Absolute. */
  readonly path: string;
  readonly uri: string;
  readonly shown: string;
  readonly standing: Standing | null;
  /** Why it cannot be looked at; '' where it can. */
  readonly problem: string;
}

export interface ReviewsPorts extends KeepingPorts {
  /** Whether a file may be overwritten. */
  readonly agree: (what: Overwriting) => Promise<boolean>;
  /** Told that something could not be kept after files were changed. */
  readonly failed: (error: unknown) => void;
}

export class Reviews {
  private readonly ports: ReviewsPorts;
  private readonly review: Review;
  private readonly changed = new Emitter<void>();
  private last: Promise<unknown> = Promise.resolve();
  /** Deeds under way that are about many files. */
  private many = 0;

  constructor(ports: ReviewsPorts) {
    this.ports = ports;
    this.review = new Review(ports);
  }

  /** Calls back when something was changed, kept or taken back. */
  subscribe(listener: () => void): Disposable {
    return this.changed.subscribe(listener);
  }

  /** Files were written by somebody else, or closed. */
  async look(files: readonly string[] = []): Promise<void> {
    await this.inTurn(async () => {
      for (const file of files) await this.review.notice(file);
    });
  }

  /** `make` puts code blocks into files: all or none of them, where it rejects. They wait there for the user's word. */
  apply(session: string, edits: readonly BlockEdit[], make: () => Promise<void>): Promise<void> {
    return this.inTurn(() => noteBlocks(this.ports, session, edits, make));
  }

  /** Returns the function that a session's edit tools call before they change files. Nothing else is done until they have changed them. */
  keeperFor(session: string): NonNullable<EditPorts['keep']> {
    return async (files, message) => {
      const { promise, resolve: free } = Promise.withResolvers<void>();
      const before = this.last;
      this.last = promise;
      await before;
      try {
        const done = await keepBefore(this.ports, session, message, files);
        return () =>
          done()
            .catch(this.ports.failed)
            .finally(() => this.end(free));
      } catch (error) {
        this.end(free);
        throw error;
      }
    };
  }

  /** Files that a command changed wait as well. Gives the changes that do. */
  noteFound(session: string, message: ItemId, changes: readonly FoundChange[]): Promise<readonly FoundChange[]> {
    return this.inTurn(() => noteFound(this.ports, session, message, changes));
  }

  /** Files that a command must not make are taken back at once, and can be made again. */
  async setAside(session: string, message: ItemId, changes: readonly FoundChange[]): Promise<void> {
    const { store } = this.ports;
    for (const { file } of await this.noteFound(session, message, changes)) {
      await this.undo(file, null);
      const row = store.file(file);
      if (row !== null) store.put({ ...row, news: 'set aside' });
    }
    this.tell();
  }

  /** Files of a session where something waits, or was taken back since its model was told. Rejects where the store fails. */
  async of(session: string): Promise<readonly ReviewedNow[]> {
    const rows = this.ports.store.files(session);
    // Files with nothing left to decide need not be read.
    const all = rows.filter(mayBeShown).map(async (row): Promise<ReviewedNow> => {
      const named = { path: row.file, uri: pathToFileURL(row.file).href, shown: row.shown };
      try {
        return { ...named, standing: await standingOf(this.ports.store, this.ports.files, row), problem: '' };
      } catch (error) {
        return { ...named, standing: null, problem: reasonOf(error) };
      }
    });
    return (await Promise.all(all)).filter(({ standing }) => standing === null || isShown(standing));
  }

  /** All files that a session changed, absolute. */
  changedBy(session: string): readonly string[] {
    return this.ports.store.files(session).map(({ file }) => file);
  }

  turns(session: string): readonly ChangingTurn[] {
    return turnsThatChanged(this.ports.store, session);
  }

  /** Returns a file's changes as they stand; null where nothing of the file is known. Rejects with words where it cannot be looked at. */
  known(path: string): Promise<Standing | null> {
    return this.review.standing(path);
  }

  /** The same, and null where nothing waits in the file. */
  async standing(path: string): Promise<Standing | null> {
    const found = await this.known(path);
    return found?.waits === true ? found : null;
  }

  /** `key`: of one hunk, or of a code block; null for all. */
  keep(path: string, key: string | null): Promise<void> {
    return this.inTurn(() => this.review.keep(path, key));
  }

  /** False where the user did not agree. */
  undo(path: string, key: string | null): Promise<boolean> {
    return this.decided((agreed) => this.review.undo(path, key, agreed));
  }

  redo(path: string): Promise<boolean> {
    return this.decided((agreed) => this.review.redo(path, agreed));
  }

  /** Takes back what turns changed. What was left, with the reason where there is one. */
  undoTurns(session: string, messages: ReadonlySet<ItemId>): Promise<readonly string[]> {
    const undo = (file: string) => this.decided((agreed) => this.review.restore(session, messages, file, agreed));
    return this.each(this.review.filesOf(session, messages).toReversed(), undo);
  }

  redoTurns(session: string, messages: ReadonlySet<ItemId>): Promise<readonly string[]> {
    const redo = (file: string) => this.decided((agreed) => this.review.again(session, messages, file, agreed));
    return this.each(this.review.filesOf(session, messages), redo);
  }

  /** All that waits in a session. */
  async decideAll(session: string, what: 'keep' | 'undo'): Promise<readonly string[]> {
    const waiting = (await this.of(session)).filter(({ standing }) => standing?.waits !== false);
    return this.each(
      waiting.map(({ path }) => path),
      async (path) => (await this[what](path, null)) !== false,
    );
  }

  /** In one line; '' for nothing. */
  news(session: string): string {
    const rows = this.ports.store.files(session);
    const told = (Object.keys(newsWords) as (keyof typeof newsWords)[]).flatMap((news) => {
      const names = rows.filter((row) => row.news === news).map(({ shown }) => shown);
      return names.length === 0 ? [] : [`${newsWords[news]} ${names.join(', ')}`];
    });
    return told.length === 0 ? '' : `Since then the user ${told.join('; ')}.`;
  }

  /** Drops the news about what these messages changed: what was done before they were asked anew is no news to the answer. */
  forgetNews(session: string, messages: ReadonlySet<ItemId>): void {
    const { store } = this.ports;
    for (const file of this.review.filesOf(session, messages)) {
      const row = store.file(file);
      if (row !== null) store.put({ ...row, news: '' });
    }
  }

  told(session: string): void {
    const { store } = this.ports;
    for (const row of store.files(session)) if (row.news !== '') store.put({ ...row, news: '' });
    this.changed.emit();
  }

  /** Works on each file, also after one that fails, and returns the names of those that were left as they are. */
  private async each(files: readonly string[], work: (file: string) => Promise<boolean>): Promise<readonly string[]> {
    const left: string[] = [];
    this.many += 1;
    try {
      for (const file of files) left.push(...(await this.leftOf(file, work)));
    } finally {
      this.many -= 1;
      this.tell();
    }
    return left;
  }

  /** The file's name where it was left as it is. */
  private async leftOf(file: string, work: (file: string) => Promise<boolean>): Promise<readonly string[]> {
    let name = file;
    try {
      name = this.ports.store.file(file)?.shown ?? file;
      return (await work(file)) ? [] : [name];
    } catch (error) {
      return [`${name} (${reasonOf(error)})`];
    }
  }

  /** Asks where it must, and again where the file became another one meanwhile. */
  private async decided(work: (agreed: Agreed) => ReviewAct): Promise<boolean> {
    let agreed: Agreed = null;
    for (;;) {
      const now: Agreed = agreed;
      const asks: Overwriting | null = await this.inTurn(() => work(now));
      if (asks === null) return true;
      if (!(await this.ports.agree(asks))) return false;
      agreed = { hash: asks.current?.hash ?? null };
    }
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work).finally(() => this.tell());
    this.last = done.catch(() => undefined);
    return done;
  }

  private end(free: () => void): void {
    free();
    this.tell();
  }

  /** Once, where many are decided. */
  private tell(): void {
    if (this.many === 0) this.changed.emit();
  }
}

const newsWords: Readonly<Record<Exclude<ReviewNews, ''>, string>> = {
  kept: 'kept your changes of',
  'kept in part': 'kept some of your changes of',
  undone: 'undid your changes of',
  'undone in part': 'undid some of your changes of',
  'both in part': 'kept some and undid some of your changes of',
  'made again': 'made your undone changes again in',
  'set aside': 'has not yet kept',
};

function mayBeShown(row: ChangedFile): boolean {
  return row.wanted !== undefined || row.base !== row.now || wasUndone(row);
}

function isShown({ waits, row }: Standing): boolean {
  return waits || wasUndone(row);
}

function wasUndone({ redo, news }: ChangedFile): boolean {
  return redo !== undefined && news !== '';
}

// Notes files that a command changed, so that they wait in the review as those of the edit tools do.

/** Gives those that wait now. A file that cannot be looked at is left out. */
async function noteFound(
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

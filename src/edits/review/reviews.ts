// The changes of all conversations: kept before they are made, shown, decided upon, and told to the model. One thing is done at a time.
import { pathToFileURL } from 'node:url';
import type { ItemId } from '../../core/dialog/dialog.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { ChangedFile, ReviewNews } from '../../core/stored/fileSnapshots.ts';
import type { EditPorts } from '../tools.ts';
import { type KeepingPorts, keepBefore } from './keeper.ts';
import { type Agree, Review } from './review.ts';
import { type ChangingTurn, type Standing, standingOf, turnsThatChanged } from './standing.ts';

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

export class Reviews {
  private readonly ports: KeepingPorts;
  private readonly review: Review;
  private readonly changed = new Emitter<void>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(ports: KeepingPorts, agree: Agree) {
    this.ports = ports;
    this.review = new Review(ports, agree);
  }

  /** Calls back when something was changed, kept or taken back. */
  subscribe(listener: () => void): Disposable {
    return this.changed.subscribe(listener);
  }

  /** A file was written by somebody else. */
  look(): void {
    this.changed.emit();
  }

  /** What edit tools of a session call before they change files. */
  keeperFor(session: string): NonNullable<EditPorts['keep']> {
    return async (files, message) => {
      const done = await keepBefore(this.ports, session, message, files);
      return () => done().finally(() => this.changed.emit());
    };
  }

  /** Files of a session where something waits, or was taken back since its model was told. Never rejects. */
  async of(session: string): Promise<readonly ReviewedNow[]> {
    const rows = this.ports.store.files(session);
    // What was decided need not be read.
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

  turns(session: string): readonly ChangingTurn[] {
    return turnsThatChanged(this.ports.store, session);
  }

  /** Null where nothing waits in the file. Rejects with words where it cannot be looked at. */
  async standing(path: string): Promise<Standing | null> {
    const found = await this.review.standing(path);
    return found !== null && found.hunks.length > 0 ? found : null;
  }

  keep(path: string, at: number | null): Promise<void> {
    return this.inTurn(() => this.review.keep(path, at));
  }

  undo(path: string, at: number | null): Promise<boolean> {
    return this.inTurn(() => this.review.undo(path, at));
  }

  redo(path: string): Promise<boolean> {
    return this.inTurn(() => this.review.redo(path));
  }

  /** Shown paths of files that were left as they are. */
  undoTurn(session: string, message: ItemId): Promise<readonly string[]> {
    return this.inTurn(() => this.review.restore(session, message));
  }

  redoTurn(session: string, message: ItemId): Promise<readonly string[]> {
    return this.inTurn(() => this.review.again(session, message));
  }

  /** All that waits in a session. */
  async decideAll(session: string, what: 'keep' | 'undo'): Promise<void> {
    for (const { path, standing } of await this.of(session))
      if (standing !== null && standing.hunks.length > 0) await this[what](path, null);
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

  told(session: string): void {
    const { store } = this.ports;
    for (const row of store.files(session)) if (row.news !== '') store.put({ ...row, news: '' });
    this.changed.emit();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work).finally(() => this.changed.emit());
    this.last = done.catch(() => undefined);
    return done;
  }
}

const newsWords: Readonly<Record<Exclude<ReviewNews, ''>, string>> = {
  kept: 'kept your changes of',
  'kept in part': 'kept some of your changes of',
  undone: 'undid your changes of',
  'undone in part': 'undid some of your changes of',
  'made again': 'made your undone changes again in',
};

function mayBeShown(row: ChangedFile): boolean {
  return row.wanted !== undefined || row.base !== row.now || wasUndone(row);
}

function isShown({ hunks, row }: Standing): boolean {
  return hunks.length > 0 || wasUndone(row);
}

function wasUndone({ redo, news }: ChangedFile): boolean {
  return redo !== undefined && news !== '';
}

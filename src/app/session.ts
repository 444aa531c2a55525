// A session: a dialog with what its slot let go of, kept in a journal item by item. Storing may fail without ending it.

import type { Bundle } from '../core/bundle.ts';
import { closeTurn } from '../core/closeTurn.ts';
import { append, type Item, type ItemId } from '../core/dialog.ts';
import { faultOf, wordFault } from '../core/faults.ts';
import { type Mark, type Marks, mark, noMarks } from '../core/marks.ts';
import type { Report } from '../core/report.ts';
import type { SessionRow, StoredSession } from '../core/storedSession.ts';
import type { TurnState, UserMessage } from '../core/turnPorts.ts';
import { Tally } from './mechanisms.ts';

/** Where sessions are kept. Every function may throw a `storeUnavailable` FaultError. */
export interface Journal {
  createSession(row: SessionRow): void;
  appendItem(session: string, item: Item): void;
  addReport(session: string, report: Report): void;
  setMarks(session: string, marks: Marks): void;
  latestSession(workspace: string): StoredSession | null;
}

export interface Session {
  readonly id: string;
  readonly system: string;
  state: TurnState;
  /** The workspace texts it froze when it first spoke to a model. */
  bundle: Bundle | null;
  marks: Marks;
  /** Goes with the next message: what the user brings back into the prompt. */
  restored: readonly UserMessage['attachments'][number][];
  readonly tally: Tally;
  /** Stores an item. One that cannot be stored now is stored before the next one, so that the journal has no holes. */
  append(item: Item): void;
  report(report: Report): void;
  /** Sets what the user decided about an item, and keeps it. */
  mark(item: ItemId, as: Mark): void;
}

/** `say` gets the words of a failure, and nothing when storing works again. */
export type Say = (notice: string) => void;

/** A new session, created in the journal with its first item. */
export function startSession(journal: Journal | null, row: SessionRow, state: TurnState, say: Say): Session {
  return createSession(journal, row, state, say, () => journal?.createSession(row));
}

/** The latest session of a workspace, or null. A turn that was cut off is closed. */
export function resumeSession(
  journal: Journal | null,
  workspace: string,
  newId: () => string,
  say: Say,
): Session | null {
  const stored = guarded(say, () => journal?.latestSession(workspace) ?? null);
  if (stored === undefined || stored === null) return null;
  const row = { id: stored.id, workspace, system: stored.system, created: 0 };
  const session = createSession(journal, row, { dialog: stored.dialog, held: [] }, say, () => undefined);
  session.marks = stored.marks;
  for (const missing of closeTurn(stored.dialog.path)) {
    const { dialog, held } = session.state;
    const item: Item = { ...missing, id: newId(), parent: dialog.head };
    session.state = { dialog: append(dialog, item), held };
    session.append(item);
  }
  return session;
}

function createSession(
  journal: Journal | null,
  row: SessionRow,
  state: TurnState,
  say: Say,
  create: () => void,
): Session {
  const waiting: Item[] = [];
  let created = false;
  let failing = false;
  const keep = (work: () => void) => {
    const done = () => {
      work();
      return true;
    };
    const kept = guarded(say, done) === true;
    if (kept && failing) say('');
    failing = !kept;
  };
  const store = () => {
    if (!created) create();
    created = true;
    for (let item = waiting[0]; item !== undefined; item = waiting[0]) {
      journal?.appendItem(row.id, item);
      waiting.shift();
    }
  };
  const session: Session = {
    id: row.id,
    system: row.system,
    state,
    bundle: null,
    marks: noMarks,
    restored: [],
    tally: new Tally(),
    append: (item) => {
      if (journal === null) return;
      waiting.push(item);
      keep(store);
    },
    report: (report) => {
      if (waiting.length === 0) keep(() => journal?.addReport(row.id, report));
    },
    mark: (item, as) => {
      session.marks = mark(session.marks, item, as);
      keep(() => {
        // A mark needs its session in the journal, which may have been too busy for it until now.
        store();
        journal?.setMarks(row.id, session.marks);
      });
    },
  };
  return session;
}

function guarded<T>(say: Say, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const { message, advice } = wordFault(faultOf(error));
    say(`${message} ${advice}`);
    return undefined;
  }
}

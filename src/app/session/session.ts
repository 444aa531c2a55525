// A session: a dialog with what its slots let go of, kept in a journal item by item. Storing may fail without ending it.
import { type Said, saidOf } from '../../core/calls/read.ts';
import type { FoldRow } from '../../core/compaction/foldRow.ts';
import { append, type Item, type ItemId } from '../../core/dialog/dialog.ts';
import { type Mark, type Marks, mark, noMarks } from '../../core/dialog/marks.ts';
import { faultOf, wordFault } from '../../core/faults/faults.ts';
import type { Bundle, BundlePart } from '../../core/prompt/bundle.ts';
import type { Held } from '../../core/pruning/held.ts';
import type { Report } from '../../core/report/report.ts';
import { restoreHeld, storeHeld } from '../../core/stored/storedHeld.ts';
import type { Journal, SessionRow, StoredSession } from '../../core/stored/storedSession.ts';
import { closeTurn } from '../../core/turn/closeTurn.ts';
import type { TurnState, UserMessage } from '../../core/turn/turnPorts.ts';
import { Tally } from './mechanisms.ts';

export interface Session {
  readonly id: string;
  readonly workspace: string;
  readonly system: string;
  state: TurnState;
  /** The workspace texts it froze when it first spoke to a model. */
  bundle: Bundle | null;
  /** The memory and the work board as they stood then; null before. */
  digest: readonly BundlePart[] | null;
  marks: Marks;
  /** Every attempt to fold, the oldest first. */
  folds: readonly FoldRow[];
  /** Goes with the next message: what the user brings back into the prompt. */
  restored: readonly UserMessage['attachments'][number][];
  /** Tokens by which its turns made the prompt grow. */
  grown: readonly number[];
  readonly tally: Tally;
  /** Stores what the running answer says so far, once a second. */
  saying(said: Said): void;
  /** Stores an item. One that cannot be stored now is stored before the next one, so that the journal has no holes. */
  append(item: Item): void;
  report(report: Report): void;
  /** Sets what the user decided about an item, and keeps it. */
  mark(item: ItemId, as: Mark): void;
  /** Sets what the slots let go of, and keeps it. */
  hold(held: readonly Held[]): void;
  /** Adds a fold, or replaces the one with its id, and sets with it what the slots let go of. */
  putFold(row: FoldRow, held: readonly Held[]): void;
  /** Tries once more to store what could not be stored. */
  flush(): void;
}

/** Between two of them an answer is not stored: what is lost at most when its process dies. */
const sayingMilliseconds = 1000;

/** `say` gets the words of a failure, and none whenever storing works. */
export type Say = (notice: string) => void;

/** Where a session is kept now; null while, or from when on, nothing of it may be stored. */
export type Keeping = () => Journal | null;

/** A new session, created in the journal with its first item. */
export function startSession(keeping: Keeping, row: SessionRow, state: TurnState, say: Say): Session {
  return createSession(keeping, row, state, say, (journal) => journal.createSession(row));
}

/** A stored session as it was left. A turn that was cut off is closed. */
export function resumeSession(keeping: Keeping, stored: StoredSession, newId: () => string, say: Say): Session {
  const { id, workspace, system, created, dialog } = stored;
  const held = heldOf(stored, say);
  const session = createSession(keeping, { id, workspace, system, created }, { dialog, held }, say, () => undefined);
  session.marks = stored.marks;
  session.folds = stored.folds;
  const { unfinished } = stored;
  const said = unfinished !== null && unfinished.parent === dialog.head ? saidOf(unfinished) : { text: '' };
  for (const missing of closeTurn(dialog.path, said, 'interrupted')) {
    const { dialog: now } = session.state;
    const item: Item = { ...missing, id: newId(), parent: now.head };
    session.state = { dialog: append(now, item), held };
    session.append(item);
  }
  return session;
}

/** A row that cannot be read must not cost the conversation: then all of it is in the prompt again. */
function heldOf({ held, folds }: StoredSession, say: Say): readonly Held[] {
  try {
    return held.map((one) => restoreHeld(one, folds));
  } catch {
    say('What this conversation had let go of cannot be read: all of it is in the prompt again.');
    return [];
  }
}

function createSession(
  keeping: Keeping,
  row: SessionRow,
  state: TurnState,
  say: Say,
  create: (journal: Journal) => void,
): Session {
  const keepAll = (to: Journal) => {
    const held = session.state.held.map(storeHeld);
    to.setMarks(row.id, session.marks);
    for (const fold of session.folds) to.putFold(row.id, fold, held);
    to.setHeld(row.id, held);
  };
  const keeper = new Keeper(keeping, row.id, say, { create, keepAll });
  const session: Session = {
    id: row.id,
    workspace: row.workspace,
    system: row.system,
    state,
    bundle: null,
    digest: null,
    marks: noMarks,
    folds: [],
    restored: [],
    grown: [],
    tally: new Tally(),
    append: (item) => keeper.append(item),
    saying: (said) => keeper.saying(said),
    report: (report) => keeper.keep((to) => to.addReport(row.id, report)),
    mark: (item, as) => {
      session.marks = mark(session.marks, item, as);
      keeper.keep((to) => to.setMarks(row.id, session.marks));
    },
    hold: (held) => {
      const before = session.state.held;
      session.state = { ...session.state, held };
      // An empty session is not stored yet, and nothing changes in most turns.
      if (session.state.dialog.items.length === 0 || held.every((one, slot) => one === before[slot])) return;
      keeper.keep((to) => to.setHeld(row.id, held.map(storeHeld)));
    },
    putFold: (fold, held) => {
      const others = session.folds.filter(({ id }) => id !== fold.id);
      session.folds =
        others.length < session.folds.length
          ? session.folds.map((one) => (one.id === fold.id ? fold : one))
          : [...others, fold];
      session.state = { ...session.state, held };
      keeper.keep((to) => to.putFold(row.id, fold, held.map(storeHeld)));
    },
    flush: () => keeper.flush(),
  };
  return session;
}

interface Whole {
  readonly create: (journal: Journal) => void;
  /** Stores all that changes in place: marks, folds, and what the slots let go of. */
  readonly keepAll: (journal: Journal) => void;
}

/** Writes to the journal in order. What fails is said, and comes first when it works again; only reports do not. */
class Keeper {
  private readonly keeping: Keeping;
  private readonly session: string;
  private readonly say: Say;
  private readonly whole: Whole;
  private readonly waiting: Item[] = [];
  private created = false;
  private failing = false;
  /** What an answer follows: the items of a turn are part of the dialog only when it has ended. */
  private last: ItemId | null = null;
  private saidAt = Number.NEGATIVE_INFINITY;

  constructor(keeping: Keeping, session: string, say: Say, whole: Whole) {
    this.keeping = keeping;
    this.session = session;
    this.say = say;
    this.whole = whole;
  }

  append(item: Item): void {
    if (this.keeping() === null) return;
    this.last = item.id;
    this.waiting.push(item);
    this.keep(() => undefined);
  }

  saying(said: Said): void {
    const { last: parent, session } = this;
    const now = performance.now();
    if (parent === null || now - this.saidAt < sayingMilliseconds) return;
    this.saidAt = now;
    this.keep((to) => to.setUnfinished(session, { parent, ...saidOf(said) }));
  }

  flush(): void {
    if (this.failing) this.keep(() => undefined);
  }

  /** Does the work once the session and all its items are in the journal. */
  keep(work: (journal: Journal) => void): void {
    const journal = this.keeping();
    if (journal === null) return;
    const done = () => {
      if (!this.created) this.whole.create(journal);
      this.created = true;
      for (let item = this.waiting[0]; item !== undefined; item = this.waiting[0]) {
        journal.appendItem(this.session, item);
        this.waiting.shift();
      }
      if (this.failing) this.whole.keepAll(journal);
      work(journal);
      return true;
    };
    this.failing = guarded(this.say, done) !== true;
    if (!this.failing) this.say('');
  }
}

/** What the work returns; undefined, and words about it, where it cannot be done. */
export function guarded<T>(say: Say, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const { message, advice } = wordFault(faultOf(error));
    say(`${message} ${advice}`);
    return undefined;
  }
}

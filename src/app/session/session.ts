// A session: a conversation, changed in one place and kept in a journal item by item. Storing may fail without ending it.

import { type Mechanisms, noCompactionSeconds, noCompactions, type Outcome } from '../../core/agent/mechanisms.ts';
import { type Said, saidOf } from '../../core/calls/read.ts';
import {
  type ConversationChange,
  type ConversationState,
  changed,
  emptyConversation,
  noChoices,
} from '../../core/conversation/conversation.ts';
import { emptyDialog, type Item, type ItemId } from '../../core/dialog/dialog.ts';
import { faultOf, wordFault } from '../../core/faults/faults.ts';
import type { PruneState } from '../../core/pruning/pruneState.ts';
import type { CallReport, Report } from '../../core/report/report.ts';
import { restorePruneState, storePruneState } from '../../core/stored/storedPruneState.ts';
import type { Journal, SessionRow, StoredSession } from '../../core/stored/storedSession.ts';
import { closeTurn } from '../../core/turn/closeTurn.ts';

export interface Session {
  readonly id: string;
  readonly workspace: string;
  readonly system: string;
  readonly state: ConversationState;
  /** Items that were stored, are damaged and are not in the dialog. */
  readonly leftOut: number;
  readonly tally: Tally;
  /** The user's answers about showing the secrets of files, by file name, until the window closes. */
  readonly shown: Map<string, boolean>;
  /** The only way to change it. What of the change outlives the window is kept. */
  apply(change: ConversationChange): void;
  /** Stores what the running answer says so far, once a second. */
  saying(said: Said): void;
  /** Stores an item of the running turn. One that cannot be stored now is stored before the next one, so that the journal has no holes. */
  append(item: Item): void;
  report(report: Report): void;
  /** Tries once more to store what could not be stored. */
  flush(): void;
}

/** Between two tries to store what could not be stored, in milliseconds. */
const again = 1000;

/** Between two of them an answer is not stored: what is lost at most when its process dies. */
const sayingMilliseconds = 1000;

/** `say` gets the words of a failure, and none whenever storing works. */
export type Say = (notice: string) => void;

/** Returns the journal that stores a session now; null where nothing of it may be stored yet, or any more. */
export type Keeping = () => Journal | null;

/** A new session, created in the journal with its first item. */
export function startSession(keeping: Keeping, row: SessionRow, say: Say): Session {
  const state = { ...emptyConversation, dialog: emptyDialog, pruned: [] };
  return createSession(keeping, { ...row, leftOut: 0 }, state, say, (journal) => journal.createSession(row));
}

/** A stored session as it was left. A turn that was cut off is closed. */
export function resumeSession(keeping: Keeping, stored: StoredSession, newId: () => string, say: Say): Session {
  const { id, workspace, system, created, dialog, leftOut = 0, marks, choices, restored, compactions } = stored;
  const state = { ...emptyConversation, dialog, pruned: prunedOf(stored, say), marks, choices, restored, compactions };
  const session = createSession(keeping, { id, workspace, system, created, leftOut }, state, say, () => undefined);
  const { unfinished } = stored;
  const said = unfinished !== null && unfinished.parent === dialog.head ? saidOf(unfinished) : { text: '' };
  const answer = dialog.path.at(-1);
  // The cut-off turn was continuing its last answer, which the closed turn replaces.
  if (answer?.origin === 'assistant' && unfinished?.parent === answer.id)
    session.apply({ type: 'headMoved', to: answer.parent });
  const { path } = session.state.dialog;
  for (const missing of closeTurn(path, said, 'interrupted')) {
    session.apply({ type: 'added', item: { ...missing, id: newId(), parent: session.state.dialog.head } });
  }
  return session;
}

/** A row that cannot be read must not cost the conversation: then all of it is in the prompt again. */
function prunedOf({ pruned, compactions }: StoredSession, say: Say): readonly PruneState[] {
  try {
    return pruned.map((one) => restorePruneState(one, compactions));
  } catch {
    say("Couldn't read which parts of this conversation were removed, so all of it is in the prompt again.");
    return [];
  }
}

function createSession(
  keeping: Keeping,
  row: SessionRow & Pick<Session, 'leftOut'>,
  begun: ConversationState,
  say: Say,
  create: (journal: Journal) => void,
): Session {
  let state = begun;
  const keepAll = (to: Journal) => {
    const pruned = state.pruned.map(storePruneState);
    to.setMarks(row.id, state.marks);
    to.setChoices(row.id, state.choices);
    to.setRestored(row.id, state.restored);
    for (const compaction of state.compactions) to.putCompaction(row.id, compaction, pruned);
    to.setPruned(row.id, pruned);
    storeHead(to, row.id, state);
  };
  const createAll = (to: Journal) => {
    create(to);
    if (state.choices !== noChoices) to.setChoices(row.id, state.choices);
  };
  const keeper = new Keeper(keeping, row.id, say, { create: createAll, keepAll });
  keeper.follows(state.dialog.head);
  return {
    id: row.id,
    workspace: row.workspace,
    system: row.system,
    leftOut: row.leftOut,
    get state() {
      return state;
    },
    tally: new Tally(),
    shown: new Map(),
    apply: (change) => {
      const before = state;
      state = changed(before, change);
      store(keeper, row.id, change, before, state);
    },
    append: (item) => keeper.append(item),
    saying: (said) => keeper.saying(said),
    report: (report) => keeper.keep((to) => to.addReport(row.id, report)),
    flush: () => keeper.flush(),
  };
}

/** Stores the part of a change that outlives the window. The items of a turn are stored one by one while it runs. */
function store(
  keeper: Keeper,
  id: string,
  change: ConversationChange,
  before: ConversationState,
  now: ConversationState,
): void {
  const { dialog, pruned, marks } = now;
  // An empty conversation is not stored yet, and nothing changes in most turns.
  const isKept = dialog.items.length > 0 && pruned.some((one, slot) => one !== before.pruned[slot]);
  switch (change.type) {
    case 'added':
      keeper.append(change.item);
      return;
    case 'marked':
      keeper.keep((to) => to.setMarks(id, marks));
      return;
    case 'chosen':
      // An empty conversation is stored with its first message, and all that was chosen before.
      if (dialog.items.length > 0) keeper.keep((to) => to.setChoices(id, now.choices));
      return;
    case 'compacted':
      keeper.keep((to) => to.putCompaction(id, change.row, pruned.map(storePruneState)));
      return;
    case 'headMoved':
      keeper.follows(now.dialog.head);
      keeper.keep((to) => storeHead(to, id, now));
      if (isKept) keeper.keep((to) => to.setPruned(id, pruned.map(storePruneState)));
      return;
    case 'pruned':
      if (isKept) keeper.keep((to) => to.setPruned(id, pruned.map(storePruneState)));
      return;
    case 'restored':
      if (dialog.items.length > 0 && now.restored !== before.restored)
        keeper.keep((to) => to.setRestored(id, now.restored));
      return;
    case 'turnEnded':
    case 'headFrozen':
      return;
    default:
      change satisfies never;
  }
}

/** Stores the head where a branch goes on. A branch that is about to begin stores none: its first item becomes the head. */
function storeHead(to: Journal, id: string, { dialog: { head, items } }: ConversationState): void {
  if (head !== null && items.every(({ parent }) => parent !== head)) to.setHead(id, head);
}

/** The same conversation on its own: nothing of what is done to it is kept. */
export function copyOf({ id, workspace, system }: Session, state: ConversationState): Session {
  return createSession(
    () => null,
    { id, workspace, system, created: 0, leftOut: 0 },
    state,
    () => undefined,
    () => undefined,
  );
}

interface Whole {
  readonly create: (journal: Journal) => void;
  /** Stores all that changes in place: marks, compactions, and what the slots let go of. */
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
  private retry: NodeJS.Timeout | null = null;
  /** The item that the running answer follows, noted here because the dialog gets the items of a turn only at its end. */
  private last: ItemId | null = null;
  private saidAt = Number.NEGATIVE_INFINITY;

  constructor(keeping: Keeping, session: string, say: Say, whole: Whole) {
    this.keeping = keeping;
    this.session = session;
    this.say = say;
    this.whole = whole;
  }

  /** Makes this the item that the next words follow. */
  follows(item: ItemId | null): void {
    this.last = item;
  }

  append(item: Item): void {
    if (this.keeping() === null) return;
    this.follows(item.id);
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

  private tryAgain(): void {
    this.retry = null;
    this.flush();
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
    else this.retry ??= setTimeout(() => this.tryAgain(), again).unref();
  }
}

/** Returns the result of the work; undefined where it fails, and `say` gets the words about why. */
export function guarded<T>(say: Say, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const { message, advice } = wordFault(faultOf(error));
    say(`${message} ${advice}`);
    return undefined;
  }
}

// Counts what the mechanisms do while a session lives, from the calls as they were reported.

type Sums = Pick<Mechanisms, 'promptCache' | 'trims' | 'folds' | 'foldMilliseconds' | 'compactionSeconds'>;

export class Tally {
  private current: Sums = {
    promptCache: { calls: 0, prompt: 0, reused: 0, shifted: 0, decoded: 0, idle: 0, breaks: 0 },
    trims: { stubbed: 0, capped: 0, trims: 0, freed: 0 },
    folds: noCompactions,
    foldMilliseconds: noCompactions,
    compactionSeconds: noCompactionSeconds,
  };

  get sums(): Sums {
    return this.current;
  }

  compacted({ outcome, milliseconds }: { readonly outcome: Outcome; readonly milliseconds: number }): void {
    const { folds: compactions, foldMilliseconds: took, compactionSeconds: buckets } = this.current;
    const fits = buckets.findIndex(({ atMost }) => milliseconds <= atMost * 1000);
    this.add({
      folds: { ...compactions, [outcome]: compactions[outcome] + 1 },
      foldMilliseconds: { ...took, [outcome]: took[outcome] + milliseconds },
      compactionSeconds: buckets.map((one, i) => (i === fits ? { ...one, count: one.count + 1 } : one)),
    });
  }

  called({ promptTokens, prefill, breakAt }: CallReport): void {
    const { calls, prompt, reused, shifted, decoded, idle, breaks } = this.current.promptCache;
    const promptCache = {
      calls: calls + 1,
      prompt: prompt + promptTokens,
      reused: reused + prefill.reused,
      shifted: shifted + prefill.shifted,
      decoded: decoded + prefill.decoded,
      idle,
      breaks: breaks + (breakAt === null ? 0 : 1),
    };
    this.add({ promptCache });
  }

  warmed(tokens: number): void {
    const { promptCache } = this.current;
    this.add({ promptCache: { ...promptCache, idle: promptCache.idle + tokens } });
  }

  /** Counts what one slot let go of between two prompts. */
  crossed(before: PruneState, after: PruneState): void {
    const { stubbed, capped, trims, freed } = this.current.trims;
    const cleared = [...after.cleared].filter(([id]) => !before.cleared.has(id));
    const gone = runTokens(after) - runTokens(before);
    // Items that were cleared before their turn went were counted then.
    const again = [...before.cleared].filter(([id]) => !after.cleared.has(id));
    const sums = {
      stubbed: stubbed + cleared.length,
      capped: capped + [...after.capped.keys()].filter((id) => !before.capped.has(id)).length,
      trims: trims + (gone > 0 && after.compaction === before.compaction ? 1 : 0),
      freed: freed + Math.max(0, gone - sumOf(again)) + sumOf(cleared),
    };
    this.add({ trims: sums });
  }

  private add(sums: Partial<Sums>): void {
    this.current = { ...this.current, ...sums };
  }
}

function sumOf(cleared: readonly (readonly [string, { readonly tokens: number }])[]): number {
  return cleared.reduce((sum, [, { tokens }]) => sum + tokens, 0);
}

function runTokens({ runs }: PruneState): number {
  return runs.reduce((sum, { tokens }) => sum + tokens, 0);
}

// A storage in memory with the contract of the store's, for tests: conversations, notes and leases; and a folder for the states of slots.
import type { KeptSnapshot, SnapshotFiles } from '../../../src/app/ports/snapshotFiles.ts';

import type { CompactionRow } from '../../../src/core/compaction/compactionRow.ts';
import { type ConversationChoices, noChoices } from '../../../src/core/conversation/conversation.ts';
import { dialogOf, type Item, type ItemId } from '../../../src/core/dialog/dialog.ts';
import { type Marks, noMarks } from '../../../src/core/dialog/marks.ts';
import type {
  AuditRow,
  DecisionRecord,
  Memory,
  MemoryStore,
  NoteKind,
  WorkItem,
} from '../../../src/core/memory/memory.ts';
import type { Report } from '../../../src/core/report/report.ts';
import type {
  Archive,
  Journal,
  Leases,
  StoredPruneState,
  StoredSession,
  UnfinishedAnswer,
} from '../../../src/core/stored/storedSession.ts';
import { freeze } from '../../core/scenes/freeze.ts';

/** The one conversation that it can give back, for looking behind the port. */
export interface Stored {
  readonly items: Item[];
  /** Ids of conversations; the last one is given back. */
  readonly sessions: string[];
  marks?: Marks;
  pruned?: readonly StoredPruneState[];
  compactions?: readonly CompactionRow[];
  reports?: readonly Report[];
  unfinished?: UnfinishedAnswer | null;
  head?: ItemId;
  choices?: ConversationChoices;
  restored?: StoredSession['restored'];
}

export function memoryStorage(begun: Partial<Stored> = {}) {
  const stored: Stored = { items: [], sessions: [], ...begun };
  return { stored, sessions: memorySessions(stored), memory: memoryOfNotes(), leases: memoryLeases() };
}

export type MemoryStorage = ReturnType<typeof memoryStorage>;

function memorySessions(stored: Stored): Archive & Journal {
  return {
    sessions: () => [],
    rename: () => undefined,
    delete: () => undefined,
    exportJson: () => '{}',
    importJson: () => '',
    systemOf: () => '',
    search: async () => ({ hits: [], sessions: [] }),
    createSession: ({ id }) => void stored.sessions.push(id),
    appendItem: (_, item) => {
      stored.items.push(item);
      stored.head = item.id;
    },
    addReport: (_, report) => void Object.assign(stored, { reports: [...(stored.reports ?? []), report] }),
    reports: () => stored.reports ?? [],
    setHead: (_, head) => void Object.assign(stored, { head }),
    setUnfinished: (_, unfinished) => void Object.assign(stored, { unfinished }),
    setMarks: (_, marks) => void Object.assign(stored, { marks }),
    setChoices: (_, choices) => void Object.assign(stored, { choices }),
    setRestored: (_, restored) => void Object.assign(stored, { restored }),
    setPruned: (_, pruned) => void Object.assign(stored, { pruned }),
    putCompaction: (_, row, pruned) => {
      const compactions = [...(stored.compactions ?? []).filter(({ id }) => id !== row.id), row];
      Object.assign(stored, { pruned, compactions });
    },
    has: (id) => stored.items.length > 0 && id === stored.sessions.at(-1),
    session: (id) => (id === (stored.sessions.at(-1) ?? '') ? storedSession(stored, '/a') : null),
    latestSession: (workspace) => storedSession(stored, workspace),
  };
}

function storedSession(stored: Stored, workspace: string): StoredSession | null {
  const { items, sessions, head = items.at(-1)?.id ?? null, ...kept } = stored;
  if (items.length === 0) return null;
  return {
    id: sessions.at(-1) ?? '',
    workspace,
    system: 'sys',
    created: 1,
    title: '',
    marks: noMarks,
    choices: noChoices,
    restored: [],
    pruned: [],
    unfinished: null,
    compactions: [],
    ...kept,
    dialog: dialogOf(items, head),
  };
}

export function memoryLeases(): Leases & { readonly holders: Map<string, string> } {
  const holders = new Map<string, string>();
  return {
    holders,
    acquire: (name, holder) => {
      if ((holders.get(name) ?? holder) !== holder) return false;
      holders.set(name, holder);
      return true;
    },
    isTaken: (name, holder) => (holders.get(name) ?? holder) !== holder,
    seize: (name, holder) => void holders.set(name, holder),
    release: (name, holder) => void (holders.get(name) === holder && holders.delete(name)),
  };
}

type Note = Memory | WorkItem | DecisionRecord;

/** `rows` and `records` are for looking behind the port. */
export function memoryOfNotes(): MemoryStore & { readonly rows: AuditRow[]; records(kind: NoteKind): readonly Note[] } {
  const kept = {
    memory: new Map<string, Memory>(),
    work: new Map<string, WorkItem>(),
    decision: new Map<string, DecisionRecord>(),
  };
  const rows: AuditRow[] = [];
  const put = <T extends Note>(kind: NoteKind, records: Map<string, T>, record: T) => {
    const { id, source, changed: at } = record;
    const before = records.has(id) ? JSON.stringify(records.get(id)) : '';
    const action = before === '' ? 'added' : 'changed';
    rows.push({ at, kind, action, id, source, before, after: JSON.stringify(record) });
    records.set(id, freeze(record));
  };
  const of = <T extends Note>(records: Map<string, T>, workspace: string) =>
    [...records.values()].filter((record) => record.workspace === null || record.workspace === workspace);
  return {
    rows,
    records: (kind) => [...kept[kind].values()],
    memories: (workspace) => of(kept.memory, workspace),
    work: (workspace) => of(kept.work, workspace),
    decisions: (workspace) => of(kept.decision, workspace),
    putMemory: (memory) => put('memory', kept.memory, memory),
    putWork: (item) => put('work', kept.work, item),
    putDecision: (decision) => put('decision', kept.decision, decision),
    forget: (kind, id, at, source) => {
      if (!kept[kind].delete(id)) return;
      for (const [i, row] of rows.entries()) {
        if (row.kind === kind && row.id === id) rows[i] = { ...row, before: '', after: '' };
      }
      rows.push({ at, kind, action: 'forgotten', id, source, before: '', after: '' });
    },
    audit: (limit) => rows.toReversed().slice(0, Math.max(0, limit)),
  };
}

/** A folder that is only a map. */
export interface Folder extends SnapshotFiles {
  readonly kept: Map<string, KeptSnapshot>;
}

export function emptyFolder(): Folder {
  const kept = new Map<string, KeptSnapshot>();
  return {
    kept,
    path: (session, slot) => `${session}/${slot}`,
    list: async () => [...kept.values()],
    remove: async (path) => void kept.delete(path),
    removeSession: async (session) => {
      for (const path of [...kept.keys()]) if (path.startsWith(`${session}/`)) kept.delete(path);
    },
  };
}

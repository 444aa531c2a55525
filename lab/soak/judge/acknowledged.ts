// A storage that says before each write what it will do, and after it that it is done.
import type { CheckedStorage, Storage } from '../../../src/app/ports/storage.ts';
import { reasonOf } from '../../../src/core/faults/faults.ts';
import type { MemoryStore } from '../../../src/core/memory/memory.ts';
import type { Leases } from '../../../src/core/stored/storedSession.ts';
import { type Say, shaOf, type Write } from '../said.ts';

type Tell = <T>(write: Write, work: () => T) => T;

export function acknowledged({ sessions, memory, leases }: Storage, say: Say): CheckedStorage {
  const tell: Tell = (write, work) => {
    say({ say: 'begin', write });
    try {
      const result = work();
      say({ say: 'done' });
      return result;
    } catch (error) {
      say({ say: 'refused', words: reasonOf(error) });
      throw error;
    }
  };
  return {
    sessions: toldSessions(sessions, tell),
    memory: toldMemory(memory, tell),
    leases: toldLeases(leases, say),
    noteProblem: async () => null,
  };
}

function toldSessions(sessions: Storage['sessions'], tell: Tell): Storage['sessions'] {
  const json = (value: unknown) => shaOf(JSON.stringify(value));
  return {
    ...sessions,
    createSession: (row) => tell({ kind: 'session', session: row.id }, () => sessions.createSession(row)),
    appendItem: (session, item) =>
      tell({ kind: 'item', session, id: item.id, sha: json(item) }, () => sessions.appendItem(session, item)),
    addReport: (session, report) =>
      tell({ kind: 'report', session, sha: json(report) }, () => sessions.addReport(session, report)),
    setMarks: (session, marks) => {
      const plain = { pinned: [...marks.pinned], evicted: [...marks.evicted] };
      tell({ kind: 'marks', session, sha: json(plain) }, () => sessions.setMarks(session, marks));
    },
    setPruned: (session, pruned) =>
      tell({ kind: 'pruned', session, sha: json(pruned) }, () => sessions.setPruned(session, pruned)),
    putCompaction: (session, row, pruned) => {
      const { id, outcome } = row;
      tell({ kind: 'compaction', session, id, sha: json(row), pruned: json(pruned), outcome }, () =>
        sessions.putCompaction(session, row, pruned),
      );
    },
    delete: (session) => tell({ kind: 'delete', session }, () => sessions.delete(session)),
  };
}

function toldMemory(memoryStore: MemoryStore, tell: Tell): MemoryStore {
  const put = (kind: 'memory' | 'work' | 'decision', record: { readonly id: string }, work: () => void) =>
    tell({ kind: 'put', of: kind, id: record.id, sha: shaOf(JSON.stringify(record)) }, work);
  return {
    ...memoryStore,
    putMemory: (memory) => put('memory', memory, () => memoryStore.putMemory(memory)),
    putWork: (item) => put('work', item, () => memoryStore.putWork(item)),
    putDecision: (decision) => put('decision', decision, () => memoryStore.putDecision(decision)),
    forget: (kind, id, at, source) =>
      tell({ kind: 'forget', of: kind, id }, () => memoryStore.forget(kind, id, at, source)),
  };
}

/** A compaction runs from the moment it has its lease until it gives it back. */
function toldLeases(leases: Leases, say: Say): Leases {
  return {
    ...leases,
    acquire: (name, holder, now, ttl) => {
      const has = leases.acquire(name, holder, now, ttl);
      if (has && name.startsWith('fold:')) say({ say: 'in', moment: 'compaction' });
      return has;
    },
    release: (name, holder) => {
      leases.release(name, holder);
      if (name.startsWith('fold:')) say({ say: 'out', moment: 'compaction' });
    },
  };
}

// Shelves in memory with the contract of the store's, and a memory handler over them, for tests.
import assert from 'node:assert/strict';
import { MemoryHandler } from '../../../src/app/memory/memoryHandler.ts';
import type { MemoryPorts } from '../../../src/app/memory/memoryWrites.ts';
import type {
  AuditRow,
  DecisionRecord,
  Memory,
  MemoryStore,
  Shelf,
  WorkItem,
} from '../../../src/core/memory/memory.ts';
import { freeze } from '../../core/scenes/freeze.ts';

type Stored = Memory | WorkItem | DecisionRecord;

/** `rows` and `records` are for looking behind the port. */
export function memoryShelves(): MemoryStore & { readonly rows: AuditRow[]; records(shelf: Shelf): readonly Stored[] } {
  const kept = {
    memory: new Map<string, Memory>(),
    work: new Map<string, WorkItem>(),
    decision: new Map<string, DecisionRecord>(),
  };
  const rows: AuditRow[] = [];
  const put = <T extends Stored>(shelf: Shelf, records: Map<string, T>, record: T) => {
    const { id, source, changed: at } = record;
    const before = records.has(id) ? JSON.stringify(records.get(id)) : '';
    const action = before === '' ? 'added' : 'changed';
    rows.push({ at, shelf, action, id, source, before, after: JSON.stringify(record) });
    records.set(id, freeze(record));
  };
  const of = <T extends Stored>(records: Map<string, T>, workspace: string) =>
    [...records.values()].filter((record) => record.workspace === null || record.workspace === workspace);
  return {
    rows,
    records: (shelf) => [...kept[shelf].values()],
    memories: (workspace) => of(kept.memory, workspace),
    work: (workspace) => of(kept.work, workspace),
    decisions: (workspace) => of(kept.decision, workspace),
    putMemory: (memory) => put('memory', kept.memory, memory),
    putWork: (item) => put('work', kept.work, item),
    putDecision: (decision) => put('decision', kept.decision, decision),
    forget: (shelf, id, at, source) => {
      if (!kept[shelf].delete(id)) return;
      for (const [i, row] of rows.entries()) {
        if (row.shelf === shelf && row.id === id) rows[i] = { ...row, before: '', after: '' };
      }
      rows.push({ at, shelf, action: 'forgotten', id, source, before: '', after: '' });
    },
    audit: (limit) => rows.toReversed().slice(0, Math.max(0, limit)),
  };
}

/** A minute passes between any two looks at the clock. What holds `hunter2` is a secret. */
export function memoryPorts(shelves: MemoryStore | null = memoryShelves()) {
  const clock = { at: Date.UTC(2026, 0, 2, 10, 0) };
  let ids = 0;
  const open = { workspace: '/a' };
  const ports: MemoryPorts = {
    shelves,
    secretIn: async (text) => (text.includes('hunter2') ? 'a password' : null),
    newId: () => `id${++ids}`,
    now: () => {
      clock.at += 60_000;
      return clock.at;
    },
    workspace: () => open.workspace,
  };
  return { ports, open, clock };
}

/** A handler for `/remember` and `/memory`: what it answers, and what stands on the shelves. */
export function openDesk() {
  const shelves = memoryShelves();
  const { ports, open } = memoryPorts(shelves);
  const desk = new MemoryHandler(ports);
  const say = async (line: string) => {
    const answer = await desk.answer(line);
    assert.ok(answer !== null, line);
    return answer;
  };
  const told = async (line: string) => (await say(line)).text;
  const texts = () => shelves.memories(open.workspace).map(({ text }) => text);
  return { shelves, ports, open, desk, say, told, texts };
}

// Databases, sessions and records for the tests of the store, made anew for each.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompactionRow } from '../../src/core/compaction/compactionRow.ts';
import type { Item } from '../../src/core/dialog/dialog.ts';
import type { DecisionRecord, Memory, WorkItem } from '../../src/core/memory/memory.ts';
import type { Report } from '../../src/core/report/report.ts';
import type { SessionRow, StoredPruneState } from '../../src/core/stored/storedSession.ts';
import type { Store } from '../../src/store/store.ts';
import { temporary } from '../temporary.ts';

export const newPath = () => join(temporary('tidemark-store-'), 'tidemark.sqlite');

export const row: SessionRow = { id: 's1', workspace: '/code/a', system: 'Be brief.', created: 1 };

export const user = (id: string, parent: string | null, text = `text of ${id}`): Item => ({
  origin: 'user',
  id,
  parent,
  text,
});

export const answer = (id: string, parent: string, text = `text of ${id}`): Item => ({
  origin: 'assistant',
  id,
  parent,
  text,
  end: 'done',
});

/** Everything an item can be, with all that is optional, and an edited message as a branch. */
export const items: readonly Item[] = [
  user('u1', null, 'What does “measure” do?\nIn détail, please: 100%_\\ 😀'),
  { origin: 'attachment', id: 't1', parent: 'u1', head: 'a.ts:', body: 'const a = 1;', of: 'x1' },
  { origin: 'knowledge', id: 'k1', parent: 't1', role: 'system', before: 'b', after: 'a', replaces: true },
  {
    origin: 'call',
    id: 'c1',
    parent: 'k1',
    text: 'I look.',
    calls: [
      { id: 'call-1', name: 'read_file', arguments: { path: 'a.ts', lines: [1, 2], deep: { yes: true } } },
      { id: 'call-2', name: 'read_file', arguments: {}, problem: 'It could not be read.' },
    ],
    generated: { model: 'm', ids: [1, 2, 3] },
  },
  {
    origin: 'result',
    id: 'r1',
    parent: 'c1',
    call: 'call-1',
    tool: 'read_file',
    ok: true,
    head: 'a.ts:',
    body: 'text',
  },
  { origin: 'result', id: 'r2', parent: 'r1', call: 'call-2', tool: 'read_file', ok: false, head: 'No.', body: '' },
  { origin: 'note', id: 'n1', parent: 'r2', text: 'Answer now.' },
  { ...answer('a1', 'n1', 'It measures.'), generated: { model: 'm', ids: [4, 5] } } as Item,
  user('u2', 'a1', 'And then?'),
  { origin: 'assistant', id: 'a2', parent: 'u2', text: 'Nothing', end: 'length' },
  user('u2b', 'a1', 'And before?'),
];

export const compactionRow = (id: string, over: Partial<CompactionRow> = {}): CompactionRow => ({
  id,
  created: 5,
  outcome: 'ok',
  reason: '',
  to: 8,
  last: 'a1',
  runs: [{ from: 0, to: 8, last: 'a1', tokens: 600, by: 'fold' }],
  previous: null,
  checkpoint: { entries: [{ section: 'goal', text: 'Know measure.', by: 'model', items: ['u1'] }], left: 2 },
  before: 900,
  after: 300,
  stateTokens: 40,
  milliseconds: 12.5,
  tries: 1,
  undone: false,
  edited: false,
  proposals: [{ id: 'p1', kind: 'fact', text: 'It measures.', items: ['a1'], state: 'waiting' }],
  ...over,
});

export const pruned: readonly StoredPruneState[] = [
  {
    runs: [{ from: 0, to: 8, last: 'a1', tokens: 600, by: 'fold' }],
    cleared: [['r1', { tokens: 10, by: 'clearEarlier' }]],
    capped: [['r1', { text: 'te', before: 11 }]],
    fold: 'f1',
  },
  { runs: [], cleared: [], capped: [], fold: null },
];

export const marks = { pinned: new Set(['u1']), evicted: new Set(['t1', 'r2']) };

/** Only stored and carried around here, so its parts need not be there. */
export const report = (turn: number) =>
  ({ turn, end: 'done', layers: [{ layer: 'system', tokens: 3 }] }) as unknown as Report;

/** A session with all its parts. */
export function fill(store: Store, id = 's1', workspace = '/code/a'): void {
  const { sessions } = store;
  sessions.createSession({ ...row, id, workspace });
  for (const item of items) sessions.appendItem(id, item);
  sessions.setMarks(id, marks);
  sessions.putCompaction(id, compactionRow('f1'), pruned);
  sessions.putCompaction(
    id,
    compactionRow('f2', { outcome: 'failed', checkpoint: null, previous: 'f1', proposals: [] }),
    pruned,
  );
  sessions.addReport(id, report(1));
  sessions.addReport(id, report(2));
}

export const memory = (id: string, over: Partial<Memory> = {}): Memory => ({
  id,
  workspace: '/code/a',
  kind: 'fact',
  text: `memory ${id}`,
  created: 1,
  changed: 1,
  source: 'command',
  ...over,
});

export const work = (id: string, over: Partial<WorkItem> = {}): WorkItem => ({
  id,
  workspace: '/code/a',
  state: 'open',
  text: `work ${id}`,
  created: 1,
  changed: 1,
  source: 'command',
  ...over,
});

export const decision = (id: string, over: Partial<DecisionRecord> = {}): DecisionRecord => ({
  id,
  workspace: '/code/a',
  text: `decision ${id}`,
  reason: 'because',
  created: 1,
  changed: 1,
  source: 'proposal',
  ...over,
});

/** All bytes of the database and of its log, one character each. */
export function bytesOf(path: string): string {
  const there = [path, `${path}-wal`].filter((file) => existsSync(file));
  return there.map((file) => readFileSync(file, 'latin1')).join('');
}

// A conversation's changes as data: each does one thing, none touches what was, and work that overlaps loses nothing of the user's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Compaction } from '../../../src/core/compaction/compaction.ts';
import {
  type ConversationChange,
  type ConversationState,
  changed,
  emptyConversation,
  slotChanges,
} from '../../../src/core/conversation/conversation.ts';
import { append, emptyDialog, type Item } from '../../../src/core/dialog/dialog.ts';
import { nothingPruned, type PruneState, undoCompaction } from '../../../src/core/pruning/pruneState.ts';
import { freeze } from '../scenes/freeze.ts';

const says = (id: string, parent: string | null): Item => ({ origin: 'user', id, parent, text: id });
const answers = (id: string, parent: string): Item => ({ origin: 'assistant', id, parent, text: id, end: 'done' });
const items = [says('a', null), answers('b', 'a'), says('c', 'b'), answers('d', 'c')];
const begun: ConversationState = {
  ...emptyConversation,
  dialog: items.reduce(append, emptyDialog),
  pruned: [nothingPruned],
};
const after = (state: ConversationState, ...changes: readonly ConversationChange[]) =>
  changes.reduce((now, change) => freeze(changed(now, change)), freeze(state));

const compaction = (id: string, previous: Compaction | null = null): Compaction => ({
  id,
  to: 2,
  last: 'b',
  runs: [{ from: 0, to: 2, last: 'b', tokens: 9, by: 'fold' }],
  summary: { entries: [], filesRead: [], filesChanged: [] } as unknown as Compaction['summary'],
  previous,
});
const compactedBy = (one: Compaction): PruneState => ({ ...nothingPruned, compaction: one, runs: one.runs });
const cleared = (pruned: PruneState, id: string): PruneState => ({
  ...pruned,
  cleared: new Map([...pruned.cleared, [id, { tokens: 5, by: 'clearTurn' }]]),
});

test('moving the head takes along what still stands on the new path, and keeps the other branch', () => {
  const state = after(
    { ...begun, pruned: [compactedBy(compaction('f'))] },
    { type: 'headMoved', to: 'b' },
    { type: 'added', item: says('e', 'b') },
  );
  assert.deepEqual(
    state.dialog.path.map(({ id }) => id),
    ['a', 'b', 'e'],
  );
  assert.equal(state.dialog.items.length, 5);
  assert.equal(state.pruned[0]?.compaction?.id, 'f');
  const start = after(state, { type: 'headMoved', to: null });
  assert.deepEqual([start.dialog.path, start.pruned[0]?.compaction, start.pruned[0]?.runs], [[], null, []]);
  assert.deepEqual(
    after(start, { type: 'headMoved', to: 'd' }).dialog.path.map(({ id }) => id),
    ['a', 'b', 'c', 'd'],
  );
  assert.throws(() => changed(begun, { type: 'headMoved', to: 'x' }), /not known/);
});

test('a slot that was not there yet gets its own, and the others stay the same objects', () => {
  const [first] = begun.pruned;
  const to = cleared(nothingPruned, 'b');
  const state = after(begun, { type: 'pruned', slots: [{ slot: 2, from: nothingPruned, to }] });
  assert.equal(state.pruned.length, 3);
  assert.equal(state.pruned[0], first);
  assert.equal(state.pruned[2], to);
  assert.equal(after(begun, { type: 'pruned', slots: [] }).pruned, begun.pruned);
});

test('a summary that the user takes back while a turn runs stays back when the turn ends', () => {
  const from = compactedBy(compaction('f'));
  const row = { id: 'f', undone: true } as never;
  const started: ConversationState = { ...begun, pruned: [from] };
  const undone = slotChanges(started.pruned, started.pruned.map(undoCompaction));
  const state = after(
    started,
    { type: 'compacted', row, slots: undone },
    { type: 'pruned', slots: [{ slot: 0, from, to: cleared(from, 'd') }] },
  );
  assert.equal(state.pruned[0]?.compaction, null);
  assert.deepEqual(state.pruned[0]?.runs, []);
  assert.ok(state.pruned[0]?.cleared.has('d'));
});

test('a later summary of the running turn, which builds upon the one taken back, stands', () => {
  const first = compaction('f');
  const from = compactedBy(first);
  const later = compactedBy(compaction('g', first));
  const undone = [{ slot: 0, from, to: undoCompaction(from) }];
  const state = after(
    { ...begun, pruned: [from] },
    { type: 'pruned', slots: undone },
    { type: 'pruned', slots: [{ slot: 0, from, to: later }] },
  );
  assert.equal(state.pruned[0]?.compaction?.id, 'g');
});

test('an attempt to compact is added once, and changed where it stands', () => {
  const row = (id: string, undone = false) => ({ id, undone }) as never;
  const state = after(
    begun,
    { type: 'compacted', row: row('f'), slots: [] },
    { type: 'compacted', row: row('g'), slots: [] },
    { type: 'compacted', row: row('f', true), slots: [] },
  );
  assert.deepEqual(state.compactions, [row('f', true), row('g')]);
});

test('a turn that ended, a mark, what comes back and a frozen head each change only their own', () => {
  const dialog = append(begun.dialog, says('e', 'd'));
  const changes: readonly (readonly [ConversationChange, readonly (keyof ConversationState)[]])[] = [
    [{ type: 'turnEnded', dialog, grown: 7 }, ['dialog', 'grown']],
    [{ type: 'marked', item: 'a', as: 'pinned' }, ['marks']],
    [{ type: 'restored', attachments: [{ head: 'h', body: '', of: 'a' }] }, ['restored']],
    [{ type: 'headFrozen', bundle: null, digest: [], tools: null }, ['digest']],
  ];
  for (const [change, own] of changes) {
    const state = after(begun, change);
    const keys = Object.keys(state) as (keyof ConversationState)[];
    assert.deepEqual(keys.filter((key) => state[key] !== begun[key]).toSorted(), own, change.type);
  }
});

// The view is a fold: a snapshot taken at any moment and folded on gives what all the deltas give.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Entry, emptyView, foldView, type ViewDelta } from '../../src/protocol/view.ts';

const id = fc.constantFrom('e1', 'e2', 'e3', 'e4');
const entry = fc.oneof(
  fc.record({ kind: fc.constant('user' as const), id, text: fc.string(), item: fc.string() }),
  fc.record({ kind: fc.constant('answer' as const), id, text: fc.string(), end: fc.constantFrom('running', 'done') }),
) as fc.Arbitrary<Entry>;
const delta: fc.Arbitrary<ViewDelta> = fc.oneof(
  fc.record({ type: fc.constant('set' as const), values: fc.record({ running: fc.boolean(), notice: fc.string() }) }),
  fc.record({ type: fc.constant('begin' as const), session: fc.string() }),
  fc.record({ type: fc.constant('entry' as const), entry }),
  fc.record({ type: fc.constant('text' as const), id, text: fc.string() }),
  fc.record({ type: fc.constant('cut' as const), from: id }),
);

test('folding on from a snapshot, sent as JSON, equals folding all deltas', () => {
  fc.assert(
    fc.property(fc.array(delta), fc.nat(), (deltas, seed) => {
      const at = deltas.length === 0 ? 0 : seed % (deltas.length + 1);
      const snapshot = JSON.parse(JSON.stringify(deltas.slice(0, at).reduce(foldView, emptyView)));
      const plain = (state: unknown) => JSON.parse(JSON.stringify(state));
      assert.deepEqual(plain(deltas.slice(at).reduce(foldView, snapshot)), plain(deltas.reduce(foldView, emptyView)));
    }),
  );
});

test('an entry with a known id replaces that entry where it stands', () => {
  const user = (name: string, text: string): ViewDelta => ({
    type: 'entry',
    entry: { kind: 'user', id: name, text, item: name },
  });
  const state = [user('e1', 'a'), user('e2', 'b'), user('e1', 'c')].reduce(foldView, emptyView);
  assert.deepEqual(
    state.entries.map((shown) => (shown.kind === 'user' ? shown.text : '')),
    ['c', 'b'],
  );
});

test('another session empties all but the engine’s state and the lasting notice', () => {
  const values = { notice: 'careful', running: true } as const;
  const state = foldView(foldView(emptyView, { type: 'set', values }), { type: 'begin', session: 's2' });
  assert.deepEqual(state, { ...emptyView, notice: 'careful', session: 's2' });
});

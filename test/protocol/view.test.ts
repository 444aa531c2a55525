// Tests what each delta does to the state of a view.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reduceView } from '../../src/protocol/reduceView.ts';
import { emptyView, type ViewDelta } from '../../src/protocol/view.ts';

test('an entry with a known id replaces that entry where it stands', () => {
  const user = (name: string, text: string): ViewDelta => ({
    type: 'entry',
    entry: { kind: 'user', id: name, text, item: name },
  });
  const state = [user('e1', 'a'), user('e2', 'b'), user('e1', 'c')].reduce(reduceView, emptyView);
  assert.deepEqual(
    state.entries.map((shown) => (shown.kind === 'user' ? shown.text : '')),
    ['c', 'b'],
  );
});

test('another session empties all but the engine’s state, the lasting notice and what comes back to the composer', () => {
  const values = { notice: 'careful', running: true, draft: { id: 3, text: 'words' } } as const;
  const state = reduceView(reduceView(emptyView, { type: 'set', values }), {
    type: 'begin',
    session: 's2',
    entries: [],
  });
  assert.deepEqual(state, { ...emptyView, notice: 'careful', draft: values.draft, session: 's2' });
});

// The offer of an embedding model in an empty conversation: only where something is looked for, and nothing finds by meaning yet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reduceView } from '../../../src/protocol/reduceView.ts';
import { emptyView, type ViewDelta } from '../../../src/protocol/view.ts';
import { editor } from '../fakeVscode.ts';

const { showIndex } = await import('../../../src/host/finding/findingParts.ts');
const { readSettings } = await import('../../../src/host/settings/readSettings.ts');

/** Returns the offer that every chat is told at the start. */
function offered(settings: Record<string, unknown>) {
  editor.settings = settings;
  const told: object[] = [];
  const chat = { view: { set: (values: object) => told.push(values) }, draft: { again: async () => undefined } };
  const finding = { client: async () => null, status: null, subscribe: () => ({ dispose: () => undefined }) };
  const embedding = { changed: () => undefined, active: false };
  showIndex({
    finding,
    embedding,
    settings: () => readSettings(() => undefined),
    chats: () => [chat, chat],
  } as never).dispose();
  assert.equal(told.length, 2);
  return (told[0] as { embeddingOffer: unknown }).embeddingOffer;
}

test('it names the model and its size, and is gone once a model is set or finding is off', () => {
  assert.deepEqual(offered({}), { name: 'gte-small', size: '37 MB' });
  assert.equal(offered({ 'finding.model': '/models/gte.gguf' }), null);
  assert.equal(offered({ 'finding.enabled': false }), null);
});

test('another conversation has it too', () => {
  const embeddingOffer = { name: 'gte-small', size: '37 MB' };
  const begin: ViewDelta = { type: 'begin', session: 'next', entries: [] };
  const state = reduceView(reduceView(emptyView, { type: 'set', values: { embeddingOffer } }), begin);
  assert.deepEqual(state.embeddingOffer, embeddingOffer);
});

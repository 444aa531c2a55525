// Tests what the status bar says in each state of the model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusWords } from '../../src/host/views/statusWords.ts';
import { type EngineView, emptyView, type ViewState } from '../../src/protocol/view.ts';

const model = {
  name: 'Qwen 7B',
  window: 8192,
  trained: 32768,
  bytes: 1,
  device: 'CPU',
  nature: '',
  pocket: false,
  server: null,
};
const ready: EngineView = { ...emptyView.engine, state: 'ready', message: 'Qwen 7B · 8,192 tokens', model };
const stack = { total: 2048, budget: { window: 8192 } } as ViewState['stack'];
const warm = { warmed: 2000, of: 2000 } as ViewState['warm'];
const textOf = (engine: EngineView, more: Partial<ViewState> = {}) =>
  statusWords({ ...emptyView, engine, ...more }, 'en').text;

test('a ready model is named with its window’s use and whether it is warm', () => {
  assert.equal(textOf(ready), '$(circle-large-outline) Qwen 7B');
  assert.equal(textOf(ready, { stack, warm }), '$(flame) Qwen 7B · context 25 %');
  const half = { ...warm, warmed: 1000 } as ViewState['warm'];
  assert.equal(textOf(ready, { stack, warm: half }), '$(circle-large-outline) Qwen 7B · context 25 %');
  assert.equal(textOf(ready, { stack, warm, running: true }), '$(loading~spin) Qwen 7B: answering');
});

test('while idle work rests it is neither warm nor cold, and the tooltip says why', () => {
  assert.equal(textOf(ready, { stack, resting: true }), '$(circle-large-outline) Qwen 7B · context 25 %');
  const { tooltip } = statusWords({ ...emptyView, engine: ready, stack, resting: true }, 'en');
  assert.equal(tooltip.at(-1), 'Battery saver is on. Nothing is prepared for the next message.');
});

test('loading, restarting and failing are said', () => {
  const engine = emptyView.engine;
  assert.equal(textOf(engine), '$(circle-outline) Tidemark');
  assert.equal(textOf({ ...engine, state: 'loading', progress: 0.42 }), '$(loading~spin) Tidemark: loading 42%');
  assert.equal(textOf({ ...engine, state: 'loading', progress: 0 }), '$(loading~spin) Tidemark: loading');
  assert.equal(textOf({ ...engine, state: 'restarting' }), '$(loading~spin) Tidemark: restarting');
  assert.equal(textOf({ ...engine, state: 'failed' }), '$(error) Tidemark: no model');
  const actions = [{ label: 'Load It Here Too', do: { type: 'loadHere' } }] as const;
  assert.equal(textOf({ ...engine, state: 'failed', actions }), '$(multiple-windows) Tidemark: in another window');
});

test('the tooltip has what is known: message, window, cache, memory', () => {
  const engine = { ...ready, memory: 'Memory: about 5 GB.' };
  const { tooltip } = statusWords({ ...emptyView, engine, stack, warm }, 'en');
  assert.deepEqual(tooltip, [
    'Qwen 7B · 8,192 tokens',
    '2,048 of 8,192 tokens in the window.',
    '2,000 of 2,000 tokens of the next prompt are ready in the cache.',
    'Memory: about 5 GB.',
  ]);
});

test('a model’s name brings no icon and no long line', () => {
  const named = { ...ready, model: { ...model, name: '$(bug) a name\nthat goes on and on and on' } };
  assert.equal(textOf(named), '$(circle-large-outline) (bug) a name that goes …');
});

// The embedding model in the editor: its own file is loaded, passages get their vectors while nothing else runs, and a bad one is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { FindingRequests } from '../../../src/finding/messages.ts';
import { type EmbeddingPorts, type Indexed, LoadedEmbedding } from '../../../src/host/finding/embedding.ts';

const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits for what comes by itself. */
async function until(there: () => boolean): Promise<void> {
  for (const begun = Date.now(); !there(); ) {
    assert.ok(Date.now() - begun < 20_000, 'it did not come');
    await soon(5);
  }
}

function scene(
  context: { after(run: () => void): void },
  { fails = null as Error | null, path = '/models/gte.gguf' } = {},
) {
  const state = { busy: false, saving: false, path, complaints: [] as string[], loads: [] as string[], embedded: 0 };
  const waiting = Array.from({ length: 20 }, (_, hash) => ({ hash, text: `passage ${hash}` }));
  const kept = new Set<number>();
  const engine: EmbeddingPorts['engine'] = {
    get busy() {
      return state.busy;
    },
    request: async (name, params) => {
      if (name === 'loadEmbedding') {
        state.loads.push((params as { modelPath: string }).modelPath);
        if (fails !== null) throw fails;
        return {
          name: 'gte',
          file: 'gte.gguf',
          architecture: 'bert',
          fingerprint: 'f',
          dimensions: 2,
          window: 512,
        } as never;
      }
      const { texts } = params as { texts: readonly string[] };
      state.embedded += texts.length;
      await soon(1);
      return texts.map(() => Float32Array.from([1, 0])) as never;
    },
  };
  const request = async (name: keyof FindingRequests, params: unknown): Promise<never> => {
    if (name === 'unembedded') {
      const { most } = params as FindingRequests['unembedded']['params'];
      return waiting.filter(({ hash }) => !kept.has(hash)).slice(0, most) as never;
    }
    for (const [hash] of (params as FindingRequests['keepVectors']['params']).vectors) kept.add(hash);
    return null as never;
  };
  const index: Indexed = { client: async () => ({ request }), near: [] };
  // The editor gives all that the chat model is loaded with.
  const chat = {
    modelPath: '/models/chat.gguf',
    gpu: 'off',
    threads: 1,
    contextSize: 1,
    gpuLayers: null,
    slots: 1,
  } as const;
  const ports: EmbeddingPorts = {
    engine,
    path: () => state.path,
    load: () => chat,
    running: () => true,
    saving: async () => state.saving,
    log: () => undefined,
    complain: (_, reason) => state.complaints.push(reason),
  };
  const embedding = new LoadedEmbedding(ports, () => index, { look: 5, quiet: 20 });
  context.after(() => embedding.dispose());
  return { state, kept, embedding };
}

test('its own file is loaded, once, and all passages get their vectors while nothing else runs', async (context) => {
  const { state, kept, embedding } = scene(context);
  await until(() => kept.size === 20);
  assert.deepEqual(state.loads, ['/models/gte.gguf']);
  const vector = await embedding.vectorOf('where?', new AbortController().signal);
  assert.equal(vector?.values.length, 2);
  assert.deepEqual(state.loads, ['/models/gte.gguf']);
});

test('nothing is embedded while the engine works or the battery is saved, and none without a model', async (context) => {
  for (const values of [{ busy: true }, { saving: true }, { path: '' }]) {
    const { state } = scene(context);
    Object.assign(state, values);
    await soon(80);
    assert.equal(state.embedded, 0, JSON.stringify(values));
  }
});

test('a file that is no model is told once, and questions go on by words', async (context) => {
  const { state, embedding } = scene(context, { fails: new Error('It is no GGUF file.') });
  await until(() => state.complaints.length > 0);
  await soon(60);
  assert.deepEqual(state.complaints, ['It is no GGUF file.']);
  assert.equal(embedding.active, false);
  assert.equal(await embedding.vectorOf('where?', new AbortController().signal), undefined);
});

test('a chat model in its place is told as what it is, without the advice that is for chat models', async (context) => {
  const fault = { kind: 'modelOfOtherUse', path: '/models/gte.gguf', is: 'chat', wanted: 'embedding' } as const;
  const { state } = scene(context, { fails: new FaultError(fault) });
  await until(() => state.complaints.length > 0);
  assert.deepEqual(state.complaints, ['/models/gte.gguf is a chat model, which cannot find passages.']);
});

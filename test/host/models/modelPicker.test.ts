// Choosing the model that answers: no embedding model is offered or set for it, and finding by meaning is one row away.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeHeader } from '../../models/scenes/header.ts';
import { temporary } from '../../temporary.ts';
import { editor } from '../fakeVscode.ts';

const { chooseModel } = await import('../../../src/host/models/modelPicker.ts');

/** Nothing was used before. */
const state = { get: () => undefined, update: async () => undefined, keys: () => [] } as never;

function scene(context: { after(run: () => void): void }) {
  const folder = temporary('tidemark-picker-');
  context.after(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  writeHeader(path('chat.gguf'), 'qwen2');
  writeHeader(path('gte.gguf'), 'bert', 1);
  Object.assign(editor, { settings: {}, pick: () => undefined, file: undefined });
  editor.ran.length = 0;
  return { folder, path };
}

test('the list has chat models only, and says what finds by meaning beside them', async (context) => {
  const { folder, path } = scene(context);
  const seen: string[] = [];
  editor.pick = (rows) => {
    seen.push(
      ...rows.filter(({ kind }) => kind !== -1).map(({ label, description = '' }) => `${label} ${description}`),
    );
    return rows.find(({ label }) => label.includes('Find by meaning'));
  };
  await chooseModel(state, { chat: '', embedding: '', folder });
  await chooseModel(state, { chat: '', embedding: path('gte.gguf'), folder });
  assert.deepEqual(
    seen.filter((one) => /gguf/.test(one) && !one.includes('Find by')).map((one) => one.split(' ')[1]),
    ['chat.gguf', 'chat.gguf'],
  );
  assert.deepEqual(
    seen.filter((one) => one.includes('Find by')),
    ['$(search) Find by meaning… off', '$(search) Find by meaning… gte.gguf'],
  );
  assert.deepEqual(editor.ran, ['tidemark.findByMeaning', 'tidemark.findByMeaning']);
});

test('a file that is an embedding model is not set to chat with, and that is said with advice', async (context) => {
  const { folder, path } = scene(context);
  editor.pick = (rows) => rows.find(({ label }) => label.includes('Choose a GGUF file'));
  editor.file = path('gte.gguf');
  await assert.rejects(
    chooseModel(state, { chat: '', embedding: '', folder }),
    /is an embedding model: it finds passages and cannot answer\. Choose a chat model in tidemark\.model\.path\./,
  );
  assert.deepEqual(editor.settings, {});
  editor.file = path('chat.gguf');
  await chooseModel(state, { chat: '', embedding: '', folder });
  assert.deepEqual(editor.settings, { 'model.path': path('chat.gguf') });
});

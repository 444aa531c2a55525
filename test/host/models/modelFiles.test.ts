// Which models are offered: the current one, those used before, and their neighbours.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { Purpose } from '../../../src/core/machine/ggufHeader.ts';
import { findModels, readUsed, withUsed } from '../../../src/host/models/modelFiles.ts';
import { writeHeader } from '../../models/scenes/header.ts';
import { temporary } from '../../temporary.ts';

test('the current one comes first, then those used before, then what else can be loaded in their folders', async (context) => {
  const folder = temporary('tidemark-models-');
  context.after(() => rmSync(folder, { recursive: true }));
  const names = [
    'a.gguf',
    'b.GGUF',
    'big-00001-of-00002.gguf',
    'big-00002-of-00002.gguf',
    'mmproj-a.gguf',
    'notes.txt',
  ];
  for (const name of [...names, 'used.gguf', 'now.gguf']) writeFileSync(join(folder, name), name);
  const fetched = join(folder, 'fetched');
  mkdirSync(fetched);
  writeFileSync(join(fetched, 'new.gguf'), 'new');
  const path = (name: string) => join(folder, name);
  const used = [
    { path: path('used.gguf'), memory: 'Memory: 1 GB.' },
    { path: path('gone.gguf'), memory: '' },
  ];
  const found = await findModels(path('now.gguf'), used, fetched, 'chat');
  assert.deepEqual(
    found.map((model) => [basename(model.path), model.group, model.bytes, model.memory]),
    [
      ['now.gguf', 'current', 8, ''],
      ['used.gguf', 'used', 9, 'Memory: 1 GB.'],
      ['a.gguf', 'near', 6, ''],
      ['b.GGUF', 'near', 6, ''],
      ['big-00001-of-00002.gguf', 'near', 23, ''],
      ['new.gguf', 'near', 3, ''],
    ],
  );
  assert.deepEqual(await findModels('', [], join(folder, 'nowhere'), 'chat'), []);
  assert.deepEqual(await findModels(join(folder, 'nowhere', 'x.gguf'), [], join(folder, 'nowhere'), 'chat'), []);
});

test('models of other uses are not offered: no embedding model to chat with, no chat model to find with', async (context) => {
  const folder = temporary('tidemark-models-');
  context.after(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  writeHeader(path('chat.gguf'), 'qwen2');
  writeHeader(path('gte.gguf'), 'bert', 1);
  writeHeader(path('ranker.gguf'), 'bert', 4);
  writeFileSync(path('unknown.gguf'), 'what can this be?');
  const names = async (purpose: Purpose, current = '', used: readonly string[] = []) => {
    const before = used.map((one) => ({ path: path(one), memory: '' }));
    return (await findModels(current, before, folder, purpose)).map((model) => basename(model.path));
  };
  assert.deepEqual(await names('chat'), ['chat.gguf', 'unknown.gguf']);
  assert.deepEqual(await names('embedding'), ['gte.gguf']);
  assert.deepEqual(await names('embedding', '', ['chat.gguf']), ['gte.gguf']);
  // A model that is set is listed for either use, so that it can be seen and changed.
  assert.deepEqual(await names('chat', path('gte.gguf')), ['gte.gguf', 'chat.gguf', 'unknown.gguf']);
});

test('the latest used stands first, once, with its latest memory, and no more than a dozen', () => {
  const model = (name: string, memory = '') => ({ path: name, memory });
  assert.deepEqual(withUsed([model('a'), model('b')], model('b', 'm')), [model('b', 'm'), model('a')]);
  const many = Array.from({ length: 20 }, (_, i) => model(String(i)));
  assert.equal(withUsed(many, model('new')).length, 12);
});

test('what another release stored is left out', () => {
  assert.deepEqual(readUsed('x'), []);
  assert.deepEqual(readUsed([{ path: 'a', memory: '' }, { path: 1 }, null]), [{ path: 'a', memory: '' }]);
});

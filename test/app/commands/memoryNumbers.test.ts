// The numbers of entries: whatever happens between a list and the next command, no other entry is changed or lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNotes } from '../scenes/noteScene.ts';

async function withFour() {
  const opened = openNotes();
  for (const text of ['a', 'b', 'c', 'd']) await opened.told(`/remember ${text}`);
  await opened.told('/memory');
  return opened;
}

test('forgetting the same number twice forgets one entry', async () => {
  const { told, texts } = await withFour();
  assert.match(await told('/memory forget 2'), /^Forgotten: b/);
  assert.equal(await told('/memory forget 2'), 'Number 2 was forgotten already; `/memory` shows what there is.');
  assert.match(await told('/memory forget 3'), /^Forgotten: c/);
  assert.deepEqual(texts(), ['a', 'd']);
  await told('/memory');
  assert.match(await told('/memory forget 2'), /^Forgotten: d/);
});

test('the number of a forgotten entry passes to no new one before the next list', async () => {
  const { told, texts } = await withFour();
  await told('/memory forget 4');
  assert.match(await told('/remember e'), /as number 5/);
  assert.match(await told('/memory forget 4'), /forgotten already/);
  assert.match(await told('/memory forget 5'), /^Forgotten: e/);
  assert.deepEqual(texts(), ['a', 'b', 'c']);
});

test('a number that was never shown changes nothing, and the list comes instead', async () => {
  const { told, another, texts } = await withFour();
  const reloaded = another();
  assert.match(await reloaded.told('/memory forget 2'), /^Nothing was changed. [\s\S]*\| 2 \| b \|/);
  assert.deepEqual(texts(), ['a', 'b', 'c', 'd']);
  await reloaded.told('/memory forget 2');
  assert.deepEqual(texts(), ['a', 'c', 'd']);
  assert.match(await told('/memory forget 9'), /^There is no number 9/);
});

test('a new entry says its number, and that alone can be named without a list', async () => {
  const { another, texts } = await withFour();
  const reloaded = another();
  assert.match(await reloaded.told('/remember e'), /as number 5/);
  assert.match(await reloaded.told('/memory forget 1'), /^Nothing was changed/);
  assert.deepEqual(texts(), ['a', 'b', 'c', 'd', 'e']);
});

test('what another window adds or forgets moves no number', async () => {
  const { told, another, texts } = await withFour();
  const other = another();
  await other.told('/memory');
  await other.told('/memory forget 1');
  await other.told('/remember e');
  assert.match(await told('/memory forget 2'), /^Forgotten: b/);
  assert.match(await told('/memory forget 1'), /forgotten already/);
  assert.deepEqual(texts(), ['c', 'd', 'e']);
});

test('numbers of one workspace name nothing in another', async () => {
  const { told, open, texts } = await withFour();
  open.workspace = '/b';
  assert.match(await told('/memory forget 2'), /^Nothing was changed/);
  open.workspace = '/a';
  await told('/memory');
  open.workspace = '/b';
  await told('/remember x');
  assert.match(await told('/memory forget 2'), /^Nothing was changed/);
  open.workspace = '/a';
  assert.match(await told('/memory forget 2'), /^Nothing was changed/);
  assert.deepEqual(texts(), ['a', 'b', 'c', 'd']);
});

test('an edited entry keeps its number, its place and its day of adding', async () => {
  const { told, memory: memoryStore } = await withFour();
  assert.match(await told('/memory edit 2 always\n b'), /^Number 2, a preference, is now: always b/);
  assert.equal(await told('/memory edit 2 always b'), 'Already saved as number 2.');
  const [, memory] = memoryStore.memories('/a');
  assert.deepEqual([memory?.text, memory?.kind, memory?.source], ['always b', 'preference', 'command']);
  assert.ok(Number(memory?.changed) > Number(memory?.created));
  await told('/memory forget 2');
  assert.match(await told('/memory edit 2 c'), /forgotten already|known already/);
  assert.equal(memoryStore.records('memory').length, 3);
});

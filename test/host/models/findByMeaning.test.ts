// An embedding model beside the chat model: one click gets it and sets it, nothing is fetched unasked, and no file serves what it cannot.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeHeader } from '../../models/scenes/header.ts';
import { editor, type FakeRow } from '../fakeVscode.ts';
import { fileName, openScene, until } from './meaningScene.ts';

const { getEmbedding, resumeModel } = await import('../../../src/host/models/getModel.ts');
const { pickModel } = await import('../../../src/host/models/modelPicker.ts');
const { findByMeaning } = await import('../../../src/host/models/findByMeaning.ts');

const yes = (_: string, buttons: readonly string[]) => buttons[0];
const labels = (rows: readonly FakeRow[]) => rows.filter(({ kind }) => kind !== -1).map(({ label }) => label);

/** The rows of a list, of which none is chosen. */
async function rowsOf(show: () => Promise<void>): Promise<readonly FakeRow[]> {
  let seen: readonly FakeRow[] = [];
  editor.pick = (rows) => {
    seen = rows;
    return undefined;
  };
  await show();
  return seen;
}

const choosing = (words: string) => {
  editor.pick = (rows) => rows.find(({ label }) => label.includes(words));
};

test('one click fetches the embedding model and sets it, and nothing is asked of any server before the user agrees', async (context) => {
  const { hub, parts, content, path, set } = await openScene(context);
  let asked: readonly string[] | null = null;
  editor.answer = (words, buttons) => {
    if (!words.startsWith('Download')) return undefined;
    asked = [...hub.asked];
    assert.match(words, /^Download gte-small \(Q8_0\) from 127\.0\.0\.1:\d+\?$/);
    return buttons[0];
  };
  await getEmbedding(parts);
  await until(() => editor.told.length > 0);
  assert.deepEqual(asked, []);
  assert.equal(set('finding.model'), path);
  assert.equal(set('model.path'), '');
  assert.deepEqual(readFileSync(path), content);
  assert.match(editor.told[0] ?? '', /gte-small \(Q8_0\) downloaded \(its SHA-256 matches\)\..*also found by meaning/);
});

test('without a yes nothing is fetched and nothing is set', async (context) => {
  const { hub, parts, set } = await openScene(context);
  await getEmbedding(parts);
  assert.deepEqual(hub.asked, []);
  assert.equal(set('finding.model'), '');
});

test('offline nothing is asked of any server, and a file can be chosen instead', async (context) => {
  const { hub, parts, meaning, state, set } = await openScene(context);
  state.offline = true;
  editor.answer = (_, buttons) => buttons.find((one) => one === 'Choose a GGUF File');
  await getEmbedding(parts);
  choosing('Get gte-small');
  await findByMeaning(...meaning);
  assert.deepEqual(hub.asked, []);
  assert.equal(editor.warned.filter((words) => words.includes('tidemark.network.offline is on')).length, 2);
  assert.deepEqual(editor.ran, ['tidemark.findByMeaning', 'tidemark.findByMeaning']);
  assert.equal(set('finding.model'), '');
});

test('where the server cannot be asked a file can be chosen instead, of the kind that was asked for', async (context) => {
  const { hub, parts, picker, set } = await openScene(context);
  hub.server.answer = (_, response) => void response.writeHead(404).end();
  editor.answer = (words, buttons) =>
    words.startsWith('Download') ? buttons[0] : buttons.find((one) => one === 'Choose a GGUF File');
  await getEmbedding(parts);
  assert.deepEqual(editor.ran, ['tidemark.findByMeaning']);
  editor.typed = `hf:some/repository/${fileName}`;
  choosing('Another model');
  await pickModel(...picker);
  assert.deepEqual(editor.ran, ['tidemark.findByMeaning', 'tidemark.chooseModel']);
  assert.equal(set('finding.model'), '');
});

test('a download that was cut goes on from where it was, and is set when it is here', async (context) => {
  const { hub, parts, content, path, set } = await openScene(context);
  writeFileSync(`${path}.part`, content.subarray(0, 700));
  const url = `${hub.server.address}/ggml-org/gte-small-Q8_0-GGUF/resolve/main/${fileName}`;
  const state = { url, version: hub.server.sha256, total: content.length, sha256: null };
  writeFileSync(`${path}.part.json`, JSON.stringify(state));
  await resumeModel(parts, fileName, url);
  await until(() => set('finding.model') === path);
  assert.deepEqual(readFileSync(path), content);
  assert.equal(hub.server.twice, 0);
});

test('a chat model that arrives in its place is not set, and that is said with advice', async (context) => {
  const { parts, set } = await openScene(context, { architecture: 'qwen2' });
  editor.answer = yes;
  await getEmbedding(parts);
  await until(() => editor.warned.some((words) => words.includes('is a chat model')));
  assert.match(editor.warned.at(-1) ?? '', /Choose an embedding model, such as gte-small/);
  assert.equal(set('finding.model'), '');
});

test('an embedding model from an address that was typed to chat with is offered for finding, not for chatting', async (context) => {
  const { picker, set, path, looked } = await openScene(context);
  editor.typed = `hf:some/repository/${fileName}`;
  editor.answer = (words, buttons) => (words.startsWith('Download') ? buttons[0] : undefined);
  choosing('Another model');
  await pickModel(...picker);
  await until(() => editor.told.length > 0);
  assert.match(editor.told[0] ?? '', /It is an embedding model: it finds passages by meaning and can't answer\./);
  assert.deepEqual([set('finding.model'), set('model.path'), looked], ['', '', []]);
  editor.answer = yes;
  await pickModel(...picker);
  await until(() => set('finding.model') === path);
  assert.equal(set('model.path'), '');
});

test('the list has no chat model; it shows what is set, and goes back to words alone without deleting the file', async (context) => {
  const { meaning, folder, set } = await openScene(context);
  const path = (name: string) => join(folder, name);
  writeHeader(path('chat.gguf'), 'qwen2');
  writeHeader(path('here.gguf'), 'bert', 1);
  const listed = ['gte-small (37 MB)', 'bge-small-en v1.5 (67 MB)', 'EmbeddingGemma 300M (QAT) (329 MB)'];
  const more = [...listed, 'Qwen3-Embedding 0.6B (639 MB)'].map((name) => `Get ${name}`);
  const others = [...more, 'Another one: its Hugging Face name, address or path…', 'Choose a GGUF file…'];
  const found = async () =>
    labels(await rowsOf(() => findByMeaning(...meaning))).map((label) => label.replace(/^\$\([\w-]+\) /, ''));
  assert.deepEqual(await found(), ['here.gguf', ...others]);
  choosing('here.gguf');
  await findByMeaning(...meaning);
  assert.equal(set('finding.model'), path('here.gguf'));
  assert.deepEqual(await found(), ['here.gguf', 'Find by words alone', ...others]);
  choosing('Find by words alone');
  await findByMeaning(...meaning);
  assert.equal(set('finding.model'), '');
  assert.ok(existsSync(path('here.gguf')));
});

test('any file can be chosen, but no chat model to find with, and one that is gone is shown as not there', async (context) => {
  const { meaning, folder, set, setModel } = await openScene(context);
  const path = (name: string) => join(folder, name);
  writeHeader(path('chat.gguf'), 'llama');
  writeHeader(path('mine.gguf'), 'qwen3', 3);
  choosing('Choose a GGUF file');
  editor.file = path('chat.gguf');
  await assert.rejects(findByMeaning(...meaning), /is a chat model, which cannot find passages/);
  assert.equal(set('finding.model'), '');
  editor.file = path('mine.gguf');
  await findByMeaning(...meaning);
  assert.equal(set('finding.model'), path('mine.gguf'));
  await setModel(path('gone.gguf'), 'embedding');
  const rows = await rowsOf(() => findByMeaning(...meaning));
  assert.match(rows.find(({ label }) => label.includes('gone.gguf'))?.description ?? '', /^missing · /);
  assert.ok(labels(rows).includes('$(circle-slash) Find by words alone'));
});

// The one list of models: what is here, what can be had with its figures, and the ways to any other.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DiskModel } from '../../../src/models/disk/find.ts';
import { writeHeader } from '../../models/scenes/header.ts';
import { editor, type FakeRow } from '../fakeVscode.ts';
import { openScene, until } from './meaningScene.ts';

const { pickModel } = await import('../../../src/host/models/modelPicker.ts');

type Picker = Readonly<Parameters<typeof pickModel>>;

/** The rows, of which none is chosen. */
async function rowsOf(parts: Picker): Promise<readonly FakeRow[]> {
  let seen: readonly FakeRow[] = [];
  editor.pick = (rows) => {
    seen = rows;
    return undefined;
  };
  await pickModel(...parts);
  return seen;
}

const choosing = (words: string) => {
  editor.pick = (rows) => rows.find(({ label }) => label.includes(words));
};
const isTitle = ({ kind }: FakeRow) => kind === -1;
const titles = (rows: readonly FakeRow[]) => rows.filter(isTitle).map(({ label }) => label.replace(/ · catalog.*/, ''));
const labels = (rows: readonly FakeRow[]) => rows.filter((row) => !isTitle(row)).map(({ label }) => label);

test('without a model the recommended one comes first, with size, pace, license and why', async (context) => {
  const { picker } = await openScene(context);
  const rows = await rowsOf(picker);
  assert.deepEqual(titles(rows), [
    'recommended',
    'your own',
    'fits',
    'slow here',
    'leaves little memory',
    'too large for now',
    'more',
  ]);
  const first = rows[1];
  assert.match(first?.label ?? '', /^\$\(star-full\) \S/);
  assert.match(first?.description ?? '', /^first word ~\d+ s · ~[\d.]+ tokens\/s · [\d.]+ GB · not tried by us · \S+$/);
  assert.match(
    first?.detail ?? '',
    /^Of the models fast enough for this computer, the one most often mentioned for local use\. Needs about [\d.]+ GB of 12\.0 GB free memory\. Q4_K_M: 4 bits per weight\./,
  );
  assert.equal(labels(rows).filter((label) => label.includes('star-full')).length, 1);
});

test('the catalogue is listed before the machine was looked at, and the title says what is waited for', async (context) => {
  const [fetching, ranking, here, setFolder] = (await openScene(context)).picker;
  const machine = Promise.withResolvers<void>();
  const slow = async () => {
    await machine.promise;
    return ranking.machine();
  };
  const shown = editor.lists.length;
  const rows = rowsOf([fetching, { ...ranking, machine: slow }, here, setFolder]);
  const list = editor.lists[shown];
  assert.match(list?.title ?? '', /finding what is on this computer, and what fits it…/);
  assert.ok(labels(list?.items ?? []).includes('Qwen2.5-Coder 1.5B Instruct · Q4_K_M'));
  assert.match(
    list?.items.find(({ label }) => /Coder 1\.5B/.test(label))?.description ?? '',
    /^1\.1 GB · tried by us · /,
  );
  machine.resolve();
  await rows;
  assert.equal(list?.title, 'Tidemark: Models');
});

test('what this project ran says so, and nothing else does', async (context) => {
  const { picker } = await openScene(context);
  const tried = (await rowsOf(picker)).filter(({ description = '' }) => / · tried by us( ·|$)/.test(description));
  assert.deepEqual(labels(tried), [
    'Qwen2.5-Coder 0.5B Instruct · Q4_K_M',
    'Qwen2.5-Coder 1.5B Instruct · Q4_K_M',
    '$(search) Get gte-small (37 MB) to find by meaning',
  ]);
  const others = (await rowsOf(picker)).filter(({ description = '' }) => / · not tried by us · /.test(description));
  assert.equal(others.length, 18);
});

test('a mixture of experts that the GPU holds in part says what happens here, and what would be better', async (context) => {
  const { picker } = await openScene(context);
  const machine = async () => ({ ram: 24e9, gpu: 11e9, shared: 0, copies: [], readRate: 35e9, processors: 16 });
  const [fetching, ranking, here, setFolder] = picker;
  const on = (machine: typeof ranking.machine) => rowsOf([fetching, { ...ranking, machine }, here, setFolder]);
  const said = (await on(machine)).filter(({ detail = '' }) => detail.includes('--n-cpu-moe'));
  assert.deepEqual(labels(said).toSorted(), [
    'Gemma 4 26B-A4B (QAT) · Q4_0',
    'Laguna XS 2.1 · Q4_K_M',
    'Qwen3-Coder 30B-A3B Instruct · Q4_K_M',
    'Qwen3.6 35B-A3B · UD-Q4_K_M',
    'gpt-oss 20B · MXFP4',
  ]);
  const shared = async () => ({ ...(await machine()), shared: 11e9 });
  for (const other of [ranking.machine, shared])
    assert.ok((await on(other)).every(({ detail = '' }) => !detail.includes('--n-cpu-moe')));
});

test('a file of the catalog is fetched at its commit, and another content than the one that is known is refused', async (context) => {
  const { picker, hub, folder } = await openScene(context, { name: 'Qwen3.5-9B-Q4_K_M.gguf' });
  editor.answer = (words, [yes]) => (words.startsWith('Download') ? yes : undefined);
  choosing('Qwen3.5 9B');
  await pickModel(...picker);
  await until(() => editor.warned.some((words) => /SHA-256/.test(words) && !words.startsWith('Download')));
  const commit = '3885219b6810b007914f3a7950a8d1b469d598a5';
  assert.equal(hub.asked[0], `HEAD /unsloth/Qwen3.5-9B-GGUF/resolve/${commit}/Qwen3.5-9B-Q4_K_M.gguf`);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.gguf')),
    [],
  );
  assert.equal(editor.settings['model.path'], undefined);
});

test('models of other programs stand before what can be had, and one click more loads one', async (context) => {
  const { folder, picker } = await openScene(context);
  const path = (name: string) => join(folder, 'elsewhere', name);
  mkdirSync(join(folder, 'elsewhere'));
  writeHeader(path('sha256-77'), 'qwen35');
  const at = (name: string, use: DiskModel['use'], place = 'LM Studio') => ({
    path: path(name),
    name,
    place,
    bytes: 5e9,
    use,
  });
  const files = [
    { ...at('sha256-77', 'chat', 'Ollama'), name: 'qwen3.5:9b' },
    at('bge.gguf', 'embedding'),
    at('mmproj-F16.gguf', 'projector'),
    at('flux.gguf', 'image', 'Downloads'),
    at('half.gguf', null, 'Downloads'),
  ];
  const [fetching, ranking, here, setFolder] = picker;
  const parts = [fetching, ranking, { ...here, found: async () => files }, setFolder] as const;
  const rows = await rowsOf(parts);
  assert.deepEqual(titles(rows).slice(0, 2), ['on this computer', 'recommended']);
  assert.deepEqual(labels(rows).slice(0, 3), [
    '$(file) qwen3.5:9b',
    '$(search) bge.gguf',
    '$(info) 3 other GGUF files, which are no such models…',
  ]);
  assert.deepEqual([rows[1]?.description, rows[1]?.detail], ['5.0 GB · Ollama', 'Looked at sha256-77.']);
  choosing('qwen3.5:9b');
  await pickModel(...parts);
  assert.equal(editor.settings['model.path'], path('sha256-77'));
  // A model is not offered twice once it is in use.
  assert.deepEqual(
    labels(await rowsOf(parts)).filter((label) => /qwen3\.5:9b|sha256-77/.test(label)),
    ['$(check) qwen3.5:9b'],
  );
  let told: readonly FakeRow[] = [];
  editor.pick = (all) => {
    const others = all.find(({ label }) => label.includes('other GGUF files'));
    told = others === undefined ? all : told;
    return others;
  };
  await pickModel(...parts);
  assert.deepEqual(
    told.map(({ label, detail }) => [label, detail]),
    [
      ['mmproj-F16.gguf', 'Projector: turns pictures into tokens of the chat model next to it'],
      ['flux.gguf', "Image model: draws, can't answer"],
      ['half.gguf', 'Damaged, or not whole'],
    ],
  );
});

test('offline the models of other programs can be used as ever', async (context) => {
  const { folder, picker, state, hub } = await openScene(context);
  writeHeader(join(folder, 'm.bin'), 'qwen35');
  state.offline = true;
  const found = async () => [
    { path: join(folder, 'm.bin'), name: 'm', place: 'Ollama', bytes: 1, use: 'chat' } as const,
  ];
  choosing('$(file) m');
  const [fetching, ranking, here, setFolder] = picker;
  await pickModel(fetching, ranking, { ...here, found }, setFolder);
  assert.equal(editor.settings['model.path'], join(folder, 'm.bin'));
  assert.deepEqual(hub.asked, []);
});

test('the list says which catalog it is, by its day', async (context) => {
  const { picker } = await openScene(context);
  const titled = (await rowsOf(picker)).filter(isTitle).map(({ label }) => label);
  assert.equal(titled.filter((label) => / · catalog of \d{4}-\d\d-\d\d$/.test(label)).length, 1);
});

test('what is in use and what lies here comes before what can be had, with words about its memory', async (context) => {
  const { folder, picker, setModel } = await openScene(context);
  const path = (name: string) => join(folder, name);
  writeHeader(path('chat.gguf'), 'qwen2');
  writeHeader(path('other.gguf'), 'qwen2');
  writeHeader(path('gte.gguf'), 'bert', 1);
  await setModel(path('chat.gguf'), 'chat');
  const rows = await rowsOf(picker);
  assert.deepEqual(titles(rows).slice(0, 3), ['in use', 'on this computer', 'recommended']);
  assert.deepEqual(labels(rows).slice(0, 3), ['$(check) chat.gguf', '$(file) other.gguf', '$(search) gte.gguf']);
  assert.deepEqual(
    rows.filter(({ label }) => /(chat|other)\.gguf/.test(label)).map(({ detail }) => detail),
    ['Looked at chat.gguf.', 'Looked at other.gguf.'],
  );
  choosing('other.gguf');
  await pickModel(...picker);
  assert.equal(editor.settings['model.path'], path('other.gguf'));
  choosing('gte.gguf');
  await pickModel(...picker);
  assert.equal(editor.settings['finding.model'], path('gte.gguf'));
});

test('a file that is an embedding model is not set to chat with, and that is said with advice', async (context) => {
  const { folder, picker } = await openScene(context);
  writeHeader(join(folder, 'gte.gguf'), 'bert', 1);
  choosing('Choose a GGUF file');
  editor.file = join(folder, 'gte.gguf');
  await assert.rejects(
    pickModel(...picker),
    /is an embedding model, which finds passages but cannot answer\. Choose a chat model in tidemark\.model\.path\./,
  );
  assert.deepEqual(editor.settings, {});
});

test('the embedding model is one row behind the others, which has no rank', async (context) => {
  const { picker, setModel } = await openScene(context);
  const all = await rowsOf(picker);
  assert.equal(labels(all).at(-1), '$(search) Get gte-small (37 MB) to find by meaning');
  assert.equal(labels(all).filter((label) => /gte|meaning/.test(label)).length, 1);
  await setModel('/models/mine.gguf', 'embedding');
  const now = (await rowsOf(picker)).at(-1);
  assert.deepEqual([now?.label, now?.description], ['$(search) Find by meaning…', 'mine.gguf']);
  choosing('Find by meaning');
  await pickModel(...picker);
  assert.deepEqual(editor.ran, ['tidemark.findByMeaning']);
});

test('offline the list has what is here, and says why there is no more', async (context) => {
  const { folder, picker, state } = await openScene(context);
  writeHeader(join(folder, 'chat.gguf'), 'qwen2');
  state.offline = true;
  const rows = await rowsOf(picker);
  assert.ok(labels(rows).includes('$(file) chat.gguf'));
  assert.ok(labels(rows).includes('$(circle-slash) Downloads are off'));
  assert.ok(!titles(rows).includes('fits'));
});

test('servers of the settings can be chosen, and the one in use is marked instead of the file', async (context) => {
  const { folder, picker, setModel, state } = await openScene(context);
  writeHeader(join(folder, 'chat.gguf'), 'qwen2');
  await setModel(join(folder, 'chat.gguf'), 'chat');
  state.servers = {
    desk: { url: 'https://desk.example:8443/v', model: 'qwen' },
    near: { url: 'http://127.0.0.1:9931' },
  };
  const rows = await rowsOf(picker);
  assert.deepEqual(titles(rows).slice(0, 2), ['in use', 'on a server']);
  assert.deepEqual(
    rows.slice(3, 5).map(({ label, description }) => [label, description]),
    [
      ['$(server) desk', 'desk.example:8443 · qwen'],
      ['$(server) near', '127.0.0.1:9931'],
    ],
  );
  choosing('desk');
  await pickModel(...picker);
  assert.equal(editor.settings.engine, 'desk');
  state.engine = 'desk';
  const now = await rowsOf(picker);
  assert.deepEqual(titles(now).slice(0, 2), ['on this computer', 'on a server']);
  assert.deepEqual(
    labels(now).filter((label) => label.includes('check')),
    ['$(check) desk'],
  );
});

// Tests what is stored, shipped and sent: damaged messages, where things lie, which ways to the network there are, and who is asked before.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { ExtensionContext } from 'vscode';
import { startChatTwin } from '../../lab/servers/chatTwin.ts';
import { openStore } from '../../src/store/store.ts';
import { openScene } from '../app/scenes/scene.ts';
import { server } from '../app/scenes/scriptedModel.ts';
import { projectRoot } from '../harness/program.ts';
import { editor } from '../host/fakeVscode.ts';
import { openScene as openDownloads } from '../host/models/meaningScene.ts';
import { nanoModel } from '../models/scenes/nano.ts';
import { byFile, isAllowed } from '../package/notices.ts';
import { shippedPackages } from '../package/shipped.ts';
import { answer, row, user } from '../store/samples.ts';
import { folderOf } from './places.ts';

const { findByMeaning } = await import('../../src/host/models/findByMeaning.ts');
const { getEmbedding } = await import('../../src/host/models/getModel.ts');
const { pickModel } = await import('../../src/host/models/modelPicker.ts');
const { ServerAccess } = await import('../../src/host/servers/serverAccess.ts');
const { readSettings } = await import('../../src/host/settings/readSettings.ts');

const sourcesOf = (...patterns: readonly string[]) =>
  globSync([...patterns], { cwd: projectRoot }).map((file) => {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    return [
      file.replaceAll('\\', '/'),
      text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1'),
    ] as const;
  });

type Json = Record<string, unknown>;
/** Ways in which a disk or another program may damage a message. */
const damages: Readonly<Record<string, (json: string, item: Json) => string>> = {
  'no JSON': (json) => json.replace('{', '\u0001'),
  'half of it': (json) => json.slice(0, json.length / 2),
  nothing: () => '',
  null: () => 'null',
  'a list': () => '[]',
  'another id': (_, item) => JSON.stringify({ ...item, id: 'other' }),
  'another kind': (_, item) => JSON.stringify({ ...item, origin: 'note' }),
  'a kind that there is not': (_, item) => JSON.stringify({ ...item, origin: 'toString' }),
  'its text under another name': (json) => json.replace('"text"', '"tezt"'),
  'a number as its text': (_, item) => JSON.stringify({ ...item, text: 5 }),
  'calls that are none': (_, item) => JSON.stringify({ ...item, origin: 'call', calls: 7 }),
  'itself as its forerunner': (_, item) => JSON.stringify({ ...item, parent: item.id }),
  'a later forerunner': (_, item) => JSON.stringify({ ...item, parent: 'a3' }),
  'a forerunner that there is not': (_, item) => JSON.stringify({ ...item, parent: 'zzz' }),
  'ids that are none': (_, item) => JSON.stringify({ ...item, generated: { model: 'm', ids: 'x' }, thoughts: 1 }),
};

test('An unreadable message is reported and left out; the rest of its conversation opens.', async () => {
  const turns = [0, 1, 2, 3];
  const whole = join(folderOf(), 'tidemark.sqlite');
  const made = await openStore(whole);
  made.sessions.createSession({ ...row, workspace: '/a' });
  for (const i of turns) {
    made.sessions.appendItem('s1', user(`q${i}`, i === 0 ? null : `a${i - 1}`, `question ${i}`));
    made.sessions.appendItem('s1', answer(`a${i}`, `q${i}`, `answer ${i}`));
  }
  made.close();
  for (const [what, damage] of Object.entries(damages))
    for (const id of ['q0', 'a1', 'q2', 'a3']) {
      const path = join(folderOf(), 'tidemark.sqlite');
      copyFileSync(whole, path);
      const database = new DatabaseSync(path);
      const json = String(database.prepare('SELECT json FROM item WHERE id = ?').get(id)?.json);
      database.prepare('UPDATE item SET json = ? WHERE id = ?').run(damage(json, JSON.parse(json)), id);
      database.close();
      const store = await openStore(path);
      const scene = openScene(['Fine.'], { storage: store });
      scene.resume();
      const texts = scene.texts().join('\n');
      assert.match(JSON.stringify(scene.entries('info')), /left out/, `${what} in ${id}`);
      for (const i of turns.filter((turn) => String(turn) !== id[1]))
        for (const words of [`question ${i}`, `answer ${i}`])
          assert.ok(texts.includes(words), `${what} in ${id}: ${words}`);
      await scene.say('And now?');
      assert.deepEqual([scene.answers().at(-1), scene.sent().includes('And now?')], ['Fine.', true]);
      store.close();
    }
});

/** Runs `ask` on a folder and gives the ways to the network that it went, without those of its own files. */
function waysOf(...args: readonly string[]): Promise<readonly string[]> {
  const [log, folder] = [join(folderOf(), 'net.log'), folderOf({ 'a.ts': 'export const a = 1;\n' })];
  const watching = `--import=${new URL('watchedNet.ts', import.meta.url)}`;
  const env = { ...process.env, NODE_OPTIONS: watching, TIDEMARK_NET: log, XDG_CACHE_HOME: folderOf() };
  const given = [
    join(projectRoot, 'lab/cli/ask.ts'),
    '--workspace',
    folder,
    '--context-size',
    '1024',
    ...args,
    'What is a?',
  ];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, given, { env }, (error, _, said) => {
      if (error !== null) return reject(new Error(said));
      resolve(readFileSync(log, 'utf8').trim().split('\n'));
    });
  });
}

test('Nothing listens on a port but the way to one that you open of a program of yours, and only downloads you ask for and a server you name use the network.', async (t) => {
  const local = await waysOf('--model', nanoModel());
  // The command and the engine at least.
  assert.ok(local.length >= 2 && local.every((line) => line === 'begun'), local.join('\n'));
  const twin = await startChatTwin();
  t.after(() => twin.stop());
  const { host, port } = new URL(twin.url);
  const asked = (await waysOf('--engine', twin.url)).filter((line) => line !== 'begun');
  assert.ok(
    asked.length > 0 && asked.every((line) => line.startsWith('connect ') && line.includes(port)),
    `${host}: ${asked.join('\n')}`,
  );
  const listening =
    /(?<!super)\.listen\((?!\))|\bcreateServer\(|\bcreateSocket\(|['"](?:node:)?(?:cluster|dgram|inspector)['"]/;
  const product = sourcesOf('src/**/*.ts', 'webview/**/*.{ts,tsx}');
  assert.ok(product.length > 400);
  assert.deepEqual(
    product.filter(([, text]) => listening.test(text)).map(([file]) => file.replaceAll('\\', '/')),
    ['src/shell/fence/way.ts'],
  );
  // Who can connect: downloads and the server; all else says `fetch` and `connect` nowhere.
  const connecting =
    /\bfetch\(|\bWebSocket\b|\bXMLHttpRequest\b|\bEventSource\b|\bsendBeacon\b|['"](?:node:)?(?:https?|http2|tls|undici)['"]/;
  const known = product.filter(([, text]) => connecting.test(text)).map(([file]) => file.replace(/[^/]*$/, ''));
  assert.deepEqual([...new Set(known)].toSorted(), ['src/engine/remote/wire/', 'src/models/']);
});

test('What is shipped has licences that allow it and no telemetry.', () => {
  const shipped = [...shippedPackages()];
  assert.ok(shipped.length > 100);
  const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 13);
  // Packages for other machines are built from the same sources, whose licence the lock file has.
  const own = shippedPackages().get('node_modules/node-llama-cpp');
  const licenceOf = ([place, { license, version }]: (typeof shipped)[number]) =>
    license ??
    byFile[nameOf(place)] ??
    (nameOf(place).startsWith('@node-llama-cpp/') && version === own?.version ? own?.license : undefined);
  assert.deepEqual(
    shipped.filter((one) => !isAllowed(licenceOf(one) ?? 'none')).map(([place]) => place),
    [],
  );
  for (const licence of [
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'SSPL-1.0',
    'BUSL-1.1',
    'MIT AND GPL-2.0',
    'UNLICENSED',
    'none',
    '',
  ])
    assert.ok(!isAllowed(licence), licence);
  const reports =
    /telemetry|applicationinsights|opentelemetry|sentry|analytics|mixpanel|amplitude|posthog|bugsnag|datadog|rollbar|heap-api/i;
  assert.deepEqual(
    shipped.filter(([place]) => reports.test(nameOf(place))).map(([place]) => place),
    [],
  );
  const product = sourcesOf('src/**/*.ts', 'webview/**/*.{ts,tsx}', 'esbuild.mjs');
  const sends =
    /createTelemetryLogger|TelemetryReporter|TelemetrySender|isTelemetryEnabled|reportError\(|\bsendBeacon\b/;
  assert.deepEqual(
    product.filter(([, text]) => sends.test(text)).map(([file]) => file),
    [],
  );
});

test("Models, conversations and caches stay in VS Code's storage folder on this machine.", () => {
  const product = sourcesOf('src/**/*.ts');
  // All places that are not in the open folder: the editor's, and two of the user's own, for notes of unfinished writes and Git's settings.
  const editors = product.flatMap(([file, text]) =>
    [...text.matchAll(/(?:global)?[sS]torageUri[^;\n]*?fsPath(?:, '(\w+)')?/g)].map(([, name = '']) =>
      `${file} ${name}`.trim(),
    ),
  );
  const storage = [
    'src/host/finding/findingParts.ts',
    'src/window/model.ts models',
    'src/window/model.ts snapshots',
    'src/window/shell.ts commands',
    'src/window/storage.ts',
  ];
  assert.deepEqual(editors.toSorted(), storage);
  const others =
    /\b(?:homedir|tmpdir|mkdtemp\w*)\(|\bXDG_\w+|\bAPPDATA\b|\benv\.HOME\b|logUri|extensionPath, '(?!dist)/;
  const elsewhere = product.filter(([, text]) => others.test(text)).map(([file]) => file);
  // In the third one models of other programs are looked for; nothing is written there.
  assert.deepEqual(elsewhere.toSorted(), [
    'src/edits/files/ignored.ts',
    'src/edits/files/leftovers.ts',
    'src/models/disk/places.ts',
    // A fence hides them, or keeps the caches of tools in our storage.
    'src/shell/fence/places.ts',
    'src/shell/process/environment.ts',
  ]);
  const disk = product.filter(([file]) => file.startsWith('src/models/disk/'));
  const writes = /\b(?:write|append|mkdir|rm|unlink|rename|copyFile|truncate|open|createWriteStream)\w*\(/;
  assert.deepEqual(
    disk.filter(([, text]) => writes.test(text)).map(([file]) => file),
    [],
  );
});

test('Downloads ask first and name the server.', async (t) => {
  const { hub, parts, picker, meaning, folder } = await openDownloads(t);
  const { address } = hub.server;
  const { host } = new URL(address);
  const choosing = (words: string, typed = '') => {
    editor.pick = (rows) => rows.find(({ label }) => label.includes(words));
    editor.typed = typed;
  };
  const typed = [
    `hf:some/repository/m.gguf`,
    'hf:some/repository:Q4_K_M',
    'hf:some/repository',
    `${address}/m.gguf`,
    `${address}/m-00001-of-00003.gguf`,
  ];
  const ways: readonly (readonly [string, () => Promise<void>])[] = [
    ['', () => getEmbedding(parts)],
    ['star-full', () => pickModel(...picker)],
    ['to find by meaning', () => pickModel(...picker)],
    ['Get gte-small', () => findByMeaning(...meaning)],
    ...typed.map((words) => [`Another${'\0'}${words}`, () => pickModel(...picker)] as const),
    ...typed.map((words) => [`Another one${'\0'}${words}`, () => findByMeaning(...meaning)] as const),
  ];
  const questions: string[] = [];
  editor.answer = (words) => {
    questions.push(words);
    return undefined;
  };
  for (const [way, go] of ways) {
    questions.length = 0;
    choosing(...(way.split('\0') as [string, string?]));
    await go();
    assert.match(questions.join(), /^Download [^,]*\?$/, way);
    assert.ok(questions[0]?.endsWith(` from ${host}?`), `${way}: ${questions}`);
    assert.deepEqual([hub.asked, readdirSync(folder)], [[], []], way);
  }
  // With a yes that server is asked, so that the others would be seen.
  editor.answer = (words, [yes]) => (words.startsWith('Download') ? yes : undefined);
  await getEmbedding(parts);
  assert.ok(hub.asked.length > 0);
});

test('Prompts leave this machine only for a model on a server that your user settings name and you agree to, and the Chat view says to where.', async () => {
  const state = new Map<string, unknown>();
  const globalState = {
    get: (key: string, other: unknown) => state.get(key) ?? other,
    update: async (key: string, value: unknown) => void state.set(key, value),
  };
  const context = { secrets: { get: async () => undefined }, globalState } as unknown as ExtensionContext;
  const access = new ServerAccess(
    context,
    () => false,
    () => undefined,
  );
  const load = () => readSettings(() => undefined).load;
  const desk = { desk: { url: 'https://desk.example' } };
  // A folder's agents name one, the user's settings have one that no one chose, and neither is a server to send to.
  for (const settings of [{}, { servers: desk }, { servers: desk, engine: 'other' }]) {
    Object.assign(editor, {
      settings,
      foreign: { agents: { default: { engine: 'desk' }, a: { engine: 'desk' } }, agent: 'a' },
    });
    assert.equal((await access.prepared(load())).server, undefined);
    assert.equal(readSettings(() => undefined).chat.agent.engine, null);
  }
  Object.assign(editor, { settings: { servers: desk, engine: 'desk' }, foreign: {}, answer: () => undefined });
  const scene = openScene(['Fine.']);
  scene.engine.info = { ...scene.engine.info, server };
  scene.engine.answer('load', async (_, usual) => {
    await access.prepared(load());
    return usual();
  });
  editor.warned.length = 0;
  await scene.say('What is a?');
  assert.deepEqual([scene.prompts.length, editor.warned.every((words) => words.includes('desk.example'))], [0, true]);
  assert.ok(editor.warned.length > 0);
  editor.answer = (_, [yes]) => yes;
  await scene.say('What is a?');
  assert.deepEqual([scene.prompts.length, scene.shown().engine.model?.server?.host], [1, 'desk.example']);
});

// Tests what SECURITY.md promises of servers: who names one, what it is sent, where its key goes, and what its special strings can do.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ExtensionContext } from 'vscode';
import { authorityPem, certificates } from '../../../lab/servers/certificates.ts';
import type { Meddle } from '../../../lab/servers/twinServer.ts';
import type { ServerParams } from '../../../src/protocol/engine.ts';
import { projectRoot } from '../../harness/program.ts';
import { editor } from '../../host/fakeVscode.ts';
import { temporary } from '../../temporary.ts';
import { isSpecial, promptsAt, specials, startBytes, textOf } from './byteServer.ts';
import { bearer, escaped, key, plain, repeating } from './repeatedKey.ts';
import { type Answer, ask, delta, engineOf, everywhere, loadParams, problemIn, says, startChat } from './serving.ts';

const { ServerAccess } = await import('../../../src/host/servers/serverAccess.ts');
const { readSettings } = await import('../../../src/host/settings/readSettings.ts');
const { machineSettingsIn } = await import('../../../src/host/settings/ignored.ts');

const client = engineOf();

/** Opens what stands between the settings and a server, as in an editor that was just started, with its stored secrets and state. */
function openAccess() {
  const [secrets, state] = [new Map<string, string>(), new Map<string, unknown>()];
  const context = {
    secrets: {
      get: async (name: string) => secrets.get(name),
      store: async (name: string, value: string) => void secrets.set(name, value),
      delete: async (name: string) => void secrets.delete(name),
    },
    globalState: {
      get: (name: string, other: unknown) => state.get(name) ?? other,
      update: async (name: string, value: unknown) => void state.set(name, value),
    },
  } as unknown as ExtensionContext;
  editor.warned.length = 0;
  const access = new ServerAccess(
    context,
    () => false,
    () => undefined,
  );
  return {
    access,
    secrets,
    state,
    prepared: (url: string, more: Partial<ServerParams> = {}) => access.prepared(loadParams(url, more)),
  };
}

test('A folder names no server, and each address elsewhere needs your yes.', async (t) => {
  t.after(() => Object.assign(editor, { settings: {}, foreign: {}, answer: () => undefined }));
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const declared = Object.assign(
    {},
    ...manifest.contributes.configuration.map((part: { properties: object }) => part.properties),
  );
  // The editor takes no setting of this scope from a folder.
  const ofMachine = ['servers', 'engine', 'model.path', 'compaction.model', 'network.offline'].map(
    (name) => `tidemark.${name}`,
  );
  for (const name of ofMachine) assert.equal(declared[name].scope, 'machine', name);
  const folder = Object.fromEntries(ofMachine.map((name) => [name, 'https://evil.example']));
  assert.deepEqual(new Set(machineSettingsIn(JSON.stringify(folder))), new Set(ofMachine));
  const desk = { url: 'https://desk.example' };
  for (const [agents, agent] of [
    [{ mine: { engine: 'desk' } }, 'mine'],
    [{ mine: { engine: 'https://evil.example' } }, 'mine'],
    [{ mine: { graph: [{ do: 'answer', engine: 'desk' }] } }, 'mine'],
    [{ mine: { summariser: 'desk', servers: { desk: { url: 'https://evil.example' } } } }, 'mine'],
    [{ theirs: { engine: 'desk' } }, 'theirs'],
    [{}, 'far'],
  ] as const) {
    editor.settings = { servers: { desk }, agents: { mine: {}, far: { engine: 'desk' } } };
    editor.foreign = { agents, agent };
    const { engines, load } = readSettings(() => undefined);
    assert.deepEqual([engines.main, load.server], ['local', undefined], JSON.stringify(agents));
    assert.equal(readSettings(() => undefined).chat.agent.engine ?? null, null, JSON.stringify(agents));
    assert.doesNotMatch(JSON.stringify(engines), /evil/);
  }
  const { prepared } = openAccess();
  const elsewhere = [
    'https://desk.example',
    'https://desk.example:8443',
    'https://127.0.0.1.example',
    'https://desk.example.evil.example',
  ];
  for (const url of elsewhere) {
    editor.answer = () => undefined;
    for (let asked = 0; asked < 2; asked++) assert.equal((await problemIn(prepared(url))).is, 'notAllowed');
    editor.answer = (words, [button]) => (words.includes(new URL(url).host) ? button : undefined);
    await prepared(url);
    editor.answer = () => assert.fail('it was agreed to');
    await prepared(`${url}/v1`);
  }
});

test("A server's key stays in secret storage, goes only to its address, and, from eight characters on, is hidden where the server repeats it.", async (t) => {
  const { access, secrets, state, prepared } = openAccess();
  let answer: Answer = () => undefined;
  const server = await startChat(t, (response, body) => answer(response, body));
  const other = await startChat(t, () => undefined);
  Object.assign(editor, { typed: ` ${key} `, answer: (_: string, [button]: readonly string[]) => button });
  await access.setKey({ desk: { url: `${server.url}/a` } });
  assert.deepEqual(
    [[...secrets.values()], JSON.stringify([...state, editor.warned, editor.told]).includes(key)],
    [[key], false],
  );
  for (const url of [other.url, server.url.replace('127.0.0.1', 'localhost'), 'https://desk.example'])
    assert.equal((await prepared(url)).server?.key, '', url);
  const load = async () => client.load(await prepared(server.url));
  await load();
  assert.ok(server.asked.every(({ headers }) => headers.authorization === bearer) && server.asked.length > 1);
  for (const [how, repeats] of Object.entries(repeating)) {
    answer = repeats;
    const heard: string[] = [];
    const had = await ask(client, { heard }).catch((error: unknown) => error);
    const said = `${JSON.stringify(had, (_, value) => (value instanceof Error ? [value.message, { ...value }] : value))} ${heard.join('')} ${plain(had)}`;
    assert.match(said, /\[key\]/, how);
    for (let at = 0; at + 6 <= key.length; at++) assert.ok(!said.includes(key.slice(at, at + 6)), `${how}: ${said}`);
  }
  for (const look of [`{"data":[{"id":"m-${escaped}"}]}`, `{"data":[],"error":"${key}"}`, key]) {
    server.meddle = ({ path }, response) => path === '/v1/models' && response.end(look) !== null;
    const had = await load().catch((error: unknown) => error);
    assert.ok(!`${JSON.stringify(had)} ${plain(had)}`.includes(key.slice(0, 6)), look);
  }
  server.meddle = (_, response) =>
    response.writeHead(302, { location: `${other.url}/?key=${encodeURIComponent(key)}` }).end() !== null;
  assert.doesNotMatch(JSON.stringify(await problemIn(load())), /TIDE/);
  assert.deepEqual(other.asked, []);
});

/** A TLS server that answers like another one, with a certificate. */
async function encrypted(
  t: TestContext,
  name: keyof typeof certificates,
  listener: Parameters<typeof createTlsServer>[1],
) {
  const server = createTlsServer(certificates[name], listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => [server.closeAllConnections(), server.close()]);
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('Redirects are not followed, certificates are checked, and http is only for this machine unless you allow it for one server.', async (t) => {
  const answer: Answer = (response) => says(response, delta({ content: 'Hi.' }));
  const [server, elsewhere] = [await startChat(t, answer), await startChat(t, answer)];
  const load = (url = server.url, more: Partial<ServerParams> = {}) => client.load(loadParams(url, more));
  for (const [status, to] of [
    [301, elsewhere.url],
    [302, `${elsewhere.url}/v1/models`],
    [307, elsewhere.url],
    [308, 'file:///etc/passwd'],
    [303, '/v1/models'],
  ] as const) {
    const redirect: Meddle = (_, response) => response.writeHead(status, { location: to }).end() !== null;
    server.meddle = redirect;
    for (const kind of ['openai', 'llama-server', 'vllm', 'auto'] as const)
      assert.equal((await problemIn(load(server.url, { kind }))).is, 'redirect', `${status} ${kind}`);
    server.meddle = () => false;
    await load();
    server.meddle = (asked, response) => asked.path.endsWith('/completions') && redirect(asked, response);
    assert.equal((await problemIn(ask(client))).is, 'redirect', `${status} while it answers`);
  }
  assert.deepEqual(elsewhere.asked, []);
  server.meddle = () => false;
  const caFile = join(temporary('tm-authority-'), 'authority.pem');
  writeFileSync(caFile, authorityPem);
  const good = await encrypted(t, 'good', server.listener);
  assert.equal((await load(good, { caFile })).server?.isEncrypted, true);
  assert.equal((await problemIn(load(good))).is, 'certificate');
  server.asked.length = 0;
  for (const name of ['expired', 'early', 'otherName', 'bySelf'] as const)
    for (const insecure of [false, true]) {
      const url = await encrypted(t, name, server.listener);
      assert.equal((await problemIn(load(url, { caFile, insecure }))).is, 'certificate', name);
    }
  assert.deepEqual(server.asked, []);
  const { prepared } = openAccess();
  editor.answer = (_, [button]) => button;
  for (const host of [
    '192.0.2.1',
    'desk',
    '0.0.0.0',
    '[::ffff:7f00:1]',
    '127.0.0.1.example',
    'localhost.example',
    'localhost.',
    '[::2]',
    '128.0.0.1',
  ]) {
    for (const refused of [prepared, load])
      assert.equal((await problemIn(refused(`http://${host}:1`))).is, 'insecure', host);
    await prepared(`http://${host}:1`, { insecure: true });
    assert.equal((await problemIn(prepared(`http://${host}:1`))).is, 'insecure', `${host} under another name`);
  }
  for (const host of ['127.0.0.1', 'LOCALHOST', '2130706433', '127.1', '[::1]', '127.9.9.9'])
    await prepared(`http://${host}:1`);
  for (const url of ['ftp://127.0.0.1', 'file:///etc/passwd', 'https://me:sesame@desk.example', 'javascript:1'])
    assert.equal((await problemIn(prepared(url))).is, 'badAddress', url);
});

test('Special strings cannot act on a server that takes token ids, or it is not used that way.', async (t) => {
  const servers = { 'llama-server': await startBytes(t), vllm: await startBytes(t, 'vllm') };
  for (const [kind, server] of Object.entries(servers)) {
    assert.equal((await client.load(loadParams(server.url))).server?.grade, 'exact', kind);
    const prompts: (readonly number[])[] = [];
    for (const text of ['x', ...specials, specials.join(''), `<|im_${specials.join('<|im_')}`]) {
      await ask(client, { prompt: everywhere(text) });
      prompts.push(promptsAt(server).at(-1) ?? []);
      assert.ok(textOf(prompts.at(-1) ?? []).includes(`Why ${text}?`), `${kind}: ${text}`);
    }
    const [own, ...acting] = prompts.map((ids) => ids.filter(isSpecial).join());
    assert.ok(own !== undefined && own.length > 20);
    assert.deepEqual(new Set(acting), new Set([own]), kind);
  }
  const { 'llama-server': llama, vllm } = servers;
  // A server that later begins to cut texts in another way is asked nothing with its ids.
  await client.load(loadParams(llama.url));
  llama.asked.length = 0;
  llama.acts = () => true;
  for (const text of specials)
    assert.equal((await problemIn(ask(client, { prompt: everywhere(`${text} now`) }))).is, 'otherTokens', text);
  assert.deepEqual(promptsAt(llama), []);
  assert.equal((await problemIn(client.load(loadParams(llama.url, { kind: 'llama-server' })))).is, 'otherTokens');
  for (const added of [undefined, {}, { x: '<|im_end|>' }]) {
    vllm.added = added;
    assert.equal((await problemIn(client.load(loadParams(vllm.url, { kind: 'vllm' })))).is, 'otherTokens');
    assert.equal((await client.load(loadParams(vllm.url))).server?.grade, 'estimated');
    vllm.asked.length = 0;
    await ask(client);
    assert.deepEqual(promptsAt(vllm), []);
  }
});

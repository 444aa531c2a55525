// Tests what stands between the settings and a server: the user's yes, once for each address; the key, for that address only; and no network at all.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ExtensionContext } from 'vscode';
import { serverParams } from '../../lab/servers/serverParams.ts';
import type { LoadParams, ServerParams } from '../../src/protocol/engine.ts';
import { faultIn } from '../engine/scenes/engineUnderTest.ts';
import { editor } from './fakeVscode.ts';

const { ServerAccess } = await import('../../src/host/servers/serverAccess.ts');

const kept = new Map<string, string>();
const state = new Map<string, unknown>();
let offline = false;

const context = {
  secrets: {
    get: async (key: string) => kept.get(key),
    store: async (key: string, value: string) => void kept.set(key, value),
    delete: async (key: string) => void kept.delete(key),
  },
  globalState: {
    get: (key: string, other: unknown) => state.get(key) ?? other,
    update: async (key: string, value: unknown) => void state.set(key, value),
  },
} as unknown as ExtensionContext;
const changed: string[] = [];
const access = new ServerAccess(
  context,
  () => offline,
  (origin) => void changed.push(origin),
);

beforeEach(() => {
  kept.clear();
  state.clear();
  offline = false;
  editor.warned.length = 0;
  editor.answer = () => undefined;
});

function paramsFor(url: string, more: Partial<ServerParams> = {}): LoadParams {
  const machine = { modelPath: '', contextSize: 512, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
  return { ...machine, server: { ...serverParams(url), ...more } };
}
const problemOf = async (params: LoadParams) => {
  const fault = await faultIn(access.prepared(params));
  return fault.kind === 'server' ? fault.problem.is : fault.kind;
};

test('a model of this machine needs no word', async () => {
  const { server: _, ...params } = paramsFor('https://desk.example');
  assert.equal(await access.prepared(params), params);
});

test('a server is asked for once, by its address, and told what leaves the machine', async () => {
  editor.answer = (words, [button]) => (words.includes('desk.example:8443') ? button : undefined);
  await access.prepared(paramsFor('https://desk.example:8443/a'));
  await access.prepared(paramsFor('https://desk.example:8443/b'));
  assert.equal(editor.warned.length, 1);
  assert.equal(await problemOf(paramsFor('https://other.example')), 'notAllowed');
  assert.equal(editor.warned.length, 2);
});

test('a no is no, and asked again the next time', async () => {
  assert.equal(await problemOf(paramsFor('https://desk.example')), 'notAllowed');
  assert.equal(await problemOf(paramsFor('https://desk.example')), 'notAllowed');
  assert.equal(editor.warned.length, 2);
});

test('to this machine nothing leaves it, so nobody is asked', async () => {
  for (const url of ['http://127.0.0.1:9931', 'http://localhost:9931', 'http://[::1]:9931'])
    await access.prepared(paramsFor(url));
  assert.equal(editor.warned.length, 0);
});

test('http to another machine needs a word of its own in the settings', async () => {
  editor.answer = (_, [button]) => button;
  assert.equal(await problemOf(paramsFor('http://192.0.2.1')), 'insecure');
  await access.prepared(paramsFor('http://192.0.2.1', { insecure: true }));
});

test('offline nothing is asked and nothing given', async () => {
  offline = true;
  for (const url of ['https://desk.example', 'http://127.0.0.1:9931'])
    assert.equal(await problemOf(paramsFor(url)), 'offline');
  assert.equal(editor.warned.length, 0);
});

test('offline that comes while the user is asked still counts', async () => {
  editor.answer = (_, [button]) => {
    offline = true;
    return button;
  };
  assert.equal(await problemOf(paramsFor('https://desk.example')), 'offline');
});

test('a key is kept for its address and given to no other, whatever its name', async () => {
  editor.typed = ' sesame ';
  await access.setKey({ desk: { url: 'http://127.0.0.1:9931/v' } });
  assert.deepEqual([...kept], [['tidemark.server http://127.0.0.1:9931', 'sesame']]);
  assert.equal((await access.prepared(paramsFor('http://127.0.0.1:9931'))).server?.key, 'sesame');
  assert.equal((await access.prepared(paramsFor('http://127.0.0.1:9932'))).server?.key, '');
  editor.typed = '';
  await access.setKey({ desk: { url: 'http://127.0.0.1:9931' } });
  assert.equal(kept.size, 0);
  // Models on a server at that address connect anew, and no other model is disturbed.
  assert.deepEqual([changed, editor.ran], [['http://127.0.0.1:9931', 'http://127.0.0.1:9931'], []]);
});

// Tests what a download must not touch: files that links in its folder lead to, and servers of this machine that one outside leads to.

import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FaultError } from '../../src/core/faults/faults.ts';
import { isLocal, reach } from '../../src/models/reach.ts';
import { temporary } from '../temporary.ts';
import { openScene } from './scenes/downloadCases.ts';

test('links in the place of a part and of its state are replaced, and what they lead to stays', {
  skip: process.platform === 'win32',
}, async (t) => {
  const scene = await openScene();
  t.after(() => scene.close());
  const victim = join(temporary('tidemark-victim-'), 'victim.txt');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, `${scene.path}.part`);
  symlinkSync(victim, `${scene.path}.part.json.new`);
  const { end, whole } = await scene.fetch();
  assert.deepEqual({ end, whole }, { end: 'done', whole: true });
  assert.equal(readFileSync(victim, 'utf8'), 'mine');
});

const leadingTo = (location: string, asked: string[] = []) => ({
  silence: 1000,
  fetch: async (url: unknown) => {
    asked.push(String(url));
    return asked.length === 1
      ? new Response(null, { status: 302, headers: { location } })
      : new Response('ok', { status: 200 });
  },
});

for (const place of ['http://127.0.0.2/a', 'http://localhost/a', 'http://[::1]/a', 'http://192.168.0.1:8080/a']) {
  test(`a server outside that leads to ${place} is left, and nothing is asked there`, async () => {
    const asked: string[] = [];
    const { signal } = new AbortController();
    await assert.rejects(
      reach('http://example.org/m.gguf', {}, leadingTo(place, asked), signal),
      (error) => error instanceof FaultError && error.message.includes('this machine or its network'),
    );
    assert.equal(asked.length, 1);
  });
}

test('a server of this machine may lead to another one of it, and one outside to one outside', async () => {
  const { signal } = new AbortController();
  for (const [from, to] of [
    ['http://127.0.0.1:1/m.gguf', 'http://localhost:2/m.gguf'],
    ['http://example.org/m.gguf', 'http://cdn.example.com/m.gguf'],
  ] as const) {
    const reached = await reach(from, {}, leadingTo(to), signal);
    reached.drop();
    assert.equal(reached.response.status, 200);
  }
});

test('addresses are told by their ranges', () => {
  const local = [
    'http://10.1.2.3',
    'http://172.31.0.1',
    'http://169.254.169.254',
    'http://[fd00::1]',
    'http://a.localhost',
    'http://localhost./',
    'http://100.64.0.1',
  ];
  const others = ['http://172.32.0.1', 'http://11.0.0.1', 'http://[2001:db8::1]', 'http://localhost.org'];
  assert.deepEqual(
    [...local, ...others].map((at) => isLocal(new URL(at))),
    [...local.map(() => true), ...others.map(() => false)],
  );
});

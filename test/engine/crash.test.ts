// The engine dies, or its host does: everything pending settles, the next request starts anew, nothing is left behind.
import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../src/core/faults/fault.ts';
import { EngineClient } from '../../src/engine/client.ts';
import { nanoModel } from '../models/scenes/nano.ts';
import {
  chat,
  faultIn,
  loadParams,
  message,
  say,
  startEngine,
  type UnderTest,
  words,
  workerScript,
} from './scenes/engineUnderTest.ts';

const killed: Fault = { kind: 'engineCrashed', reason: 'SIGKILL' };
const long = chat(message('user', words(1500)));

async function loadedEngine(): Promise<UnderTest> {
  const engine = startEngine();
  await engine.client.request('load', loadParams({ contextSize: 8192 }));
  return engine;
}

function kill({ client }: UnderTest): void {
  process.kill(client.pid ?? assert.fail('no engine runs'), 'SIGKILL');
}

async function worksAgain(engine: UnderTest, former: number | undefined): Promise<void> {
  await engine.client.request('load', loadParams({ contextSize: 8192 }));
  assert.notEqual(engine.client.pid, former);
  assert.equal((await say(engine, chat(message('user', 'Hi')))).stop, 'length');
}

test('killed during prefill, the request rejects, the listener hears it once, and the next load starts anew', async () => {
  const engine = await loadedEngine();
  const { pid } = engine.client;
  engine.onPrefill = () => {
    engine.onPrefill = null;
    kill(engine);
  };
  assert.deepEqual(await faultIn(say(engine, long)), killed);
  await sleep(50);
  assert.deepEqual(engine.heard.crashed, [killed]);
  await worksAgain(engine, pid);
  assert.equal(engine.heard.crashed.length, 1);
});

test('killed during generation, every pending request rejects with the same fault', async () => {
  const engine = await loadedEngine();
  const { pid } = engine.client;
  let dead = false;
  const onText = () => {
    if (!dead) kill(engine);
    dead = true;
  };
  const talking = say(engine, chat(message('user', 'Hi')), { maxTokens: 4000, onText });
  const waiting = [
    say(engine, long),
    engine.client.request('warm', { slot: 0, prompt: long, reuse: 'auto', settleMilliseconds: 0 }),
  ];
  const faults = await Promise.all([talking, ...waiting].map((promise) => faultIn(promise)));
  assert.deepEqual(faults, [killed, killed, killed]);
  await sleep(50);
  assert.deepEqual(engine.heard.crashed, [killed]);
  await worksAgain(engine, pid);
});

test('killed while idle, the listener hears it, and a request at the same moment settles', async () => {
  const engine = await loadedEngine();
  kill(engine);
  const fault = await faultIn(engine.client.request('measure', { prompt: long }));
  assert.deepEqual(fault, killed);
  await sleep(50);
  assert.deepEqual(engine.heard.crashed, [killed]);
  // The new process has no model yet.
  assert.deepEqual(await faultIn(say(engine, long)), { kind: 'engineStopped' });
});

test('cancelling a request whose process is gone is harmless', async () => {
  const engine = await loadedEngine();
  const abort = new AbortController();
  const pending = faultIn(say(engine, long, { signal: abort.signal }));
  kill(engine);
  abort.abort();
  assert.deepEqual(await pending, killed);
});

test('disposed during generation, requests reject as stopped and nobody hears of a crash', async () => {
  const engine = await loadedEngine();
  const pending = [say(engine, chat(message('user', 'Hi')), { maxTokens: 4000 }), say(engine, long)];
  const faults = Promise.all(pending.map((promise) => faultIn(promise)));
  await engine.client.dispose();
  assert.deepEqual(await faults, [{ kind: 'engineStopped' }, { kind: 'engineStopped' }]);
  await engine.client.dispose();
  await sleep(50);
  assert.deepEqual(engine.heard.crashed, []);
  await worksAgain(engine, undefined);
});

test('disposing before anything was started resolves', async () => {
  await startEngine().client.dispose();
});

test('a file on which llama.cpp aborts is a crash with its last words, and the next load works', async () => {
  const engine = startEngine();
  // "the" is in the vocabulary already: llama.cpp asserts that no token is there twice.
  const modelPath = nanoModel({ added: [{ text: 'the', type: 4 }] });
  const fault = await faultIn(engine.client.request('load', loadParams({ modelPath })));
  assert.equal(fault.kind, 'engineCrashed');
  assert.match(fault.kind === 'engineCrashed' ? fault.reason : '', /GGML_ASSERT/);
  await worksAgain(engine, undefined);
});

test('a process that cannot be started is a fault too', async () => {
  const crashed: Fault[] = [];
  const starts = {
    'engineCrashed, ENOENT': () => fork(workerScript, [], { execPath: '/nowhere/node', serialization: 'advanced' }),
    'engineCrashed, exit code 1': () => fork('/nowhere/engine.ts', [], { stdio: 'ignore', serialization: 'advanced' }),
    'engineFailed, no more processes': () => {
      throw new Error('no more processes');
    },
  } as const;
  for (const [expected, start] of Object.entries(starts)) {
    const client = new EngineClient(start);
    client.crashed.subscribe((fault) => void crashed.push(fault));
    const fault = await faultIn(client.request('load', loadParams()));
    const [kind, reason = ''] = expected.split(', ');
    assert.ok(fault.kind === kind && 'reason' in fault && fault.reason.includes(reason), JSON.stringify(fault));
    await client.dispose();
  }
  await sleep(50);
  assert.equal(crashed.length, 2);
});

for (const state of ['idle', 'busy', 'in an endless template']) {
  test(`the engine ends when its host is killed while it is ${state}`, {
    skip: process.platform !== 'linux',
  }, async () => {
    const script = join(import.meta.dirname, 'scenes/parentOfEngine.ts');
    const parent = spawn(process.execPath, [script, workerScript, state], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    assert.ok(isAlive(pid));
    if (state === 'busy') await sleep(300);
    parent.kill('SIGKILL');
    for (let waited = 0; isAlive(pid) && waited < 10_000; waited += 50) await sleep(50);
    assert.ok(!isAlive(pid), `process ${pid} is still there`);
  });
}

/** A process that ended but was not reaped yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

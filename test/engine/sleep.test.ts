// The machine sleeps: the engine stands still for seconds in the middle of its work, and goes on as if nothing had been.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { chat, loadParams, message, say, startEngine, type UnderTest, words } from './scenes/engineUnderTest.ts';

const seconds = 4;
const onPosix = { skip: process.platform === 'win32' ? 'Windows has no such signals' : false };

/** Stops the process, and lets it go on some seconds later. */
async function asleep({ client }: UnderTest): Promise<void> {
  const pid = client.pid ?? assert.fail('no engine runs');
  process.kill(pid, 'SIGSTOP');
  await sleep(seconds * 1000);
  process.kill(pid, 'SIGCONT');
}

test(
  'a generation that sleeps is finished by the same process, with the words it would have had',
  onPosix,
  async () => {
    const engine = startEngine();
    await engine.client.request('load', loadParams());
    const prompt = chat(message('user', words(300)));
    const awake = await say(engine, prompt, { maxTokens: 40, reuse: 'none' });
    const { pid } = engine.client;
    let nap: Promise<void> | null = null;
    const started = performance.now();
    const slept = await say(engine, prompt, {
      maxTokens: 40,
      reuse: 'none',
      onText: () => {
        nap ??= asleep(engine);
      },
    });
    await nap;
    const took = performance.now() - started;
    assert.ok(took >= seconds * 1000, `it stood still, but the answer took ${took} ms`);
    assert.deepEqual([slept.raw, slept.stop], [awake.raw, awake.stop]);
    assert.deepEqual([engine.client.pid, engine.heard.crashed], [pid, []]);
  },
);

test('a request that comes while it sleeps waits for it', onPosix, async () => {
  const engine = startEngine();
  await engine.client.request('load', loadParams());
  const nap = asleep(engine);
  const waiting = say(engine, chat(message('user', 'Hi')));
  assert.equal(engine.client.busy, true);
  await nap;
  assert.equal((await waiting).stop, 'length');
  assert.deepEqual([engine.client.busy, engine.heard.crashed], [false, []]);
});

test('an engine that sleeps can be ended and started anew', onPosix, async () => {
  const engine = startEngine();
  await engine.client.request('load', loadParams());
  const { pid } = engine.client;
  process.kill(pid ?? assert.fail('no engine runs'), 'SIGSTOP');
  await engine.client.dispose();
  await engine.client.request('load', loadParams());
  assert.notEqual(engine.client.pid, pid);
  assert.deepEqual(engine.heard.crashed, []);
});

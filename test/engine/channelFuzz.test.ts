// 10,000 odd messages in each direction between host and engine: requests still settle, and neither process ends.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EngineClient } from '../../src/engine/client.ts';
import { forkEngine } from '../../src/engine/fork.ts';
import { numbers } from '../app/scenes/longChat.ts';
import { chat, faultIn, loadParams, message, say, startEngine, workerScript } from './scenes/engineUnderTest.ts';
import { oddMessage } from './scenes/oddMessages.ts';

const seed = process.env.TIDEMARK_SEED ?? '20261121';
const script = join(import.meta.dirname, 'scenes/garblingEngine.ts');

test(`10,000 odd messages of an engine do not keep the host from hearing its answers (seed ${seed})`, async () => {
  const crashed: unknown[] = [];
  const start = () =>
    fork(script, [], { serialization: 'advanced', execArgv: [], env: { ...process.env, TIDEMARK_SEED: seed } });
  const client = new EngineClient(start);
  client.crashed.subscribe((fault) => void crashed.push(fault));
  after(() => client.dispose());
  for (let i = 0; i < 4; i++) assert.equal((await client.request('count', { texts: ['a'] })).length, 1);
  assert.deepEqual(crashed, []);
});

test(`10,000 odd messages of a host end no engine, loaded or not (seed ${seed})`, { timeout: 200_000 }, async (t) => {
  const random = numbers(Number(seed));
  const engine = startEngine();
  let child: ReturnType<typeof forkEngine> | undefined;
  const crashed: unknown[] = [];
  const client = new EngineClient(() => {
    child = forkEngine(workerScript);
    return child;
  });
  client.crashed.subscribe((fault) => void crashed.push(fault));
  t.after(() => client.dispose());
  assert.deepEqual(await faultIn(client.request('count', { texts: ['a'] })), { kind: 'engineStopped' });
  // Requests of its own in between: 10,000 unanswered ones at once would only measure the queue.
  const annoy = async () => {
    for (let i = 0; i < 5000; i++) {
      child?.send(withoutLoad(oddMessage(random)) as object);
      if (i % 500 === 0) await client.request('count', { texts: ['a'] }).catch((error: unknown) => error);
    }
  };
  await annoy();
  assert.deepEqual(crashed, []);
  await client.request('load', loadParams());
  await annoy();
  assert.deepEqual(crashed, []);
  assert.deepEqual(await client.request('count', { texts: ['a', ''] }), [1, 0]);
  const { generated } = await say({ ...engine, client }, chat(message('user', 'Hello')), { maxTokens: 2 });
  assert.equal(generated.ids.length, 2);
  assert.deepEqual(crashed, []);
});

/** A load would take the model away, as it is meant to. */
function withoutLoad(odd: unknown): unknown {
  return typeof odd === 'object' && odd !== null && 'method' in odd && odd.method === 'load'
    ? { ...odd, method: 'measure' }
    : odd;
}

// An engine that hangs: it is said, Stop stops, the process is ended and loaded again, and the next message is answered.
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverParams } from '../../lab/servers/serverParams.ts';
import { EngineClient } from '../../src/engine/client.ts';
import { forkEngine } from '../../src/engine/fork.ts';
import { isMessage } from '../../src/protocol/message.ts';
import { nanoModel } from '../models/scenes/nano.ts';
import { faultIn, loadParams, startEngine, workerScript } from './scenes/engineUnderTest.ts';
import { endless, greedy } from './scenes/hostileTemplates.ts';
import { realChat, until } from './scenes/realChat.ts';

const skip = process.platform === 'win32' ? 'a process cannot be halted there' : false;
const { chat, client, life } = realChat(nanoModel());
after(async () => {
  await client.close();
  chat.sessions.dispose();
});
const engine = () => chat.view.snapshot.engine;
const halt = () => process.kill(client.pid ?? 0, 'SIGSTOP');

async function answered(text: string): Promise<void> {
  await life.ensure();
  await chat.sending.send(text);
  const last = chat.view.snapshot.entries.at(-1);
  assert.equal(last?.kind, 'answer');
}

const long = 'the tide of the harbour '.repeat(300);
const moments = {
  'before the message is sent': () => chat.view.snapshot.running,
  'while the prompt is read': () => chat.view.snapshot.prefill !== null,
  'while the answer is written': () => {
    const last = chat.view.snapshot.entries.at(-1);
    return last?.kind === 'answer' && last.text.length > 20 && chat.view.snapshot.running;
  },
};

for (const [moment, isThere] of Object.entries(moments)) {
  test(`it hangs ${moment}: Stop stops within two seconds, and it comes back by itself`, { skip }, async () => {
    await answered('Hello.');
    const { pid } = client;
    const lag = monitorEventLoopDelay({ resolution: 10 });
    lag.enable();
    const halted = Promise.withResolvers<void>();
    const hearing = chat.view.subscribe(() => {
      if (client.pid !== pid || !isThere()) return;
      halt();
      halted.resolve();
    });
    const sent = chat.sending.send(moment === 'while the prompt is read' ? long : 'Where is it?');
    await halted.promise;
    hearing.dispose();
    // The wait lets requests reach the halted engine, which leaves them unanswered.
    await sleep(200);
    chat.sending.cancel();
    const took = await until(() => !chat.view.snapshot.running, 'stopped');
    assert.ok(took < 2000, `${took} ms`);
    lag.disable();
    // Anything else would hold up the whole editor.
    assert.ok(lag.percentile(99) / 1e6 < 100, `${lag.percentile(99) / 1e6} ms`);
    await until(() => client.pid !== pid && engine().state === 'ready', 'loaded again');
    await sent;
    await answered('And now?');
  });
}

test('without a stop it is said after ten seconds, with what to do, and not any more once it answers', {
  skip,
}, async () => {
  await answered('Hello.');
  halt();
  const sent = chat.sending.send('Are you there?');
  await until(() => engine().note !== '', 'said');
  assert.match(engine().note, /^The model has not answered for \d+ seconds\.$/);
  assert.equal(engine().advice, 'Stop the answer, or restart the model.');
  assert.deepEqual(
    engine().actions.map(({ do: act }) => act.type),
    ['restartModel'],
  );
  process.kill(client.pid ?? 0, 'SIGCONT');
  await sent;
  assert.doesNotMatch(engine().note, /has not answered/);
  assert.equal(chat.view.snapshot.entries.at(-1)?.kind, 'answer');
});

test('an engine that works is heard each second, so that nobody takes it for one that hangs', async () => {
  const sent: { readonly method?: string }[] = [];
  const client = new EngineClient(() => {
    const child = forkEngine(workerScript);
    child.on('message', (message) => void sent.push(message as (typeof sent)[number]));
    return child;
  });
  try {
    await client.load(loadParams());
    for (const start = performance.now(); performance.now() - start < 2500; ) await client.request('speed', {});
  } finally {
    await client.close();
  }
  const beats = sent.filter(({ method }) => method === 'alive');
  assert.ok(beats.length > 0);
  assert.deepEqual(
    sent.filter((message) => !isMessage(message)),
    [],
  );
});

const unusable = {
  'a template that is none': [
    () => ({ modelPath: nanoModel({ template: '{% if %}{{ ' }) }),
    [{ runs: true }, { runs: false }],
  ],
  'a server that is not there': [() => ({ server: serverParams('http://127.0.0.1:9') }), []],
} as const;
for (const [what, [params, told]] of Object.entries(unusable))
  test(`after ${what}, no template runs any more: what ends the process later is not its fault`, async () => {
    const sent: { readonly method?: string; readonly params?: unknown }[] = [];
    const other = new EngineClient(() => {
      const child = forkEngine(workerScript);
      child.on('message', (message) => void sent.push(message as (typeof sent)[number]));
      return child;
    });
    await faultIn(other.load(loadParams(params())));
    await other.close();
    assert.deepEqual(
      sent.filter(({ method }) => method === 'template').map((notice) => notice.params),
      told,
    );
  });

test('a chat template that does not end, or only wants more memory, is named, and the engine loads the next model', async () => {
  const other = startEngine();
  for (const template of [endless, greedy]) {
    const fault = await faultIn(other.client.load(loadParams({ modelPath: nanoModel({ template }) })));
    assert.equal(fault.kind, 'templateUnusable');
  }
  assert.equal((await other.client.load(loadParams())).name, 'nano');
});

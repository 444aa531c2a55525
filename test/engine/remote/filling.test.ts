// Text at the caret by a server that takes token ids: the same texts as on this machine, in a slot that no conversation uses.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startLlamaTwin } from '../../../lab/servers/llamaTwin.ts';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import type { Completed, FillRequest } from '../../../src/core/engine/completion.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import { loadLocal } from '../../../src/engine/worker/local.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, faultIn, loadParams, message, words } from '../scenes/engineUnderTest.ts';
import { ask, never } from './asking.ts';

const fill = ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'].map((text) => ({ text, type: 3 }) as const);
const file = nanoModel({ added: fill });
const silent = { planned: () => undefined, progress: () => undefined, template: async () => undefined };
const here = await loadLocal(loadParams({ modelPath: file, slots: 1, contextSize: 2048 }), silent);
const twin = await startLlamaTwin({ file, slots: 2 });
after(() => Promise.all([here.dispose(), twin.stop()]));

const opened = async (slots: number) => openServer(serverParams(twin.url), { slots, contextSize: 2048 } as never);

async function complete(engine: WorkerEngine, more: Partial<FillRequest>, signal = never): Promise<Completed> {
  const request = {
    prefix: words(60, 1),
    suffix: words(20, 4),
    order: 'prefix-first',
    maxTokens: 8,
    lines: 99,
  } as const;
  if (engine.complete === null) throw new Error('it cannot');
  return engine.complete({ ...request, ...more }, () => undefined, signal);
}

test('a server with a slot to spare writes the same texts, and a key costs itself and what stands behind', async () => {
  const there = await opened(1);
  assert.equal(there.info.completes, true);
  for (const [prefix, order] of [
    [words(60, 1), 'prefix-first'],
    [words(60, 5), 'prefix-first'],
  ] as const) {
    const [own, other] = [await complete(here, { prefix, order }), await complete(there, { prefix, order })];
    assert.deepEqual([other.text, other.stop, other.tokens.prompt], [own.text, own.stop, own.tokens.prompt]);
    assert.equal(other.pieces.map(({ text }) => text).join(''), other.text);
    assert.ok(other.pieces.every(({ probability }) => Math.abs(probability - 0.5) < 1e-9));
  }
  const before = await complete(there, { maxTokens: 0 });
  const typed = await complete(there, { prefix: `${words(60, 1)} tide`, maxTokens: 0 });
  assert.ok(typed.tokens.decoded < before.tokens.prompt / 2, JSON.stringify(typed.tokens));
  assert.equal(typed.tokens.reused + typed.tokens.decoded, typed.tokens.prompt);
  await there.dispose();
});

test('the slot of the conversation keeps its prefix', async () => {
  await twin.reset();
  const there = await opened(1);
  const asked = chat(message('user', words(100, 5)));
  await ask(there, asked, { maxTokens: 4 });
  await complete(there, {});
  const again = await ask(there, asked, { maxTokens: 4 });
  assert.equal(again.prefill.decoded, 1);
  await there.dispose();
});

test('lines and tokens end it, no tokens only read, and the signal ends any', async () => {
  await twin.reset();
  const there = await opened(1);
  assert.equal((await complete(there, { maxTokens: 3 })).tokens.generated, 3);
  assert.deepEqual((await complete(there, { maxTokens: 0 })).text, '');
  const stopping = new AbortController();
  stopping.abort();
  assert.equal((await complete(there, {}, stopping.signal)).stop, 'cancelled');
  const fault = await faultIn(complete(there, { prefix: words(4000, 1) }));
  assert.equal(fault.kind, 'doesNotFit');
  await there.dispose();
});

test('a server all of whose slots the conversations take does not complete', async () => {
  await twin.reset();
  const there = await opened(2);
  assert.deepEqual([there.complete, there.info.completes], [null, undefined]);
  await there.dispose();
});

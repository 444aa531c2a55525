// A process without a model tells what the machine has and what a file would take, and the catalogue's own estimate is near it.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { forkEngine } from '../../../src/engine/fork.ts';
import { createLook } from '../../../src/engine/look.ts';
import { readCatalogue } from '../../../src/models/catalogue.ts';
import { memoryOf } from '../../../src/models/estimate.ts';
import { temporary } from '../../temporary.ts';

import { faultIn, loadParams, startEngine, workerScript } from '../scenes/engineUnderTest.ts';

const { client } = startEngine();
const folder = temporary('tidemark-look-');
after(() => rmSync(folder, { recursive: true, force: true }));

test('the machine tells what is free and which weights its processor copies', async () => {
  const { free, shared, copies, processors } = await client.request('machine', { gpu: 'off' });
  assert.ok(processors >= 1 && free.ram > 1e8 && free.gpu === 0 && shared === 0, JSON.stringify(free));
  assert.ok(
    copies.every((kind) => /^(I?Q\d|MXFP4)/.test(kind)),
    copies.join(),
  );
});

test("a file's estimate by its header is what loading it plans, and the figures of a catalogue come near it", async () => {
  const params = loadParams({ contextSize: 8192 });
  const plan = await client.request('estimate', params);
  const [any] = readCatalogue().models;
  assert.ok(any !== undefined);
  const caches = { attention: { layers: 2, kvHeads: 2, keySize: 16, valueSize: 16 } };
  const nano = { ...any, caches, embedding: 64, vocabulary: 4096 };
  const machine = { ram: 0, gpu: 0, shared: 0, copies: [], readRate: 1, processors: 1 };
  const { slot, compute } = memoryOf(nano, { name: 'F32', bytes: plan.weights }, machine, 8192);
  assert.equal(slot.perToken.ram * 8192, plan.kv);
  assert.ok(Math.abs(compute.ram / plan.compute - 1) < 0.2, `${compute.ram} instead of ${plan.compute}`);
  const info = await client.request('load', params);
  assert.deepEqual({ ...info.memory, wanted: null }, { ...plan, wanted: null });
});

test('each look has a process of its own, and one bad file does not hide the others', async () => {
  const pids: (number | undefined)[] = [];
  const look = createLook(() => {
    const child = forkEngine(workerScript);
    pids.push(child.pid);
    return child;
  });
  const missing = loadParams({ modelPath: join(folder, 'no.gguf') });
  const [bad, good] = await look.estimate([missing, loadParams()]);
  assert.ok(bad !== undefined && 'fault' in bad && /does not exist/.test(bad.fault.message));
  assert.ok(good !== undefined && 'needed' in good);
  assert.equal(pids.length, 1);
  assert.throws(() => process.kill(pids[0] ?? 0, 0), /ESRCH/);
});

test('a file that is no model, or whose header is torn, is a fault', async () => {
  const page = join(folder, 'page.gguf');
  writeFileSync(page, '<html>'.repeat(1000));
  const torn = join(folder, 'torn.gguf');
  writeFileSync(torn, Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(2000, 7)]));
  assert.equal((await faultIn(client.request('estimate', loadParams({ modelPath: page })))).kind, 'modelNotGguf');
  assert.equal((await faultIn(client.request('estimate', loadParams({ modelPath: torn })))).kind, 'modelDamaged');
  assert.equal(
    (await faultIn(client.request('estimate', loadParams({ modelPath: join(folder, 'no.gguf') })))).kind,
    'modelMissing',
  );
});

// The device that a model computes on, and what is given up where memory is missing, are told each time. Vulkan runs where Mesa's software device is.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ModelInfo } from '../../../src/core/engine/modelInfo.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { spaceWords } from '../../../src/core/machine/lessMemory.ts';
import { EngineClient } from '../../../src/engine/client.ts';
import type { LoadParams } from '../../../src/protocol/engine.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { temporary } from '../../temporary.ts';
import {
  chat,
  faultIn,
  loadParams,
  message,
  say,
  startEngine,
  type UnderTest,
  workerScript,
} from '../scenes/engineUnderTest.ts';

const hello = chat(message('user', 'Where is the tide gauge?'));

test('without a GPU auto is the CPU and says why, and a back end that was asked for is a fault', async (t) => {
  const { client } = startEngine();
  const { device, layers } = await client.request('load', loadParams({ gpu: 'auto' }));
  if (device.startsWith('GPU')) return t.skip(`this machine has one: ${device}`);
  assert.match(device, /^CPU \((no usable GPU was found|vulkan found no GPU)\)$/);
  assert.equal(layers, 0);
  const fault = await faultIn(client.request('load', loadParams({ gpu: 'vulkan' })));
  assert.deepEqual(fault, { kind: 'gpuUnavailable', wanted: 'vulkan' });
});

/** A model on Vulkan; null where there is no device for it. The library leaves software devices out unless they are asked for. */
async function onVulkan(params: Partial<LoadParams>): Promise<{ under: UnderTest; info: ModelInfo } | null> {
  process.env.GGML_VK_VISIBLE_DEVICES = '0';
  const under = startEngine();
  try {
    return { under, info: await under.client.request('load', loadParams({ gpu: 'vulkan', ...params })) };
  } catch (error) {
    if (error instanceof FaultError && error.fault.kind === 'gpuUnavailable') return null;
    throw error;
  }
}

test('on Vulkan the device and its layers are named, and the slot is verified after every plan', async (t) => {
  const loaded = await onVulkan({});
  if (loaded === null) return t.skip('there is no Vulkan device');
  const { under, info } = loaded;
  assert.match(info.device, /^GPU \(vulkan: .+\)$/);
  assert.ok(info.layers > 0);
  const first = await say(under, hello);
  const again = await say(under, hello);
  assert.equal(again.streamed, first.streamed);
  assert.ok(again.prefill.reused > 0);
});

test('a fixed number of layers is kept to and said', async (t) => {
  const loaded = await onVulkan({ gpuLayers: 1 });
  if (loaded === null) return t.skip('there is no Vulkan device');
  assert.match(loaded.info.device, /, 1 of \d+ layers: as set$/);
});

test("a folder without a pack of the library's version is a fault that names both", async () => {
  const { client } = startEngine();
  const packs = temporary('tm-packs-');
  const none = await faultIn(client.request('load', loadParams({ packs })));
  assert.ok(none.kind === 'packsUnusable' && none.reason === 'it has no node_modules/@node-llama-cpp');
  const pack = join(packs, 'node_modules', '@node-llama-cpp', 'linux-x64-cuda');
  mkdirSync(pack, { recursive: true });
  writeFileSync(join(pack, 'package.json'), '{"version":"3.0.0"}');
  const old = await faultIn(client.request('load', loadParams({ packs })));
  assert.ok(old.kind === 'packsUnusable' && old.reason === 'it holds linux-x64-cuda 3.0.0');
});

/** An engine on a machine that has no more kB of address space than this, and its model for enormous windows. */
function onSmallMachine(kilobytes: number): { client: EngineClient; modelPath: string } {
  const shell = join(temporary('tm-limit-'), 'node.sh');
  writeFileSync(shell, `#!/bin/sh\nulimit -v ${kilobytes}\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
  const client = new EngineClient(() =>
    fork(workerScript, [], {
      execPath: shell,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }),
  );
  after(() => client.dispose());
  return { client, modelPath: nanoModel({ contextLength: 16_000_000 }) };
}

const small = { skip: process.platform !== 'linux' };

test('a window that memory does not take gets smaller, and what was asked is said', small, async () => {
  const { client, modelPath } = onSmallMachine(4_400_000);
  const info = await client.request('load', loadParams({ modelPath, contextSize: 16_000_000, verify: false }));
  assert.deepEqual(info.asked, { layers: 0, window: 16_000_000 });
  assert.ok(info.contextSize < 16_000_000 && info.contextSize >= 2048, String(info.contextSize));
  assert.equal(
    spaceWords(info.asked, { layers: 0, window: 4096 }),
    'There is not enough memory for a window of 16,000,000 tokens: 4,096 tokens fit.',
  );
});

test('where memory is missing the slots of other conversations go first', small, async () => {
  const { client, modelPath } = onSmallMachine(8_000_000);
  const wanted = { contextSize: 32_000, conversations: 200, verify: false };
  const info = await client.request('load', loadParams({ modelPath, ...wanted }));
  assert.deepEqual([info.slots, info.asked, info.memory], [1, null, null]);
  assert.ok(info.contextSize >= 32_000, String(info.contextSize));
});

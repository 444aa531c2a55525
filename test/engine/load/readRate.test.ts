// Measurements beside programs that take all processors.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { readRate } from '../../../src/engine/worker/main.ts';
import { looksForOthers } from '../../../src/engine/worker/slot/threading.ts';

/** Two for each processor. */
async function besideOthers(at: TestContext): Promise<void> {
  const all = Array.from({ length: 2 * availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  at.after(() => {
    for (const one of all) one.kill('SIGKILL');
  });
  await wait(500);
}

const none = typeof process.threadCpuUsage === 'function' ? false : 'this Node does not tell the time of a thread';

test('how fast the memory is does not depend on who else works', { skip: none }, async (at) => {
  const alone = await readRate();
  await besideOthers(at);
  const beside = await readRate();
  assert.ok(beside > alone / 2, `${beside} instead of ${alone}`);
});

test('programs that take the processors are seen', async (at) => {
  await besideOthers(at);
  const isBusy = looksForOthers();
  await wait(500);
  assert.equal(isBusy(), true);
});

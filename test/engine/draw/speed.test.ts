// The speed of the loaded model, measured beside its slots, which keep what they hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chat, loadParams, message, say, startEngine, words } from '../scenes/engineUnderTest.ts';

test('each number of threads has its two figures, and the slot is as it was', async () => {
  const under = startEngine();
  await under.client.request('load', loadParams());
  const prompt = chat(message('user', words(40)));
  const before = await say(under, prompt);
  const { rows, threads, window } = await under.client.request('speed', {});
  assert.equal(threads, 1);
  assert.equal(window, 4096);
  assert.ok(rows.some((row) => row.threads === 1));
  for (const { prefill, generation } of rows)
    assert.ok(prefill > 0 && generation > 0 && Number.isFinite(prefill + generation));
  const after = await say(under, prompt);
  assert.equal(after.streamed, before.streamed);
  assert.ok(after.prefill.reused >= before.prefill.decoded - 1, `${after.prefill.reused} of ${before.prefill.decoded}`);
});

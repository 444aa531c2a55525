// A break of the prefix while nobody waits is explained like any other break.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Warmth } from '../../../src/core/engine/prefill.ts';
import type { KvBreak } from '../../../src/core/kv/kvPlan.ts';
import { openScene } from '../scenes/scene.ts';

/** Why the slot is as warm as it is, when idle work met this break. */
async function reasonAt(firstBreak: KvBreak | null, changed: Partial<Warmth> = {}, slotTokens = 900): Promise<string> {
  const scene = openScene(['It is.']);
  scene.engine.answer('warm', async (_, usual) => {
    const warmth = await usual();
    return { ...warmth, ...changed, prefill: { ...warmth.prefill, decoded: 600, slotTokens, firstBreak } };
  });
  await scene.say('Which tide is it?');
  await scene.ready();
  return scene.shown().warm?.reason ?? '';
}

const at = (cause: KvBreak['cause']): KvBreak => ({ cause, item: null, token: 286, again: 453 });

test('a change of the workspace, of the tools, of the system text and of the template is named with its cost', async () => {
  const words = {
    workspace: 'workspace files changed',
    tools: 'the tools changed',
    system: 'the system text changed',
    template: 'the chat template renders earlier messages differently',
  } as const;
  for (const [cause, text] of Object.entries(words))
    assert.match(
      await reasonAt(at(cause as keyof typeof words)),
      new RegExp(`^${text} at token 286; 453 tokens were decoded again \\([0-9.]+ m?s\\)$`),
    );
});

test('so is a model that was loaded anew', async () => {
  assert.match(await reasonAt(null, {}, 0), /^the model was reloaded; /);
});

test('without a break, and where the slot was only settled, nothing is added', async () => {
  assert.equal(await reasonAt(null), 'only your message has to be decoded');
  const settledOnly = await reasonAt(at('setting'), { settled: 453 });
  assert.equal(settledOnly, '453 tokens after removed parts were decoded again, so the cache is exact');
});

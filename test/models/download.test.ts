// Every case of a bad server or disk ends in words, keeps what may be kept, and asks for no byte twice that was good.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cases, openScene } from './scenes/downloadCases.ts';

for (const { name, run, expect } of cases) {
  test(`${name}: ${expect.end}`, { timeout: 20_000 }, async (context) => {
    const scene = await openScene();
    context.after(() => scene.close());
    const outcome = await run(scene);
    const told = Object.fromEntries(Object.keys(expect).map((key) => [key, outcome[key as keyof typeof outcome]]));
    assert.deepEqual(told, expect, JSON.stringify(outcome));
    assert.notEqual(outcome.words, '');
  });
}

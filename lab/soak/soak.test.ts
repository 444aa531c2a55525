// A short soak with a fixed seed: kill -9 of the host and its engine while they work loses and tears nothing.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporary } from '../../test/temporary.ts';
import { isSound, lineOf } from './judge/figures.ts';
import { soakModel } from './model.ts';
import { type Kill, Soak } from './soak.ts';

const seed = 15;

test('after each of five kills all that was acknowledged is there byte for byte, and the next turn is answered', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const folder = temporary('tide-soak-');
  const soak = new Soak(join(folder, 'tidemark.sqlite'), soakModel(), seed);
  t.after(async () => {
    await soak.dispose();
    rmSync(folder, { recursive: true });
  });
  const kills: Kill[] = [];
  while (kills.length < 5) kills.push(await soak.kill());
  const unsound = kills.filter((kill) => !isSound(kill)).map((kill) => lineOf(kills.indexOf(kill) + 1, kill));
  assert.deepEqual([...unsound, ...(await soak.end())], [], `seed ${seed}`);
  assert.deepEqual(new Set(kills.map(({ target }) => target)), new Set(['host', 'engine']));
  assert.ok(soak.ledger.items > 10, `only ${soak.ledger.items} items were written`);
  const { started, early, answered } = soak.hosts;
  assert.equal(answered, started - early);
});

// Three hundred turns in a window of 4,096 tokens, with compaction and without, judged from the prompts that were sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { someOf } from '../../cases.ts';
import { longChat } from '../scenes/longChat.ts';

for (const seed of someOf([1, 2, 3], 3)) {
  test(`300 turns, seed ${seed}: compactions are at most the trims avoided, each pays, and no prompt is over high water`, async () => {
    const without = await longChat(300, false, seed);
    const run = await longChat(300, true, seed);
    assert.ok(without.moves.length > 50 && without.moves.every(({ kind }) => kind === 'trim'));
    const { compactions } = run.scene.state();
    const made = compactions.filter(({ checkpoint: summary }) => summary !== null);
    assert.ok(made.some(({ outcome }) => outcome === 'ok') && made.some(({ outcome }) => outcome === 'fallback'));
    // A compaction whose summary has nothing new looks like a trim in the prompts; both are counted as compactions.
    assert.ok(run.moves.length <= made.length);
    assert.ok(made.length <= without.moves.length, `${made.length} folds, ${without.moves.length} trims without`);
    assert.ok(run.most <= run.high && without.most <= without.high, `${run.most} of ${run.high}`);
    const head =
      run.scene.shown().stack?.layers.filter(({ layer }) => ['system', 'tools', 'workspace'].includes(layer)) ?? [];
    const leastGain = (run.high - head.reduce((sum, { tokens }) => sum + tokens, 0)) * 0.4;
    const gains = made.map(({ before, after }) => before - after);
    assert.ok(
      Math.min(...gains) >= Math.floor(leastGain),
      `a fold frees ${Math.min(...gains)}, the least gain is ${leastGain}`,
    );
    const figures = {
      compactions: made.length,
      trimsWithout: without.moves.length,
      least: Math.min(...gains),
      leastGain,
      most: run.most,
      high: run.high,
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  });
}

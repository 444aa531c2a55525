// Monotone loss: with low water at high water, a smaller budget never shows what a larger one does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unified } from '../../../src/core/agent/graph.ts';
import { noMarks } from '../../../src/core/dialog/marks.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Budget } from '../../../src/core/prompt/budget.ts';
import { fitPrompt } from '../../../src/core/pruning/fitPrompt.ts';
import { nothingPruned } from '../../../src/core/pruning/pruneState.ts';
import { cases } from '../../cases.ts';
import { measureOf, segmentKeys } from '../scenes/fakeModel.ts';
import { play, richPlans } from '../scenes/play.ts';

const node = unified.nodes[0];
const seed = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31));
process.stdout.write(`monotone loss, seed ${seed}\n`);

test('shrinking the budget loses more, and nothing comes back', () =>
  fc.assert(
    fc.asyncProperty(richPlans, fc.integer({ min: 5, max: 60 }), async (plan, step) => {
      const { outcomes, setup } = await play({ ...plan, window: 100_000, graph: 'unified' });
      const path = outcomes.at(-1)?.dialog.path ?? [];
      const policy = { ...plan.policy, trimTarget: 1, messageCap: 0 };
      const at = async (high: number) => {
        // Nothing is cut: a cap that shrinks with the window would show other words, not fewer.
        const budget: Budget = { ...setup.budget, high, low: high, pruneAt: high, resultCap: 100_000, window: high };
        const request = {
          ...setup,
          policy,
          budget,
          path,
          pruned: nothingPruned,
          marks: noMarks,
          node,
          turnStart: false,
        };
        return fitPrompt(request, async (prompt) => measureOf(prompt, plan.salt)).catch((error: unknown) => {
          assert.ok(error instanceof FaultError && error.fault.kind === 'doesNotFit');
          return null;
        });
      };
      const whole = await at(100_000);
      let shown = new Set(segmentKeys(whole?.prompt ?? { messages: [], tools: [] }));
      for (let high = whole?.measure.total ?? 0; high > 0; high -= step) {
        const fitted = await at(high);
        if (fitted === null) return;
        const now = segmentKeys(fitted.prompt);
        for (const key of now) assert.ok(shown.has(key), `${key} came back at ${high}`);
        shown = new Set(now);
      }
    }),
    { numRuns: cases(60), seed },
  ));

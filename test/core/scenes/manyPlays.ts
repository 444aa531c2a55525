// Random conversations played through the real turn loop with a simulated prefix cache, for the tests of the laws. Both graphs: 1,200 that only the policy shapes, 1,000 with attachments, knowledge, pins, evictions and message caps, and 600 such that compaction.
import fc from 'fast-check';
import { project } from '../../../src/core/pruning/projection.ts';
import type { PruneState } from '../../../src/core/pruning/pruneState.ts';
import type { Decision } from '../../../src/core/report/decisions.ts';
import { cases } from '../../cases.ts';
import { measureOf } from './fakeModel.ts';
import { compactingPlans, type Plan, type Played, type PlayedCall, plans, play, richPlans } from './play.ts';

const seed = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const sets = [
  { name: 'plain', plans, numRuns: cases(1200) },
  { name: 'rich', plans: richPlans, numRuns: cases(1000) },
  { name: 'compacting', plans: compactingPlans, numRuns: cases(600) },
] as const;
process.stdout.write(`laws over ${sets.reduce((sum, { numRuns }) => sum + numRuns, 0)} conversations, seed ${seed}\n`);

/** Played once for all laws, because playing takes the time. */
const played = sets.map(async (set) => {
  const drawn = fc.sample(set.plans, { numRuns: set.numRuns, seed });
  const done: { readonly plan: Plan; readonly played: Played }[] = [];
  for (const plan of drawn) done.push({ plan, played: await play(plan) });
  return { set, done };
});

type Check = (played: Played, plan: Plan) => void;

/** Checks a law on every conversation of the sets; when one breaks it, fast-check looks for the smallest that does. */
export async function holds(which: 'plain' | 'all', check: Check): Promise<void> {
  for (const { set, done } of await Promise.all(which === 'plain' ? played.slice(0, 1) : played)) {
    for (const one of done) {
      try {
        check(one.played, one.plan);
      } catch (error) {
        const property = fc.asyncProperty(set.plans, async (other) => check(await play(other), other));
        await fc.assert(property, { numRuns: set.numRuns, seed });
        throw new Error(`seed ${seed}: ${JSON.stringify(one.plan)}`, { cause: error });
      }
    }
  }
}

export function covered(decisions: readonly Decision[]): readonly number[] {
  return decisions.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));
}

/** The prompt the call would have had if nothing more were let go than caps. */
export function untouched(before: PruneState, { fitted }: PlayedCall, { salt }: Plan): number {
  const untouched = { ...before, capped: fitted.pruned.runs === before.runs ? fitted.pruned.capped : before.capped };
  return measureOf(project(fitted.stack, fitted.context.path, untouched, fitted.node), salt).total;
}

export const outTo = ({ runs }: PruneState) => runs.reduce((sum, { from, to }) => sum + to - from, 0);
export const crossed = (before: PruneState, after: PruneState) =>
  outTo(before) !== outTo(after) ||
  before.cleared.size !== after.cleared.size ||
  before.compaction?.summary !== after.compaction?.summary;
/** A node that does not see the records of earlier turns lets them go when a turn begins. */
export const withholds = ({ fitted, starts }: PlayedCall) => fitted.node.earlierRecords === 'withheld' && starts;

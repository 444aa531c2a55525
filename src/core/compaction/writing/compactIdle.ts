// Compactions by rules as idle work makes them: over the mark, where one frees enough, and after one that did not only some turns later.
import { type FitRequest, fittedAt } from '../../pruning/fitPrompt.ts';
import type { Fitted, Measurer } from '../../pruning/fitted.ts';
import { pruneStateOn } from '../../pruning/pruneState.ts';
import { type CompactionPlan, makeCompaction } from '../makeCompaction.ts';
import { cutWhileIdle, turnsOfRest } from '../planCompaction.ts';
import { summaryTask } from './task.ts';

export class IdleCompactions {
  private failures = 0;
  private until = 0;

  /** Compacts the prompt of the node that answers, behind so many turns. Returns null where there is nothing to compact yet, or too little. */
  async run(
    request: Omit<FitRequest, 'turnStart' | 'compactionId'>,
    id: string,
    turns: number,
    measurer: Measurer,
  ): Promise<{ readonly fitted: Fitted; readonly plan: CompactionPlan } | null> {
    if (turns < this.until) return null;
    const before = await fittedAt(request, pruneStateOn(request.path, request.pruned), measurer);
    const cut = cutWhileIdle(before);
    if (cut === null) return null;
    const { to, least } = cut;
    const plan = { id, to, entries: summaryTask(before, to).entries };
    const fitted = await makeCompaction(request, plan, measurer);
    const pays = fitted.before - fitted.measure.total >= least;
    this.failures = pays ? 0 : this.failures + 1;
    this.until = turns + turnsOfRest(this.failures);
    return pays ? { fitted, plan } : null;
  }
}

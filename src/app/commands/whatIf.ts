// Answers what the prompt would be in another window. Only the engine's counting is asked for: no session and no slot is touched.
import { answering } from '../../core/agent/graph.ts';
import { count } from '../../core/count.ts';
import type { Item } from '../../core/dialog/dialog.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { FaultError } from '../../core/faults/faults.ts';
import { predicted } from '../../core/kv/pace.ts';
import { kvAt } from '../../core/machine/memoryPlan.ts';
import { type Budget, budgetFor } from '../../core/prompt/budget.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import type { Stack } from '../../core/pruning/projection.ts';
import { type PruneState, pruneStateOf } from '../../core/pruning/pruneState.ts';
import { type Decision, labelOf, type State } from '../../core/report/decisions.ts';
import { type StackReport, stackReport } from '../../core/report/report.ts';
import { changedNow, replay } from '../../core/turn/whatIf.ts';
import type { WhatIfChange, WhatIfView } from '../../protocol/questions.ts';
import { copyOf, type Session } from '../session/session.ts';
import { compactionRow } from '../turn/compactionRows.ts';
import { nextPrompt } from '../turn/nextPrompt.ts';
import type { Turns } from '../turn/turns.ts';

/** No smaller window can be set. */
const least = 512;

export class WhatIf {
  private readonly turns: Turns;
  private latest = 0;

  constructor(turns: Turns) {
    this.turns = turns;
  }

  /** Rejects with words for the user. A newer question ends an older one, because a long conversation takes its time. */
  async answer(session: Session, window: number): Promise<WhatIfView> {
    this.latest += 1;
    const mine = this.latest;
    const { turns } = this;
    const { engine, life } = turns.context.engines;
    const { loaded } = life;
    if (loaded === null) throw new Error('The model is not loaded yet. Choose a model or wait, then try again.');
    refuse(window, loaded);
    const measure = (prompt: Prompt) => {
      if (mine !== this.latest) throw new Error('Another size was chosen in the meantime.');
      return engine.measure(prompt);
    };
    // Planning freezes the head of a session, so a copy is planned and the session stays as it is.
    const looked = copyOf(session, session.state);
    const now = await nextPrompt(turns, looked, loaded);
    const { graph, stack: head, ...setup } = (await turns.plan(looked, loaded)).setup;
    const budget = budgetFor(window, setup.policy);
    const { path } = looked.state.dialog;
    const node = answering(graph);
    const stackOf = (compacted: Fitted | null) => this.headWith(looked, loaded, compacted);
    const { policy, switches, cache } = setup;
    const { marks } = looked.state;
    const course = { path, node, marks, policy, switches, cache, budget, stackOf };
    const present = { stack: head, pruned: pruneStateOf(looked.state.pruned, node.slot), grown: looked.state.grown };
    const [{ fitted, steps, unanswered }, anew] = await worded(budget, async () => [
      await replay(course, measure),
      await changedNow(course, present, measure),
    ]);
    const [stack, was] = [stackReport(fitted), stackReport(now)];
    return {
      stack,
      now: was,
      changes: changesOf(was, stack, path),
      crossings: crossingsIn(steps),
      unanswered,
      anew: { tokens: anew.measure.total, milliseconds: predicted(turns.pace, anew.measure.total) },
      memory: loaded.memory === null ? null : { now: loaded.memory.kv, would: kvAt(loaded.memory, window) },
      byModel: session.state.compactions.some((row) => row.tries > 0 && row.before !== row.after && !row.undone),
    };
  }

  /** The head as it is now, with `recall` where there something was compacted, and without where not. */
  private async headWith(session: Session, info: ModelInfo, compacted: Fitted | null): Promise<Stack> {
    const attempt = { id: '', outcome: 'fallback', reason: '', tries: 0, started: 0, ended: 0 } as const;
    const compaction = compacted?.pruned.compaction ?? null;
    const compactions =
      compacted === null || compaction === null ? [] : [compactionRow(attempt, compacted, compaction, [])];
    return (await this.turns.plan(copyOf(session, { ...session.state, compactions }), info)).setup.stack;
  }
}

function refuse(window: number, { trainContext, name }: ModelInfo): void {
  if (window < least) throw new Error(`The smallest window is ${count(least)} tokens. Ask for a larger one.`);
  if (window > trainContext)
    throw new Error(
      `${name} was trained for ${count(trainContext)} tokens, so its window cannot be ${count(window)}. Ask for ${count(trainContext)} or less.`,
    );
}

async function worded<T>(budget: Budget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw plainly(error, budget);
  }
}

/** A fault's advice is about the window of now. */
function plainly(error: unknown, { window, high, reserve }: Budget): unknown {
  if (!(error instanceof FaultError) || error.fault.kind !== 'doesNotFit') return error;
  const { needed, pinned } = error.fault;
  const limit = `only ${count(high)} fit in a window of ${count(window)}, with ${count(reserve)} reserved for the reply`;
  return new Error(
    `It would not fit: at least ${count(needed)} tokens have to stay, ${count(pinned)} of them system text, tools and workspace, but ${limit}. Choose a larger one, unpin items, or switch tools off.`,
  );
}

/** A result that was shortened as it came let go of nothing that had been read. */
function crossingsIn(steps: readonly PruneState[]): number {
  return steps.filter(({ runs, cleared }, i) => {
    const before = steps[i - 1];
    return before !== undefined && (runs !== before.runs || cleared !== before.cleared);
  }).length;
}

/** Runs of items of which the same would be instead of the same. */
function changesOf(now: StackReport, would: StackReport, path: readonly Item[]): readonly WhatIfChange[] {
  const [was, is] = [byItem(now.decisions), byItem(would.decisions)];
  const runs: WhatIfChange[] = [];
  for (const [at, item] of path.entries()) {
    const [a, b] = [was[at], is[at]];
    if (a === undefined || b === undefined || shown(a) === shown(b)) continue;
    const last = runs.at(-1);
    const change = { from: at, to: at + 1, now: shown(a), would: shown(b), by: b.by, why: b.why };
    if (last?.to === at && last.now === change.now && last.would === change.would && last.by === change.by)
      runs[runs.length - 1] = { ...last, to: at + 1, label: `${at + 1 - last.from} items` };
    else runs.push({ ...change, label: labelOf(item) });
  }
  return runs;
}

function byItem(decisions: readonly Decision[]): readonly Decision[] {
  return decisions.flatMap((decision) => Array.from({ length: decision.to - decision.from }, () => decision));
}

/** Shows items that wait for the next trim as kept, because they still stand in the prompt. */
function shown({ state }: Decision): State {
  return state === 'pending' ? 'kept' : state;
}

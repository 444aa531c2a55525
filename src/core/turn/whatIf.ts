// A conversation as if it had been held in another window: every prompt of its model calls is fitted anew, one after the other.

import type { GraphNode } from '../agent/graph.ts';
import { compacts, type Switches } from '../agent/mechanisms.ts';
import { type CompactionPlan, makeCompaction } from '../compaction/makeCompaction.ts';
import { cutWhileIdle, turnsOfRest } from '../compaction/planCompaction.ts';
import { summaryTask } from '../compaction/writing/task.ts';
import { type Item, turnsOf } from '../dialog/dialog.ts';
import type { Marks } from '../dialog/marks.ts';
import { faultOf } from '../faults/faults.ts';
import type { Budget, Policy } from '../prompt/budget.ts';
import { type FitRequest, fitAhead, fitPrompt, fittedAt } from '../pruning/fitPrompt.ts';
import type { Fitted, Measurer } from '../pruning/fitted.ts';
import type { Stack } from '../pruning/projection.ts';
import { nothingPruned, type PruneState, pruneStateOn } from '../pruning/pruneState.ts';
import { layerRows } from '../report/report.ts';
import { growthOf, headroomFor, type SlotCache, settlingFor } from './cache.ts';

// Compactions by rules as idle work makes them: over the mark, where one frees enough, and after one that did not only some turns later.
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

export interface Course {
  readonly path: readonly Item[];
  /** The present marks, which count from the first turn on. */
  readonly marks: Marks;
  readonly node: GraphNode;
  readonly policy: Policy;
  readonly switches: Switches;
  readonly cache: SlotCache;
  readonly budget: Budget;
  /** The head, with what joins it once something was compacted. */
  readonly stackOf: (compacted: Fitted | null) => Promise<Stack>;
}

export interface Replayed {
  /** The prompt that the next message would extend. */
  readonly fitted: Fitted;
  /** The slot's pruned items, each time they would have changed. */
  readonly steps: readonly PruneState[];
  /** Turns that would have got no answer, because a message with its results alone was too large. */
  readonly unanswered: number;
}

/** Rejects with `doesNotFit` where the fixed head alone, or what is pinned, passes high water. */
export async function replay(course: Course, measurer: Measurer): Promise<Replayed> {
  return new Replay(course, measurer).run();
}

/** The prompt after the window was changed now: what is out already stays out. Rejects as `replay` does. */
export function changedNow(course: Course, now: Present, measurer: Measurer): Promise<Fitted> {
  const { switches, cache, budget } = course;
  const { grown, ...rest } = now;
  const compactionId = compacts(switches, budget.window) ? 'what-if' : null;
  const headroom = compactionId === null ? headroomFor(cache, grown, budget) : 0;
  return fitAhead(
    { ...course, ...rest, compactionId, headroom, erases: cache.erases, ...settlingFor(cache, 0) },
    measurer,
  );
}

/** The session's present stack and pruned items. */
export interface Present {
  readonly stack: Stack;
  readonly pruned: PruneState;
  /** Tokens by which its turns grew. */
  readonly grown: readonly number[];
}

/** The lifetime of a replay: the items pruned so far, and how much the turns grew. */
class Replay {
  private readonly course: Course;
  private readonly measurer: Measurer;
  private readonly steps: PruneState[] = [nothingPruned];
  private readonly grown: number[] = [];
  private compacted: Fitted | null = null;
  private made = 0;
  private unanswered = 0;
  private readonly compactions = new IdleCompactions();

  constructor(course: Course, measurer: Measurer) {
    this.course = course;
    this.measurer = measurer;
  }

  async run(): Promise<Replayed> {
    for (const [at, { start, end }] of turnsOf(this.course.path).entries()) {
      if (!(await fits(this.turn(start, end)))) this.unanswered += 1;
      // Idle work that finds no space changes nothing.
      await fits(this.compact(end, at + 1));
      await fits(this.ahead(end));
    }
    const fitted = await this.ahead(this.course.path.length);
    return { fitted, steps: this.steps, unanswered: this.unanswered };
  }

  private get pruned(): PruneState {
    return this.steps.at(-1) ?? nothingPruned;
  }

  /** The prompts of a turn's calls to the node: each ends where what the node generated then begins. */
  private async turn(start: number, end: number): Promise<void> {
    const { path, node } = this.course;
    const stack = await this.course.stackOf(this.compacted);
    const calls = path.slice(start, end).flatMap(({ origin }, i) => {
      const generated = origin === 'assistant' || (origin === 'call' && node.calls !== 'none');
      return generated ? [start + i] : [];
    });
    let last: Fitted | null = null;
    for (const at of calls) {
      const request = { ...this.course, ...this.changing(), stack, path: path.slice(0, at) };
      last = this.take(await fitPrompt({ ...request, turnStart: at === calls[0] }, this.measurer));
    }
    const answer = path[calls.at(-1) ?? -1];
    const generatedTokens = answer !== undefined && 'generated' in answer ? (answer.generated?.ids.length ?? 0) : 0;
    if (last !== null) this.grown.push(growthOf({ layers: layerRows(last), calls: [{ generatedTokens }] }));
  }

  /** Compacts by rules where the prompt is over its mark behind so many turns. */
  private async compact(end: number, turns: number): Promise<void> {
    const { pruned, compactionId, erases } = this.changing();
    if (compactionId === null) return;
    const stack = await this.course.stackOf(this.compacted);
    const request = { ...this.course, pruned, erases, stack, path: this.course.path.slice(0, end) };
    const made = await this.compactions.run(request, compactionId, turns, this.measurer);
    if (made !== null) this.take(made.fitted);
  }

  /** Does the idle work that follows a turn. */
  private async ahead(end: number): Promise<Fitted> {
    const { path, cache, budget } = this.course;
    const stack = await this.course.stackOf(this.compacted);
    const changing = this.changing();
    const headroom = changing.compactionId === null ? headroomFor(cache, this.grown, budget) : 0;
    const request = {
      ...this.course,
      ...changing,
      stack,
      path: path.slice(0, end),
      headroom,
      ...settlingFor(cache, 0),
    };
    return this.take(await fitAhead(request, this.measurer));
  }

  private changing() {
    const { switches, budget, cache } = this.course;
    this.made += 1;
    const compactionId = compacts(switches, budget.window) ? `what-if ${this.made}` : null;
    return { pruned: this.pruned, compactionId, erases: cache.erases };
  }

  private take(fitted: Fitted): Fitted {
    if (fitted.pruned !== this.pruned) this.steps.push(fitted.pruned);
    if (fitted.pruned.compaction !== null) this.compacted ??= fitted;
    return fitted;
  }
}

async function fits(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (faultOf(error).kind !== 'doesNotFit') throw error;
    return false;
  }
}

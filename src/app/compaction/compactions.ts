// Compacts old turns while the user reads: under a lease, with a model's summary that passed the audit, or not at all.

import { aborted } from '../../core/aborted.ts';
import { summarising } from '../../core/agent/graph.ts';
import { compacts, type Outcome } from '../../core/agent/mechanisms.ts';
import type { CompactionRow } from '../../core/compaction/compactionRow.ts';
import { makeCompaction } from '../../core/compaction/makeCompaction.ts';
import { type CompactionCut, cutWhileIdle, planCompaction, turnsOfRest } from '../../core/compaction/planCompaction.ts';
import type { SummaryEntry } from '../../core/compaction/summary.ts';
import { proposalsOf } from '../../core/compaction/writing/proposals.ts';
import {
  type Summariser,
  showsCapped,
  summarise,
  type WrittenSummary,
} from '../../core/compaction/writing/summarise.ts';
import { type SummaryTask, summaryTask } from '../../core/compaction/writing/task.ts';
import { slotChanges } from '../../core/conversation/conversation.ts';
import type { ItemId } from '../../core/dialog/dialog.ts';
import { FaultError, faultOf, wordFault } from '../../core/faults/faults.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import { fittedAt } from '../../core/pruning/fitPrompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { type PruneState, pruneStateOf, pruneStateOn } from '../../core/pruning/pruneState.ts';
import type { Leases } from '../../core/stored/storedSession.ts';
import { setupFor } from '../../core/turn/setupFor.ts';
import type { Clock } from '../ports/clock.ts';
import type { OwnSummariser } from '../ports/engine.ts';
import { leaseOf } from '../ports/lease.ts';
import type { Session } from '../session/session.ts';
import { slotModel } from '../slots/slotModel.ts';
import type { AgentEngines } from '../slots/windowEngines.ts';
import { attemptRow, compactionRow } from '../turn/compactionRows.ts';
import { setupNow } from '../turn/planTurn.ts';
import type { CompactionJob } from './job.ts';
import { Watch } from './watch.ts';

/** A cut, and when its compaction began, Unix milliseconds. */
type Begun = CompactionCut & { readonly started: number };

interface Ended {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly tries?: number;
  readonly cost?: CompactionRow['cost'];
}

/** Up to how many turns no idle compaction is tried, on the branch of the item that was the last one then. */
interface Rest {
  readonly failures: number;
  readonly last: ItemId | null;
  readonly until: number;
}

export class Compactions {
  private readonly engines: AgentEngines;
  private readonly clock: Clock;
  private readonly holder: string;
  private readonly leases: Leases | null;
  private readonly rest = new WeakMap<Session, Rest>();
  /** The watch of each running compaction, by the name of its lease; a newer compaction of the same session replaces the older one's. */
  private readonly watches = new Map<string, Watch>();

  /** `holder` names this conversation among all processes. */
  constructor(engines: AgentEngines, clock: Clock, leases: Leases | null, holder: string) {
    this.engines = engines;
    this.clock = clock;
    this.holder = holder;
    this.leases = leases;
  }

  /** The model showed that it is at work. */
  progress(): void {
    for (const watch of this.watches.values()) watch.progress();
  }

  /** Compacts when the prompt is over its mark and the cool-down is over. Null when nothing was tried, or the user went on. */
  async idle(job: CompactionJob): Promise<CompactionRow | null> {
    const { session, plan, signal } = job;
    if (!compacts(plan.setup.switches, plan.main.info.contextSize) || this.rests(session)) return null;
    const fitted = await this.current(job);
    const cut = cutWhileIdle(fitted);
    // Too little to compact yet is no failure: the next turn may bring it.
    return signal.aborted || cut === null ? null : this.compact(job, fitted, cut, this.clock.now().getTime());
  }

  /** Compacts because the user asked for it, whatever the mark and the cool-down say. */
  async now(job: CompactionJob): Promise<CompactionRow | null> {
    const fitted = await this.current(job);
    if (job.signal.aborted) return null;
    const started = this.clock.now().getTime();
    const to = planCompaction(fitted, Number.NEGATIVE_INFINITY);
    if (to !== null) return this.compact(job, fitted, { to, least: 1 }, started);
    const reason = 'no turns before the latest ones would free enough';
    return this.ended(job, fitted, started, { outcome: 'no_boundary', reason });
  }

  /** The answering node's prompt as it is in its slot, with the turn that just ended. */
  private current({ session, plan }: CompactionJob): Promise<Fitted> {
    const node = summarising(plan.setup.graph);
    const { path } = session.state.dialog;
    const pruned = pruneStateOn(path, pruneStateOf(session.state.pruned, node.slot));
    return fittedAt({ ...setupNow(plan, session), path, node }, pruned, plan.at(node.slot).engine.measure);
  }

  private async compact(
    job: CompactionJob,
    fitted: Fitted,
    cut: CompactionCut,
    started: number,
  ): Promise<CompactionRow | null> {
    const name = `fold:${job.session.id}`;
    const ttl = job.plan.settings.leaseMilliseconds;
    const lease = leaseOf(this.leases, this.holder, this.clock, name, ttl);
    if (!lease.take())
      return this.ended(job, fitted, started, {
        outcome: 'lock_held',
        reason: 'another window is compacting this conversation',
      });
    const watch = new Watch(this.clock, ttl, () => lease.take());
    this.watches.set(name, watch);
    try {
      return await this.underLease(job, fitted, { ...cut, started }, watch);
    } finally {
      watch.stop();
      // A compaction of the same session that began meanwhile still needs the lease.
      if (this.watches.get(name) === watch) {
        this.watches.delete(name);
        lease.release();
      }
    }
  }

  private async underLease(
    job: CompactionJob,
    fitted: Fitted,
    cut: Begun,
    watch: Watch,
  ): Promise<CompactionRow | null> {
    const { started } = cut;
    const written = await writeSummary(this.engines, this.clock, job, fitted, cut.to, watch);
    // An attempt that the watch gave up has failed, even where the engine crashed and its restart interrupted the job.
    if ((job.signal.aborted || written.cancelled) && watch.problem === null) return null;
    const { entries, reason, tries, cost } = written;
    if (entries === null) return this.ended(job, fitted, started, { outcome: 'failed', reason, tries, cost });
    try {
      return await this.apply(job, fitted, cut, { ...written, entries });
    } catch (error) {
      if (job.signal.aborted) return null;
      return this.ended(job, fitted, started, {
        outcome: 'failed',
        reason: wordFault(faultOf(error)).message,
        tries,
        cost,
      });
    }
  }

  private async apply(
    job: CompactionJob,
    fitted: Fitted,
    { to, least, started }: Begun,
    written: WrittenSummary & { readonly entries: readonly SummaryEntry[] },
  ): Promise<CompactionRow | null> {
    const { session, plan } = job;
    const { dialog } = session.state;
    const id = this.clock.newId();
    const slots: PruneState[] = [];
    let after = fitted;
    for (const node of plan.setup.graph.nodes) {
      const setup = setupFor(setupNow(plan, session), node.slot);
      const pruned = pruneStateOf(session.state.pruned, node.slot);
      const request = { ...setup, path: dialog.path, pruned, node, erases: setup.cache.erases };
      const made = await makeCompaction(
        request,
        { id, to, entries: written.entries },
        plan.at(node.slot).engine.measure,
      );
      slots[node.slot] = made.pruned;
      if (node.slot === fitted.node.slot) after = made;
    }
    // A pin or an eviction meanwhile speaks for another prompt.
    const { path, marks } = fitted.context;
    if (job.signal.aborted || session.state.dialog.path !== path || session.state.marks !== marks) return null;
    const freed = after.before - after.measure.total;
    if (freed < least) {
      const reason = `it would have freed only ${freed} tokens`;
      return this.ended(job, fitted, started, {
        outcome: 'no_boundary',
        reason,
        tries: written.tries,
        cost: written.cost,
      });
    }
    const { compaction } = after.pruned;
    if (compaction === null) return null;
    this.pause(session, turnsOfRest(0));
    const outcome = written.truncated ? 'tool_result_truncated' : 'ok';
    const former = compaction.previous?.summary.entries ?? [];
    const proposals = proposalsOf(compaction.summary.entries, former, () => this.clock.newId());
    const row = compactionRow(
      { ...this.attempt(started, { outcome, reason: '', tries: written.tries, cost: written.cost }), id },
      after,
      compaction,
      proposals,
    );
    session.apply({ type: 'compacted', row, slots: slotChanges(session.state.pruned, slots) });
    session.tally.compacted(row);
    return row;
  }

  /** Nothing was compacted: the attempt is kept all the same, and the next one waits. */
  private ended({ session }: CompactionJob, fitted: Fitted, started: number, ended: Ended): CompactionRow {
    const failures = (this.rest.get(session)?.failures ?? 0) + 1;
    this.pause(session, turnsOfRest(failures), failures);
    const row = attemptRow(this.attempt(started, ended), fitted);
    session.apply({ type: 'compacted', row, slots: [] });
    session.tally.compacted(row);
    return row;
  }

  /** No idle compaction for so many turns. */
  pause(session: Session, turns: number, failures = 0): void {
    const { dialog } = session.state;
    this.rest.set(session, { failures, last: dialog.head, until: dialog.turns + turns });
  }

  private rests(session: Session): boolean {
    const rest = this.rest.get(session);
    const { dialog } = session.state;
    return rest !== undefined && dialog.turns < rest.until && dialog.path.some(({ id }) => id === rest.last);
  }

  private attempt(started: number, { outcome, reason, tries = 0, cost }: Ended) {
    return { id: this.clock.newId(), outcome, reason, tries, cost, started, ended: this.clock.now().getTime() };
  }
}

// Gets the entries for a compaction: by rules, and where they do not all fit a model chooses among them: the chat's own behind the prompt in its
// slot, the engine that the agent names, or a model that is loaded for it alone.

/** Stands for the node of a slot that holds summaries' prompts; no graph has so many. */
const summaries = 100;

/** Gets a summary of everything before `to`. Never rejects: what went wrong is the reason. */
async function writeSummary(
  engines: AgentEngines,
  clock: Pick<Clock, 'wait'>,
  job: CompactionJob,
  fitted: Fitted,
  to: number,
  watch: Watch,
): Promise<WrittenSummary> {
  const task = summaryTask(fitted, to);
  try {
    const written = await ask({ engines, clock }, job, fitted, task, watch);
    if (written === null) return { entries: task.entries, reason: '', tries: 0, truncated: false, cancelled: false };
    const truncated = written.truncated || showsCapped(fitted.prompt, fitted.pruned.capped);
    const reason = watch.problem ?? written.reason;
    // Nobody asked for a model's choice, and the rules' summary is there.
    const entries = written.entries ?? (written.mayFail && !written.cancelled ? task.entries : null);
    return { ...written, entries, truncated, reason };
  } catch (error) {
    return { entries: null, reason: wordFault(faultOf(error)).message, tries: 0, truncated: false, cancelled: false };
  }
}

/** The engine that the agent names for its summaries, with a slot that nothing else uses meanwhile; null where the answering one writes them. */
async function named(engines: AgentEngines, job: CompactionJob): Promise<OwnSummariser | null> {
  const at = engines.summariser;
  if (at === null) return null;
  const { contextSize: window } = await at.life.ready(job.signal);
  const { slots } = at.snapshots;
  const { slot } = slots.take(job.session, summaries);
  return { engine: at.engine, window, slot, done: async () => slots.give(job.session, summaries) };
}

/** Fewer parameters than the smallest model that was measured to choose better than the newest first. */
const leastParameters = 1e9;

/** Asks the model; null where none is to be asked, or there is nothing to choose from. */
async function ask(
  { engines, clock }: { readonly engines: AgentEngines; readonly clock: Pick<Clock, 'wait'> },
  job: CompactionJob,
  { node, prompt }: Fitted,
  task: SummaryTask,
  watch: Watch,
): Promise<(WrittenSummary & { readonly mayFail: boolean }) | null> {
  if (!task.entries.some(({ section }) => section === 'said')) return null;
  const own = (await named(engines, job)) ?? (await engines.loadSummariser());
  const chat = job.plan.at(node.slot);
  const { parameters = leastParameters, server } = chat.info;
  const isWanted = own !== null || job.plan.settings.agent.summarises;
  if (!isWanted && (!task.crowded || server !== undefined || parameters < leastParameters)) return null;
  job.asked();
  const window = own?.window ?? chat.info.contextSize;
  const signal = AbortSignal.any([job.signal, watch.signal]);
  const used = { tries: 0, cost: { decoded: 0, generated: 0 } };
  const { measure, generate } = asking(job, own, node.slot, signal, watch, used);
  const wait = (milliseconds: number) => Promise.race([clock.wait(milliseconds), aborted(signal)]);
  try {
    const tries = isWanted ? job.plan.settings.summaryTries : 1;
    const asked = { ...task, prompt: own === null ? prompt : null, window, tries };
    return { ...(await summarise(asked, { measure, generate, wait })), ...used, mayFail: !isWanted };
  } finally {
    await own?.done();
  }
}

/** Measures and generates with the summariser, and counts what it costs. */
function asking(
  job: CompactionJob,
  own: OwnSummariser | null,
  slot: number,
  signal: AbortSignal,
  watch: Watch,
  used: { tries: number; readonly cost: { decoded: number; generated: number } },
): Pick<Summariser, 'measure' | 'generate'> {
  const { engine, snapshots } = job.plan.at(slot);
  const sampling = { temperature: 0, seed: 0 };
  const model =
    own === null ? slotModel(engine, snapshots, job.session, slot, sampling) : own.engine.model(own.slot, sampling);
  const progress = () => watch.progress();
  return {
    measure: async (asked: Prompt) => {
      if (signal.aborted) throw new FaultError({ kind: 'engineStopped' });
      return (await (own?.engine ?? engine).measure(asked)).total;
    },
    generate: async (asked, grammar, maxTokens) => {
      used.tries += 1;
      const { reuse } = job.plan.setup.cache;
      const request = { asker: 'summary', prompt: asked, maxTokens, toolCalls: 'none', reuse, grammar } as const;
      const generation = await model
        .generate(request, progress, signal, progress)
        .catch((error: unknown) => failed(error, watch));
      job.session.tally.warmed(generation.prefill.decoded);
      used.cost.decoded += generation.prefill.decoded;
      used.cost.generated += generation.generated.ids.length;
      return generation;
    },
  };
}

/** A summariser that took the model down would do so again, at once and after each restart. */
function failed(error: unknown, watch: Watch): never {
  const fault = faultOf(error);
  if (fault.kind === 'engineCrashed') watch.give(wordFault(fault).message);
  throw error;
}

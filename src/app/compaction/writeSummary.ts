// Gets the entries for a compaction: by rules, and where they do not all fit a model chooses among them: the chat's own behind the prompt in its
// slot, the engine that the agent names, or a model that is loaded for it alone.

import { aborted } from '../../core/aborted.ts';
import {
  type Summariser,
  showsCapped,
  summarise,
  type WrittenSummary,
} from '../../core/compaction/writing/summarise.ts';
import { type SummaryTask, summaryTask } from '../../core/compaction/writing/task.ts';
import { FaultError, faultOf, wordFault } from '../../core/faults/faults.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import type { Clock } from '../ports/clock.ts';
import type { OwnSummariser } from '../ports/engine.ts';
import { slotModel } from '../slots/slotModel.ts';
import type { AgentEngines } from '../slots/windowEngines.ts';
import type { CompactionJob } from './job.ts';
import type { Watch } from './watch.ts';

/** Stands for the node of a slot that holds summaries' prompts; no graph has so many. */
const summaries = 100;

/** Gets a summary of everything before `to`. Never rejects: what went wrong is the reason. */
export async function writeSummary(
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

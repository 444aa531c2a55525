// Gets the entries for a compaction: from the chat's own model behind the prompt in its slot, or from a model of its own.
import {
  type Summariser,
  showsCapped,
  summarise,
  type Task,
  type WrittenSummary,
} from '../../core/compaction/writing/summarise.ts';
import { summaryTask, withKept } from '../../core/compaction/writing/task.ts';
import type { Engine } from '../../core/engine/engine.ts';
import { FaultError, faultOf, wordFault } from '../../core/faults/faults.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import { slotModel } from '../slots/slotModel.ts';
import type { Snapshots } from '../slots/snapshots.ts';
import type { CompactionJob } from './job.ts';
import type { Watch } from './watch.ts';

interface Parts {
  readonly engine: Engine;
  readonly ports: ConversationPorts;
  readonly snapshots: Snapshots;
}

/** Has a summary written for everything before `to`. Never rejects: what went wrong is the reason. */
export async function writeSummary(
  parts: Parts,
  job: CompactionJob,
  fitted: Fitted,
  to: number,
  watch: Watch,
): Promise<WrittenSummary> {
  const task = { ...summaryTask(fitted, to), tries: parts.ports.settings().summaryTries };
  try {
    const written = await ask(parts, job, fitted, task, watch);
    const { entries } = written;
    const truncated = written.truncated || showsCapped(fitted.prompt, fitted.held.capped);
    if (entries === null) return { ...written, truncated, reason: watch.problem ?? written.reason };
    return { ...written, truncated, entries: withKept(entries, task.must) };
  } catch (error) {
    return { entries: null, reason: wordFault(faultOf(error)).message, tries: 0, truncated: false, cancelled: false };
  }
}

async function ask(
  { engine: chats, ports, snapshots }: Parts,
  job: CompactionJob,
  { node, prompt }: Fitted,
  task: Omit<Task, 'prompt' | 'window'>,
  watch: Watch,
): Promise<WrittenSummary> {
  job.asked();
  const own = await ports.summariser();
  const { engine, window } = own ?? { engine: chats, window: job.info.contextSize };
  const sampling = { temperature: 0, seed: 0 };
  const model =
    own === null ? slotModel(chats, snapshots, job.session, node.slot, sampling) : engine.model(0, sampling);
  const signal = AbortSignal.any([job.signal, watch.signal]);
  let tries = 0;
  const summariser: Summariser = {
    measure: async (asked: Prompt) => {
      if (signal.aborted) throw new FaultError({ kind: 'engineStopped' });
      return (await engine.measure(asked)).total;
    },
    generate: async (asked, grammar, maxTokens) => {
      tries += 1;
      const { reuse } = job.setup.cache;
      const request = { prompt: asked, maxTokens, toolCalls: 'none', reuse, grammar } as const;
      const generation = await model
        .generate(
          request,
          () => watch.progress(),
          signal,
          () => watch.progress(),
        )
        .catch((error: unknown) => failed(error, watch));
      job.session.tally.warmed(generation.prefill.decoded);
      return generation;
    },
    wait: (milliseconds) => Promise.race([ports.wait(milliseconds), abortOf(signal)]),
  };
  try {
    return { ...(await summarise({ ...task, prompt: own === null ? prompt : null, window }, summariser)), tries };
  } finally {
    await own?.done();
  }
}

/** A summariser that took the model down would do so again, at once and after each restart. */
function failed(error: unknown, watch: Watch): never {
  const fault = faultOf(error);
  if (fault.kind === 'engineCrashed') watch.give(wordFault(fault).message);
  throw error;
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

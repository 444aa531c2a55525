// Compaction by a model, in the bench: a summariser that writes as a good one does, on the slot of the conversation, while idle.
import type { OpenEngine } from '../../src/cli/engine.ts';
import { summarising } from '../../src/core/agent/graph.ts';
import { makeCompaction } from '../../src/core/compaction/makeCompaction.ts';
import { planCompaction } from '../../src/core/compaction/planCompaction.ts';
import { sections } from '../../src/core/compaction/summary.ts';
import { summarise } from '../../src/core/compaction/writing/summarise.ts';
import { summaryTask, withKept } from '../../src/core/compaction/writing/task.ts';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { fittedAt } from '../../src/core/pruning/fitPrompt.ts';
import { pruneStateOf, pruneStateOn } from '../../src/core/pruning/pruneState.ts';
import type { TurnSetup, TurnState } from '../../src/core/turn/turnPorts.ts';

export interface Written {
  /** Compactions that were made. */
  made: number;
  /** Attempts that no good summary came of, in words. */
  readonly refused: string[];
  /** Prompt tokens that were decoded for them. */
  decoded: number;
  /** One is being written: what the engine does then is no call of the trace. */
  busy: boolean;
}

/** As `Compactions` does it in the editor, over the mark and no earlier. */
export function summariesBy({ client, info }: OpenEngine, written: Written) {
  const measurer = (prompt: Prompt) => client.measure(prompt);
  return async (state: TurnState, setup: TurnSetup): Promise<TurnState> => {
    const { path } = state.dialog;
    const node = summarising(setup.graph);
    const before = await fittedAt(
      { ...setup, path, node },
      pruneStateOn(path, pruneStateOf(state.pruned, node.slot)),
      measurer,
    );
    const { compactionMarks } = before.context;
    const to =
      before.measure.total <= compactionMarks.compactAt ? null : planCompaction(before, compactionMarks.minGain);
    if (to === null) return state;
    const task = { ...summaryTask(before, to), tries: 1, prompt: before.prompt, window: info.contextSize };
    const { entries, reason } = await summarise(task, {
      measure: async (prompt) => (await measurer(prompt)).total,
      generate: async (prompt, _, maxTokens) => {
        const model = client.model(node.slot, { temperature: 0, seed: 1 }, () => ({
          text: summaryOf(prompt),
          calls: [],
        }));
        const request = { prompt, maxTokens, toolCalls: 'none', reuse: setup.cache.reuse } as const;
        written.busy = true;
        const generation = await model.generate(request, () => undefined, new AbortController().signal);
        written.busy = false;
        written.decoded += generation.prefill.decoded;
        return generation;
      },
      wait: async () => undefined,
    });
    if (entries === null) written.refused.push(reason);
    if (entries === null) return state;
    const pruned = [...state.pruned];
    const plan = { id: `by a model ${path.length}`, to, entries: withKept(entries, task.must) };
    for (const one of setup.graph.nodes) {
      const request = { ...setup, path, pruned: pruneStateOf(pruned, one.slot), node: one, erases: setup.cache.erases };
      pruned[one.slot] = (await makeCompaction(request, plan, measurer)).pruned;
    }
    written.made += 1;
    return { ...state, pruned };
  };
}

/** Entries and characters of one that a summary has at most. */
const mostEntries = 8;
const longest = 120;

/** As a model might write it: what stood in the summary before, and the beginnings of what the user said, each with its source. */
function summaryOf(prompt: Prompt): string {
  const asked = prompt.messages.at(-1)?.segments[0]?.text ?? '';
  const texts = [asked, ...prompt.messages.flatMap(({ segments }) => segments.map(({ text }) => text))];
  const lists: Record<string, { text: string; sources: number[] }[]> = Object.fromEntries(
    sections.map((name) => [name, []]),
  );
  const listed = [...asked.matchAll(/^(\d+) ([A-Z][a-z ]+): (.*)$/gm)].slice(-mostEntries);
  for (const [, number, name = '', words = ''] of listed) {
    const section = sections.find((one) => one.toLowerCase() === name.toLowerCase().replace(' ', ''));
    const start = words.replace(/…$/, '');
    const whole = texts.find((text) => text.startsWith(start)) ?? start;
    const text = whole.slice(0, longest).replace(/\s+\S*$/, '');
    if (section !== undefined || name === 'User') lists[section ?? 'done']?.push({ text, sources: [Number(number)] });
  }
  return JSON.stringify(lists);
}

// A real model chooses among the user's sentences, against the newest first in the same room, and answers from either, and from the whole.

import { answering, graphs } from '../../../src/core/agent/graph.ts';
import { makeCompaction } from '../../../src/core/compaction/makeCompaction.ts';
import { planCompaction } from '../../../src/core/compaction/planCompaction.ts';
import type { Summary } from '../../../src/core/compaction/summary.ts';
import { summarise } from '../../../src/core/compaction/writing/summarise.ts';
import { summaryTask } from '../../../src/core/compaction/writing/task.ts';
import { budgetFor } from '../../../src/core/prompt/budget.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { fittedAt } from '../../../src/core/pruning/fitPrompt.ts';
import { nothingPruned, type PruneState } from '../../../src/core/pruning/pruneState.ts';
import { runTurn } from '../../../src/core/turn/turn.ts';
import { numbers } from '../../../test/app/scenes/longChat.ts';
import { openEngine } from '../../cli/engine.ts';
import { replayTrace } from '../../cli/replayTrace.ts';
import { tellFigure } from '../all/figure.ts';
import { factsOf, type Half, sentencesOf, shuffled } from './sentences.ts';

/** Tokens of the window that holds all, and of the one whose room for a summary counts: about half of the sentences fit. */
const [window, narrow] = [8192, 3072];
const turns = 16;
const factsOfOne = 3;
const never = new AbortController().signal;
const topics = 'importer parser mailer report ledger exporter login search'.split(' ');

interface Told {
  facts: number;
  kept: { newest: number; chosen: number };
  right: { whole: number; newest: number; chosen: number };
  rightOfWhole: { newest: number; chosen: number };
  failed: number;
}

/** Plays so many conversations, each with facts among its first sentences. */
export async function compare(
  model: string,
  half: Half,
  conversations: number,
  print: (line: string) => void,
): Promise<void> {
  const engine = await openEngine(model, window, 1);
  const { client } = engine;
  const measurer = (prompt: Prompt) => client.measure(prompt);
  const told: Told = {
    facts: 0,
    kept: { newest: 0, chosen: 0 },
    right: { whole: 0, newest: 0, chosen: 0 },
    rightOfWhole: { newest: 0, chosen: 0 },
    failed: 0,
  };
  for (let n = 0; n < conversations; n++) await one(n);
  await client.dispose();
  const { kept, right, rightOfWhole, facts, failed } = told;
  print(`\n${conversations} conversations, ${half} half | newest first | chosen by the model | the whole text`);
  print('--- | --- | --- | ---');
  print(`facts that stand in the summary, of ${facts} | ${kept.newest} | ${kept.chosen} | –`);
  print(`questions answered rightly, of ${conversations} | ${right.newest} | ${right.chosen} | ${right.whole}`);
  print(
    `of those that are right with the whole text | ${rightOfWhole.newest} | ${rightOfWhole.chosen} | ${right.whole}`,
  );
  print(`\nChoices that failed three times: ${failed}.`);
  tellFigure(
    'right after a compaction, of what is right with the whole text',
    `newest first ${rightOfWhole.newest}, chosen ${rightOfWhole.chosen} of ${right.whole}`,
  );

  async function one(n: number): Promise<void> {
    const random = numbers(n + 1);
    const all = factsOf(half);
    const own = Array.from({ length: factsOfOne }, (_, i) => all[(n + 3 * i) % all.length] ?? all[0]).filter(
      (fact) => fact !== undefined,
    );
    const [asked] = own;
    if (asked === undefined) return;
    const { harmless, asked: askedOrTold } = sentencesOf(half);
    const others = shuffled([...harmless, ...askedOrTold], random).map(({ text }) => text);
    // Facts come early, among others.
    const early = shuffled([...own.map(({ fact }) => fact), ...others.slice(0, 9)], random);
    const sentences = [...early, ...others.slice(9)];
    const trace = {
      ...{ system: '', tools: [] },
      turns: Array.from({ length: turns }, (_, turn) => {
        const topic = topics[(n + turn) % topics.length];
        const from = Math.round((turn * sentences.length) / turns);
        const said = sentences.slice(from, Math.round(((turn + 1) * sentences.length) / turns));
        const answer = `The ${topic} walks over its rows, and step ${turn} writes them back. ${'Each row has a name and an amount. '.repeat(8)}`;
        return {
          user: [`How does step ${turn} of the ${topic} work?`, ...said].join('\n'),
          steps: [{ text: answer, calls: [], results: [] }],
        };
      }),
    };
    const how = { graph: graphs.unified, idle: false, compaction: 'on' } as const;
    const { state, setup } = await replayTrace(trace, engine, how, () => undefined);
    const { path } = state.dialog;
    const node = answering(setup.graph);
    const small = { ...setup, budget: budgetFor(narrow, setup.policy), path, node };
    const before = await fittedAt(small, nothingPruned, measurer);
    const to = planCompaction(before, Number.NEGATIVE_INFINITY);
    if (to === null) throw new Error('There is nothing to compact.');
    const answered = async (pruned: PruneState) => {
      let ids = 0;
      const ports = {
        model: (slot: number) => client.model(slot, { temperature: 0, seed: 1 }),
        ...{ tools: [], conceal: (lines: readonly string[]) => lines, newId: () => `q${++ids}`, emit: () => undefined },
      };
      const message = { text: asked.question, attachments: [] };
      const outcome = await runTurn({ ...state, pruned: [pruned] }, message, setup, ports, never);
      const last = outcome.dialog.path.at(-1);
      return last?.origin === 'assistant' ? last.text : '';
    };
    const task = summaryTask(before, to);
    const compacted = async (entries: typeof task.entries) => {
      const request = { ...small, pruned: nothingPruned, erases: setup.cache.erases };
      return (await makeCompaction(request, { id: `c${n}`, to, entries }, measurer)).pruned;
    };
    const whole = await answered(nothingPruned);
    const { entries, reason } = await summarise(
      { ...task, prompt: before.prompt, window, tries: 3 },
      {
        measure: async (prompt) => (await measurer(prompt)).total,
        generate: (prompt, grammar, maxTokens) =>
          client
            .model(0, { temperature: 0, seed: 0 })
            .generate({ prompt, maxTokens, toolCalls: 'none', reuse: 'auto', grammar }, () => undefined, never),
        wait: async () => undefined,
      },
    );
    told.failed += Number(entries === null);
    const [newest, chosen] = [await compacted(task.entries), await compacted(entries ?? task.entries)];
    const [byNewest, byChosen] = [await answered(newest), await answered(chosen)];
    const stand = ({ compaction }: PruneState) => own.filter(({ fact }) => holds(compaction?.summary, fact)).length;
    const right = (text: string) => Number(new RegExp(asked.key, 'i').test(text));
    told.facts += own.length;
    told.kept.newest += stand(newest);
    told.kept.chosen += stand(chosen);
    told.right.whole += right(whole);
    told.right.newest += right(byNewest);
    told.right.chosen += right(byChosen);
    told.rightOfWhole.newest += right(whole) * right(byNewest);
    told.rightOfWhole.chosen += right(whole) * right(byChosen);
    const row = { n, stand: [stand(newest), stand(chosen)], right: [whole, byNewest, byChosen].map(right), reason };
    process.stderr.write(`${JSON.stringify({ ...row, whole, byNewest, byChosen })}\n`);
  }
}

function holds(summary: Summary | undefined, fact: string): boolean {
  return summary?.entries.some(({ text }) => text === fact) === true;
}

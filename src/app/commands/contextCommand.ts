// `/context` and `/pin`: shows what the prompt is made of, and does what the user decides about its items.

import { bytesInWords, count } from '../../core/count.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { prometheusText } from '../../core/report/prometheus.ts';
import { type StackReport, stackReport } from '../../core/report/report.ts';
import { stateWords } from '../../core/report/reportNames.ts';
import { listText, summaryText } from '../../core/report/reportText.ts';
import type { WhatIfChange, WhatIfView } from '../../protocol/questions.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { type Argument, type Command, format, numberOf } from '../ports/commandLine.ts';
import type { Session } from '../session/session.ts';
import { estimatedPrompt, nextPrompt } from '../turn/nextPrompt.ts';
import { type CommandContext, mechanismsOf, row, silent } from './commandContext.ts';
import { type About, aboutItem, markItem, plain } from './contextAnswers.ts';
import { exportReport } from './exportReport.ts';

// `/context whatif` in words: the prompt in another window beside the one of now, and what would be another way.
function whatIfText(view: WhatIfView): string {
  const { now, stack, memory, crossings, unanswered, byModel, changes, anew } = view;
  const row = (name: string, of: (report: StackReport) => number) =>
    `| ${name} | ${count(of(now))} | ${count(of(stack))} |`;
  const kv = memory === null ? [] : [`| KV cache | ${bytesInWords(memory.now)} | ${bytesInWords(memory.would)} |`];
  const times = crossings === 1 ? 'once' : `${count(crossings)} times`;
  return [
    'Simulated from the first message with that window.',
    '',
    '| tokens | now | then |',
    '|---|---:|---:|',
    row('prompt', ({ total }) => total),
    row('limit', ({ budget }) => budget.high),
    row('trim target', ({ budget }) => budget.low),
    row('reserved for the reply', ({ budget }) => budget.reserve),
    ...kv,
    '',
    crossings === 0 ? 'Nothing would have been trimmed.' : `Older parts would have been trimmed ${times}.`,
    ...(unanswered === 0 ? [] : [`Turns that would not have fit: ${count(unanswered)}.`]),
    ...(byModel ? ['Summaries are written by rules here; this conversation has one by the model.'] : []),
    ...(now.budget.window === stack.budget.window
      ? []
      : [
          `If you change the size now, removed parts stay removed: the prompt has ${count(anew.tokens)} tokens, all decoded again once.`,
        ]),
    '',
    ...changeRows(changes),
  ].join('\n');
}

function changeRows(changes: readonly WhatIfChange[]): readonly string[] {
  if (changes.length === 0) return ['No item would change.'];
  const rows = changes.map(({ from, to, label, now, would, by }) => {
    const number = to - from === 1 ? String(from) : `${from}–${to - 1}`;
    return `| ${number} | ${plain(label)} | ${stateWords[now]} | ${stateWords[would]} | ${by} |`;
  });
  return ['| # | item | now | then | by |', '|---|---|---|---|---|', ...rows];
}

const item = numberOf('an item', '/context list');
const items: Argument<readonly number[]> = {
  ...{ sign: 'N', words: 'the numbers of items, for instance `4` or `4,6`', more: '; `/context list` shows them' },
  read: (said) => (/^#?\d+(,#?\d+)*$/.test(said) ? said.replaceAll('#', '').split(',').map(Number) : null),
};
const tokens: Argument<number> = {
  ...{ sign: 'N', words: 'a window in tokens, for instance `4096` or `16k`' },
  read: (said) => {
    const [, digits, thousands] = /^(\d{1,7})(k?)$/i.exec(said.replaceAll(',', '')) ?? [];
    return digits === undefined ? null : Number(digits) * (thousands === '' ? 1 : 1024);
  },
};

const decide = (kind: About) => (context: CommandContext, at: number) => about(context, kind, at);

export const contextCommand: Command<CommandContext> = {
  ...{ name: 'context', detail: 'Show what the model sees and what it cost', icon: 'layers', title: 'Context' },
  rows: [
    row('', [], 'what the prompt contains and what it cost', (context) =>
      report(context, (session, fitted) => ({
        title: 'Context',
        text: summaryText(stackReport(fitted), context.conversation.now.calls, mechanismsOf(context, session)),
      })),
    ),
    row('list', [], 'every item with its number', (context) =>
      report(context, (_, fitted) => ({ title: 'Context: items', text: listText(stackReport(fitted)) })),
    ),
    row('detail', [item], 'one item, as sent and original', decide('detail')),
    row('pin', [item], '', decide('pin')),
    row('unpin', [item], 'keep an item in the prompt as long as it fits', decide('unpin')),
    row('remove', [item], 'leave an item out,', decide('evict'), { former: 'evict' }),
    row('restore', [items], 'restore items with the next message', (context, all) => about(context, 'restore', ...all)),
    row('whatif', [tokens], 'the prompt as it would be in a window of N tokens', whatIf, { needsModel: true }),
    row('refresh', [], 'read changed workspace files again', async ({ ready }) => {
      await ready.refreshWorkspace();
      return { title: 'Context', text: 'Workspace files and notes are read again for the next message.' };
    }),
    row('export', [format], 'the whole report with the exact prompt', exportTo, { needsModel: true }),
    row('metrics', [], 'the counts in Prometheus text format', (context) => {
      const { session } = context.conversation;
      const { engines, settings } = context.turns.context;
      const agent = settings().agent.name;
      const { loaded } = engines.life;
      const labels = {
        agent,
        provider: loaded?.server?.software.split(' ')[0] ?? 'node-llama-cpp',
        model: loaded?.name ?? '',
      };
      const text = prometheusText(mechanismsOf(context, session), { session: session.id, ...labels });
      return { ...silent, document: { language: 'plaintext', text } };
    }),
  ],
};

export const pinCommand: Command<CommandContext> = {
  ...{ name: 'pin', detail: 'Keep the last message in the prompt', icon: 'pin', title: 'Pin' },
  rows: [
    row('', [], '', (context) => {
      const { path } = context.conversation.session.state.dialog;
      const at = path.findLastIndex(({ origin }) => origin === 'user' || origin === 'assistant');
      return at < 0 ? { title: 'Pin', text: 'Nothing was said yet.' } : about(context, 'pin', at);
    }),
  ],
};

/** Looks at the prompt that the next message extends. Without a model its tokens are estimates, and none is loaded for it. */
async function report(
  context: CommandContext,
  say: (session: Session, fitted: Fitted) => CommandAnswer,
): Promise<CommandAnswer> {
  const { conversation, turns } = context;
  const { session } = conversation;
  const info = turns.context.engines.ready;
  const fitted = await (info === null ? estimatedPrompt(turns, session) : nextPrompt(turns, session, info));
  return session === conversation.session ? say(session, fitted) : silent;
}

async function about(context: CommandContext, kind: About, ...all: readonly number[]): Promise<CommandAnswer> {
  const { work } = context.ready;
  const { engines } = context.turns.context;
  const { session } = context.conversation;
  for (const at of all) markItem(kind, at, session);
  const answer = await report(context, (_, fitted) => {
    const said = all.map((at) => aboutItem(kind, at, session, fitted));
    return { title: `Context: item ${all.join(', ')}`, text: said.join('\n\n') };
  });
  if (kind === 'detail' || answer === silent) return answer;
  const info = engines.ready;
  return {
    ...answer,
    after: () => (info === null ? work.estimate(session, engines.life) : work.settle(session, info)),
  };
}

async function whatIf({ whatIf: others, conversation }: CommandContext, window: number): Promise<CommandAnswer> {
  const text = await others.answer(conversation.session, window).then(whatIfText, reasonOf);
  return { title: `Context: a window of ${count(window)} tokens`, text };
}

async function exportTo(context: CommandContext, as: 'json' | 'markdown'): Promise<CommandAnswer> {
  const text = await exportReport(context, as);
  return text === null ? silent : { ...silent, document: { language: as, text } };
}

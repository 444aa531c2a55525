// `/context` and `/pin`: shows what the prompt is made of, and does what the user decides about its items.
import { count } from '../../core/count.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { prometheusText } from '../../core/report/prometheus.ts';
import { stackReport } from '../../core/report/report.ts';
import { listText, summaryText } from '../../core/report/reportText.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { type Argument, type Command, format, numberOf } from '../ports/commandLine.ts';
import type { Session } from '../session/session.ts';
import { type CommandDesk, mechanismsOf, row, silent } from './commandDesk.ts';
import { type About, aboutItem, markItem } from './contextAnswers.ts';
import { exportReport } from './exportReport.ts';
import { whatIfText } from './whatIfText.ts';

const item = numberOf('an item', '/context list');
const tokens: Argument<number> = {
  ...{ sign: 'N', words: 'a window in tokens, for instance `4096` or `16k`' },
  read: (said) => {
    const [, digits, thousands] = /^(\d{1,7})(k?)$/i.exec(said.replaceAll(',', '')) ?? [];
    return digits === undefined ? null : Number(digits) * (thousands === '' ? 1 : 1024);
  },
};

const decide = (kind: About) => (desk: CommandDesk, at: number) => about(desk, kind, at);

export const contextCommand: Command<CommandDesk> = {
  ...{ name: 'context', detail: 'Show what the model sees and what it cost', icon: 'layers', title: 'Context' },
  rows: [
    row('', [], 'what the prompt contains and what it cost', (desk) =>
      report(desk, (session, fitted) => ({
        title: 'Context',
        text: summaryText(stackReport(fitted), desk.conversation.now.calls, mechanismsOf(desk, session)),
      })),
    ),
    row('list', [], 'every item with its number', (desk) =>
      report(desk, (_, fitted) => ({ title: 'Context: items', text: listText(stackReport(fitted)) })),
    ),
    row('detail', [item], 'one item, as sent and original', decide('detail')),
    row('pin', [item], '', decide('pin')),
    row('unpin', [item], 'keep an item in the prompt as long as it fits', decide('unpin')),
    row('remove', [item], 'leave an item out,', decide('evict'), { former: 'evict' }),
    row('restore', [item], 'restore it with the next message', decide('restore')),
    row('whatif', [tokens], 'the prompt as it would be in a window of N tokens', whatIf, { needsModel: true }),
    row('refresh', [], 'read changed workspace files again', async ({ ready }) => {
      await ready.refreshWorkspace();
      return { title: 'Context', text: 'Workspace files and notes are read again for the next message.' };
    }),
    row('export', [format], 'the whole report with the exact prompt', exportTo, { needsModel: true }),
    row('metrics', [], 'the counts in Prometheus text format', (desk) => {
      const { session } = desk.conversation;
      const { engines, settings } = desk.turns.context;
      const agent = settings().agent.name;
      const model = engines.life.loaded?.name ?? '';
      const text = prometheusText(mechanismsOf(desk, session), { session: session.id, agent, model });
      return { ...silent, document: { language: 'plaintext', text } };
    }),
  ],
};

export const pinCommand: Command<CommandDesk> = {
  ...{ name: 'pin', detail: 'Keep the last message in the prompt', icon: 'pin', title: 'Pin' },
  rows: [
    row('', [], '', (desk) => {
      const { path } = desk.conversation.session.state.dialog;
      const at = path.findLastIndex(({ origin }) => origin === 'user' || origin === 'assistant');
      return at < 0 ? { title: 'Pin', text: 'Nothing was said yet.' } : about(desk, 'pin', at);
    }),
  ],
};

/** Looks at the prompt that the next message extends. Without a model its tokens are estimates, and none is loaded for it. */
async function report(
  desk: CommandDesk,
  say: (session: Session, fitted: Fitted) => CommandAnswer,
): Promise<CommandAnswer> {
  const { conversation, turns } = desk;
  const { session } = conversation;
  const info = turns.context.engines.ready;
  const fitted = await (info === null ? turns.estimate(session) : turns.ahead(session, info));
  return session === conversation.session ? say(session, fitted) : silent;
}

async function about(desk: CommandDesk, kind: About, at: number): Promise<CommandAnswer> {
  const { work } = desk.ready;
  const { engines } = desk.turns.context;
  const { session } = desk.conversation;
  markItem(kind, at, session);
  const answer = await report(desk, (_, fitted) => aboutItem(kind, at, session, fitted));
  if (kind === 'detail' || answer === silent) return answer;
  const info = engines.ready;
  return {
    ...answer,
    after: () => (info === null ? work.estimate(session, engines.life) : work.settle(session, info)),
  };
}

async function whatIf({ whatIf: others, conversation }: CommandDesk, window: number): Promise<CommandAnswer> {
  const text = await others.answer(conversation.session, window).then(whatIfText, reasonOf);
  return { title: `Context: a window of ${count(window)} tokens`, text };
}

async function exportTo(desk: CommandDesk, as: 'json' | 'markdown'): Promise<CommandAnswer> {
  const text = await exportReport(desk, as);
  return text === null ? silent : { ...silent, document: { language: as, text } };
}

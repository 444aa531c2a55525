// Every command that can be typed, in the order in which they are offered.
import { literal } from '../../core/report/reportText.ts';
import { noteCommands } from '../memory/noteCommands.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import type { Command } from '../ports/commandLine.ts';
import { type CommandContext, row, silent } from './commandContext.ts';
import { compactCommand } from './compactCommand.ts';
import { contextCommand, pinCommand } from './contextCommand.ts';
import { findCommand } from './findCommand.ts';
import { modelCommands } from './modelCommands.ts';
import { exportCommand, newCommand, sessionsCommand } from './sessionsCommand.ts';

/** A prompt of ours: its words go to the model. */
const prompt = (name: string, detail: string, icon: string) => ({ name, detail, icon, title: '', rows: [] });

const changesDetail = 'Show which files this conversation changed, and what is kept of them';

/** Commands that nobody needs in the first week stand last. */
const late = ['pin', 'work', 'speed', 'probe'];
const place = ({ name }: { readonly name: string }) => late.indexOf(name);

const commandRows: readonly Command<CommandContext>[] = [
  newCommand,
  prompt('explain', 'Explain the selected code', 'comment-discussion'),
  {
    ...{
      name: 'fix',
      detail: 'Run the tests and fix what fails; with words, find what is wrong there',
      icon: 'wrench',
    },
    ...{ title: 'Fix', isPrompt: true },
    rows: [row('', [], '', ({ fix }) => ({ ...silent, after: fix }))],
  },
  prompt('tests', 'Write tests for the selected code', 'beaker'),
  prompt('doc', 'Write the documentation of the selected code', 'book'),
  findCommand,
  contextCommand,
  {
    ...{ name: 'changes', detail: changesDetail, icon: 'diff', title: 'Changes' },
    rows: [
      row('', [], '', ({ turns, conversation }) => ({
        title: 'Changes',
        text:
          turns.changedFiles?.report(conversation.session.id) ?? 'Nothing can be stored, so no file is changed here.',
      })),
    ],
  },
  compactCommand,
  pinCommand,
  ...noteCommands,
  sessionsCommand,
  ...modelCommands,
  exportCommand,
  {
    ...{ name: 'help', detail: 'List the commands', icon: 'question', title: 'Help' },
    rows: [row('', [], '', help)],
  },
];

export const commandTable = commandRows.toSorted((a, b) => place(a) - place(b));

/** A command as the composer offers it; `open`: words may follow. */
export const knownCommands = commandTable.map(({ name, detail, icon, rows, isPrompt }) => ({
  ...{ name, detail, icon, isPrompt },
  open: isPrompt === true || rows.length !== 1 || rows.some(({ args }) => args.length > 0),
}));

async function help({ ownPrompts }: CommandContext): Promise<CommandAnswer> {
  const { usable, refused } = await ownPrompts();
  const own = usable.map(({ name, description }) => `- \`/${name}\` ${literal(description) || 'your own prompt'}`);
  const text = [
    ...commandTable.map(({ name, detail }) => `- \`/${name}\` ${detail}`),
    ...(own.length === 0 ? [] : ['', 'Your prompts in `.tidemark/prompts`:', '', ...own]),
    ...(refused.length === 0 ? [] : ['', ...refused.map((words) => `- ${words}`)]),
    '',
    'Use `@` to attach context: `@file:src/a.ts`, `@file:src/a.ts:10-40`, `@folder:src`, `@symbol:name`, `@selection`, `@changes`, `@problems`, `@terminal`, `@codebase`.',
    '',
    'A file `.tidemark/prompts/name.md` is a prompt of your own, `/name`; `{{arguments}}` in it is replaced by the text after the name.',
  ];
  return { title: 'Help', text: text.join('\n') };
}

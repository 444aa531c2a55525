// `/remember`, `/memory` and `/work`: what the user wants remembered, and the work board of a workspace with its decisions.
import type { PlanStep } from '../../core/dialog/plan.ts';
import { type Argument, type Command, helpOf, numberOf, rowsOn, wordsLeft } from '../ports/commandLine.ts';
import { type AllNotes, anyway, type MemoryPorts, noFolder } from './keptNotes.ts';
import { NoteHandler } from './noteHandler.ts';
import { memoryList, shownWork, workList } from './noteLists.ts';
import { numbered } from './numbers.ts';

export interface Notes {
  readonly memory: NoteHandler;
  readonly board: NoteHandler;
}

/** `plan`: the steps of the open conversation, as its model wrote them down last. */
export function notesOver(
  { memory, work, decision }: AllNotes,
  ports: MemoryPorts,
  plan: () => readonly PlanStep[],
): Notes {
  const remembered = {
    ...{ title: 'Memory', command: '/memory', notes: { '': memory }, gone: 'Forgotten', noFolder: '' },
    added: ({ workspace }: { readonly workspace: string | null }) =>
      `Remembered ${workspace === null ? 'everywhere' : 'for this workspace'}`,
    show: () => ({ text: memoryList(memory.all, ports.workspace()), numbers: numbered('', memory.all) }),
  };
  const board = {
    ...{ title: 'Work', command: '/work', notes: { '': work, D: decision }, gone: 'Removed' },
    noFolder: `${noFolder} The work board belongs to a workspace.`,
    added: () => 'Added',
    show: () => {
      const [items, decisions, steps] = [work.all, decision.all, plan()];
      const texts = steps.map(({ text }) => ({ id: text }));
      const numbers = [...numbered('', items, shownWork(items)), ...numbered('D', decisions), ...numbered('P', texts)];
      return { text: workList(items, decisions, steps), numbers };
    },
  };
  return { memory: new NoteHandler(remembered, ports), board: new NoteHandler(board, ports) };
}

const newText = wordsLeft('its new text');

const entry = numberOf('an entry', '/memory');
const item: Argument<string> = {
  ...numberOf('an entry', '/work'),
  read: (said) => /^#?(d?\d+)$/i.exec(said)?.[1]?.toUpperCase() ?? null,
};
const onBoard = { ...item, sign: 'N|D1' };
const step: Argument<string> = {
  ...{ ...numberOf('a step', '/work'), sign: 'P1' },
  read: (said) => /^p?(\d+)$/i.exec(said)?.[1] ?? null,
};

const memoryRow = rowsOn<Notes, NoteHandler>(({ memory }, act) => memory.refusal ?? act(memory));
const workRow = rowsOn<Notes, NoteHandler>(({ board }, act) => board.refusal ?? act(board));

const remember = wordsLeft('the text, or `--everywhere` and the text');
/** Alone it says how. */
const orNone: Argument<string> = { ...remember, read: String };
const plain: Argument<string> = { ...remember, read: (said) => (said.startsWith('--') ? null : said) };
const keep = (memory: NoteHandler, text: string, everywhere = false) =>
  text === '' ? { title: 'Memory', text: helpOf(noteCommands, 'Memory') } : memory.add(text, '', { everywhere });

export const noteCommands: readonly Command<Notes>[] = [
  {
    ...{ name: 'remember', detail: 'Save a note for later conversations', icon: 'bookmark', title: 'Memory' },
    rows: [
      memoryRow('', [plain], 'keep a fact or a preference for this workspace', keep),
      memoryRow('--everywhere', [orNone], 'keep it for all workspaces', (memory, text) => keep(memory, text, true)),
      // The check of the text reads that word, which a user who was asked about the text puts in front of it.
      memoryRow(anyway, [remember], 'keep it though it tells something about a person', (memory, text) =>
        keep(memory, `${anyway} ${text}`),
      ),
    ],
  },
  {
    ...{ name: 'memory', detail: 'Show the notes for later conversations', icon: 'database', title: 'Memory' },
    rows: [
      memoryRow('', [], 'what is remembered, with numbers', (memory) => memory.list(), { former: 'list' }),
      memoryRow('edit', [entry, newText], 'change an entry', (memory, number, text) => memory.edit(`${number}`, text)),
      memoryRow('forget', [entry], 'forget an entry, in the log as well', (memory, number) =>
        memory.remove(`${number}`),
      ),
      memoryRow('log', [], 'the latest changes to the memory and the work board', (memory) => memory.log()),
    ],
  },
  {
    ...{ name: 'work', detail: 'Show the work board: to-dos and decisions', icon: 'checklist', title: 'Work' },
    rows: [
      workRow('', [], 'the work board of this workspace, with numbers', (board) => board.list(), { former: 'list' }),
      workRow('add', [wordsLeft('a text')], 'put something on it', (board, text) => board.add(text)),
      workRow('doing', [item], '', (board, number) => board.setState(number, 'doing')),
      workRow('done', [item], '', (board, number) => board.setState(number, 'done')),
      workRow('open', [item], 'say how it stands', (board, number) => board.setState(number, 'open')),
      workRow('edit', [onBoard, newText], 'change it,', (board, number, text) => board.edit(number, text)),
      workRow('remove', [onBoard], 'take it off the board', (board, number) => board.remove(number)),
      workRow('take', [step], 'put a step of the plan on it', (board, number) => board.take(`P${number}`)),
      workRow(
        'decide',
        [wordsLeft('a text', 'TEXT because REASON')],
        'keep a decision, with or without a reason',
        (board, text) => board.add(text, 'D'),
      ),
    ],
  },
];

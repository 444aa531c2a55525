// `/remember`, `/memory` and `/work`: what the user wants remembered, and the work board of a workspace with its decisions.

import type { PlanStep } from '../../core/dialog/plan.ts';
import { literal } from '../../core/report/reportText.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { type Argument, type Command, helpOf, numberOf, rowsOn, wordsLeft } from '../ports/commandLine.ts';
import {
  type AllNotes,
  anyway,
  type KeptNotes,
  type MemoryPorts,
  type Note,
  type NoteRequest,
  type NoteWrite,
  noFolder,
  noStore,
  noteWords,
} from './keptNotes.ts';
import { memoryList, memoryLog, shownWork, workList } from './noteLists.ts';
import { type NumberedList, Numbers, nameOf, numbered } from './numbers.ts';

// Adds, edits and removes notes by their numbers, at the user's command. The memory and the work board are such lists.

type Answer = CommandAnswer | Promise<CommandAnswer>;

/** A list of notes, with the words for its answers. */
interface Listed extends Omit<NumberedList, 'workspace'> {
  /** Notes by the sign in front of their numbers; '' for plain numbers. */
  readonly notes: { readonly '': KeptNotes<Note>; readonly [sign: string]: KeptNotes<Note> };
  /** The word for a note that was taken off the list, such as "Removed". */
  readonly gone: string;
  readonly added: (note: Note) => string;
  /** Said where no folder is open; '' where the list needs none. */
  readonly noFolder: string;
  readonly show: () => { readonly text: string; readonly numbers: Iterable<readonly [string, string | null]> };
}

const whenItShows = 'The prompt changes with a new conversation or `/context refresh`.';

class NoteHandler {
  private readonly ports: MemoryPorts;
  private readonly listed: Listed;
  private readonly numbers: Numbers;

  constructor(listed: Listed, ports: MemoryPorts) {
    this.listed = listed;
    this.ports = ports;
    this.numbers = new Numbers({ ...listed, workspace: ports.workspace });
  }

  /** Why nothing can be done; null where it can. */
  get refusal(): CommandAnswer | null {
    const { title, noFolder } = this.listed;
    if (this.ports.memory === null) return { title, text: noStore };
    return noFolder !== '' && this.ports.workspace() === '' ? { title, text: noFolder, again: true } : null;
  }

  list(): CommandAnswer {
    return this.told(this.show());
  }

  log(): CommandAnswer {
    return { title: 'Memory: log', text: memoryLog(this.ports.memory?.audit(30) ?? []) };
  }

  async add(raw: string, sign = '', request: NoteRequest = {}): Promise<CommandAnswer> {
    const written = await this.notesOf(sign).add(raw, 'command', request);
    return this.answer(written, sign, (note, name) => `${this.listed.added(note)} as ${name}${kindOf(note)}:`);
  }

  edit(number: string, raw: string): Answer {
    return this.onNote(number, async ({ id }, name, sign) => {
      const is = (note: Note) => `${name}${kindOf(note)}${'kind' in note ? ',' : ''} is now:`;
      const written = await this.notesOf(sign).edit(id, raw);
      return written === null ? this.isGone(name) : this.answer(written, sign, is);
    });
  }

  remove(number: string): Answer {
    return this.onNote(number, (note, _, sign) => {
      this.notesOf(sign).forget(note.id);
      return this.told(`${this.listed.gone}: ${noteWords(note)}\n\n${whenItShows}`);
    });
  }

  setState(number: string, state: 'open' | 'doing' | 'done'): Answer {
    return this.onNote(number, (note, name, sign) => {
      if (!('state' in note)) return this.told(`${name} is a decision: it can be edited or removed.`);
      const words = `${name} is ${state === 'doing' ? 'being done' : state}: ${literal(note.text)}`;
      if (note.state === state) return this.told(`${words}\n\nNo change.`);
      this.notesOf(sign).change(note, { state });
      return this.told(`${words}\n\n${whenItShows}`);
    });
  }

  /** A step of the plan, as it was shown. */
  take(number: string): Answer {
    const text = this.numbers.chosen(number, () => this.show());
    return typeof text === 'string' ? this.add(text) : text;
  }

  /** Acts on what the user was shown with that number; whatever else happened meanwhile, on nothing else. */
  private onNote(number: string, act: (note: Note, name: string, sign: string) => Answer): Answer {
    const id = this.numbers.chosen(number, () => this.show());
    if (typeof id !== 'string') return id;
    const sign = number.replace(/\d+$/, '');
    const name = nameOf(number).replace(/^n/, 'N');
    const note = this.notesOf(sign).all.find((one) => one.id === id);
    return note === undefined ? this.isGone(name) : act(note, name, sign);
  }

  private answer(written: NoteWrite, sign: string, begin: (note: Note, name: string) => string): CommandAnswer {
    if (written.kind === 'refused') return { ...this.told(written.words), again: written.again };
    const { record } = written;
    const name = nameOf(this.numbers.of(sign, record.id, this.notesOf(sign).all));
    if (written.kind === 'known') return this.told(`Already saved as ${name}.`);
    return this.told(`${begin(record, name)} ${noteWords(record)}\n\n${whenItShows}`);
  }

  private told(text: string): CommandAnswer {
    return { title: this.listed.title, text };
  }

  private isGone(name: string): CommandAnswer {
    const { gone, command } = this.listed;
    return this.told(`${name} was ${gone.toLowerCase()} already; \`${command}\` shows what there is.`);
  }

  private show(): string {
    const { text, numbers } = this.listed.show();
    this.numbers.list(numbers);
    return text;
  }

  private notesOf(sign: string): KeptNotes<Note> {
    const { notes } = this.listed;
    return notes[sign] ?? notes[''];
  }
}

function kindOf(note: Note): string {
  return 'kind' in note ? `, a ${note.kind}` : '';
}

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

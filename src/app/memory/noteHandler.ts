// Adds, edits and removes notes by their numbers, at the user's command. The memory and the work board are such lists.
import { literal } from '../../core/report/reportText.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import {
  type KeptNotes,
  type MemoryPorts,
  type Note,
  type NoteRequest,
  type NoteWrite,
  noStore,
  noteWords,
} from './keptNotes.ts';
import { memoryLog } from './noteLists.ts';
import { type NumberedList, Numbers, nameOf } from './numbers.ts';

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

export class NoteHandler {
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

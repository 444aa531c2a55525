// What the user does to notes by their numbers: adds, edits and removes them. The memory and the work board are such lists.
import { literal } from '../../core/report/reportText.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { memoryLog } from './memoryLists.ts';
import {
  type MemoryPorts,
  type Note,
  type NoteShelf,
  type NoteWrite,
  noStore,
  noteWords,
  type Wished,
} from './noteShelf.ts';
import { Numbers, nameOf } from './numbers.ts';

/** What one of the lists is of. */
interface Listed {
  readonly title: string;
  /** Shows the list. */
  readonly command: string;
  /** By the signs of their numbers. */
  readonly shelves: Readonly<Record<string, NoteShelf<Note>>>;
  /** What becomes of a note that is taken off it. */
  readonly gone: string;
  readonly added: (note: Note) => string;
  /** Said where no folder is open; '' where the list needs none. */
  readonly noFolder: string;
  readonly show: () => { readonly text: string; readonly numbers: Iterable<readonly [string, string | null]> };
}

const logRows = 30;
const whenItShows = 'The prompt changes with a new conversation or `/context refresh`.';

export class NoteDesk {
  private readonly ports: MemoryPorts;
  private readonly listed: Listed;
  private readonly numbers: Numbers;

  constructor(listed: Listed, ports: MemoryPorts) {
    this.listed = listed;
    this.ports = ports;
    this.numbers = new Numbers(listed.title, listed.command, ports.workspace);
  }

  /** Why nothing can be done; null where it can. */
  get refusal(): CommandAnswer | null {
    const { title, noFolder } = this.listed;
    if (this.ports.shelves === null) return { title, text: noStore };
    return noFolder !== '' && this.ports.workspace() === '' ? { title, text: noFolder, again: true } : null;
  }

  list(): CommandAnswer {
    return this.told(this.show());
  }

  log(): CommandAnswer {
    return { title: 'Memory: log', text: memoryLog(this.ports.shelves?.audit(logRows) ?? []) };
  }

  async add(raw: string, sign = '', wished: Wished = {}): Promise<CommandAnswer> {
    const written = await this.shelfOf(sign).add(raw, 'command', wished);
    return this.answer(written, sign, (note, name) => `${this.listed.added(note)} as ${name}${kindOf(note)}:`);
  }

  edit(number: string, raw: string): Promise<CommandAnswer> | CommandAnswer {
    return this.chosen(number, async (id, sign) => {
      const is = (note: Note) => `${nameAtStart(number)}${kindOf(note)}${'kind' in note ? ',' : ''} is now:`;
      return this.answer(await this.shelfOf(sign).edit(id, raw), sign, is, number);
    });
  }

  remove(number: string): Promise<CommandAnswer> | CommandAnswer {
    return this.chosen(number, (id, sign) => {
      const note = this.shelfOf(sign).all.find((one) => one.id === id);
      if (note === undefined) return this.isGone(number);
      this.shelfOf(sign).forget(id);
      return this.told(`${this.listed.gone}: ${noteWords(note)}\n\n${whenItShows}`);
    });
  }

  setState(number: string, state: 'open' | 'doing' | 'done'): Promise<CommandAnswer> | CommandAnswer {
    return this.chosen(number, (id, sign) => {
      const name = nameAtStart(number);
      const note = this.shelfOf(sign).all.find((one) => one.id === id);
      if (note === undefined) return this.isGone(number);
      if (!('state' in note)) return this.told(`${name} is a decision: it can be edited or removed.`);
      const words = `${name} is ${state === 'doing' ? 'being done' : state}: ${literal(note.text)}`;
      if (note.state === state) return this.told(`${words}\n\nNo change.`);
      this.shelfOf(sign).change(note, { state });
      return this.told(`${words}\n\n${whenItShows}`);
    });
  }

  /** Acts on what the user was shown with that number; whatever else happened meanwhile, on nothing else. */
  chosen(
    number: string,
    act: (id: string, sign: string) => Promise<CommandAnswer> | CommandAnswer,
  ): Promise<CommandAnswer> | CommandAnswer {
    const id = this.numbers.chosen(number, () => this.show());
    return typeof id === 'string' ? act(id, number.replace(/\d+$/, '')) : id;
  }

  private answer(
    written: NoteWrite,
    sign: string,
    begin: (note: Note, name: string) => string,
    number = '',
  ): CommandAnswer {
    if (written.kind === 'refused') return { ...this.told(written.words), again: written.again };
    if (written.kind === 'gone') return this.isGone(number);
    const { record } = written;
    const name = nameOf(this.numbers.of(sign, record.id, this.shelfOf(sign).all));
    if (written.kind === 'known') return this.told(`Already saved as ${name}.`);
    return this.told(`${begin(record, name)} ${noteWords(record)}\n\n${whenItShows}`);
  }

  private told(text: string): CommandAnswer {
    return { title: this.listed.title, text };
  }

  private isGone(number: string): CommandAnswer {
    const { gone, command } = this.listed;
    return this.told(`${nameAtStart(number)} was ${gone.toLowerCase()} already; \`${command}\` shows what there is.`);
  }

  private show(): string {
    const { text, numbers } = this.listed.show();
    this.numbers.list(numbers);
    return text;
  }

  private shelfOf(sign: string): NoteShelf<Note> {
    const shelf = this.listed.shelves[sign];
    if (shelf === undefined) throw new Error(`There is no list of ${sign}.`);
    return shelf;
  }
}

function nameAtStart(number: string): string {
  return nameOf(number).replace(/^n/, 'N');
}

function kindOf(note: Note): string {
  return 'kind' in note ? `, a ${note.kind}` : '';
}

// Answers `/remember` and `/memory`: keeps, shows, changes and forgets what the user wants remembered.
import { memoryKindOf } from '../../core/memory/kind.ts';
import type { Memory, MemoryStore } from '../../core/memory/memory.ts';
import { literal } from '../../core/report/reportText.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { type MemoryCommand, memoryHelp, parseMemoryCommand } from './memoryCommand.ts';
import { memoryList, memoryLog } from './memoryLists.ts';
import { Numbers } from './memoryNumbers.ts';
import { addMemory, checkedText, type MemoryPorts, noStore, whenItShows } from './memoryWrites.ts';

const title = 'Memory';
const logRows = 30;

type Changing = Extract<MemoryCommand, { readonly number: number }>;

export class MemoryHandler {
  private readonly ports: MemoryPorts;
  private readonly numbers = new Numbers();

  constructor(ports: MemoryPorts) {
    this.ports = ports;
  }

  /** Null for a line that is none of its commands. Rejects with a FaultError where the store fails. */
  answer(line: string): Promise<CommandAnswer> | null {
    const command = parseMemoryCommand(line);
    return command === null ? null : this.answerCommand(command);
  }

  private async answerCommand(command: MemoryCommand): Promise<CommandAnswer> {
    const { shelves } = this.ports;
    if (command.kind === 'unknown') return { title, text: command.words, again: true };
    if (command.kind === 'help') return { title: 'Memory: commands', text: memoryHelp };
    if (shelves === null) return { title, text: noStore };
    switch (command.kind) {
      case 'remember':
        return this.remember(command, shelves);
      case 'list':
        return { title, text: this.list(shelves) };
      case 'log':
        return { title: 'Memory: log', text: memoryLog(shelves.audit(logRows)) };
      default:
        return this.change(command, shelves);
    }
  }

  private async remember(
    { text, everywhere }: Extract<MemoryCommand, { readonly kind: 'remember' }>,
    shelves: MemoryStore,
  ): Promise<CommandAnswer> {
    if (text.trim() === '') return { title, text: memoryHelp };
    const written = await addMemory({ text, everywhere, source: 'command' }, this.ports);
    if (written.kind === 'refused') return { title, text: written.words, again: written.again };
    const memory = this.entries(shelves).find(({ id }) => id === written.id);
    if (memory === undefined) return { title, text: 'It has been deleted in the meantime.' };
    const number = this.numberOf(memory, shelves);
    if (written.kind === 'known') return { title, text: `Already saved as number ${number}.` };
    const where = memory.workspace === null ? 'everywhere' : 'for this workspace';
    const words = `Remembered ${where} as number ${number}, a ${memory.kind}: ${literal(memory.text)}`;
    return { title, text: `${words}\n\n${whenItShows}` };
  }

  /** Changes an entry that the user was shown; whatever else happened meanwhile, no other one. */
  private async change(command: Changing, shelves: MemoryStore): Promise<CommandAnswer> {
    const { number, kind } = command;
    const workspace = this.ports.workspace();
    const id = this.numbers.idOf(workspace, number);
    if (id === undefined) {
      if (this.numbers.hasListed(workspace)) {
        return { title, text: `There is no number ${number}; \`/memory\` shows what there is.`, again: true };
      }
      // The line does not go back into the composer: sent again, its number would mean another entry.
      return { title, text: `Nothing was changed. The numbers are those of this list:\n\n${this.list(shelves)}` };
    }
    const text = kind === 'edit' ? await this.edit(id, number, command.text) : this.forget(id, number, shelves);
    return typeof text === 'string' ? { title, text } : text;
  }

  private forget(id: string, number: number, shelves: MemoryStore): string {
    const memory = this.entries(shelves).find((one) => one.id === id);
    if (memory === undefined) return gone(number);
    shelves.forget('memory', id, this.ports.now(), 'command');
    return `Forgotten: ${literal(memory.text)}\n\n${whenItShows}`;
  }

  private async edit(id: string, number: number, raw: string): Promise<CommandAnswer | string> {
    const checked = await checkedText(raw, this.ports, 'command');
    if (checked.kind === 'refused') return { title, text: checked.words, again: checked.again };
    const { shelves, now } = this.ports;
    if (shelves === null) return noStore;
    const entries = this.entries(shelves);
    const memory = entries.find((one) => one.id === id);
    if (memory === undefined) return gone(number);
    const { text } = checked;
    const same = entries.find((one) => one.text === text);
    if (same !== undefined) return `Already saved as number ${this.numberOf(same, shelves)}.`;
    // A kind that was not told from the words stays, whatever the new words are.
    const kind = memoryKindOf(memory.text) === memory.kind ? memoryKindOf(text) : memory.kind;
    shelves.putMemory({ ...memory, text, kind, changed: now(), source: 'command' });
    return `Number ${number}, a ${kind}, is now: ${literal(text)}\n\n${whenItShows}`;
  }

  private list(shelves: MemoryStore): string {
    const entries = this.entries(shelves);
    const workspace = this.ports.workspace();
    this.numbers.list(
      workspace,
      entries.map(({ id }) => id),
    );
    return memoryList(entries, workspace);
  }

  private entries(shelves: MemoryStore): readonly Memory[] {
    return shelves.memories(this.ports.workspace());
  }

  private numberOf({ id }: Memory, shelves: MemoryStore): number {
    const order = this.entries(shelves).map((memory) => memory.id);
    return this.numbers.of(this.ports.workspace(), id, order);
  }
}

function gone(number: number): string {
  return `Number ${number} is forgotten already; \`/memory\` shows what there is.`;
}

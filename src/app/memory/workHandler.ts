// Answers `/work`: the work board and the decisions of a workspace, and beside them the plan of the open conversation.
import type { PlanStep } from '../../core/dialog/plan.ts';
import type { DecisionRecord, MemoryStore, WorkItem } from '../../core/memory/memory.ts';
import { literal } from '../../core/report/reportText.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { Numbers } from './memoryNumbers.ts';
import {
  addDecision,
  addWork,
  checkedText,
  decisionOf,
  type MemoryPorts,
  noFolder,
  noStore,
  whenItShows,
} from './memoryWrites.ts';
import { parseWorkCommand, type Target, type WorkCommand, workHelp } from './workCommand.ts';
import { shownWork, workList } from './workList.ts';

const title = 'Work';

type Changing = Extract<WorkCommand, { readonly target: Target }>;
type Found = { readonly item: WorkItem } | { readonly decision: DecisionRecord };

export class WorkHandler {
  private readonly ports: MemoryPorts;
  private readonly numbers: Readonly<Record<Target['shelf'], Numbers>> = {
    work: new Numbers(),
    decision: new Numbers(),
  };
  private readonly plan: () => readonly PlanStep[];
  /** The steps that the last list showed. */
  private listedPlan: readonly PlanStep[] = [];

  /** `plan`: the steps of the open conversation, as its model wrote them down last. */
  constructor(ports: MemoryPorts, plan: () => readonly PlanStep[]) {
    this.ports = ports;
    this.plan = plan;
  }

  /** Null for a line that is none of its commands. Rejects with a FaultError where the store fails. */
  answer(line: string): Promise<CommandAnswer> | null {
    const command = parseWorkCommand(line);
    return command === null ? null : this.answerCommand(command);
  }

  private async answerCommand(command: WorkCommand): Promise<CommandAnswer> {
    const { shelves, workspace } = this.ports;
    if (command.kind === 'unknown') return { title, text: command.words, again: true };
    if (command.kind === 'help') return { title: 'Work: commands', text: workHelp };
    if (shelves === null) return { title, text: noStore };
    if (workspace() === '') return { title, text: `${noFolder} The work board belongs to a workspace.`, again: true };
    switch (command.kind) {
      case 'list':
        return { title, text: this.list(shelves) };
      case 'add':
      case 'decide':
        return this.add(command.kind, command.text, shelves);
      case 'take':
        return this.take(command.step, shelves);
      default:
        return this.change(command, shelves);
    }
  }

  private async add(kind: 'add' | 'decide', raw: string, shelves: MemoryStore): Promise<CommandAnswer> {
    const written = await (kind === 'add' ? addWork : addDecision)(raw, 'command', this.ports);
    if (written.kind === 'refused') return { title, text: written.words, again: written.again };
    const shelf = kind === 'add' ? 'work' : 'decision';
    const name = this.nameOf(shelf, written.id, shelves);
    if (written.kind === 'known') return { title, text: `Already there as ${name}.` };
    const record = this.records(shelf, shelves).find(({ id }) => id === written.id);
    return { title, text: `Added as ${name}: ${wordsOf(record)}\n\n${whenItShows}` };
  }

  /** A step as the user was shown it, whatever became of the plan meanwhile. */
  private take(number: number, shelves: MemoryStore): CommandAnswer | Promise<CommandAnswer> {
    const step = this.listedPlan[number - 1];
    if (step !== undefined) return this.add('add', step.text, shelves);
    return { title, text: `There is no P${number} on the list that was shown.\n\n${this.list(shelves)}`, again: true };
  }

  /** Changes what the user was shown; whatever else happened meanwhile, nothing else. */
  private async change(command: Changing, shelves: MemoryStore): Promise<CommandAnswer> {
    const { shelf, number } = command.target;
    const name = shelf === 'work' ? `Number ${number}` : nameOf(shelf, number);
    const workspace = this.ports.workspace();
    const id = this.numbers[shelf].idOf(workspace, number);
    if (id === undefined) {
      const listed = this.numbers[shelf].hasListed(workspace);
      const words = listed
        ? `There is no ${nameOf(shelf, number)} on the list; \`/work\` shows it.`
        : `Nothing was changed. The numbers are those of this list:\n\n${this.list(shelves)}`;
      // Sent again, a number of another list would mean another entry.
      return { title, text: words, again: listed };
    }
    const checked = command.kind === 'edit' ? await checkedText(command.text, this.ports, 'command') : null;
    if (checked?.kind === 'refused') return { title, text: checked.words, again: checked.again };
    const found = find(shelf, id, workspace, shelves);
    if (found === null) return { title, text: `${name} was removed already; \`/work\` shows what there is.` };
    if (command.kind === 'edit') return { title, text: this.edit(found, name, checked?.text ?? '', shelves) };
    if (command.kind === 'state') return { title, text: this.setState(found, name, command.state, shelves) };
    shelves.forget(shelf, id, this.ports.now(), 'command');
    return { title, text: `Removed: ${wordsOf('item' in found ? found.item : found.decision)}\n\n${whenItShows}` };
  }

  private edit(found: Found, name: string, words: string, shelves: MemoryStore): string {
    const shelf = 'item' in found ? 'work' : 'decision';
    const { text, reason } = 'item' in found ? { text: words, reason: '' } : decisionOf(words);
    const stamp = { text, changed: this.ports.now(), source: 'command' } as const;
    const own = 'item' in found ? found.item.id : found.decision.id;
    const same = this.records(shelf, shelves).find(
      (record) => record.text === text && ('item' in found || record.id !== own),
    );
    if (same !== undefined) return `Already there as ${this.nameOf(shelf, same.id, shelves)}.`;
    if ('item' in found) shelves.putWork({ ...found.item, ...stamp });
    // Words without a reason change the text alone.
    else shelves.putDecision({ ...found.decision, ...stamp, reason: reason === '' ? found.decision.reason : reason });
    return `${name} is now: ${literal(text)}\n\n${whenItShows}`;
  }

  private setState(found: Found, name: string, state: WorkItem['state'], shelves: MemoryStore): string {
    if (!('item' in found)) return `${name} is a decision: it can be edited or removed.`;
    const words = `${name} is ${state === 'doing' ? 'being done' : state}: ${literal(found.item.text)}`;
    if (found.item.state === state) return `${words}\n\nNo change.`;
    shelves.putWork({ ...found.item, state, changed: this.ports.now(), source: 'command' });
    return `${words}\n\n${whenItShows}`;
  }

  private list(shelves: MemoryStore): string {
    const workspace = this.ports.workspace();
    const [work, decisions] = [shelves.work(workspace), shelves.decisions(workspace)];
    const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
    this.numbers.work.list(workspace, idsOf(work), new Set(idsOf(shownWork(work))));
    this.numbers.decision.list(workspace, idsOf(decisions));
    this.listedPlan = this.plan();
    return workList(work, decisions, this.listedPlan);
  }

  private records(shelf: Target['shelf'], shelves: MemoryStore): readonly (WorkItem | DecisionRecord)[] {
    const workspace = this.ports.workspace();
    return shelf === 'work' ? shelves.work(workspace) : shelves.decisions(workspace);
  }

  private nameOf(shelf: Target['shelf'], id: string, shelves: MemoryStore): string {
    const order = this.records(shelf, shelves).map((record) => record.id);
    return nameOf(shelf, this.numbers[shelf].of(this.ports.workspace(), id, order));
  }
}

function nameOf(shelf: Target['shelf'], number: number): string {
  return shelf === 'work' ? `number ${number}` : `D${number}`;
}

function find(shelf: Target['shelf'], id: string, workspace: string, shelves: MemoryStore): Found | null {
  if (shelf === 'work') {
    const item = shelves.work(workspace).find((one) => one.id === id);
    return item === undefined ? null : { item };
  }
  const decision = shelves.decisions(workspace).find((one) => one.id === id);
  return decision === undefined ? null : { decision };
}

function wordsOf(record: WorkItem | DecisionRecord | undefined): string {
  if (record === undefined) return '';
  const why = 'reason' in record && record.reason !== '' ? `, because ${literal(record.reason)}` : '';
  return `${literal(record.text)}${why}`;
}

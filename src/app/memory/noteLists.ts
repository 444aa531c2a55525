// The memory, the log of its changes and the work board as Markdown. The order in which entries were added numbers them.
import { dayOf } from '../../core/dialog/day.ts';
import type { PlanStep } from '../../core/dialog/plan.ts';
import type { AuditRow, DecisionRecord, Memory, WorkItem } from '../../core/memory/memory.ts';
import { literal } from '../../core/report/reportText.ts';

const whenItEnters =
  "The prompt of this conversation doesn't change by itself: changes enter with a new conversation or `/context refresh`.";

export function memoryList(memories: readonly Memory[], workspace: string): string {
  if (memories.length === 0) return 'Nothing is remembered yet. `/remember TEXT` keeps something for this workspace.';
  const rows = (everywhere: boolean) =>
    memories.flatMap((memory, i) =>
      (memory.workspace === null) === everywhere
        ? `| ${i + 1} | ${literal(memory.text)} | ${memory.kind} | ${dayOf(new Date(memory.changed))} |`
        : [],
    );
  const columns = ['#', 'entry', 'kind', 'day'];
  return [
    ...(workspace === '' ? [] : table('This workspace', columns, rows(false))),
    ...table('Everywhere', columns, rows(true)),
    `${whenItEnters} \`/memory help\` lists the commands.`,
  ].join('\n');
}

/** The latest changes first. The words of what was forgotten are nowhere, so its rows have none. */
export function memoryLog(rows: readonly AuditRow[]): string {
  if (rows.length === 0) return 'Nothing was written yet.';
  const lines = rows.map(({ at, kind, action, source, before, after }) => {
    const by = source === 'command' ? 'a command' : 'a confirmed proposal';
    return `| ${minuteOf(at)} | ${kind} ${action} | ${saidIn(after === '' ? before : after)} | ${by} |`;
  });
  return ['| when (UTC) | what | entry | by |', '|---|---|---|---|', ...lines].join('\n');
}

/** Returns the text of a record from its JSON in the audit, with its state in front where it has one. */
function saidIn(json: string): string {
  if (json === '') return '–';
  const { text, state }: { readonly text?: unknown; readonly state?: unknown } = JSON.parse(json);
  return literal(`${typeof state === 'string' ? `${state}: ` : ''}${typeof text === 'string' ? text : ''}`);
}

function minuteOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');
}

const latestDone = 10;
const stateWords = { open: 'open', doing: 'being done', done: 'done' } as const;
const takeWords = '`/work take P1` puts a step on the board. Until then no other conversation reads it.';

/** Leaves out all finished work but the latest; everything else stays on the list. */
export function shownWork(work: readonly WorkItem[]): readonly WorkItem[] {
  const done = work.filter(({ state }) => state === 'done').toSorted((a, b) => b.changed - a.changed);
  const older = new Set(done.slice(latestDone));
  return work.filter((item) => !older.has(item));
}

/** Lists work in progress, open work, the latest finished work, the decisions, and the model's plan. */
export function workList(
  work: readonly WorkItem[],
  decisions: readonly DecisionRecord[],
  plan: readonly PlanStep[],
): string {
  const planned = plan.map(({ text, state }, i) => `| P${i + 1} | ${literal(text)} | ${stateWords[state]} |`);
  const planTable = table("The model's plan in this conversation", ['#', 'step', 'state'], planned);
  if (work.length + decisions.length === 0) {
    const empty = 'The work board is empty. `/work add TEXT` puts something on it.';
    return plan.length === 0 ? empty : [...planTable, takeWords, '', empty].join('\n');
  }
  const numbers = new Map(work.map((item, i) => [item, i + 1]));
  const shown = shownWork(work);
  const hidden = work.length - shown.length;
  const rows = (wanted: WorkItem['state']) =>
    shown
      .filter(({ state }) => state === wanted)
      .map((item) => `| ${numbers.get(item)} | ${literal(item.text)} | ${dayOf(new Date(item.changed))} |`);
  const decided = decisions.map(
    ({ text, reason, created }, i) =>
      `| D${i + 1} | ${literal(text)} | ${literal(reason)} | ${dayOf(new Date(created))} |`,
  );
  return [
    ...table('Doing', ['#', 'work', 'since'], rows('doing')),
    ...table('Open', ['#', 'work', 'since'], rows('open')),
    ...table('Done', ['#', 'work', 'day'], rows('done')),
    ...(hidden === 0 ? [] : [`And ${hidden} more that ${hidden === 1 ? 'was' : 'were'} done before.`, '']),
    ...table('Decisions', ['#', 'decision', 'because', 'day'], decided),
    ...(plan.length === 0 ? [] : [...planTable, takeWords, '']),
    `${whenItEnters} \`/work help\` lists the commands.`,
  ].join('\n');
}

function table(heading: string, columns: readonly string[], rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  const rule = columns.map((_, i) => (i === 0 ? '---:' : '---'));
  return [`**${heading}**`, '', `| ${columns.join(' | ')} |`, `|${rule.join('|')}|`, ...rows, ''];
}

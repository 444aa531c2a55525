// The work board as Markdown: what is being done, what is open, the latest that is done, the decisions, and the model's plan.
import { dayOf } from '../../core/dialog/day.ts';
import type { PlanStep } from '../../core/dialog/plan.ts';
import type { DecisionRecord, WorkItem } from '../../core/memory/memory.ts';
import { literal } from '../../core/report/reportText.ts';

const latestDone = 10;
const stateWords = { open: 'open', doing: 'being done', done: 'done' } as const;
const takeWords = '`/work take P1` puts a step on the board. Until then no other conversation reads it.';

/** What a list shows of all items: of those that are done only the latest. */
export function shownWork(work: readonly WorkItem[]): readonly WorkItem[] {
  const done = work.filter(({ state }) => state === 'done').toSorted((a, b) => b.changed - a.changed);
  const older = new Set(done.slice(latestDone));
  return work.filter((item) => !older.has(item));
}

/** Each in the order in which they were added, which numbers them. */
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
    "The prompt of this conversation doesn't change by itself: changes enter with a new conversation or `/context refresh`. `/work help` lists the commands.",
  ].join('\n');
}

function table(heading: string, columns: readonly string[], rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  const rule = columns.map((_, i) => (i === 0 ? '---:' : '---'));
  return [`**${heading}**`, '', `| ${columns.join(' | ')} |`, `|${rule.join('|')}|`, ...rows, ''];
}

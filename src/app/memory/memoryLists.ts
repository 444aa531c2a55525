// The memory and the log of its changes as Markdown.
import { dayOf } from '../../core/dialog/day.ts';
import type { AuditRow, Memory } from '../../core/memory/memory.ts';
import { literal } from '../../core/report/reportText.ts';

/** In the order in which they were added, which numbers them. */
export function memoryList(memories: readonly Memory[], workspace: string): string {
  if (memories.length === 0) return 'Nothing is remembered yet. `/remember TEXT` keeps something for this workspace.';
  const numbered = memories.map((memory, i) => ({ memory, number: i + 1 }));
  const here = numbered.filter(({ memory }) => memory.workspace !== null);
  const everywhere = numbered.filter(({ memory }) => memory.workspace === null);
  return [
    ...(workspace === '' ? [] : section('This workspace', here)),
    ...section('Everywhere', everywhere),
    "The prompt of this conversation doesn't change by itself: changes enter with a new conversation or `/context refresh`. `/memory help` lists the commands.",
  ].join('\n');
}

function section(
  heading: string,
  entries: readonly { readonly memory: Memory; readonly number: number }[],
): readonly string[] {
  if (entries.length === 0) return [];
  const rows = entries.map(
    ({ memory: { text, kind, changed }, number }) =>
      `| ${number} | ${literal(text)} | ${kind} | ${dayOf(new Date(changed))} |`,
  );
  return [`**${heading}**`, '', '| # | entry | kind | day |', '|---:|---|---|---|', ...rows, ''];
}

/** The latest changes first. The words of what was forgotten are nowhere, so its rows have none. */
export function memoryLog(rows: readonly AuditRow[]): string {
  if (rows.length === 0) return 'Nothing was written yet.';
  const lines = rows.map(({ at, shelf, action, source, before, after }) => {
    const by = source === 'command' ? 'a command' : 'a confirmed proposal';
    return `| ${minuteOf(at)} | ${shelf} ${action} | ${noteWords(after === '' ? before : after)} | ${by} |`;
  });
  return ['| when (UTC) | what | entry | by |', '|---|---|---|---|', ...lines].join('\n');
}

/** What a record says, as it stands in the audit. */
function noteWords(json: string): string {
  if (json === '') return '–';
  const { text, state }: { readonly text?: unknown; readonly state?: unknown } = JSON.parse(json);
  return literal(`${typeof state === 'string' ? `${state}: ` : ''}${typeof text === 'string' ? text : ''}`);
}

function minuteOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');
}

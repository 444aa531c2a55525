// `/compact` and its kin, typed in the chat: compacts now, shows what stands for compacted turns, and lets the user change it.

import type { CompactionRow } from '../../core/compaction/compactionRow.ts';
import { sectionNames } from '../../core/compaction/stateText.ts';
import type { Section, Summary, SummaryEntry } from '../../core/compaction/summary.ts';
import { slotChanges } from '../../core/conversation/conversation.ts';
import { count } from '../../core/count.ts';
import { oneLine } from '../../core/memory/line.ts';
import { undoCompaction, withSummary } from '../../core/pruning/pruneState.ts';
import type { StackReport } from '../../core/report/report.ts';
import { literal } from '../../core/report/reportText.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { commandOf, numbered } from '../ports/commandLine.ts';
import type { Session } from '../session/session.ts';

export type CompactCommand =
  | { readonly kind: 'now' | 'show' | 'log' | 'help' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'edit'; readonly entry: number; readonly text: string }
  | { readonly kind: 'remove'; readonly entry: number }
  | { readonly kind: 'add'; readonly section: Section; readonly text: string }
  | { readonly kind: 'unknown'; readonly words: string };

const names: Readonly<Record<string, Section>> = {
  goal: 'goal',
  constraint: 'constraints',
  approval: 'approvals',
  preference: 'preferences',
  decision: 'decisions',
  open: 'openThreads',
  done: 'done',
  file: 'files',
  identifier: 'identifiers',
};

export const compactHelp = [
  '- `/compact` replace older turns with a summary now',
  '- `/compact show` the summary, entry by entry',
  '- `/compact edit N TEXT`, `remove N` change or remove an entry',
  `- \`/compact add SECTION TEXT\` with ${Object.keys(names).join(', ')}`,
  '- `/compact undo` restore the original messages',
  '- `/compact log` every attempt, and how it ended',
].join('\n');

/** Null for text that is no such command. */
export function parseCompactCommand(text: string): CompactCommand | null {
  const command = commandOf(text, '/compact');
  if (command === null) return null;
  const { what, rest } = command;
  switch (what) {
    case '':
      return { kind: 'now' };
    case 'show':
    case 'log':
    case 'undo':
    case 'help':
      return { kind: what };
    case 'edit':
    case 'remove': {
      const said = numbered(rest);
      if (said !== null && what === 'remove') return { kind: what, entry: said.number };
      if (said !== null && what === 'edit' && said.text !== '')
        return { kind: what, entry: said.number, text: said.text };
      const also = what === 'edit' ? ' and its new text' : '';
      return unknown(`\`/compact ${what}\` needs the number of an entry${also}; \`/compact show\` shows them.`);
    }
    case 'add': {
      const [name = '', ...words] = oneLine(rest).split(' ');
      const section = Object.hasOwn(names, name) ? names[name] : undefined;
      if (section !== undefined && words.length > 0) return { kind: 'add', section, text: words.join(' ') };
      return unknown(`\`/compact add\` needs a section and a text. Sections: ${Object.keys(names).join(', ')}.`);
    }
    default:
      return unknown(`There is no \`/compact ${literal(what)}\`.\n\n${compactHelp}`);
  }
}

function unknown(words: string): CompactCommand {
  return { kind: 'unknown', words };
}

/** The compaction whose summary stands in the prompt. */
export function standingCompaction({ state: { held, folds } }: Session): CompactionRow | null {
  const ids = new Set(held.map(({ fold }) => fold?.id));
  return folds.findLast(({ id, checkpoint }) => checkpoint !== null && ids.has(id)) ?? null;
}

/** Words where a prompt with the compaction's turns in it would pass high water: an even larger compaction would follow at once. */
export function noRoomToUndo(session: Session, stack: StackReport | null): CommandAnswer | null {
  const row = standingCompaction(session);
  if (row === null || stack === null) return null;
  const tokens = stack.total + row.before - row.after;
  const { high } = stack.budget;
  if (tokens <= high) return null;
  const text = `Not undone: with the original messages the prompt would have about ${count(tokens)} tokens, and the limit is ${count(high)}, so more would be compacted at once. Remove an item with \`/context remove N\`, or raise tidemark.model.contextSize.`;
  return { title: 'Summary', text };
}

type Changing = Exclude<CompactCommand, { readonly kind: 'now' | 'show' | 'log' | 'help' | 'unknown' }>;

/** Does what the user asks for; the answer says so. Nothing is changed where it cannot be done. */
export function changeCompaction(
  command: Changing,
  session: Session,
): { readonly done: boolean; readonly answer: CommandAnswer } {
  const title = 'Summary';
  const row = standingCompaction(session);
  if (row === null || row.checkpoint === null) return { done: false, answer: { title, text: 'There is no summary.' } };
  if (command.kind === 'undo') {
    const { held } = session.state;
    const without = held.map((one) => (one.fold?.id === row.id ? undoCompaction(one) : one));
    session.apply({ type: 'compacted', row: { ...row, undone: true }, slots: slotChanges(held, without) });
    return {
      done: true,
      answer: { title, text: 'Undone: the original messages are in the prompt again, as far as they fit.' },
    };
  }
  const checkpoint = changed(row.checkpoint, command);
  if (checkpoint === null)
    return {
      done: false,
      answer: {
        title,
        text: `There is no entry ${'entry' in command ? command.entry : ''}; \`/compact show\` shows them.`,
      },
    };
  const { held } = session.state;
  const edited = held.map((one) => withSummary(one, row.id, checkpoint));
  session.apply({ type: 'compacted', row: { ...row, checkpoint, edited: true }, slots: slotChanges(held, edited) });
  return {
    done: true,
    answer: {
      title,
      text: `Changed. What follows the summary is decoded again once.\n\n${summaryMarkdown(checkpoint)}`,
    },
  };
}

function changed(
  checkpoint: Summary,
  command: Extract<CompactCommand, { readonly kind: 'edit' | 'remove' | 'add' }>,
): Summary | null {
  const { entries } = checkpoint;
  if (command.kind === 'add') {
    return {
      ...checkpoint,
      entries: [...entries, { section: command.section, text: command.text, by: 'user', items: [] }],
    };
  }
  const at = command.entry - 1;
  const entry = entries[at];
  if (entry === undefined) return null;
  return {
    ...checkpoint,
    entries:
      command.kind === 'remove'
        ? entries.toSpliced(at, 1)
        : entries.with(at, { ...entry, text: command.text, by: 'user' }),
  };
}

/** The entries with the numbers that commands take, each with the number of items it comes from. */
export function summaryMarkdown({ entries, left }: Summary): string {
  const line = ({ section, text, items }: SummaryEntry, i: number) =>
    `| ${i + 1} | ${sectionNames[section]} | ${literal(text)} | ${items.length === 0 ? 'you' : items.length} |`;
  const rows = entries.map(line);
  const more = left === 0 ? [] : ['', `${left} entries were left out for room.`];
  return ['| # | | | items |', '|---:|---|---|---:|', ...rows, ...more].join('\n');
}

export function showCompaction(session: Session): CommandAnswer {
  const row = standingCompaction(session);
  if (row === null || row.checkpoint === null) return { title: 'Summary', text: 'There is no summary.' };
  return { title: 'Summary', text: `${compactionWords(row)}\n\n${summaryMarkdown(row.checkpoint)}` };
}

export function logText({ state: { folds } }: Session): string {
  if (folds.length === 0) return 'No summaries yet.';
  const rows = folds
    .toReversed()
    .slice(0, 30)
    .map(({ created, outcome, before, after, milliseconds, tries, reason, undone, edited }) => {
      const when = new Date(created).toISOString().slice(0, 16).replace('T', ' ');
      const since = [undone ? 'undone' : '', edited ? 'edited' : '', reason].filter(Boolean).join('; ');
      const tokens = before === after ? count(after) : `${count(before)} → ${count(after)}`;
      return `| ${when} | ${outcome} | ${tokens} | ${(milliseconds / 1000).toFixed(1)} s | ${tries} | ${literal(since)} |`;
    });
  return [
    '| when (UTC) | outcome | prompt tokens | took | model calls | |',
    '|---|---|---:|---:|---:|---|',
    ...rows,
  ].join('\n');
}

/** What an attempt came to, in a sentence; `say` writes what is not ours. */
export function compactionWords({ outcome, reason, before, after, stateTokens }: CompactionRow, say = literal): string {
  const numbers = `${count(before)} → ${count(after)} prompt tokens, ${count(stateTokens)} of them the summary`;
  switch (outcome) {
    case 'ok':
      return `The conversation got long, so a summary replaced its older turns: ${numbers}.`;
    case 'tool_result_truncated':
      return `The conversation got long, so a summary replaced its older turns; long tool results were shortened for it: ${numbers}.`;
    case 'fallback':
      return `A summary written by rules, without the model, replaced older turns because ${reason}: ${numbers}.`;
    case 'failed':
      return `Nothing was compacted. The conversation is unchanged. Reason: ${say(reason.replace(/\.$/, ''))}.`;
    case 'lock_held':
    case 'no_boundary':
      return `Nothing was compacted: ${reason}.`;
    default:
      return outcome satisfies never;
  }
}

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
import { type Argument, type Command, numberOf, wordsLeft } from '../ports/commandLine.ts';
import type { Session } from '../session/session.ts';
import { type CommandContext, row, silent } from './commandContext.ts';

const title = 'Summary';
const noSummary = 'There is no summary.';
const sections: Readonly<Record<string, Section>> = {
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
const sectionList = Object.keys(sections).join(', ');

const entry = numberOf('an entry', '/compact show');
const section: Argument<Section> = {
  ...{ sign: 'SECTION', words: 'a section' },
  read: (said) => (Object.hasOwn(sections, said) ? (sections[said] ?? null) : null),
};
const sectionText = wordsLeft('a text', 'TEXT', `. Sections: ${sectionList}`);

export const compactCommand: Command<CommandContext> = {
  ...{ name: 'compact', detail: 'Replace older turns with a summary now', icon: 'fold', title },
  rows: [
    row('', [], 'replace older turns with a summary now', compactNow, { needsModel: true }),
    row('show', [], 'the summary, entry by entry', ({ conversation }) => showCompaction(conversation.session)),
    row('edit', [entry, wordsLeft('its new text')], '', (context, number, text) =>
      changeEntry(context, number, (former) => [{ ...former, text: oneLine(text), by: 'user' }]),
    ),
    row('remove', [entry], 'change or remove an entry', (context, number) => changeEntry(context, number, () => [])),
    row('add', [section, sectionText], `with ${sectionList}`, (context, name, text) =>
      changeSummary(context, (entries) => [...entries, { section: name, text: oneLine(text), by: 'user', items: [] }]),
    ),
    row('undo', [], 'restore the original messages', undo),
    row('log', [], 'every attempt, and how it ended', ({ conversation }) => ({
      title: 'Summaries',
      text: logText(conversation.session),
    })),
  ],
};

/** The compaction whose summary stands in the prompt. */
export function standingCompaction({ state: { pruned, compactions } }: Session): CompactionRow | null {
  const ids = new Set(pruned.map(({ compaction }) => compaction?.id));
  return compactions.findLast(({ id, checkpoint: summary }) => summary !== null && ids.has(id)) ?? null;
}

/** Words where a prompt with the compaction's turns in it would pass high water: an even larger compaction would follow at once. */
export function noSpaceToUndo({ before, after }: CompactionRow, stack: StackReport | null): string | null {
  if (stack === null) return null;
  const tokens = stack.total + before - after;
  const { high } = stack.budget;
  if (tokens <= high) return null;
  return `Not undone: with the original messages the prompt would have about ${count(tokens)} tokens, and the limit is ${count(high)}, so more would be compacted at once. Remove an item with \`/context remove N\`, or raise tidemark.model.contextSize.`;
}

async function compactNow({ conversation, turns, ready: { work } }: CommandContext): Promise<CommandAnswer> {
  const { session } = conversation;
  const info = await turns.context.engines.life.ensure();
  if (session !== conversation.session) return silent;
  // The slot is the answer's, and the turn would end with what it began with.
  if (conversation.now.running) return { title, text: 'Nothing was compacted: an answer is being written.' };
  const row = await work.compactNow(session, info);
  // A compaction that was made shows itself, with its summary.
  const text =
    row === null ? 'Nothing was compacted: it was interrupted.' : row.checkpoint === null ? compactionWords(row) : '';
  return { title, text, after: () => work.settle(session, info) };
}

type Pruned = Session['state']['pruned'];
type Standing = CompactionRow & { readonly checkpoint: Summary };

/** Changes the summary that stands in the prompt. `change` may say in words why it cannot. */
function changeStanding(
  { conversation, turns, ready: { work } }: CommandContext,
  change: (
    row: Standing,
    pruned: Pruned,
  ) => { readonly row: CompactionRow; readonly to: Pruned; readonly text: string } | string,
): CommandAnswer {
  const { session } = conversation;
  const { pruned } = session.state;
  // The turn would end with what it began with, and the change would be gone.
  const text = 'Nothing was changed: an answer is being written. Stop it, or try again when it is complete.';
  if (conversation.now.running) return { title, text, again: true };
  const row = standingCompaction(session);
  if (row === null || row.checkpoint === null) return { title, text: noSummary };
  const changed = change({ ...row, checkpoint: row.checkpoint }, pruned);
  if (typeof changed === 'string') return { title, text: changed };
  session.apply({ type: 'compacted', row: changed.row, slots: slotChanges(pruned, changed.to) });
  if (changed.row.undone) work.keepUncompacted(session);
  const { loaded } = turns.context.engines.life;
  const after = async () => (loaded === null ? undefined : work.settle(session, loaded));
  return { title, text: changed.text, after };
}

function undo(context: CommandContext): CommandAnswer {
  return changeStanding(context, (row, pruned) => {
    const tight = noSpaceToUndo(row, context.conversation.now.stack);
    if (tight !== null) return tight;
    const to = pruned.map((one) => (one.compaction?.id === row.id ? undoCompaction(one) : one));
    const text = 'Undone: the original messages are in the prompt again, as far as they fit.';
    return { row: { ...row, undone: true }, to, text };
  });
}

function changeSummary(
  context: CommandContext,
  of: (entries: readonly SummaryEntry[]) => readonly SummaryEntry[] | string,
): CommandAnswer {
  return changeStanding(context, (row, pruned) => {
    const entries = of(row.checkpoint.entries);
    if (typeof entries === 'string') return entries;
    const summary = { ...row.checkpoint, entries };
    const to = pruned.map((one) => withSummary(one, row.id, summary));
    const text = `Changed. What follows the summary is decoded again once.\n\n${summaryMarkdown(summary)}`;
    return { row: { ...row, checkpoint: summary, edited: true }, to, text };
  });
}

function changeEntry(
  context: CommandContext,
  number: number,
  to: (former: SummaryEntry) => readonly SummaryEntry[],
): CommandAnswer {
  return changeSummary(context, (entries) => {
    const former = entries[number - 1];
    if (former === undefined) return `There is no entry ${number}; \`/compact show\` shows what there is.`;
    return entries.toSpliced(number - 1, 1, ...to(former));
  });
}

/** The entries with the numbers that commands take, each with the number of items it comes from. */
export function summaryMarkdown({ entries, left }: Summary): string {
  const line = ({ section, text, items }: SummaryEntry, i: number) =>
    `| ${i + 1} | ${sectionNames[section]} | ${literal(text)} | ${items.length === 0 ? 'you' : items.length} |`;
  const rows = entries.map(line);
  const more = left === 0 ? [] : ['', `${left} entries were left out for room.`];
  return ['| # | | | items |', '|---:|---|---|---:|', ...rows, ...more].join('\n');
}

function showCompaction(session: Session): CommandAnswer {
  const row = standingCompaction(session);
  if (row === null || row.checkpoint === null) return { title, text: noSummary };
  return { title, text: `${compactionWords(row)}\n\n${summaryMarkdown(row.checkpoint)}` };
}

function logText({ state: { compactions } }: Session): string {
  if (compactions.length === 0) return 'No summaries yet.';
  const rows = compactions
    .toReversed()
    .slice(0, 30)
    .map(({ created, outcome, before, after, milliseconds, tries, cost, reason, undone, edited }) => {
      const when = new Date(created).toISOString().slice(0, 16).replace('T', ' ');
      const since = [undone ? 'undone' : '', edited ? 'edited' : '', reason].filter(Boolean).join('; ');
      const tokens = before === after ? count(after) : `${count(before)} → ${count(after)}`;
      return `| ${when} | ${outcome} | ${tokens} | ${(milliseconds / 1000).toFixed(1)} s | ${tries}${cost === undefined ? '' : `: ${count(cost.decoded)} + ${count(cost.generated)}`} | ${literal(since)} |`;
    });
  return [
    '| when (UTC) | outcome | prompt tokens | took | model calls: tokens decoded + generated | |',
    '|---|---|---:|---:|---:|---|',
    ...rows,
  ].join('\n');
}

/** Describes the outcome of an attempt to compact; `say` renders the reason of a failure, by default as literal Markdown. */
export function compactionWords(
  { outcome, reason, before, after, stateTokens, tries }: CompactionRow,
  say = literal,
): string {
  const numbers = `${count(before)} → ${count(after)} prompt tokens, ${count(stateTokens)} of them the summary`;
  const by = tries === 0 ? 'It quotes you.' : 'It quotes you; the model chose which sentences come first.';
  switch (outcome) {
    case 'ok':
      return `The conversation got long, so a summary replaced its older turns: ${numbers}. ${by}`;
    case 'tool_result_truncated':
      return `The conversation got long, so a summary replaced its older turns; long tool results were shortened for it: ${numbers}. ${by}`;
    case 'fallback':
      return `A summary replaced older turns because ${reason}: ${numbers}. ${by}`;
    case 'failed':
      return `Nothing was compacted. The conversation is unchanged. Reason: ${say(reason.replace(/\.$/, ''))}.`;
    case 'lock_held':
    case 'no_boundary':
      return `Nothing was compacted: ${reason}.`;
    default:
      return outcome satisfies never;
  }
}

// Answers `/context`: shows what the context is made of, and does what the user decides about single items.
import type { Agent } from '../core/agent.ts';
import { type Decision, labelOf } from '../core/decisions.ts';
import type { Item } from '../core/dialog.ts';
import { type Fitted, nextItem } from '../core/fitPrompt.ts';
import type { Mechanisms } from '../core/mechanisms.ts';
import { segmentsOf } from '../core/prompt.ts';
import { type CallReport, stackReport } from '../core/report.ts';
import { detailText, listText, rawText, summaryText } from '../core/reportText.ts';
import { type ContextCommand, contextHelp } from './contextCommand.ts';
import type { Session } from './session.ts';

/** What is on the desk when a command comes. */
export interface Desk {
  readonly session: Session;
  readonly agent: Agent;
  readonly fitted: Fitted;
  readonly calls: readonly CallReport[];
  readonly mechanisms: Mechanisms;
}

export interface Answer {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

type Shown = Exclude<ContextCommand, { readonly kind: 'refresh' | 'export' | 'metrics' }>;

export function answerContext(command: Shown, desk: Desk): Answer {
  const stack = stackReport(desk.fitted);
  switch (command.kind) {
    case 'summary':
      return { title: 'Context', text: summaryText(stack, desk.calls, desk.mechanisms) };
    case 'list':
      return { title: 'Context: items', text: listText(stack) };
    case 'help':
      return { title: 'Context: commands', text: contextHelp };
    case 'unknown':
      return { title: 'Context', text: command.words };
    default:
      return aboutItem(command, desk, stack.decisions);
  }
}

function aboutItem(
  command: Extract<ContextCommand, { readonly item: number }>,
  desk: Desk,
  decisions: readonly Decision[],
): Answer {
  const path = desk.session.state.dialog.path.filter(({ id }) => id !== nextItem);
  const item = path[command.item];
  const decision = decisions.find(({ from, to }) => from <= command.item && command.item < to);
  const title = `Context: item ${command.item}`;
  if (item === undefined || decision === undefined) {
    return { title, text: `There is no item ${command.item}; \`/context list\` shows what there is.` };
  }
  if (command.kind === 'detail') return { title, text: detailText(decision, item, sentText(desk.fitted, item)) };
  return { title, text: decideItem(command.kind, desk.session, item, decision) };
}

/** What of an item stands in the prompt. */
function sentText({ prompt }: Fitted, item: Item): string {
  const parts = segmentsOf(prompt).filter((segment) => segment.item === item.id);
  const calls = parts
    .flatMap((segment) => segment.calls ?? [])
    .map((call) => `${call.name} ${JSON.stringify(call.arguments)}`);
  return [parts.map(({ text }) => text).join(''), ...calls].filter(Boolean).join('\n').trim();
}

function decideItem(
  kind: 'pin' | 'unpin' | 'evict' | 'restore',
  session: Session,
  item: Item,
  { state }: Decision,
): string {
  const label = labelOf(item);
  switch (kind) {
    case 'pin':
      session.mark(item.id, 'pinned');
      return state === 'kept' || state === 'pending'
        ? `Pinned: ${label}. It stays while the window can hold it.`
        : `Pinned: ${label}. What was let go of it does not come back by itself: \`/context restore\` brings it back.`;
    case 'unpin':
      session.mark(item.id, 'none');
      return `No longer pinned: ${label}.`;
    case 'evict':
      session.mark(item.id, 'evicted');
      return `Goes with the next message: ${label}. The prompt's prefix breaks there once.`;
    case 'restore':
      if (session.marks.evicted.has(item.id)) session.mark(item.id, 'none');
      if (state === 'kept' || state === 'pending') return `${label} is in the prompt already.`;
      session.restored = [...session.restored.filter(({ of }) => of !== item.id), restoredItem(item)];
      return `Comes back with your next message, at the end of the prompt: ${label}.`;
    default:
      return kind satisfies never;
  }
}

function restoredItem(item: Item): Session['restored'][number] {
  return { head: `Brought back from earlier: ${labelOf(item)}`, body: rawText(item), of: item.id };
}

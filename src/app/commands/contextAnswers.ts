// The part of `/context` that acts on single items and describes them.

import type { ConversationState } from '../../core/conversation/conversation.ts';
import { count } from '../../core/count.ts';
import { type Item, nextItem, turnsOf } from '../../core/dialog/dialog.ts';
import type { Mark } from '../../core/dialog/marks.ts';
import { segmentsOf } from '../../core/prompt/prompt.ts';
import type { Fitted } from '../../core/pruning/fitted.ts';
import { type Decision, labelOf } from '../../core/report/decisions.ts';
import { stackReport } from '../../core/report/report.ts';
import { detailText, rawText } from '../../core/report/reportText.ts';
import type { Session } from '../session/session.ts';

export type About = 'detail' | 'pin' | 'unpin' | 'evict' | 'restore';

/** Marks the item, so that the prompt that is shown then is the one that the next message extends. */
export function markItem(kind: About, at: number, session: Session): void {
  const { dialog, marks } = session.state;
  const id = dialog.path[at]?.id;
  if (id === undefined) return;
  const mark = (as: Mark) => session.apply({ type: 'marked', item: id, as });
  if (kind === 'pin') mark('pinned');
  if (kind === 'evict') mark('evicted');
  if ((kind === 'unpin' && marks.pinned.has(id)) || (kind === 'restore' && marks.evicted.has(id))) mark('none');
}

export function aboutItem(kind: About, at: number, session: Session, fitted: Fitted): string {
  const item = fitted.context.path.filter(({ id }) => id !== nextItem)[at];
  const decision = stackReport(fitted).decisions.find(({ from, to }) => from <= at && at < to);
  if (item === undefined || decision === undefined)
    return `There is no item ${at}; \`/context list\` shows what there is.`;
  if (kind === 'detail') return detailText(decision, item, sentText(fitted, item));
  return decideItem(kind, session, fitted, item, decision);
}

/** Returns the text of an item as it stands in the prompt, with its calls. */
export function sentText({ prompt }: Fitted, item: Item): string {
  const parts = segmentsOf(prompt).filter((segment) => segment.item === item.id);
  const calls = parts
    .flatMap((segment) => segment.calls ?? [])
    .map((call) => `${call.name} ${JSON.stringify(call.arguments)}`);
  return [parts.map(({ text }) => text).join(''), ...calls].filter(Boolean).join('\n').trim();
}

/** Whether an item that goes only with its turn cannot, because of a pin in that turn. */
function sharesTurn({ state: { dialog, marks } }: Session, item: Item): boolean {
  if (item.origin === 'result' || item.origin === 'attachment' || item.origin === 'note') return false;
  const { path } = dialog;
  const at = path.findIndex(({ id }) => id === item.id);
  const turn = turnsOf(path).find(({ start, end }) => start <= at && at < end);
  return turn !== undefined && path.slice(turn.start, turn.end).some(({ id }) => marks.pinned.has(id));
}

/** Words for a decision that was taken; `decision` is what came of it. */
function decideItem(
  kind: Exclude<About, 'detail'>,
  session: Session,
  { budget }: Fitted,
  item: Item,
  decision: Decision,
): string {
  const label = plain(labelOf(item));
  const here = !['stubbed', 'trimmed', 'folded'].includes(decision.state);
  const others = session.state.restored.filter(({ of }) => of !== item.id);
  switch (kind) {
    case 'pin':
      return here
        ? `Pinned: it stays in the prompt as long as it fits.\n\n${label}`
        : `Pinned. Removed parts don't come back by themselves: \`/context restore\` restores them.\n\n${label}`;
    case 'unpin':
      return `Not pinned.\n\n${label}`;
    case 'evict':
      session.apply({ type: 'restored', attachments: others });
      if (here && decision.pinned === false && sharesTurn(session, item)) {
        return `It stays while another item of its turn is pinned. \`/context unpin\` releases that one.\n\n${label}`;
      }
      return here || decision.by === 'user'
        ? `Removed from the next message on, ${howItGoes[item.origin]}. What follows it is decoded again once.\n\n${label}`
        : `Already removed.\n\n${label}`;
    case 'restore':
      if (here && decision.state !== 'capped') return `Already in the prompt.\n\n${label}`;
      if (decision.state === 'capped' && decision.before > budget.resultCap)
        return `${tooLargeWords(decision.before, budget.resultCap)}\n\n${label}`;
      session.apply({ type: 'restored', attachments: [...others, restoredItem(item)] });
      return `Restored with your next message, at the end of the prompt.\n\n${label}`;
    default:
      return kind satisfies never;
  }
}

/** Why a shortened text stays so. */
function tooLargeWords(whole: number, cap: number): string {
  return `Not restored: it has ${count(whole)} tokens, and one text can take ${count(cap)}, so it would be shortened again. Ask for the lines you need, or raise tidemark.context.toolResultMaxShare.`;
}

const howItGoes: Readonly<Record<Item['origin'], string>> = {
  user: 'with its whole turn',
  assistant: 'with its whole turn',
  call: 'with its whole turn',
  result: 'down to its first line',
  attachment: 'down to its first line',
  knowledge: 'whole',
  note: 'whole',
};

/** Escapes the characters that Markdown would act on, so that words of the user or the model stand as they were written. */
export function plain(words: string): string {
  return words.replace(/[\\`*_~[\]<>|]/g, '\\$&');
}

function restoredItem(item: Item): ConversationState['restored'][number] {
  return { head: `Restored: ${labelOf(item)}`, body: rawText(item), of: item.id };
}

// The cards of what the user attached to messages: each knows whether its text stands in the prompt that the next message extends.
import type { AttachmentItem, Item, ItemId } from '../../core/dialog/dialog.ts';
import type { Decision, State } from '../../core/report/decisions.ts';
import type { Entry } from '../../protocol/view.ts';

type Card = Extract<Entry, { kind: 'info' }>;

const out: ReadonlySet<State> = new Set(['stubbed', 'trimmed', 'folded']);

export class AttachedCards {
  private readonly shown = new Map<ItemId, Card>();

  add({ id, body }: AttachmentItem, card: Card): void {
    if (body !== '') this.shown.set(id, card);
  }

  /** Gives the cards that changed. A text that was restored counts as there. */
  after(decisions: readonly Decision[], path: readonly Item[]): readonly Card[] {
    if (this.shown.size === 0) return [];
    const isOut = (at: number) => decisions.some(({ from, to, state }) => from <= at && at < to && out.has(state));
    const isBack = new Set(path.flatMap((item, at) => ('of' in item && !isOut(at) ? [item.of] : [])));
    return path.flatMap(({ id }, at) => {
      const card = this.shown.get(id);
      const isGone = card !== undefined && isOut(at) && !isBack.has(id);
      if (card === undefined || isGone === (card.pruned !== undefined)) return [];
      const { pruned: _, ...whole } = card;
      const now = isGone ? { ...whole, pruned: at } : whole;
      this.shown.set(id, now);
      return [now];
    });
  }
}

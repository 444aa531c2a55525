// The cards of what went with messages, attached or found: each knows which of its texts are out of the prompt that the next message extends.
import type { AttachmentItem, Item, ItemId } from '../../core/dialog/dialog.ts';
import type { Decision, State } from '../../core/report/decisions.ts';
import type { Entry } from '../../protocol/view.ts';

type Card = Extract<Entry, { kind: 'info' }>;

const out: ReadonlySet<State> = new Set(['stubbed', 'trimmed', 'folded']);

export class AttachedCards {
  private readonly cards = new Map<string, { readonly card: Card; readonly items: ReadonlySet<ItemId> }>();

  /** A card has one text more. */
  add({ id, body }: AttachmentItem, card: Card): void {
    if (body === '') return;
    const items = new Set(this.cards.get(card.id)?.items).add(id);
    this.cards.set(card.id, { card, items });
  }

  /** Gives the cards that changed. A text that was restored counts as there. */
  after(decisions: readonly Decision[], path: readonly Item[]): readonly Card[] {
    if (this.cards.size === 0) return [];
    const gone = goneFrom(decisions, path);
    return [...this.cards.values()].flatMap(({ card, items }) => {
      const own = gone.filter(({ id }) => items.has(id));
      const tokens = own.reduce((sum, one) => sum + one.tokens, 0);
      const { pruned: former, ...whole } = card;
      const pruned = { at: own.map(({ at }) => at), of: items.size, tokens };
      if (JSON.stringify(own.length === 0 ? undefined : pruned) === JSON.stringify(former)) return [];
      const now = own.length === 0 ? whole : { ...whole, pruned };
      this.cards.set(card.id, { card: now, items });
      return [now];
    });
  }
}

/** Texts beside messages that are out of the prompt, with the tokens that they would cost again: 0 where only a whole run of items has a figure. */
function goneFrom(decisions: readonly Decision[], path: readonly Item[]) {
  const decided = (at: number) => decisions.find(({ from, to, state }) => from <= at && at < to && out.has(state));
  const isBack = new Set(path.flatMap((item, at) => ('of' in item && decided(at) === undefined ? [item.of] : [])));
  return path.flatMap(({ id }, at) => {
    const decision = decided(at);
    if (decision === undefined || isBack.has(id)) return [];
    return [{ id, at, tokens: decision.item === id ? decision.before - decision.after : 0 }];
  });
}

// The message that is being written: words given back to the composer, and what it will cost before it is sent.
import type { TokenCounter } from '../core/counter.ts';
import { type Pace, predicted } from '../core/pace.ts';
import type { Layer } from '../core/prompt.ts';
import type { ViewState } from '../protocol/view.ts';

const head: ReadonlySet<Layer> = new Set(['system', 'tools', 'workspace']);

interface Shown {
  readonly snapshot: ViewState;
  set(values: Partial<ViewState>): void;
}

export class Draft {
  private readonly chat: Shown;
  private readonly counter: TokenCounter;
  private readonly pace: () => Pace;
  private text = '';

  constructor(chat: Shown, counter: TokenCounter, pace: () => Pace) {
    this.chat = chat;
    this.counter = counter;
    this.pace = pace;
  }

  /** Puts words into the composer. */
  giveBack(text: string): void {
    this.chat.set({ draft: { id: this.chat.snapshot.draft.id + 1, text } });
  }

  /** Words that were used do not come back with the next view. */
  take(): void {
    this.text = '';
    this.chat.set({ draft: { id: this.chat.snapshot.draft.id, text: '' }, forecast: null });
  }

  /** The user writes: forecasts what the message will cost as it is now. */
  async written(text: string): Promise<void> {
    this.text = text.trim();
    const forecast = await this.forecast();
    // Meanwhile the user may have gone on writing, or sent it.
    if (this.text === text.trim()) this.chat.set({ forecast });
  }

  /** The slot changed while something stands in the composer. */
  async again(): Promise<void> {
    if (this.text !== '') await this.written(this.text);
  }

  private async forecast(): Promise<ViewState['forecast']> {
    const { text } = this;
    const { stack, warm, engine, running } = this.chat.snapshot;
    const nothing = text === '' || text.startsWith('/') || running || engine.state !== 'ready';
    if (nothing || stack === null || !stack.exact) return null;
    const count = await this.counter.count([text]).catch(() => null);
    if (count === null) return null;
    const own = count.tokens.reduce((a, b) => a + b, 0);
    const tokens = stack.total - (warm?.warmed ?? 0) + own;
    const { high } = stack.budget;
    const pinned = stack.layers.reduce((sum, { layer, tokens: size }) => sum + (head.has(layer) ? size : 0), 0);
    const room = stack.total + own <= high ? 'enough' : pinned + own <= high ? 'crossing' : 'none';
    return { tokens, own, milliseconds: predicted(this.pace(), tokens), room };
  }
}

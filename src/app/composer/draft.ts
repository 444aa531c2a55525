// The message that is being written: words given back to the composer, and what it will cost before it is sent.
import type { Signal } from '../../core/dialog/tool.ts';
import { Emitter } from '../../core/emitter.ts';
import { type Pace, predicted } from '../../core/kv/pace.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import type { Layer } from '../../core/prompt/prompt.ts';
import type { FoundView, MentionView, ViewState } from '../../protocol/view.ts';
import { type FoundChoice, noChoice } from '../turn/finding.ts';

const head: ReadonlySet<Layer> = new Set(['system', 'tools', 'workspace']);

interface Shown {
  readonly snapshot: ViewState;
  set(values: Partial<ViewState>): void;
}

/** What a draft stands for once it is sent: its words, what they mention, and what comes back with it. Null for a command. */
export type Meant = {
  readonly text: string;
  readonly mentions: readonly MentionView[];
  readonly restored: readonly string[];
  readonly found: readonly FoundView[];
  readonly weak: string;
  /** What the found passages take of the prompt, and at most, where more is found once it is sent. */
  readonly foundTokens: { readonly least: number; readonly most: number };
} | null;

/** Given up where the words are others by then. */
type Means = (text: string, choice: FoundChoice, signal: Signal) => Promise<Meant>;

export class Draft {
  private readonly chat: Shown;
  private readonly counter: TokenCounter;
  private readonly pace: () => Pace;
  private readonly mean: Means;
  /** Tells that the user writes, or decides about what is found for it. */
  readonly used = new Emitter<void>();
  private text = '';
  private looking = new AbortController();
  private chosen: FoundChoice = noChoice;

  constructor(chat: Shown, counter: TokenCounter, pace: () => Pace, mean: Means) {
    this.chat = chat;
    this.counter = counter;
    this.pace = pace;
    this.mean = mean;
  }

  /** What stands in the composer, and what no view has put there yet. */
  get unsaid(): readonly string[] {
    return [this.text, this.chat.snapshot.draft.text];
  }

  /** Puts words into the composer. */
  giveBack(text: string): void {
    this.chat.set({ draft: { id: this.chat.snapshot.draft.id + 1, text } });
  }

  /** Takes words out of the composer again; false where the user has written others by then. */
  takeBack(words: string): boolean {
    if (this.unsaid.some((one) => one.trim() !== '' && one.trim() !== words.trim())) return false;
    this.take();
    this.chat.set({ draft: { id: this.chat.snapshot.draft.id + 1, text: '', taken: words } });
    return true;
  }

  /** What the user decided about what was found for the draft. */
  get choice(): FoundChoice {
    return this.chosen;
  }

  async choose(place: string, as: 'removed' | 'pinned' | 'unpinned'): Promise<void> {
    this.used.emit();
    const { removed, pinned } = this.chosen;
    const without = new Set([...pinned].filter((one) => one !== place));
    if (as === 'removed') this.chosen = { removed: new Set(removed).add(place), pinned: without };
    else this.chosen = { removed, pinned: as === 'pinned' ? without.add(place) : without };
    await this.again();
  }

  /** Words that were used do not come back with the next view. */
  take(): void {
    this.text = '';
    this.looking.abort();
    this.chat.set({
      // With what was taken: both may come in one delta, and the view must hear of it.
      draft: { ...this.chat.snapshot.draft, text: '' },
      forecast: null,
      mentions: [],
      found: [],
      foundWeak: '',
    });
    this.chosen = noChoice;
  }

  /** The user writes: forecasts what the message will cost as it is now. */
  async written(text: string): Promise<void> {
    this.used.emit();
    await this.look(text);
  }

  private async look(text: string): Promise<void> {
    this.text = text.trim() === '' ? '' : text.trimEnd();
    if (this.text === '') this.chosen = noChoice;
    this.taken(text);
    this.looking.abort();
    this.looking = new AbortController();
    const { signal } = this.looking;
    const meant = this.text === '' ? null : await this.mean(this.text, this.chosen, signal);
    const forecast = meant === null ? null : await this.forecast(meant);
    // Meanwhile the user may have gone on writing, or sent it.
    if (!signal.aborted)
      this.chat.set({
        forecast,
        mentions: meant?.mentions ?? [],
        found: meant?.found ?? [],
        foundWeak: meant?.weak ?? '',
      });
  }

  /** Words that stand in the composer are the view's: it keeps them, and they do not come a second time. */
  private taken(written: string): void {
    const { id, text } = this.chat.snapshot.draft;
    if (text !== '' && written.includes(text)) this.chat.set({ draft: { id, text: '' } });
  }

  /** The slot changed while something stands in the composer. */
  async again(): Promise<void> {
    if (this.text !== '') await this.look(this.text);
  }

  private async forecast({
    text,
    mentions,
    restored,
    foundTokens,
  }: NonNullable<Meant>): Promise<ViewState['forecast']> {
    const { stack, warm, engine, running, resting, turns } = this.chat.snapshot;
    const nothing = running || engine.state !== 'ready';
    // What was estimated before the model was there is counted at once.
    const isCounted = stack?.exact === true || stack?.margin !== undefined;
    if (nothing || stack === null || !isCounted) return null;
    const count = await this.counter.count([text, ...restored]).catch(() => null);
    if (count === null) return null;
    const said = [...count.tokens, ...mentions.map(({ tokens }) => tokens)].reduce((a, b) => a + b, 0);
    const own = said + foundTokens.least;
    const tokens = stack.total - (warm?.warmed ?? 0) + own;
    const { high } = stack.budget;
    const pinned = stack.layers.reduce((sum, { layer, tokens: size }) => sum + (head.has(layer) ? size : 0), 0);
    const room = stack.total + own <= high ? 'enough' : pinned + own <= high ? 'crossing' : 'none';
    // Where idle work rests nobody knows what of the slot will serve.
    if (resting && room !== 'none') return null;
    const most = said + foundTokens.most;
    return {
      tokens,
      own,
      most,
      later: laterOf(turns),
      milliseconds: predicted(this.pace(), tokens),
      room,
      exact: stack.exact && count.exact,
    };
  }
}

/** So many turns count: what a conversation is about changes. */
const lookBack = 4;

/** Tokens that calls behind the first decoded, in the mean of the last turns that ended well. */
function laterOf(turns: ViewState['turns']): number {
  const last = turns.filter(({ end }) => end === 'done').slice(-lookBack);
  return last.length === 0 ? 0 : Math.round(last.reduce((sum, { later }) => sum + later, 0) / last.length);
}

// The message that is being written: words given back to the composer, and what it will cost before it is sent.

import { type Act, acts, type Intent } from '../../core/agent/intent.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import { Emitter } from '../../core/emitter.ts';
import type { Passage } from '../../core/prompt/found.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { FoundView, IntentView, MentionView, ViewState } from '../../protocol/view.ts';
import type { ShownView } from '../ports/shownView.ts';
import { type DraftChoice, noChoice } from '../turn/finding.ts';

/** A draft as it would be sent: its words, what they mention, and what comes back with it; null where it is a command. */
export type Meant = {
  readonly text: string;
  /** The words in the composer. */
  readonly said: string;
  readonly intent: Intent;
  /** Choices of the user in its place. */
  readonly choices: Pick<IntentView, 'edits' | 'commands'>;
  readonly mentions: readonly MentionView[];
  readonly restored: readonly string[];
  readonly found: readonly FoundView[];
  readonly weak: string;
  readonly goesOn: boolean;
  /** Tokens of the found passages in the prompt; `most` is more than `least` where more passages are found once the draft is sent. */
  readonly foundTokens: { readonly least: number; readonly most: number };
  /** Finds the texts that can be read before the draft is sent. Passages are asked for anew where more than words finds them. */
  readonly ahead: (signal: Signal) => Promise<DraftBeside>;
} | null;

/** Texts that a draft brings in front of its words, in the order of the dialog, and the passages among them. */
export interface DraftBeside {
  readonly beside: readonly Attachment[];
  readonly passages: readonly Passage[];
}

/** Given up where the words are others by then. */
type Means = (text: string, choice: DraftChoice, signal: Signal) => Promise<Meant>;
type Forecast = (meant: NonNullable<Meant>) => Promise<ViewState['forecast']>;

type DraftView = Pick<ShownView, 'snapshot' | 'set'>;

export class Draft {
  private readonly view: DraftView;
  private readonly forecast: Forecast;
  private readonly mean: Means;
  /** Tells that the user writes, or decides about what is found for it. */
  readonly used = new Emitter<void>();
  /** Tells what the draft means whenever that was found out. */
  readonly understood = new Emitter<Meant>();
  private text = '';
  private meant: Meant = null;
  private priced = 0;
  private looking = new AbortController();
  private chosen: DraftChoice = noChoice;

  constructor(view: DraftView, mean: Means, forecast: Forecast) {
    this.view = view;
    this.mean = mean;
    this.forecast = forecast;
  }

  /** The words in the composer, and those that no view has put there yet. */
  get unsaid(): readonly string[] {
    return [this.text, this.view.snapshot.draft.text];
  }

  /** Puts words into the composer. */
  giveBack(text: string): void {
    this.view.set({ draft: { id: this.view.snapshot.draft.id + 1, text } });
  }

  /** Takes words out of the composer again; false where the user has written others by then. */
  takeBack(words: string): boolean {
    if (this.unsaid.some((one) => one.trim() !== '' && one.trim() !== words.trim())) return false;
    this.take();
    this.view.set({ draft: { id: this.view.snapshot.draft.id + 1, text: '', taken: words } });
    return true;
  }

  /** Decisions about words that are sent now: the user's, and what the composer shows that they want. */
  choiceFor(text: string): DraftChoice {
    const { meant, chosen } = this;
    return meant?.said === text ? { ...chosen, intent: { ...chosen.intent, shown: meant.intent } } : chosen;
  }

  /** Texts of it are being read: these passages stand in the slot from now on. */
  reads(passages: readonly Passage[]): void {
    this.chosen = { ...this.chosen, read: passages };
  }

  async choose(place: string, as: 'removed' | 'pinned' | 'unpinned'): Promise<void> {
    this.used.emit();
    const { removed, pinned } = this.chosen;
    const without = new Set([...pinned].filter((one) => one !== place));
    if (as === 'removed') this.chosen = { ...this.chosen, removed: new Set(removed).add(place), pinned: without };
    else this.chosen = { ...this.chosen, pinned: as === 'pinned' ? without.add(place) : without };
    await this.again();
  }

  /** The user's word on what the message wants. It holds until the message is sent, whatever else is written. */
  async decide(act: Act, command: string, without: string): Promise<void> {
    if (!acts.includes(act)) return;
    this.used.emit();
    const files = this.meant?.intent.files.filter((file) => file !== without);
    const kept = without === '' || files === undefined ? {} : { files };
    this.chosen = { ...this.chosen, intent: { act, ...(command !== '' && { command }), ...kept } };
    await this.again();
  }

  /** The model's word on what some words want. */
  async asked(text: string, act: Act): Promise<void> {
    if (text !== this.text || this.chosen.intent.act !== undefined) return;
    this.chosen = { ...this.chosen, intent: { asked: act } };
    await this.again();
  }

  /** Words that were used do not come back with the next view. */
  take(): void {
    this.text = '';
    this.looking.abort();
    this.view.set({
      // With what was taken: both may come in one delta, and the view must hear of it.
      draft: { ...this.view.snapshot.draft, text: '' },
      forecast: null,
      intent: null,
      mentions: [],
      found: [],
      foundWeak: '',
      foundGoesOn: false,
    });
    this.chosen = noChoice;
    this.meant = null;
    this.understood.emit(null);
  }

  /** The user writes: forecasts what the message will cost as it is now. */
  async written(text: string): Promise<void> {
    this.used.emit();
    await this.look(text);
  }

  /** Says anew what the draft costs, where more or less of it was read. */
  async priceAgain(): Promise<void> {
    const { meant } = this;
    this.priced += 1;
    const { priced } = this;
    const forecast = meant === null ? null : await this.forecast(meant);
    if (meant === this.meant && priced === this.priced) this.view.set({ forecast });
  }

  private async look(text: string): Promise<void> {
    const words = text.trim() === '' ? '' : text.trimEnd();
    // The model's word was about other words.
    if (words !== this.text) this.chosen = { ...this.chosen, intent: { ...this.chosen.intent, asked: undefined } };
    this.text = words;
    if (this.text === '') this.chosen = noChoice;
    this.taken(text);
    this.looking.abort();
    this.looking = new AbortController();
    const { signal } = this.looking;
    const meant = this.text === '' ? null : await this.mean(this.text, this.chosen, signal);
    const forecast = meant === null ? null : await this.forecast(meant);
    // Meanwhile the user may have gone on writing, or sent it.
    if (signal.aborted) return;
    this.view.set({
      forecast,
      intent: meant === null ? null : { ...meant.intent, ...meant.choices },
      mentions: meant?.mentions ?? [],
      found: meant?.found ?? [],
      foundWeak: meant?.weak ?? '',
      foundGoesOn: meant?.goesOn === true,
    });
    this.meant = meant;
    this.understood.emit(meant);
  }

  /** Words that stand in the composer are the view's: it keeps them, and they do not come a second time. */
  private taken(written: string): void {
    const { id, text } = this.view.snapshot.draft;
    if (text !== '' && written.includes(text)) this.view.set({ draft: { id, text: '' } });
  }

  /** The slot changed while something stands in the composer. */
  async again(): Promise<void> {
    if (this.text !== '') await this.look(this.text);
  }
}

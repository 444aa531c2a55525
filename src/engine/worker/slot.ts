// One slot: a llama.cpp sequence with its KV state, and the image of what it holds. Follows the KV plan, then decodes the rest in
// cancellable chunks.
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { cut, emptyImage, type Image, tokensOf, unnamed } from '../../core/kvImage.ts';
import { commonPrefix, type KvPlan, planKv } from '../../core/kvPlan.ts';
import type { CacheReuse, Prefill } from '../../core/model.ts';
import { noPace, type Pace, paced } from '../../core/pace.ts';
import { decodeChunks, type Progress } from './decode.ts';

export interface Fill {
  readonly reuse: CacheReuse;
  /** Tokens decoded between two looks at the signal. */
  readonly chunk: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export class Slot {
  readonly sequence: LlamaContextSequence;
  private readonly erases: boolean;
  private readonly verify: boolean;
  private image: Image = emptyImage;
  /** Tokens from here on attended to erased ones. */
  private exactTo = Number.POSITIVE_INFINITY;
  private measured: Pace = noPace;
  private turn: Promise<unknown> = Promise.resolve();
  private warming: AbortController | null = null;

  constructor(sequence: LlamaContextSequence, erases: boolean, verify: boolean) {
    this.sequence = sequence;
    this.erases = erases;
    this.verify = verify;
  }

  /** Runs one job on the sequence at a time. */
  exclusive<T>(job: () => Promise<T>): Promise<T> {
    const result = this.turn.then(job);
    // The queue goes on after a failed job; whoever asked for it gets the failure.
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Like `exclusive`, but a job marked so gives way to the next foreground request within one chunk. */
  background<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.interruptBackground();
    const controller = new AbortController();
    this.warming = controller;
    return this.exclusive(() => job(controller.signal));
  }

  interruptBackground(): void {
    this.warming?.abort();
    this.warming = null;
  }

  /** How fast this slot was filled. */
  get pace(): Pace {
    return this.measured;
  }

  /** Tokens of `prompt` that would be approximate in the slot, if it followed without settling. */
  approximateAfter(prompt: Image, reuse: CacheReuse): number {
    const { keep, shifted, erase } = planKv(this.image, prompt, this.erases && reuse !== 'exact');
    return Math.max(0, keep + shifted - (erase.length > 0 ? Math.min(keep, this.exactTo) : this.exactTo));
  }

  /** A prefill that had nothing to do. */
  asItIs(reused: number): Prefill {
    const { approximate, sequence } = this;
    const nothing = { shifted: 0, decoded: 0, milliseconds: 0, firstBreak: null };
    return { reused, slotTokens: sequence.nextTokenIndex, approximate, ...nothing };
  }

  /** Tokens in the slot that are approximate. */
  get approximate(): number {
    return Math.max(0, this.sequence.nextTokenIndex - this.exactTo);
  }

  /** Whether the slot already begins with all of `prompt`. */
  beginsWith(prompt: Image): boolean {
    const tokens = tokensOf(prompt);
    return commonPrefix(this.sequence.contextTokens, 0, tokens, 0) === tokens.length;
  }

  /** Makes the slot hold exactly `prompt`. Stops between chunks when aborted; what was decoded stays. */
  async fill(prompt: Image, { reuse, chunk, signal, onProgress }: Fill): Promise<Prefill> {
    const started = performance.now();
    const { sequence } = this;
    if (reuse === 'none') await this.clear();
    const slotTokens = sequence.nextTokenIndex;
    const plan = planKv(this.image, prompt, this.erases && reuse !== 'exact');
    const keep = reuse === 'exact' ? Math.min(plan.keep, this.exactTo) : plan.keep;
    const { firstBreak } = plan;
    const kept = { reused: keep, shifted: plan.shifted, slotTokens, firstBreak };
    // A job that was cancelled while it waited must not cut what the next one may reuse.
    if (signal.aborted) return { ...kept, decoded: 0, approximate: this.approximate, milliseconds: 0 };
    const tokens = tokensOf(prompt) as Token[];
    await this.follow(plan, keep);
    const meter = sequence.tokenMeter.getState();
    const [start, began] = [sequence.nextTokenIndex, performance.now()];
    try {
      await decodeChunks(sequence, tokens, chunk, signal, onProgress);
    } finally {
      this.image = cut(prompt, sequence.nextTokenIndex);
    }
    this.check(tokens);
    const spent = sequence.tokenMeter.diff(meter);
    const decoded = spent.usedInputTokens + spent.usedOutputTokens;
    this.measured = paced(this.measured, decoded, performance.now() - began);
    // Models that need checkpoints may have fallen back further than planned.
    const reused = start - plan.shifted;
    const milliseconds = performance.now() - started;
    return { ...kept, reused, decoded, approximate: this.approximate, milliseconds };
  }

  /** Notes what was decoded since the prompt was filled: its last token, then what was generated. */
  grown(prompt: Image, generated: readonly number[]): void {
    const pieces = [...prompt.pieces, { of: unnamed, tokens: generated }];
    this.image = cut({ ...prompt, pieces }, this.sequence.nextTokenIndex);
    this.check(tokensOf(this.image));
  }

  private async clear(): Promise<void> {
    await this.sequence.clearHistory();
    this.image = emptyImage;
    this.exactTo = Number.POSITIVE_INFINITY;
  }

  private async follow({ erase, end }: KvPlan, keep: number): Promise<void> {
    const { sequence } = this;
    const last = sequence.nextTokenIndex;
    const tail = { start: erase.length === 0 ? keep : end, end: last };
    if (erase.length > 0) {
      const ranges = erase.map(({ from, to }) => ({ start: from, end: to }));
      await sequence.eraseContextTokenRanges(tail.start < last ? [...ranges, tail] : ranges);
      this.exactTo = Math.min(this.exactTo, keep);
    } else if (tail.start === 0) await sequence.clearHistory();
    else if (tail.start < last) await sequence.adaptStateToTokens(sequence.contextTokens.slice(0, tail.start), false);
    if (sequence.nextTokenIndex <= this.exactTo) this.exactTo = Number.POSITIVE_INFINITY;
  }

  /** Verification: the sequence holds a beginning of these tokens. */
  private check(tokens: readonly number[]): void {
    if (!this.verify) return;
    const held = this.sequence.contextTokens;
    const same = commonPrefix(held, 0, tokens, 0);
    const known = tokensOf(this.image).length;
    if (same < held.length || known !== held.length)
      throw new Error(`slot and prompt differ at token ${same} of ${held.length}, ${known} known`);
  }
}

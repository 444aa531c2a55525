// A slot: a llama.cpp sequence with its KV state, and the image of its tokens. Follows the KV plan, then decodes the rest in cancellable
// chunks.
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { commonPrefix, cut, emptyImage, type Image, tokensOf, unnamed } from '../../../core/kv/kvImage.ts';
import { type KvPlan, planKv } from '../../../core/kv/kvPlan.ts';
import { noPace, type Pace, paced } from '../../../core/kv/pace.ts';
import { type Asker, chunkOf } from '../../../core/machine/askers.ts';
import { leastCheckpoints } from '../../../core/machine/memoryPlan.ts';
import type { StepCosts } from '../../../core/model/lookUp.ts';
import type { CacheReuse, Prefill, PrefillProgress } from '../../../core/model/model.ts';
import type { AskingLine } from '../../line.ts';
import { boundariesOf, Checkpoints } from './checkpoints.ts';
import { decodeChunks, type Stops } from './decode.ts';
import { fixedThreads, type Threading } from './threading.ts';

export interface Fill {
  readonly reuse: CacheReuse;
  /** The asker, which decides how many tokens are decoded between two looks at the signal. */
  readonly asker: Asker;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: PrefillProgress) => void;
}

export interface SlotOptions {
  /** Tokens in its middle can be let go of. */
  readonly erases: boolean;
  /** Compares what it holds with what it should hold. */
  readonly verify?: boolean;
  readonly threading?: Threading;
  /** Chunks are short while text at the caret is asked for. */
  readonly line?: Pick<AskingLine, 'isTyping'>;
  /** Most of them, where the model needs any. */
  readonly checkpoints?: number;
}

/** The state of a slot, as it is stored and restored. */
export interface Holding {
  readonly image: Image;
  /** Tokens from here on attended to erased ones. */
  readonly exactTo: number;
  /** How fast it was filled. */
  readonly pace: Pace;
}

export class Slot {
  readonly sequence: LlamaContextSequence;
  readonly threading: Threading;
  /** Costs of steps with guesses on this slot. */
  readonly stepCosts: StepCosts = new Map();
  private readonly erases: boolean;
  private readonly verify: boolean;
  private readonly line: SlotOptions['line'];
  private image: Image = emptyImage;
  /** Tokens from here on attended to erased ones. */
  private exactTo = Number.POSITIVE_INFINITY;
  /** llama.cpp moves tokens up when it decodes the next ones: until then the state is not what a file would say. */
  private moving = false;
  private measured: Pace = noPace;
  private readonly checkpoints: Checkpoints | null;

  constructor(
    sequence: LlamaContextSequence,
    { erases, verify = false, threading = fixedThreads, line, checkpoints = leastCheckpoints }: SlotOptions,
  ) {
    this.sequence = sequence;
    this.threading = threading;
    this.line = line;
    this.checkpoints = sequence.needsCheckpoints && checkpoints > 0 ? new Checkpoints(sequence, checkpoints) : null;
    this.erases = erases;
    this.verify = verify;
  }

  /** How fast this slot was filled. */
  get pace(): Pace {
    return this.measured;
  }

  /** Tokens of `prompt` that would be approximate in the slot, if it followed without settling. */
  approximateAfter(prompt: Image, reuse: CacheReuse): number {
    const { keep, shifted, erase } = this.planFor(prompt, reuse);
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
  async fill(prompt: Image, { reuse, signal, asker, ...decoding }: Fill): Promise<Prefill> {
    const started = performance.now();
    const { sequence } = this;
    const slotTokens = reuse === 'none' ? 0 : sequence.nextTokenIndex;
    const plan = this.planFor(prompt, reuse);
    const keep = reuse === 'exact' ? Math.min(plan.keep, this.exactTo) : plan.keep;
    const { shifted } = plan;
    // Tokens shifted under another setting do not serve an exact prompt.
    const unmoved = { cause: 'setting', item: null, token: keep, again: 0 } as const;
    const firstBreak = plan.firstBreak ?? (keep < plan.keep ? unmoved : null);
    // A job that was cancelled while it waited must not cut what the next one may reuse.
    if (signal.aborted) return { ...this.asItIs(keep), slotTokens, firstBreak };
    const tokens = tokensOf(prompt) as Token[];
    await this.follow(plan, keep);
    const meter = sequence.tokenMeter.getState();
    const [start, began] = [sequence.nextTokenIndex, performance.now()];
    try {
      await decodeChunks(sequence, tokens, {
        ...decoding,
        signal,
        pace: this.measured,
        chunk: (pace) => chunkOf(asker, pace, this.line?.isTyping),
        stops: this.stopsIn(prompt),
        threading: this.threading,
      });
    } finally {
      this.image = cut(prompt, sequence.nextTokenIndex);
    }
    this.check(tokens);
    const spent = sequence.tokenMeter.diff(meter);
    const decoded = spent.usedInputTokens + spent.usedOutputTokens;
    if (decoded > 0) this.moving = false;
    this.measured = paced(this.measured, decoded, performance.now() - began);
    return {
      // The sequence goes back further when it cannot go back to the break itself.
      reused: start - shifted,
      shifted,
      decoded,
      slotTokens,
      approximate: this.approximate,
      firstBreak: firstBreak && { ...firstBreak, again: firstBreak.again + plan.keep + shifted - start },
      milliseconds: performance.now() - started,
    };
  }

  /** Notes what was decoded since the prompt was filled: its last token, then what was generated. */
  grown(prompt: Image, generated: readonly number[]): void {
    const pieces = [...prompt.pieces, { of: unnamed, tokens: generated }];
    this.image = cut({ ...prompt, pieces }, this.sequence.nextTokenIndex);
    this.moving = false;
    this.check(tokensOf(this.image));
  }

  /** The tokens in the sequence with the segments they belong to; after a failed decode, only those that are certain. */
  get contents(): Image {
    return this.image;
  }

  /** The state that can be stored now; null while a part is being shifted, and after a failure that left the state unknown. */
  get holding(): Holding | null {
    const { image, exactTo, pace, sequence } = this;
    return this.moving || tokensOf(image).length !== sequence.nextTokenIndex ? null : { image, exactTo, pace };
  }

  /** Tokens of a prompt that another holding would spare, beyond those that this one does. */
  gain(other: Holding, prompt: Image, reuse: CacheReuse): number {
    const spared = (image: Image, exactTo: number) => {
      const { keep, shifted } = planKv(image, prompt, this.erases && reuse !== 'exact');
      return reuse === 'exact' ? Math.min(keep, exactTo) : keep + shifted;
    };
    const found = spared(other.image, other.exactTo);
    // Checkpoints are not stored: such a slot can only go on at its end.
    const whole = this.checkpoints === null || found === tokensOf(other.image).length;
    return whole ? found - spared(this.image, this.exactTo) : 0;
  }

  /** Has `load` put a stored state into the sequence. Empty when that fails. */
  async restore({ image, exactTo, pace }: Holding, load: () => Promise<void>): Promise<void> {
    await this.clear();
    try {
      await load();
      const cached = this.sequence.contextTokens;
      const known = tokensOf(image);
      if (cached.length !== known.length || commonPrefix(cached, 0, known, 0) < known.length)
        throw new Error('its tokens are not those that it was stored with');
    } catch (error) {
      await this.sequence.clearHistory();
      throw error;
    }
    this.image = image;
    this.exactTo = exactTo;
    if (this.measured.tokens === 0) this.measured = pace;
  }

  /** Lets go of all that it holds. */
  async clear(): Promise<void> {
    this.image = emptyImage;
    this.exactTo = Number.POSITIVE_INFINITY;
    this.moving = false;
    // With its checkpoints.
    this.checkpoints?.back(0);
    await this.sequence.clearHistory();
  }

  private planFor(prompt: Image, reuse: CacheReuse): KvPlan {
    if (reuse === 'none') return planKv(emptyImage, prompt, false);
    const plan = planKv(this.image, prompt, this.erases && reuse !== 'exact');
    const holds = plan.erase.length === 0 || this.holdsWindow(plan.keep, plan.keep + plan.shifted);
    return holds ? plan : planKv(this.image, prompt, false);
  }

  /**
   * Whether nothing of the sliding window in front of a position is missing, if the tokens from `from` on go or move. What lies
   * behind the window may be overwritten, also in a cache of full size: where tokens were erased before, new ones fill the
   * gap and run on into it. The library only looks whether the position itself is still there.
   */
  private holdsWindow(from: number, position: number): boolean {
    const first = this.sequence.stateCellsStartIndex;
    const window = this.sequence.model.fileInsights.swaSize ?? Number.POSITIVE_INFINITY;
    return first <= 0 || (from > first && position - window >= first);
  }

  private async follow({ erase, end }: KvPlan, keep: number): Promise<void> {
    const { sequence } = this;
    const last = sequence.nextTokenIndex;
    // Until it is filled again: should anything fail on the way, nothing is known of what the sequence holds.
    this.image = emptyImage;
    if (erase.length > 0) {
      const ranges = erase.map(({ from, to }) => ({ start: from, end: to }));
      this.exactTo = Math.min(this.exactTo, keep);
      this.moving = true;
      await sequence.eraseContextTokenRanges(end < last ? [...ranges, { start: end, end: last }] : ranges);
    } else if (keep < last) await this.goBack(keep);
    if (sequence.nextTokenIndex <= this.exactTo) this.exactTo = Number.POSITIVE_INFINITY;
  }

  /** To this position, or to the last checkpoint before it where the model cannot, or to the beginning. */
  private async goBack(position: number): Promise<void> {
    const { sequence } = this;
    const reach = this.holdsWindow(position, position) ? position : Math.min(position, sequence.stateCellsStartIndex);
    const reached = this.reachable(reach);
    if (reached === 0) this.moving = false;
    if (reached === 0) await sequence.clearHistory();
    else await sequence.adaptStateToTokens(sequence.contextTokens.slice(0, reached), false);
  }

  /** How far back the sequence goes by itself: asked for more, the library decodes the rest, deaf to any signal (3.21.1). */
  private reachable(position: number): number {
    const last = this.checkpoints?.back(position) ?? 0;
    return position > this.sequence.stateCellsStartIndex ? position : last;
  }

  private stopsIn(prompt: Image): Stops | null {
    return this.checkpoints?.stops(boundariesOf(prompt)) ?? null;
  }

  /** Verification: the sequence holds a beginning of these tokens. */
  private check(tokens: readonly number[]): void {
    if (!this.verify) return;
    const cached = this.sequence.contextTokens;
    const same = commonPrefix(cached, 0, tokens, 0);
    const known = tokensOf(this.image).length;
    if (same < cached.length || known !== cached.length)
      throw new Error(`slot and prompt differ at token ${same} of ${cached.length}, ${known} known`);
  }
}

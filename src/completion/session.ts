// Text at the caret, from the question whether to ask to what is shown: what was generated before is used first, then a generation that still runs, then the model.
import type { Signal } from '../core/dialog/tool.ts';
import { type Completed, type FillOrder, nothingCompleted } from '../core/engine/completion.ts';
import type { FillsIn } from '../core/engine/engine.ts';
import { faultOf } from '../core/faults/faults.ts';
import { type AtCaret, atCaret, type Caret, type OpenText, takesBlock } from './caret.ts';
import { type GeneratedText, GeneratedTexts } from './generated.ts';
import { type Shown, type SilenceReason, shownOf, silenceBefore } from './show.ts';
import { type FillText, fillText, holdsSecret, type Pinned, pin, sizeFor } from './window.ts';

export interface CompletionPorts {
  readonly complete: FillsIn;
  /** Tokens per second that the model reads here; null where nobody knows. */
  readonly pace: () => number | null;
}

export interface CompletionCost {
  /** Tokens. */
  readonly tokens: Completed['tokens'];
  readonly milliseconds: number;
}

/** The outcome of a request. `why`: '' where something is shown. `source`: whence the text came. */
export interface CompletionAnswer extends CompletionCost {
  readonly text: string;
  /** All that the model wrote, of which `text` is what is worth showing. */
  readonly generated: string;
  readonly why: SilenceReason | '';
  readonly source: 'model' | 'before' | 'running' | 'none';
}

const lineTokens = 48;
const blockTokens = 120;
/** Seconds that a prompt after a jump may take to be read. */
const jumpSeconds = 1.2;

/** Qwen2.5-Coder fills in far worse with the suffix first (docs/decisions/0059). */
const order: FillOrder = 'prefix-first';

const free: CompletionCost = { tokens: nothingCompleted.tokens, milliseconds: 0 };

export class CompletionSession {
  private readonly ports: CompletionPorts;
  private readonly generated = new GeneratedTexts();
  private pinned: Pinned | null = null;

  constructor(ports: CompletionPorts) {
    this.ports = ports;
  }

  /** Rejects with a FaultError where the engine fails. `signal`: nobody waits any more; a generation that agrees with what is typed goes on. */
  async at(text: OpenText, caret: Caret, signal: Signal): Promise<CompletionAnswer> {
    const at = atCaret(text, caret);
    const silence = silenceBefore(at) ?? (holdsSecret(text, caret) ? 'a secret stands in this line' : null);
    if (silence !== null) return this.silent(silence, free);
    const fill = this.fillFor(text, caret);
    const known = this.generated.of(text.path, fill);
    if (known !== null) return this.shown(text, caret, at, known, 'before', free);
    const running = this.generated.running(text.path, fill);
    if (running !== null) {
      const agreed = await running.agreed(fill, signal);
      if (agreed !== null) return this.shown(text, caret, at, agreed, 'running', free);
      if (signal.aborted) return this.silent('what was typed differs', free);
    }
    return this.ask(text, caret, at, fill, signal);
  }

  /** In the pause after a jump: the whole window is read, so that the next key costs only itself. Rejects as `at` does. */
  async prepare(text: OpenText, caret: Caret, signal: Signal): Promise<CompletionCost | null> {
    if (this.pinned?.isShort !== true || this.pinned.path !== text.path) return null;
    const pinned = pin(text, caret, null, sizeFor(null));
    this.pinned = pinned;
    const fill = fillText(text, caret, pinned, sizeFor(null));
    const done = await this.ports.complete({ ...fill, order, maxTokens: 0, lines: 1 }, () => undefined, signal);
    return costOf(done);
  }

  private fillFor(text: OpenText, caret: Caret): FillText {
    const pace = this.ports.pace();
    const size = sizeFor(pace === null ? null : Math.floor(pace * jumpSeconds));
    const pinned = pin(text, caret, this.pinned, size);
    const whole = pinned.isShort ? size : sizeFor(null);
    this.pinned = pinned;
    return fillText(text, caret, pinned, whole);
  }

  private async ask(
    text: OpenText,
    caret: Caret,
    at: AtCaret,
    fill: FillText,
    signal: Signal,
  ): Promise<CompletionAnswer> {
    const isBlock = takesBlock(at);
    const [maxTokens, lines] = isBlock ? [blockTokens, 8] : [lineTokens, 1];
    const job = this.generated.begin(text.path, fill);
    try {
      const request = { ...fill, order, maxTokens, lines };
      const done = await this.ports.complete(request, (piece) => job.push(piece), job.signal);
      const full: GeneratedText = { text: done.text, confidence: done.confidence };
      job.end(done.stop === 'cancelled' ? null : full);
      if (done.stop === 'cancelled') return this.silent('what was typed differs', costOf(done));
      return this.shown(text, caret, at, full, 'model', costOf(done));
    } catch (error) {
      job.end(null);
      if (signal.aborted) return this.silent('what was typed differs', free);
      if (faultOf(error).kind === 'doesNotFit') return this.silent('the text does not fit into the window', free);
      throw error;
    }
  }

  private shown(
    text: OpenText,
    caret: Caret,
    at: AtCaret,
    { text: generated, confidence }: GeneratedText,
    source: CompletionAnswer['source'],
    cost: CompletionCost,
  ): CompletionAnswer {
    const shown: Shown = shownOf(text, caret, at, { generated, confidence });
    if ('why' in shown) return { ...this.silent(shown.why, cost), generated, source };
    return { ...cost, text: shown.text, generated, why: '', source };
  }

  private silent(why: SilenceReason, cost: CompletionCost): CompletionAnswer {
    return { ...cost, text: '', generated: '', why, source: 'none' };
  }
}

function costOf({ tokens, milliseconds: { prefill, generation } }: Completed): CompletionCost {
  return { tokens, milliseconds: prefill + generation };
}

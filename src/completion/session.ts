// Text at the caret, from the question whether to ask to what is shown: what was generated before is used first, then a generation that still runs, then the model.

import type { ModelPace } from '../core/abilities/abilities.ts';
import type { Signal } from '../core/dialog/tool.ts';
import { type Completed, type FillOrder, nothingCompleted } from '../core/engine/completion.ts';
import type { FillsIn } from '../core/engine/engine.ts';
import { faultOf } from '../core/faults/faults.ts';
import { type AtCaret, atCaret, type Caret, leadingBlanks, type OpenText, opensBlock, takesBlock } from './caret.ts';
import { type GeneratedText, GeneratedTexts } from './generated.ts';
import { commonLength } from './pending.ts';
import { leastProbability, type SilenceReason, shownOf, silenceBefore } from './show.ts';
import { type FillText, fillText, holdsSecret, type Pinned, pin, sizeFor, type WindowSize } from './window.ts';

export interface CompletionPorts {
  readonly complete: FillsIn;
  /** Tokens per second here; null where nobody knows. */
  readonly pace: () => ModelPace | null;
  readonly faults: SyntaxFaults;
}

export interface CompletionCost {
  /** Tokens. */
  readonly tokens: Completed['tokens'];
  readonly milliseconds: Completed['milliseconds'];
}

/** The outcome of a request. `why`: '' where something is shown. `source`: whence the text came. */
export interface CompletionAnswer extends CompletionCost {
  readonly text: string;
  /** All that the model wrote, of which `text` is what is worth showing. */
  readonly generated: string;
  readonly why: SilenceReason | '';
  readonly source: 'model' | 'before' | 'running' | 'none';
}

/** A request at a caret. `signal`: nobody waits any more; a generation that agrees with what is typed goes on. */
export interface CaretRequest {
  readonly text: OpenText;
  readonly caret: Caret;
  readonly signal: Signal;
  /** Awaited before the model is asked, and only then: a user who types on asks for less. */
  readonly rest?: () => Promise<void>;
  /** The user asked for a text: it is shown also where the model is not sure. */
  readonly byHand?: boolean;
}

const lineTokens = 48;
const blockTokens = 120;
const blockLines = 8;
/** Seconds that a prompt may take to be read after a jump, and in the pause behind it, and that a block may take to be written. */
const jumpSeconds = 1.2;
const pauseSeconds = 4;
const blockSeconds = 2;

/** Qwen2.5-Coder fills in far worse with the suffix first (docs/decisions/0059). */
const order: FillOrder = 'prefix-first';

const free: CompletionCost = { tokens: nothingCompleted.tokens, milliseconds: nothingCompleted.milliseconds };

export class CompletionSession {
  private readonly ports: CompletionPorts;
  private readonly generated = new GeneratedTexts();
  private pinned: Pinned | null = null;
  /** The prefix that was read last. */
  private read = '';
  /** Whether the text that was shown last ends within a line. */
  private isPart = false;

  constructor(ports: CompletionPorts) {
    this.ports = ports;
  }

  /** Rejects with a FaultError where the engine fails. */
  async at(request: CaretRequest): Promise<CompletionAnswer> {
    const { text, caret, signal } = request;
    const at = atCaret(text, caret);
    const silence = silenceBefore(at) ?? (holdsSecret(text, caret) ? 'a secret stands in this line' : null);
    if (silence !== null) return silent(silence, free);
    const fill = this.fillFor(text, caret);
    const known = this.generated.of(text.path, fill);
    if (known !== null) return this.shown(request, at, known, 'before', free);
    const running = this.generated.running(text.path, fill);
    if (running !== null) {
      const agreed = await running.agreed(fill, signal);
      if (agreed !== null) return this.shown(request, at, agreed, 'running', free);
    }
    if (!signal.aborted && request.rest !== undefined) await request.rest();
    if (signal.aborted) return silent('what was typed differs', free);
    return this.ask(request, at, fill);
  }

  /** In the pause after a jump: the whole window is read, so that the next key costs only itself. Rejects as `at` does. */
  async prepare({ text, caret, signal }: CaretRequest): Promise<CompletionCost | null> {
    const short = this.pinned;
    if (short?.isShort !== true || short.path !== text.path) return null;
    const size = this.sizeIn(pauseSeconds);
    const pinned = { ...pin(text, caret, null, size), isShort: false };
    const fill = fillText(text, caret, pinned, size);
    const done = await this.ports.complete({ ...fill, order, maxTokens: 0, lines: 1 }, () => undefined, signal);
    if (done.stop !== 'cancelled' && this.pinned === short) this.pinned = pinned;
    this.read = fill.prefix;
    return done;
  }

  /** Once a text was accepted, its last line ends and the next one is generated, so that it is there when the user begins that line. Rejects as `at` does. */
  async ahead({ text, caret, signal }: CaretRequest): Promise<CompletionAnswer> {
    const own = text.lines[caret.line] ?? '';
    const behind = own.slice(caret.column);
    if (behind.trim() !== '') return silent('too much behind the caret', free);
    // The editor asks for the rest of the line itself.
    if (this.isPart) return silent('the model is not sure', free);
    const unit = text.lines.some((line) => line.startsWith('\t')) ? '\t' : '  ';
    const indent = leadingBlanks(own) + (opensBlock(own) ? unit : '');
    const next = textWith(text, { line: caret.line, column: own.length }, `\n${indent}`).split('\n');
    return this.at({ text: { ...text, lines: next }, caret: { line: caret.line + 1, column: indent.length }, signal });
  }

  private fillFor(text: OpenText, caret: Caret): FillText {
    const size = this.sizeIn(jumpSeconds);
    const pinned = pin(text, caret, this.pinned, size);
    const fill = fillText(text, caret, pinned, pinned.isShort ? size : this.sizeIn(pauseSeconds));
    // A jump within the window: all that lies between would have to be read first.
    const isFar = pinned === this.pinned && fill.prefix.length - commonLength(fill.prefix, this.read) > size.before;
    this.pinned = isFar ? pin(text, caret, null, size) : pinned;
    return isFar ? fillText(text, caret, this.pinned, size) : fill;
  }

  /** A window that is read in so many seconds. */
  private sizeIn(seconds: number): WindowSize {
    const pace = this.ports.pace();
    return sizeFor(pace === null ? null : Math.floor(pace.reading * seconds));
  }

  private async ask(request: CaretRequest, at: AtCaret, fill: FillText): Promise<CompletionAnswer> {
    const { text, signal } = request;
    const job = this.generated.begin(text.path, fill);
    this.read = fill.prefix;
    try {
      const asked = {
        ...fill,
        order,
        ...this.lengthAt(at),
        ...(request.byHand !== true && { least: leastProbability }),
      };
      const done = await this.ports.complete(asked, (piece) => job.push(piece), job.signal);
      const full: GeneratedText = { text: done.text, pieces: done.pieces, isCut: done.stop === 'length' };
      job.end(done.stop === 'cancelled' ? null : full);
      if (done.stop === 'cancelled') return silent('what was typed differs', done);
      return await this.shown(request, at, full, 'model', done);
    } catch (error) {
      job.end(null);
      if (signal.aborted) return silent('what was typed differs', free);
      if (faultOf(error).kind === 'doesNotFit') return silent('the text does not fit into the window', free);
      throw error;
    }
  }

  private lengthAt(at: AtCaret): { readonly maxTokens: number; readonly lines: number } {
    if (!takesBlock(at)) return { maxTokens: lineTokens, lines: 1 };
    const pace = this.ports.pace();
    const inTime = pace === null ? blockTokens : Math.floor(pace.writing * blockSeconds);
    return { maxTokens: Math.max(lineTokens / 2, Math.min(blockTokens, inTime)), lines: blockLines };
  }

  private async shown(
    { text, caret, byHand = false }: CaretRequest,
    at: AtCaret,
    full: GeneratedText,
    source: CompletionAnswer['source'],
    cost: CompletionCost,
  ): Promise<CompletionAnswer> {
    const shown = shownOf(text, caret, at, full, byHand ? 0 : leastProbability);
    this.isPart = 'isPart' in shown && shown.isPart;
    // A part of a line says nothing of whether the file parses with the rest.
    const parsing =
      'why' in shown ? null : shown.isPart ? shown.text : await parsingText(this.ports.faults, text, caret, shown.text);
    const why = 'why' in shown ? shown.why : 'the file would no longer parse';
    if (parsing === null) return { ...silent(why, cost), generated: full.text, source };
    return { ...costOf(cost), text: parsing, generated: full.text, why: '', source };
  }
}

function silent(why: SilenceReason, cost: CompletionCost): CompletionAnswer {
  return { ...costOf(cost), text: '', generated: '', why, source: 'none' };
}

function costOf({ tokens, milliseconds }: CompletionCost): CompletionCost {
  return { tokens, milliseconds };
}

/** How fast the model was just now; `former` where it did too little to tell. */
export function paceAfter({ tokens, milliseconds }: CompletionCost, former: ModelPace | null): ModelPace | null {
  const { prefill, generation } = milliseconds;
  const reads = tokens.decoded >= 64 && prefill > 0;
  const writes = tokens.generated >= 4 && generation > 0;
  const reading = reads ? (tokens.decoded * 1000) / prefill : former?.reading;
  const writing = writes ? (tokens.generated * 1000) / generation : former?.writing;
  return reading === undefined || writing === undefined ? former : { reading, writing };
}

// Whether a file still parses with a text at the caret. What the text leaves open, as the first line of a block does, is closed for that.

/** Counts the places of a text that the grammar of its file does not take; null where nobody can tell. */
export type SyntaxFaults = (path: string, text: string) => Promise<number | null>;

/** UTF-16 units of a file that is parsed with each text. */
const largest = 200_000;

/**
 * The text to show: as it is, or closed where a block of several lines would be left open; null where the file would no longer parse with it. As it is
 * too where nobody can tell.
 */
async function parsingText(faults: SyntaxFaults, text: OpenText, caret: Caret, shown: string): Promise<string | null> {
  const now = text.lines.join('\n');
  const before = now.length > largest ? null : await faults(text.path, now);
  if (before === null) return shown;
  const closed = shown + closing(shown, leadingBlanks(text.lines[caret.line] ?? ''));
  for (const put of closed === shown ? [shown] : [shown, closed]) {
    const after = await faults(text.path, textWith(text, caret, put));
    // The rest of a line may begin what the user goes on with.
    if (after === null || after <= before) return shown.includes('\n') ? put : shown;
  }
  return null;
}

function textWith({ lines }: OpenText, { line, column }: Caret, put: string): string {
  const own = lines[line] ?? '';
  return [...lines.slice(0, line), own.slice(0, column) + put + own.slice(column), ...lines.slice(line + 1)].join('\n');
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The signs that close what a text opens, each brace on a line of its own; a body where it ends with a colon. `indent`: of the line that it begins in. */
function closing(text: string, indent: string): string {
  const open: { readonly closer: string; readonly indent: string }[] = [];
  for (const [at, line] of text.split('\n').entries())
    for (const [sign] of line.replace(/(["'`])(?:\\.|(?!\1).)*\1|\/\/.*/g, '').matchAll(/[()[\]{}]/g)) {
      const closer = closers[sign];
      if (closer !== undefined) open.push({ closer, indent: at === 0 ? indent : leadingBlanks(line) });
      else if (open.at(-1)?.closer === sign) open.pop();
    }
  const last = text.split('\n').at(-1) ?? '';
  const body = /:\s*$/.test(last) ? `\n${leadingBlanks(last)}${indent}  pass` : '';
  const ends = open.toReversed().map((one) => (one.closer === '}' ? `\n${one.indent}}` : one.closer));
  return body + ends.join('');
}

// Texts that were generated at carets, and the one that is being generated: what the user types along needs no model.
import type { Signal } from '../core/dialog/tool.ts';
import type { WrittenPiece } from '../core/engine/completion.ts';
import type { FillText } from './window.ts';

export interface GeneratedText {
  readonly text: string;
  /** The tokens of the text. */
  readonly pieces: readonly WrittenPiece[];
  /** The model had more to write than it was let. */
  readonly isCut: boolean;
}

interface Entry extends GeneratedText, FillText {
  readonly path: string;
}

/** Texts that are remembered; the oldest goes. */
const most = 100;

export class GeneratedTexts {
  private entries: readonly Entry[] = [];
  private job: RunningText | null = null;

  /** The rest of a text whose beginning has been typed since, or all of it where the user came back; null where there is none. */
  of(path: string, fill: FillText): GeneratedText | null {
    for (const entry of this.entries.toReversed()) {
      if (entry.path !== path || entry.suffix !== fill.suffix) continue;
      const rest = restOf(entry, fill);
      if (rest !== null && rest.text.trim() !== '') return rest;
    }
    return null;
  }

  /** The generation that runs, where it may still agree with what was typed. */
  running(path: string, fill: FillText): RunningText | null {
    return this.job?.mayAgree(path, fill) === true ? this.job : null;
  }

  /** Ends the one that runs. */
  begin(path: string, fill: FillText): RunningText {
    this.job?.stop();
    const job = new RunningText(path, fill, (text) => {
      if (this.job === job) this.job = null;
      if (text === null) return;
      this.entries = [...this.entries.slice(1 - most), { ...text, ...fill, path }];
    });
    this.job = job;
    return job;
  }
}

/** The rest of a text behind what was typed; null where that is another text. */
function restOf({ prefix, text, pieces, isCut }: FillText & GeneratedText, now: FillText): GeneratedText | null {
  if (!now.prefix.startsWith(prefix)) return null;
  const typed = now.prefix.slice(prefix.length);
  if (!text.startsWith(typed)) return null;
  return { text: text.slice(typed.length), pieces: piecesBehind(pieces, typed.length), isCut };
}

/** The pieces of which something stands behind so many UTF-16 units. */
function piecesBehind(pieces: readonly WrittenPiece[], typed: number): readonly WrittenPiece[] {
  let end = 0;
  const rest: WrittenPiece[] = [];
  for (const piece of pieces) {
    end += piece.text.length;
    if (end > typed) rest.push({ ...piece, text: piece.text.slice(Math.max(0, piece.text.length - (end - typed))) });
  }
  return rest;
}

class RunningText {
  private readonly path: string;
  private readonly fill: FillText;
  private readonly ended: (text: GeneratedText | null) => void;
  private readonly stopping = new AbortController();
  private readonly done = Promise.withResolvers<GeneratedText | null>();
  private readonly waiting = new Set<() => void>();
  private text = '';

  constructor(path: string, fill: FillText, ended: (text: GeneratedText | null) => void) {
    this.path = path;
    this.fill = fill;
    this.ended = ended;
  }

  get signal(): Signal {
    return this.stopping.signal;
  }

  stop(): void {
    this.stopping.abort();
  }

  push(piece: string): void {
    this.text += piece;
    for (const look of this.waiting) look();
  }

  end(text: GeneratedText | null): void {
    this.ended(text);
    this.done.resolve(text);
  }

  /** Compares them as far as both are known by now. */
  mayAgree(path: string, now: FillText): boolean {
    if (path !== this.path || now.suffix !== this.fill.suffix || !now.prefix.startsWith(this.fill.prefix)) return false;
    const typed = now.prefix.slice(this.fill.prefix.length);
    return typed.startsWith(this.text) || this.text.startsWith(typed);
  }

  /** The rest behind what was typed, once the text has ended; null as soon as it differs, and where nobody waits any more. */
  async agreed(now: FillText, signal: Signal): Promise<GeneratedText | null> {
    const differs = new Promise<null>((resolve) => {
      const look = () => {
        if (signal.aborted || !this.mayAgree(this.path, now)) resolve(null);
      };
      this.waiting.add(look);
      signal.addEventListener('abort', look, { once: true });
      void this.done.promise.finally(() => this.waiting.delete(look));
      look();
    });
    const full = await Promise.race([this.done.promise, differs]);
    if (full === null) return null;
    const rest = restOf({ ...this.fill, ...full }, now);
    return rest === null || rest.text.trim() === '' ? null : rest;
  }
}

// Completes text at a caret, in a context of its own that is made when it is first asked for and stays: no conversation loses its slot.
import type {
  ControlledEvaluateInputItem,
  LlamaContext,
  LlamaContextSequence,
  LlamaModel,
  Token,
} from 'node-llama-cpp';
import { type Completed, type FillRequest, nothingCompleted, type WrittenPiece } from '../../core/engine/completion.ts';
import { FaultError, reasonOf } from '../../core/faults/faults.ts';
import { cut, type Image, unnamed } from '../../core/kv/kvImage.ts';
import { besideWindow } from '../../core/machine/askers.ts';
import { type FillMarks, fillPrompt } from '../../templates/fillPrompt.ts';
import type { LoadedEngine } from './load/loadModel.ts';
import { completionContext } from './load/memory.ts';
import { checkpointLimits } from './slot/checkpoints.ts';
import { neverShift, WindowFull } from './slot/decode.ts';
import { Slot } from './slot/slot.ts';

/** Candidates among which a probability is told. */
const candidates = 100;

/** Reads the marks from the vocabulary; null where it has none. A model's name tells nothing. */
export function fillTokens(model: Pick<LlamaModel, 'tokens'>): FillMarks | null {
  const { prefix, suffix, middle } = model.tokens.infill;
  return prefix === null || suffix === null ? null : { prefix, suffix, middle };
}

export class Completer {
  private readonly engine: LoadedEngine;
  private readonly fill: FillMarks;
  private opened: Promise<Slot> | null = null;

  constructor(engine: LoadedEngine, fill: FillMarks) {
    this.engine = engine;
    this.fill = fill;
  }

  /** Ends early, with what there is, when aborted. Rejects with a FaultError. */
  async complete(request: FillRequest, onText: (text: string) => void, signal: AbortSignal): Promise<Completed> {
    if (signal.aborted) return nothingCompleted;
    this.opened ??= this.open();
    const slot = await this.opened.catch((error: unknown) => {
      this.opened = null;
      throw new FaultError({ kind: 'engineFailed', reason: reasonOf(error) });
    });
    return this.completed(slot, request, onText, signal);
  }

  private async open(): Promise<Slot> {
    const { loaded, info } = this.engine;
    const context: LlamaContext = await loaded.model.createContext({
      ...completionContext,
      contextSize: Math.min(besideWindow, info.trainContext),
      threads: info.threads,
    });
    const { slots, line } = this.engine;
    const kind = { erases: false, line, ...(slots[0] && { threading: slots[0].threading }) };
    return new Slot(context.getSequence({ checkpoints: checkpointLimits }), kind);
  }

  private async completed(
    slot: Slot,
    request: FillRequest,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Completed> {
    const { sequence } = slot;
    const { model, safe } = this.engine.loaded;
    const begin = model.tokens.shouldPrependBosToken ? [model.tokens.bos ?? []].flat() : [];
    const { tokens, before, behind } = fillPrompt(safe, this.fill, begin, request);
    if (tokens.length + request.maxTokens >= sequence.contextSize) {
      const high = sequence.contextSize - 1;
      const window = sequence.contextSize;
      throw new FaultError({ kind: 'doesNotFit', needed: tokens.length, high, window, reserve: 1, pinned: 0 });
    }
    const image: Image = { pieces: [{ of: unnamed, tokens }], tools: '' };
    const {
      reused,
      decoded,
      milliseconds: prefill,
    } = await slot.fill(cut(image, tokens.length - 1), {
      reuse: 'exact',
      asker: 'completion',
      signal,
    });
    const prompt = { prompt: tokens.length, before, behind, reused, decoded };
    if (signal.aborted || request.maxTokens === 0) {
      const stop = signal.aborted ? 'cancelled' : 'end';
      return {
        ...nothingCompleted,
        tokens: { ...prompt, generated: 0 },
        milliseconds: { prefill, generation: 0 },
        stop,
      };
    }
    const started = performance.now();
    const written = await this.write(slot, tokens.at(-1) as Token, request, onText, signal);
    slot.grown(image, written.ids);
    return {
      text: written.text,
      tokens: { ...prompt, decoded: decoded + 1, generated: written.ids.length },
      milliseconds: { prefill, generation: performance.now() - started },
      stop: written.stop,
      pieces: written.pieces,
    };
  }

  private async write(
    { sequence, threading }: Slot,
    last: Token,
    { maxTokens, lines, least = 0 }: FillRequest,
    onText: (text: string) => void,
    signal: AbortSignal,
  ) {
    const { loaded } = this.engine;
    const stream = loaded.spelling.stream();
    const ids: number[] = [];
    const pieces: WrittenPiece[] = [];
    let [text, stop, whole]: [string, Completed['stop'], number] = ['', 'length', 1];
    const end = threading.begin('generation');
    try {
      for (let drawn = await likeliest(sequence, last); ; drawn = await likeliest(sequence, drawn.token)) {
        const { token, probability } = drawn;
        // A mark of the vocabulary ends a text as its end does: the next file begins.
        const isEnd = loaded.model.isEogToken(token) || loaded.model.getTokenAttributes(token).control;
        stop = signal.aborted ? 'cancelled' : isEnd ? 'end' : 'length';
        if (isEnd) pieces.push({ text: '', probability });
        if (stop !== 'length') break;
        ids.push(token);
        const piece = stream.push(token);
        pieces.push({ text: piece, probability });
        text += piece;
        if (piece !== '') onText(piece);
        if (text.split('\n').length > lines) stop = 'lines';
        whole *= probability;
        if (stop === 'lines' || ids.length >= maxTokens || whole < least) break;
      }
    } catch (error) {
      if (!(error instanceof WindowFull)) throw error;
    }
    end(ids.length);
    return { ids, text, pieces, stop };
  }
}

/** Draws the likeliest token behind `last`. The library's own confidence sorts the whole vocabulary, which takes a third of a small model's step. */
async function likeliest(sequence: LlamaContextSequence, last: Token) {
  const options = { temperature: 1, topK: candidates, topP: 1, minP: 0 };
  const input: ControlledEvaluateInputItem[] = [[last, { generateNext: { probabilities: true, options } }]];
  const [output] = await sequence.controlledEvaluate(input, { contextShift: neverShift });
  const [first] = output?.next.probabilities ?? [];
  if (first === undefined) throw new Error('no token was drawn');
  return { token: first[0], probability: first[1] };
}

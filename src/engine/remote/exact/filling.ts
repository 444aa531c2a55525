// Text at the caret by a server that takes token ids: in a slot of its own, so that no conversation loses its prefix.
import {
  type Completed,
  type FillRequest,
  nothingCompleted,
  type WrittenPiece,
} from '../../../core/engine/completion.ts';
import { FaultError } from '../../../core/faults/faults.ts';
import { type Image, unnamed } from '../../../core/kv/kvImage.ts';
import { samplingFor } from '../../../core/model/sampling.ts';
import { type FillMarks, fillMarksIn, fillPrompt } from '../../../templates/fillPrompt.ts';
import type { ModelLanguage } from '../../../templates/language.ts';
import type { AskingLine } from '../../line.ts';
import type { WorkerEngine } from '../../workerEngine.ts';
import { RemoteSlot } from '../wire/remoteSlot.ts';
import type { CompletionHeard, ExactServer } from './exactServer.ts';
import type { FetchedTokens } from './fetchedTokens.ts';

export interface FillingParts {
  readonly server: ExactServer;
  readonly tokens: FetchedTokens;
  readonly language: ModelLanguage;
}

/** Gives null where the server has no slot that no conversation uses, or its vocabulary no marks. */
export function fillingOn(parts: FillingParts, line: AskingLine): WorkerEngine['complete'] {
  const { server, tokens } = parts;
  const { vocabulary } = tokens;
  const { spareSlot, block } = server.facts;
  const marks = fillMarksIn(vocabulary, (id) => vocabulary.detokenise([id]));
  if (spareSlot === null || marks === null) return null;
  const filling = new ServerFilling(parts, marks, new RemoteSlot(spareSlot, block));
  return (request, onText, signal) =>
    line.ask('completion', filling, signal, (own) => filling.complete(request, onText, own));
}

class ServerFilling {
  private readonly parts: FillingParts;
  private readonly marks: FillMarks;
  private readonly slot: RemoteSlot;

  constructor(parts: FillingParts, marks: FillMarks, slot: RemoteSlot) {
    this.parts = parts;
    this.marks = marks;
    this.slot = slot;
  }

  /** Ends early, with what there is, when aborted. Rejects with a FaultError. */
  async complete(request: FillRequest, onText: (text: string) => void, signal: AbortSignal): Promise<Completed> {
    const { server, tokens, language } = this.parts;
    const { window, beginning } = server.facts;
    const { maxTokens } = request;
    const started = performance.now();
    try {
      const prompt = await tokens.whole(() => fillPrompt(language.safe, this.marks, beginning, request), signal);
      const needed = prompt.tokens.length;
      if (needed + maxTokens >= window)
        throw new FaultError({ kind: 'doesNotFit', needed, high: window - 1, window, reserve: 1, pinned: 0 });
      await server.check(signal);
      const written = new Written(this.parts, request, onText);
      const sampling = { ...samplingFor({ temperature: 0 }, {}).values, seed: null };
      const asked = { ids: prompt.tokens, maxTokens, grammar: null, banned: [], sampling, slot: this.slot.number };
      const image: Image = { pieces: [{ of: unnamed, tokens: prompt.tokens }], tools: '' };
      const done = await server.complete({ ...asked, probabilities: true }, written, signal);
      const first = written.firstToken ?? performance.now();
      const { reused, decoded } = this.slot.filled(image, done, first - started);
      this.slot.holds(image, needed, written.ids);
      const { before, behind } = prompt;
      return {
        ...written.told(),
        tokens: { prompt: needed, before, behind, reused, decoded, generated: written.ids.length },
        milliseconds: { prefill: first - started, generation: performance.now() - first },
        stop: written.isLong ? 'lines' : done.stop === 'end' ? 'end' : maxTokens === 0 ? 'end' : 'length',
      };
    } catch (error) {
      if (!signal.aborted) throw error;
      this.slot.forget();
      return nothingCompleted;
    }
  }
}

/** The text as it comes. */
class Written implements CompletionHeard {
  readonly ids: number[] = [];
  firstToken: number | null = null;
  isLong = false;
  private readonly pieces: WrittenPiece[] = [];
  private text = '';
  private readonly hidden: ExactServer['hidden'];
  private readonly lines: number;
  private readonly stream: ReturnType<ModelLanguage['spelling']['stream']>;
  private readonly isMark: (id: number) => boolean;
  private readonly onText: (text: string) => void;

  constructor({ server, tokens, language }: FillingParts, { lines }: FillRequest, onText: (text: string) => void) {
    this.hidden = server.hidden;
    this.lines = lines;
    this.stream = language.spelling.stream();
    this.isMark = (id) => tokens.vocabulary.kind(id).control || tokens.vocabulary.isEnd(id);
    this.onText = onText;
  }

  readonly onProgress = () => undefined;

  /** Only the last of the ids has the probability: the others came without text of their own. */
  readonly onIds: CompletionHeard['onIds'] = (ids, _, probability = 1) => {
    this.firstToken ??= performance.now();
    for (const [at, id] of ids.entries()) {
      const own = at === ids.length - 1 ? probability : 1;
      // A mark of the vocabulary ends a text as its end does: the next file begins.
      if (this.isMark(id)) {
        this.pieces.push({ text: '', probability: own });
        return false;
      }
      this.ids.push(id);
      const text = this.stream.push(id);
      this.pieces.push({ text, probability: own });
      this.text += text;
      if (text !== '') this.onText(text);
      this.isLong = this.text.split('\n').length > this.lines;
      if (this.isLong) return false;
    }
    return true;
  };

  /** A text that spells the key counts as none. */
  told(): Pick<Completed, 'text' | 'pieces'> {
    const isClean = this.hidden.in(this.text) === this.text;
    return isClean ? { text: this.text, pieces: this.pieces } : { text: '', pieces: [] };
  }
}

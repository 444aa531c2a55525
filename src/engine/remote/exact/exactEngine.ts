// An engine on a server that takes and gives token ids: the same prompts, counts and grammars as on this machine, prefixes only.

import type { ToolCall } from '../../../core/dialog/dialog.ts';
import {
  type Completed,
  type FillRequest,
  nothingCompleted,
  type WrittenPiece,
} from '../../../core/engine/completion.ts';
import type { ModelInfo } from '../../../core/engine/modelInfo.ts';
import type { Warmth } from '../../../core/engine/prefill.ts';
import { FaultError } from '../../../core/faults/faults.ts';
import { cut, type Image, partedAtMessage, tokensOf, unnamed } from '../../../core/kv/kvImage.ts';
import type { Generation } from '../../../core/model/model.ts';
import { samplingFor } from '../../../core/model/sampling.ts';
import type { Prompt } from '../../../core/prompt/prompt.ts';
import type { GenerateParams } from '../../../protocol/engine.ts';
import { type FillMarks, fillMarksIn, fillPrompt } from '../../../templates/fillPrompt.ts';
import { type ModelLanguage, modelLanguage, thinkingOf } from '../../../templates/language.ts';
import { learnSpecials, type SafeTokens, safeTokens } from '../../../templates/safeTokens.ts';
import { spelledPieces, spellPieces } from '../../../templates/spellPieces.ts';
import { createTokeniser, type Tokenised, type Tokeniser } from '../../../templates/tokenise.ts';
import { AskingLine } from '../../line.ts';
import type { Heard, WorkerEngine } from '../../workerEngine.ts';
import { modelOnServer } from '../wire/modelOnServer.ts';
import { RemoteSlot } from '../wire/remoteSlot.ts';
import type { ServerPlace } from '../wire/serverPlace.ts';
import { type Drawn, drawMessage, nothingDrawn } from './drawing.ts';
import type { CompletionHeard, ExactServer } from './exactServer.ts';
import { FetchedTokens } from './fetchedTokens.ts';

const silent = { onProgress: () => undefined, onIds: () => false };

/** Rejects with a FaultError where the server is not what it must be for this. */
export async function exactEngine(server: ExactServer, place: ServerPlace, started: number): Promise<WorkerEngine> {
  const tokens = new FetchedTokens(server, await server.learn());
  const { facts } = server;
  const safe = safeTokens(tokens.vocabulary, learnSpecials(tokens.vocabulary));
  const { bos, eos, identity } = facts;
  const language = modelLanguage(tokens.vocabulary, { bos, eos }, identity, safe);
  const reasons = await proofOf(server, tokens, safe, language);
  const { model: name, window: contextSize, trainedWindow: trainContext, bytes: fileBytes, parameters, slots } = facts;
  const { toolCalls } = language;
  const model = {
    name,
    fingerprint: identity,
    contextSize,
    trainContext,
    fileBytes,
    ...(parameters === null ? {} : { parameters }),
    toolCalls,
    slots,
    ...thinkingOf(language),
  };
  const { software, ownSlots } = facts;
  const info = modelOnServer(model, { place, software, grade: 'exact', reasons, ownSlots }, started);
  return new ExactEngine(info, server, tokens, language);
}

class ExactEngine implements WorkerEngine {
  readonly info: ModelInfo;
  readonly complete: WorkerEngine['complete'];
  readonly speed = null;
  readonly states = null;
  private readonly server: ExactServer;
  private readonly fetched: FetchedTokens;
  private readonly language: ModelLanguage;
  private readonly slots: readonly RemoteSlot[];
  private readonly line = new AskingLine();

  constructor(info: ModelInfo, server: ExactServer, fetched: FetchedTokens, language: ModelLanguage) {
    this.complete = fillingOn({ server, tokens: fetched, language }, this.line);
    this.info = this.complete === null ? info : { ...info, completes: true };
    this.server = server;
    this.fetched = fetched;
    this.language = language;
    const { ownSlots, slots, block } = server.facts;
    this.slots = Array.from({ length: slots }, (_, i) => new RemoteSlot(ownSlots?.[i] ?? null, block));
  }

  tokens(prompt: Prompt): Promise<Tokenised> {
    return this.fetched.whole(() => this.tokeniser().prompt(prompt));
  }

  count(texts: readonly string[]): Promise<readonly number[]> {
    return this.fetched.whole(() => this.tokeniser().count(texts));
  }

  message(text: string, calls: readonly ToolCall[]): Promise<readonly number[]> {
    return this.fetched.whole(() => this.tokeniser().message(text, calls));
  }

  async spell({ tokens, image }: Tokenised) {
    const { server, language } = this;
    const spell = server.spell?.bind(server);
    if (spell === undefined) {
      const { spelling } = language;
      return { text: spelling.text(tokens), pieces: spellPieces(spelling, image) };
    }
    const texts = await Promise.all(image.pieces.map((piece) => spell(piece.tokens)));
    return { text: await spell(tokens), pieces: spelledPieces(image, texts) };
  }

  async generate(
    params: GenerateParams,
    prompt: Tokenised,
    forced: readonly number[] | null,
    heard: Heard,
    signal: AbortSignal,
  ): Promise<Generation> {
    const slot = this.slotOf(params.slot);
    return this.line.ask(params.asker ?? 'answer', slot, signal, (own) =>
      forced === null
        ? this.drawn(slot, params, prompt, heard, own)
        : this.forced(slot, prompt.image, forced, heard, own),
    );
  }

  async warm(
    { slot: index }: { readonly slot: number },
    { image, measure }: Tokenised,
    onProgress: Heard['onProgress'],
    signal: AbortSignal,
  ): Promise<Warmth> {
    const slot = this.slotOf(index);
    const of = measure.starts.at(-1) ?? 0;
    const stable = cut(image, of);
    return this.line.ask('warm', slot, signal, async (own) => {
      const known = { of, settled: 0, unsettled: null };
      if (of === 0 || slot.beginsWith(stable)) return { warmed: of, prefill: slot.asItIs(of), ...known };
      const prefill = await this.fill(slot, stable, onProgress, own);
      return { warmed: Math.min(of, prefill.reused + prefill.decoded), prefill, ...known };
    });
  }

  /** On the last slot, which then holds nothing of a conversation. */
  async attempt(
    { prompt, toolCalls, maxTokens, asker = 'probe' }: Parameters<WorkerEngine['attempt']>[0],
    signal: AbortSignal,
  ) {
    const slot = this.slotOf(this.slots.length - 1);
    const sampling = { temperature: 0, seed: null };
    const params: GenerateParams = { slot: -1, prompt, maxTokens, toolCalls, reuse: 'none', sampling };
    const tokenised = await this.tokens(prompt);
    const heard = { onText: () => undefined, onProgress: () => undefined };
    return this.line.ask(asker, slot, signal, (own) =>
      this.drawn(slot, params, tokenised, heard, own).finally(() => slot.forget()),
    );
  }

  async dispose(): Promise<void> {
    this.line.giveWay('answer');
    await this.server.close();
  }

  private async drawn(
    slot: RemoteSlot,
    params: GenerateParams,
    { tokens: prompt, image }: Tokenised,
    heard: Heard,
    signal: AbortSignal,
  ): Promise<Generation> {
    const started = performance.now();
    this.fits(prompt.length);
    const { values } = samplingFor(params.sampling, {});
    const { before, begun } = partedAtMessage(image, params.prompt);
    const drawn = nothingDrawn(begun, this.language.spelling);
    let done = slot.plan(image).keep;
    const onProgress: Heard['onProgress'] = (progress) => {
      done = progress.done;
      heard.onProgress(progress);
    };
    try {
      await this.server.check(signal);
      const sampling = { ...values, seed: params.sampling.seed };
      const { server, fetched: tokens, language: speaks } = this;
      const asked = prompt.slice(0, prompt.length - begun.length);
      const job = { server, tokens, speaks, params, prompt: asked, sampling, slot: slot.number };
      await drawMessage({ ...job, heard: { ...heard, onProgress } }, drawn, signal);
    } catch (error) {
      if (!signal.aborted) {
        slot.holds(image, done);
        throw error;
      }
      drawn.stop = 'cancelled';
    }
    return this.generation(slot, image, before, drawn, { started, done });
  }

  private generation(
    slot: RemoteSlot,
    image: Image,
    /** Without the tokens of the message that it ends within. */
    before: Image,
    drawn: Drawn,
    { started, done }: { readonly started: number; readonly done: number },
  ): Generation {
    const { ids: all, kept, stop, firstToken } = drawn;
    const first = firstToken ?? performance.now();
    const prefill = slot.filled(image, this.countsOf(drawn, slot, image, done), first - started);
    if (firstToken === null) slot.holds(image, done);
    else slot.holds(before, tokensOf(before).length + all.length - (drawn.isWhole ? 0 : 1), all);
    const ids = all.slice(0, kept ?? all.length);
    const raw = (all.length === 0 ? '' : drawn.opened) + drawn.texts.slice(0, kept ?? drawn.texts.length).join('');
    const said = this.server.hidden.in(raw);
    return {
      raw: said,
      // Ids that spell the key are not kept.
      generated: said === raw ? { model: this.info.fingerprint, ids } : { model: '', ids: [] },
      stop,
      prefill,
      firstTokenMilliseconds: first - started,
      generateMilliseconds: performance.now() - first,
      ...(drawn.thought > 0 && { thoughtTokens: drawn.thought }),
    };
  }

  /** Cancelled within the prompt, only a part of it was decoded. */
  private countsOf({ counts, firstToken, stop }: Drawn, slot: RemoteSlot, image: Image, done: number): Drawn['counts'] {
    if (counts.cached !== null || firstToken !== null || stop !== 'cancelled') return counts;
    const { keep } = slot.plan(image);
    return { cached: Math.min(keep, done), decoded: Math.max(0, done - keep) };
  }

  /** A message that was recorded: decoded behind its prompt instead of being drawn. */
  private async forced(
    slot: RemoteSlot,
    image: Image,
    forced: readonly number[],
    { onProgress }: Heard,
    signal: AbortSignal,
  ): Promise<Generation> {
    const started = performance.now();
    this.fits(tokensOf(image).length);
    await this.server.check(signal);
    const prefill = await this.fill(slot, image, onProgress, signal);
    const first = performance.now();
    // The last token comes with the next prompt, as it does after drawing.
    const known = forced.slice(0, -1);
    if (known.length > 0) {
      const ids = [...tokensOf(image), ...known];
      await this.server.complete(this.fillRequest(ids, slot), silent, signal);
    }
    slot.holds(image, tokensOf(image).length + known.length, forced);
    const { spelling } = this.language;
    return {
      raw: (await this.server.spell?.(forced)) ?? spelling.text(forced),
      generated: { model: this.info.fingerprint, ids: forced },
      stop: 'end',
      prefill,
      firstTokenMilliseconds: first - started,
      generateMilliseconds: performance.now() - first,
    };
  }

  /** Decodes a prompt and draws nothing. Ends early, with what there is, when the signal says so. */
  private async fill(slot: RemoteSlot, image: Image, onProgress: Heard['onProgress'], signal: AbortSignal) {
    const started = performance.now();
    const { keep } = slot.plan(image);
    let [done, counts]: [number, Drawn['counts']] = [keep, { cached: keep, decoded: 0 }];
    const heard: CompletionHeard = {
      ...silent,
      onProgress: (progress) => {
        done = progress.done;
        counts = { cached: progress.done - progress.decoded, decoded: progress.decoded };
        onProgress(progress);
      },
    };
    try {
      await this.server.check(signal);
      counts = await this.server.complete(this.fillRequest(tokensOf(image), slot), heard, signal);
      done = tokensOf(image).length;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const prefill = slot.filled(image, counts, performance.now() - started);
    slot.holds(image, done);
    return prefill;
  }

  private fillRequest(ids: readonly number[], slot: RemoteSlot) {
    const sampling = { ...samplingFor({ temperature: 0 }, {}).values, seed: null };
    return { ids, maxTokens: 0, grammar: null, banned: [], sampling, slot: slot.number };
  }

  private tokeniser(): Tokeniser {
    const { template, syntax } = this.language;
    return createTokeniser(template, syntax, this.language.safe, this.info.fingerprint);
  }

  private fits(needed: number): void {
    const { contextSize: window } = this.info;
    if (needed < window) return;
    throw new FaultError({ kind: 'doesNotFit', needed, high: window - 1, window, reserve: 1, pinned: 0 });
  }

  private slotOf(index: number): RemoteSlot {
    const slot = this.slots[index];
    if (slot === undefined) throw new Error(`there is no slot ${index}`);
    return slot;
  }
}

// Whether ids can be relied on with a server: proved by what it gives for texts whose outcome is known, before anything of the user's is sent.

/** Scripts, marks, line ends, blanks and what JSON escapes. */
const samples = [
  'export function a(b: string): number {\n\treturn b.length >= 10 ? 1 : 0; // "c" \\n\r\n}',
  'Grüße, 你好, שלום, नमस्ते, 🧜‍♀️ and é.',
  '   three blanks,\n\n\ntwo empty lines   ',
];

/** Requests under way: as many as a server takes without a queue. */
const atOnce = 16;

/** Resolves to a sentence for each thing proved. Rejects with a FaultError when one fails. */
async function proofOf(
  server: ExactServer,
  tokens: FetchedTokens,
  safe: SafeTokens,
  { template, spelling }: ModelLanguage,
): Promise<readonly string[]> {
  const otherTokens = (reason: string) => server.otherTokens(reason);
  const contents = await tokens.whole(() => samples.map((text) => safe.content(text)));
  const spelled = async (all: readonly (readonly number[])[]) => {
    if (server.spell === undefined) return all.map((ids) => spelling.text(ids));
    const texts: string[] = [];
    for (let at = 0; at < all.length; at += atOnce)
      texts.push(...(await Promise.all(all.slice(at, at + atOnce).map((ids) => server.spell?.(ids) ?? ''))));
    return texts;
  };
  const back = await spelled(contents);
  if (back.some((text, i) => text !== samples[i])) throw otherTokens('texts do not come back whole');

  const { ids, detokenise } = tokens.vocabulary;
  const marks = [...ids()].flatMap((id) => {
    const text = detokenise([id], [id]);
    return safe.special(text) === id ? [{ id, text }] : [];
  });
  const hostile = marks.map(({ text }) => `a ${text} b`);
  const special = new Set(marks.map(({ id }) => id));
  const written = await tokens.whole(() => hostile.map((text) => safe.content(text)));
  if (written.some((ids) => ids.some((id) => special.has(id))))
    throw otherTokens('a special string within a text would act');
  const whole = server.spell === undefined ? hostile : await spelled(written);
  if (whole.some((text, i) => text !== hostile[i]))
    throw otherTokens('a special string within a text does not come back');

  const glue = glueOf(template);
  const own = await tokens.whole(() => glue.map((text) => safe.glue(text)));
  const theirs = await server.tokenise(glue, true);
  if (theirs.some((part, i) => part.join() !== own[i]?.join()))
    throw otherTokens('the template of the chat has other tokens there');
  return [
    'Token ids are sent and come back.',
    `${samples.length} sample texts come back whole, and none of ${marks.length} special strings acts within a text.`,
  ];
}

function glueOf(template: ModelLanguage['template']): readonly string[] {
  const message = (role: 'system' | 'user' | 'assistant') =>
    ({ role, segments: [{ layer: 'system', item: null, part: 'text', text: 'x' }] }) as const;
  const messages = [message('system'), message('user'), message('assistant'), message('user')];
  const parts = template.render({ messages, tools: [] }, true);
  return [...new Set(parts.flatMap((part) => ('glue' in part ? [part.glue] : [])))];
}

// Text at the caret by a server that takes token ids: in a slot of its own, so that no conversation loses its prefix.

interface FillingParts {
  readonly server: ExactServer;
  readonly tokens: FetchedTokens;
  readonly language: ModelLanguage;
}

/** Gives null where the server has no slot that no conversation uses, or its vocabulary no marks. */
function fillingOn(parts: FillingParts, line: AskingLine): WorkerEngine['complete'] {
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

// Watches a generation for tool calls: free text until one opens, then a grammar to the end; or no call at all.

import { type Llama, type LlamaGrammar, LlamaGrammarEvaluationState, type LlamaModel, TokenBias } from 'node-llama-cpp';
import { begunCall } from '../../../core/calls/begun.ts';
import { readGeneration } from '../../../core/calls/read.ts';
import { type CallSyntax, mayOpenBehind, openingOf } from '../../../core/calls/syntax.ts';
import { decline } from '../../../core/model/model.ts';
import type { SomeSampling } from '../../../core/model/sampling.ts';
import type { GenerateParams } from '../../../protocol/engine.ts';
import type { SafeTokens } from '../../../templates/safeTokens.ts';
import type { Spelling } from '../../../templates/spelling.ts';
import { asTokens } from '../slot/vocabulary.ts';
import { beginningOf, callGrammar, restOfCall } from './callGrammar.ts';
import type { How } from './drawing.ts';
import { watchQuotes } from './quoteGrammar.ts';

export interface LoadedModel {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly safe: SafeTokens;
  readonly spelling: Spelling;
  readonly fingerprint: string;
  readonly syntax: CallSyntax | null;
  /** What its file says of how to draw tokens. */
  readonly sampling: SomeSampling;
}

export interface CallWatch {
  readonly options: Pick<How, 'grammar' | 'tokenBias'>;
  /** Whether the generation ends here: a call in another dress than the template's is complete, and its result is not the model's to write. */
  see(piece: string): boolean | Promise<boolean>;
}

const nothing: CallWatch = { options: { grammar: () => undefined }, see: () => false };
/** What a call in another dress may end with. */
const closes = /[\]})]/;

export async function watchCalls(loaded: LoadedModel, params: GenerateParams): Promise<CallWatch> {
  const { syntax, model } = loaded;
  const { toolCalls, prompt } = params;
  if (params.grammar !== undefined) {
    const state = new LlamaGrammarEvaluationState({ model, grammar: await grammarFor(loaded, params.grammar) });
    return { ...nothing, options: { grammar: () => state } };
  }
  if (syntax === null) return nothing;
  const opening = openingOf(syntax);
  if (toolCalls === 'none' || prompt.tools.length === 0) return withoutCalls(loaded, params, opening.text);
  const choice = toolCalls === 'choice';
  const trigger = choice ? '' : triggerOf(syntax, loaded);
  const grammar = await grammarFor(loaded, callGrammar(syntax, prompt.tools, trigger, decline));
  const begin = (one: LlamaGrammar) => new LlamaGrammarEvaluationState({ model, grammar: one });
  let state = choice ? begin(grammar) : undefined;
  // In channels none is read.
  const mayDress = !syntax.channels;
  let isDressed = false;
  let written = '';
  const quotes = watchQuotes(params, syntax);
  return {
    options: { grammar: () => state },
    see: async (piece) => {
      written += piece;
      const quote = state === undefined ? null : quotes(written, piece, isDressed);
      if (quote !== null) {
        state = begin(await grammarFor(loaded, quote));
        return false;
      }
      if (state !== undefined && !isDressed) return false;
      if (!isDressed && written.endsWith(trigger) && mayOpenBehind(syntax, written.slice(0, -trigger.length))) {
        state = begin(grammar);
        return false;
      }
      if (closes.test(piece)) return readGeneration(syntax, written, false, prompt.tools).calls.length > 0;
      const begun = mayDress && !isDressed && /[:"]/.test(piece) ? begunCall(written, prompt.tools) : null;
      if (begun === null) return false;
      isDressed = true;
      state = begin(await grammarFor(loaded, restOfCall(begun)));
      return false;
    },
  };
}

/**
 * Keeps calls from being opened. Where tools or calls stand in the prompt all the same, as in the last word of a turn, the first
 * character is one of words: a model that writes its calls as JSON, or spells the marks that it may not draw, would write another.
 */
async function withoutCalls(loaded: LoadedModel, { prompt }: GenerateParams, opening: string): Promise<CallWatch> {
  const { model, safe, syntax } = loaded;
  const open = safe.special(opening);
  const bias = open === undefined ? {} : { tokenBias: TokenBias.for(model).set(asTokens([open]), 'never') };
  const called = prompt.messages.some(({ segments }) => segments.some(({ calls = [] }) => calls.length > 0));
  if ((prompt.tools.length === 0 && !called) || syntax === null || syntax.channels)
    return { ...nothing, options: { ...nothing.options, ...bias } };
  const begin = new LlamaGrammarEvaluationState({ model, grammar: await grammarFor(loaded, wordsFirst) });
  let written = '';
  return {
    options: { ...bias, grammar: () => (written === '' ? begin : undefined) },
    see: (piece) => {
      written += piece;
      return closes.test(piece) && readGeneration(syntax, written, false, prompt.tools).calls.length > 0;
    },
  };
}

/** A fence, a tag and JSON are none. */
const wordsFirst = 'root ::= " "? [^`{\\[< \\t\\n] [^\\x00]*';

/**
 * The opening, up to where a token ends: behind the middle of one the grammar could not take up. A bare `{"name"` goes on
 * to `{"name":`; where the last token may belong to the call's name, one token less is enough.
 */
export function triggerOf(syntax: CallSyntax, { safe, spelling }: Pick<LoadedModel, 'safe' | 'spelling'>): string {
  const whole = beginningOf(syntax);
  const opening = openingOf(syntax).text.trimStart();
  const from = whole.indexOf(opening);
  const stream = spelling.stream();
  let text = '';
  let trigger = '';
  for (const id of safe.glue(`${whole}name`)) {
    const piece = stream.push(id);
    text = (text + piece).trimStart();
    const mayGoOn = text.length === whole.length && safe.special(piece) === undefined;
    if (!whole.startsWith(text) || mayGoOn) break;
    trigger = text.slice(from);
    if (text.length >= from + opening.length) break;
  }
  return trigger === '' ? opening : trigger;
}

/** The last grammars of a model: the tools rarely change, and parsing one costs milliseconds. */
const lastGrammars = new WeakMap<LlamaModel, Map<string, LlamaGrammar>>();

async function grammarFor({ llama, model }: LoadedModel, text: string): Promise<LlamaGrammar> {
  const known = lastGrammars.get(model) ?? new Map<string, LlamaGrammar>();
  lastGrammars.set(model, known);
  const grammar = known.get(text) ?? (await llama.createGrammar({ grammar: text }));
  if (known.size > 4) known.clear();
  known.set(text, grammar);
  return grammar;
}

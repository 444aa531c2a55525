// Watches a generation for tool calls: free text until one opens, then a grammar to the end; or no call at all.
import { type Llama, type LlamaGrammar, LlamaGrammarEvaluationState, type LlamaModel, TokenBias } from 'node-llama-cpp';
import { type CallSyntax, openingOf } from '../../core/calls/syntax.ts';
import { decline } from '../../core/model.ts';
import type { GenerateParams } from '../../protocol/engine.ts';
import { callGrammar } from './callGrammar.ts';
import type { SafeTokens } from './safeTokens.ts';
import type { Spelling } from './spelling.ts';

export interface LoadedModel {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly safe: SafeTokens;
  readonly spelling: Spelling;
  readonly fingerprint: string;
  readonly syntax: CallSyntax | null;
}

export interface CallWatch {
  /** For the library's `evaluate`. */
  readonly options: {
    readonly grammarEvaluationState?: () => LlamaGrammarEvaluationState | undefined;
    readonly tokenBias?: TokenBias;
  };
  see(piece: string): void;
}

const nothing: CallWatch = { options: {}, see: () => undefined };

export async function watchCalls(loaded: LoadedModel, { toolCalls, prompt }: GenerateParams): Promise<CallWatch> {
  const { syntax, safe, model } = loaded;
  if (syntax === null) return nothing;
  const opening = openingOf(syntax);
  if (toolCalls === 'none' || prompt.tools.length === 0) {
    const open = safe.special(opening.text);
    return open === undefined
      ? nothing
      : { ...nothing, options: { tokenBias: TokenBias.for(model).set([open], 'never') } };
  }
  const from = toolCalls === 'choice' ? 'start' : 'opening';
  const grammar = await grammarFor(loaded, callGrammar(syntax, prompt.tools, from, decline));
  const begin = () => new LlamaGrammarEvaluationState({ model, grammar });
  let state = toolCalls === 'choice' ? begin() : undefined;
  let written = '';
  return {
    options: { grammarEvaluationState: () => state },
    see: (piece) => {
      written += piece;
      // Only where the opening ends with a token: behind the middle of one the grammar could not take up.
      const opened = opening.atStart ? written.trim() === opening.text : written.endsWith(opening.text);
      if (state === undefined && opened) state = begin();
    },
  };
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

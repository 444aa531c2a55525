// Watches a generation for tool calls: free text until one opens, then a grammar until it closes; or no call at all.
import {
  type Llama,
  type LlamaGrammar,
  LlamaGrammarEvaluationState,
  type LlamaModel,
  type Token,
  TokenBias,
} from 'node-llama-cpp';
import { callClose, callOpen } from '../../core/toolFormat.ts';
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
}

export interface CallWatch {
  /** For the library's `evaluate`. */
  readonly options: {
    readonly grammarEvaluationState?: () => LlamaGrammarEvaluationState | undefined;
    readonly tokenBias?: TokenBias;
  };
  see(id: Token, piece: string): void;
}

export async function watchCalls(loaded: LoadedModel, { toolCalls, prompt }: GenerateParams): Promise<CallWatch> {
  const open = loaded.safe.special(callOpen);
  if (open === undefined) return { options: {}, see: () => undefined };
  if (toolCalls === 'none' || prompt.tools.length === 0) {
    return { options: { tokenBias: TokenBias.for(loaded.model).set([open], 'never') }, see: () => undefined };
  }
  const grammar = await grammarFor(loaded, callGrammar(prompt.tools));
  let state: LlamaGrammarEvaluationState | undefined;
  let written = '';
  return {
    options: { grammarEvaluationState: () => state },
    see: (id, piece) => {
      written += piece;
      if (id === open) {
        state = new LlamaGrammarEvaluationState({ model: loaded.model, grammar });
        written = '';
      } else if (written.includes(callClose)) state = undefined;
    },
  };
}

/** The last grammar of a model: the tools rarely change, and parsing one costs milliseconds. */
const lastGrammar = new WeakMap<LlamaModel, { readonly text: string; readonly grammar: LlamaGrammar }>();

async function grammarFor({ llama, model }: LoadedModel, text: string): Promise<LlamaGrammar> {
  const known = lastGrammar.get(model);
  if (known?.text === text) return known.grammar;
  const grammar = await llama.createGrammar({ grammar: text });
  lastGrammar.set(model, { text, grammar });
  return grammar;
}

// The grammars of a watch as the library's: the state that holds for the next token, begun anew with each start.
import { type Llama, type LlamaGrammar, LlamaGrammarEvaluationState, type LlamaModel } from 'node-llama-cpp';
import type { SomeSampling } from '../../../core/model/sampling.ts';
import type { CallWatch, GrammarStart, Speaks } from '../../grammar/callWatch.ts';

export interface LoadedModel extends Speaks {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly fingerprint: string;
  /** Sampling values from the model's file. */
  readonly sampling: SomeSampling;
}

export interface GrammarStates {
  /** The grammar state of the start that was followed last. */
  readonly state: () => LlamaGrammarEvaluationState | undefined;
  /** Called before the first token and after each: takes up the start that holds now. */
  follow(): Promise<void>;
}

export function grammarStates(loaded: LoadedModel, calls: Pick<CallWatch, 'grammar'>): GrammarStates {
  let start: GrammarStart | undefined;
  let state: LlamaGrammarEvaluationState | undefined;
  return {
    state: () => state,
    follow: async () => {
      const now = calls.grammar();
      if (now === start) return;
      start = now;
      state =
        now === undefined
          ? undefined
          : new LlamaGrammarEvaluationState({ model: loaded.model, grammar: await grammarFor(loaded, now.text) });
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

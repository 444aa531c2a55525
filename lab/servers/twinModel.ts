// The model behind a twin: the pocket model on this machine, asked by ids as a server asks it. It is no server's code.
import {
  getLlama,
  type LlamaContextSequence,
  LlamaGrammarEvaluationState,
  type Token,
  TokenBias,
} from 'node-llama-cpp';
import { vocabularyOf } from '../../src/engine/worker/slot/vocabulary.ts';
import { tokenBytes } from '../../src/templates/spelling.ts';

export interface TwinCompletion {
  readonly ids: readonly number[];
  readonly maxTokens: number;
  readonly grammar?: string | undefined;
  readonly banned?: readonly number[];
  readonly slot: number;
}

export interface TwinModel {
  readonly window: number;
  readonly slots: number;
  readonly template: string;
  readonly bos: string;
  readonly eos: string;
  readonly eosId: number;
  readonly pieces: readonly Uint8Array[];
  tokenise(text: string, special: boolean): readonly number[];
  /** How many of the ids a slot holds already. */
  cached(slot: number, ids: readonly number[]): number;
  /** Empties a slot. */
  evict(slot: number): Promise<void>;
  /** Greedy; the id that ends it comes last. */
  complete(request: TwinCompletion, signal: AbortSignal): AsyncGenerator<number, void>;
  close(): Promise<void>;
}

export async function openTwinModel(
  path: string,
  { window, slots }: { window: number; slots: number },
): Promise<TwinModel> {
  const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false });
  const model = await llama.loadModel({ modelPath: path });
  const context = await model.createContext({ contextSize: window, sequences: slots, threads: 1 });
  const sequences = Array.from({ length: slots }, () => context.getSequence());
  const vocabulary = vocabularyOf(model);
  const pieces = [...vocabulary.ids()].map((id) => tokenBytes(vocabulary.pieces?.[id] ?? '', vocabulary.kind(id)));
  const at = (slot: number): LlamaContextSequence => {
    const sequence = sequences[slot % slots];
    if (sequence === undefined) throw new Error(`no slot ${slot}`);
    return sequence;
  };
  const text = (id: Token | null) => (id === null ? '' : model.detokenize([id], true));
  const cached = (slot: number, ids: readonly number[]) => {
    const cached = at(slot).contextTokens;
    let same = 0;
    while (same < cached.length && same < ids.length - 1 && cached[same] === ids[same]) same += 1;
    return same;
  };
  return {
    window,
    slots,
    template: vocabulary.chatTemplate ?? '',
    bos: text(model.tokens.bos),
    eos: text(model.tokens.eos),
    eosId: model.tokens.eos ?? -1,
    pieces,
    tokenise: (words, special) => model.tokenize(words, special),
    cached,
    evict: (slot) => at(slot).clearHistory(),
    complete: async function* ({ ids, maxTokens, grammar, banned = [], slot }, signal) {
      const sequence = at(slot);
      const keep = cached(slot, ids);
      if (sequence.nextTokenIndex > keep)
        await sequence.eraseContextTokenRanges([{ start: keep, end: sequence.nextTokenIndex }]);
      const state =
        grammar === undefined
          ? undefined
          : new LlamaGrammarEvaluationState({ model, grammar: await llama.createGrammar({ grammar }) });
      const options = {
        temperature: 0,
        yieldEogToken: true,
        ...(state === undefined ? {} : { grammarEvaluationState: state }),
        ...(banned.length === 0 ? {} : { tokenBias: TokenBias.for(model).set(banned as Token[], 'never') }),
      };
      if (maxTokens === 0) return void (await sequence.evaluateWithoutGeneratingNewTokens(ids.slice(keep) as Token[]));
      let drawn = 0;
      for await (const id of sequence.evaluate(ids.slice(keep) as Token[], options)) {
        if (signal.aborted) return;
        yield id;
        drawn += 1;
        if (model.isEogToken(id) || drawn >= maxTokens) return;
      }
    },
    close: () => model.dispose(),
  };
}

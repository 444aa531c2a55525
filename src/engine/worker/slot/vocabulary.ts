// The vocabulary of a loaded model.
import type { LlamaModel, Token } from 'node-llama-cpp';
import type { Vocabulary } from '../../../templates/vocabulary.ts';

type WithVocabulary = Pick<
  LlamaModel,
  'tokenize' | 'detokenize' | 'iterateAllTokens' | 'getTokenAttributes' | 'isEogToken' | 'fileInfo'
>;

export function vocabularyOf(model: WithVocabulary): Vocabulary {
  const { chat_template: chatTemplate = null, ggml } = model.fileInfo.metadata.tokenizer ?? {};
  return {
    tokenise: (text, further) =>
      further ? model.tokenize(text, false, 'trimLeadingSpace') : model.tokenize(text, false),
    detokenise: (ids, before = []) => model.detokenize(ids as readonly Token[], true, before as readonly Token[]),
    ids: () => model.iterateAllTokens(),
    kind: (id) => model.getTokenAttributes(id as Token),
    isEnd: (id) => model.isEogToken(id as Token),
    pieces: ggml?.model === 'gpt2' ? (ggml.tokens ?? null) : null,
    chatTemplate,
  };
}

/** Ids that are this model's, as the library names them. */
export function asTokens(ids: readonly number[]): Token[] {
  return ids as Token[];
}

// A model file that was to be loaded for what it cannot do, in words.
import type { ModelUse, Purpose } from '../machine/ggufHeader.ts';

const kinds: Readonly<Record<ModelUse, string>> = {
  chat: 'a chat model, which cannot find passages',
  embedding: 'an embedding model, which finds passages but cannot answer',
  ranking: 'a reranking model, which can neither answer nor find passages',
  projector: 'a projector, which turns pictures into tokens of the chat model that lies beside it',
  adapter: 'an adapter (LoRA), which changes a model and is none',
  imatrix: 'an importance matrix, which helps to quantise a model and is none',
  image: 'a model that draws pictures, which cannot answer',
  draft: 'a draft model, which guesses for a larger one and cannot answer by itself',
  part: 'a later part of a model in several files',
};

export function wordOtherUse({
  path,
  is,
  wanted,
}: {
  readonly path: string;
  readonly is: ModelUse;
  readonly wanted: Purpose;
}) {
  const other = is === 'chat' || is === 'embedding' ? elsewhere[is] : '';
  const advice =
    is === 'part'
      ? 'Choose the first part, whose name has 00001: the others are found from there.'
      : wanted === 'chat'
        ? 'Choose a chat model in tidemark.model.path.'
        : 'Choose an embedding model, such as gte-small, with "Tidemark: Find by Meaning".';
  return { message: `${path} is ${kinds[is]}.`, advice: `${advice}${other}` };
}

/** The setting or command that takes such a file. */
const elsewhere: Readonly<Record<Purpose, string>> = {
  chat: ' A chat model goes into tidemark.model.path.',
  embedding: ' "Tidemark: Find by Meaning" takes this one.',
};

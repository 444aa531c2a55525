// A model file that was to be loaded for what it cannot do, in words.
import type { ModelUse, Purpose } from '../machine/ggufHeader.ts';

const kinds: Readonly<Record<ModelUse, string>> = {
  chat: 'a chat model, which cannot find passages',
  embedding: 'an embedding model, which finds passages but cannot answer',
  ranking: 'a reranking model, which can neither answer nor find passages',
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
  const other = is === 'ranking' ? '' : elsewhere[is];
  const advice =
    wanted === 'chat'
      ? 'Choose a chat model in tidemark.model.path.'
      : 'Choose an embedding model, such as gte-small, with "Tidemark: Find by Meaning".';
  return { message: `${path} is ${kinds[is]}.`, advice: `${advice}${other}` };
}

/** The setting or command that takes such a file. */
const elsewhere: Readonly<Record<Purpose, string>> = {
  chat: ' A chat model goes into tidemark.model.path.',
  embedding: ' "Tidemark: Find by Meaning" takes this one.',
};

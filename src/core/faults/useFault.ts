// A model file that was to be loaded for what it cannot do, in words.
import type { ModelUse, Purpose } from '../machine/ggufHeader.ts';

const kinds: Readonly<Record<ModelUse, string>> = {
  chat: 'a chat model: it gives no vectors to find passages by',
  embedding: 'an embedding model: it finds passages and cannot answer',
  ranking: 'a model that ranks texts: it can neither answer nor give vectors',
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

/** Where a file of that kind belongs. */
const elsewhere: Readonly<Record<Purpose, string>> = {
  chat: ' A chat model goes into tidemark.model.path.',
  embedding: ' "Tidemark: Find by Meaning" takes this one.',
};

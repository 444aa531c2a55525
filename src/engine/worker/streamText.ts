// Turns generated ids into text piece by piece, holding back ids until they make whole characters.
import type { LlamaModel, Token } from 'node-llama-cpp';

export interface StreamText {
  push(id: Token): string;
  /** What was held back at the end; incomplete characters come out as U+FFFD. */
  end(): string;
}

/** A UTF-8 character has at most 4 bytes; a tail longer than this is no split character but a real U+FFFD. */
const longestSplit = 8;

export function createStreamText(model: Pick<LlamaModel, 'detokenize'>): StreamText {
  let held: Token[] = [];
  let before: Token[] = [];
  const take = () => {
    const text = model.detokenize(held, true, before);
    before = [...before, ...held].slice(-longestSplit);
    held = [];
    return text;
  };
  return {
    push: (id) => {
      held.push(id);
      const text = model.detokenize(held, true, before);
      return text.endsWith('\uFFFD') && held.length < longestSplit ? '' : take();
    },
    end: () => (held.length === 0 ? '' : take()),
  };
}

// Learns a server's tokens by asking: which of them act, and how texts begin. A server tells the text of a token and no more.
import type { TokenKind } from '../../../templates/vocabulary.ts';
import type { ExactServer, LearnedVocabulary } from './exactServer.ts';

/** Only what has brackets is asked about: no vocabulary marks anything else as special. */
const bracketed = /[<>[\]{}|｜]/u;
/** A string that stands alone in any text although special strings are not looked for, unlike `()` or `[]`. */
const mark = /^(?:<[^<>\s]{1,60}>|\[[A-Z_0-9/]{2,40}\])$/u;

/** Learns the vocabulary of a server that tells the bytes of its tokens. */
export async function learnVocabulary(
  server: ExactServer & { readonly pieces: readonly Uint8Array[] },
): Promise<LearnedVocabulary> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const texts = server.pieces.map((bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  });
  const { eos, bos } = server.facts;
  const ends = [eos, bos].filter((text) => text !== '');
  // The end marks separate the texts in a request, so no text with one is asked about.
  const isAsked = (text: string | null): text is string =>
    text !== null && text.length > 2 && bracketed.test(text) && !ends.some((end) => text.includes(end));
  const asked = texts.flatMap((text, id) => (isAsked(text) ? [{ id, text }] : []));
  const words = asked.map(({ text }) => text);
  const [acting, plain] = [await server.tokenise(words, true), await server.tokenise(words, false)];
  const isAlone = (found: readonly number[] | undefined, id: number) => found?.length === 1 && found[0] === id;
  const control = new Set(ends.map((end) => texts.indexOf(end)).filter((id) => id >= 0));
  const userDefined = new Set<number>();
  for (const [at, { id, text }] of asked.entries()) {
    if (!isAlone(acting[at], id)) continue;
    if (!isAlone(plain[at], id)) control.add(id);
    else if (looksLikeMark(text)) userDefined.add(id);
  }
  return { control, userDefined, texts, lineBreak: await lineBreakOf(server) };
}

export function looksLikeMark(text: string): boolean {
  return mark.test(text);
}

/** Vocabularies of SentencePiece begin each text with a blank, which a text that goes on must not have: `a` is another token there. */
export async function lineBreakOf(server: Pick<ExactServer, 'tokenise'>): Promise<readonly number[] | null> {
  const [letter = [], line = [], both = []] = await server.tokenise(['a', '\n', '\na'], false);
  return both.slice(line.length).join() === letter.join() ? null : line;
}

export function kindIn({ control, userDefined, texts }: LearnedVocabulary, id: number): TokenKind {
  return {
    control: control.has(id),
    userDefined: userDefined.has(id),
    unknown: false,
    unused: texts[id] === '',
  };
}

/** Texts that end a generation, besides the server's own end mark. Source: the list of llama.cpp (`src/llama-vocab.cpp`). */
export const endTexts: ReadonlySet<string> = new Set([
  '<|eot_id|>',
  '<|im_end|>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<|flush|>',
  '<|calls|>',
  '<end_of_turn>',
  '<|endoftext|>',
  '</s>',
  '<|eom_id|>',
  '<EOT>',
  '_<EOT>',
  '[EOT]',
  '[EOS]',
  '<|end_of_text|>',
  '<end_of_utterance>',
  '<eos>',
  '<turn|>',
  '<|tool_response>',
  '<｜end▁of▁sentence｜>',
  '[e~[',
]);

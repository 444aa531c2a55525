// Learns the tokens of a vLLM, which tells no vocabulary: texts are asked for with a token between them that no text contains, and acting
// tokens are found by putting their strings within a text. vLLM cannot leave special strings alone, so all of them are cut from content.
import type { Http } from '../wire/http.ts';
import { asShape, asText } from '../wire/shape.ts';
import { type ExactServer, type LearnedVocabulary, largestVocabulary } from './exactServer.ts';
import { lineBreakOf, looksLikeMark } from './learnVocabulary.ts';

/** Ids in one request. */
const some = 4096;

/** The text of each id; null where it is a part of a character. Rejects with a FaultError. */
export async function askVllmTexts(http: Http, model: string, eos: string): Promise<LearnedVocabulary['texts']> {
  const { tokens } = asShape(await http.json('/tokenize', { model, prompt: eos, add_special_tokens: false }));
  const divider = Array.isArray(tokens) && tokens.length === 1 ? (tokens[0] as unknown) : null;
  if (eos === '' || typeof divider !== 'number')
    throw http.fault({ is: 'otherTokens', reason: 'it has no token that ends a text' });
  const texts: (string | null)[] = [];
  for (let from = 0; from < largestVocabulary; from += some) {
    const asked = Array.from({ length: some }, (_, i) => [from + i, divider]).flat();
    const { prompt } = asShape(await http.json('/detokenize', { model, tokens: asked }));
    const found = asText(prompt).split(eos);
    // Its own text stands there twice.
    if (divider >= from && divider < from + some) found.splice(divider - from, 1);
    if (found.length !== some + 1)
      throw http.fault({ is: 'otherTokens', reason: 'it does not tell the text of each token' });
    if (found.every((text) => text === '')) break;
    for (const text of found.slice(0, some)) texts.push(text.includes('\uFFFD') ? null : text);
  }
  texts[divider] = eos;
  return texts;
}

/**
 * `added`: ids that its tokenizer says to match in any text. Its list may lack some: what stands behind it, and what looks like a mark, is tried as
 * well. Rejects with a FaultError.
 */
export async function learnVllm(
  server: ExactServer,
  { texts, added }: { readonly texts: LearnedVocabulary['texts']; readonly added: ReadonlySet<number> },
): Promise<LearnedVocabulary> {
  const last = Math.max(...added);
  const tried = texts.flatMap((text, id) =>
    text !== null && text !== '' && !added.has(id) && (id > last || looksLikeMark(text)) ? [{ id, text }] : [],
  );
  const within = await server.tokenise(
    tried.map(({ text }) => `x${text}x`),
    false,
  );
  const acting = tried.flatMap(({ id }, at) => (within[at]?.includes(id) === true ? [id] : []));
  const userDefined = new Set([...added, ...acting].filter((id) => (texts[id] ?? '') !== ''));
  return { control: new Set(), userDefined, texts, lineBreak: await lineBreakOf(server) };
}

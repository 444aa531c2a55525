// The user's own sentences, whole: what a compaction quotes. Code, quoted lines and what was pasted are others' words.
import { ownWords } from './words.ts';

/** A sentence with more characters is cut at a clause; its pieces are quoted, but bind nobody. */
const longest = 300;
/** Behind so many pieces a sentence is data. */
const mostPieces = 40;
/** More sentences of one message are a text that was brought in; its beginning and its end say what it is about. */
const mostOfOne = 24;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Behind these a sentence goes on, whatever a segmenter says. */
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|etc|resp|ca|z\.\s?B|d\.\s?h|bzw|evtl|p\. ex|p\. ej|nr)\.$/i;

export interface Quote {
  readonly text: string;
  /** A piece of a longer sentence. */
  readonly cut: boolean;
}

/** The own sentences of a message in its order, each a single line. */
export function quotesOf(message: string): readonly Quote[] {
  const quotes = sentencesOf(ownWords(message).own).flatMap((text): readonly Quote[] =>
    text.length <= longest ? [{ text, cut: false }] : clausesOf(text).map((piece) => ({ text: piece, cut: true })),
  );
  if (quotes.length <= mostOfOne) return quotes;
  return [...quotes.slice(0, mostOfOne / 2), ...quotes.slice(-mostOfOne / 2)];
}

/** Sentences of a text, one line each, without the signs of lists and headings. */
export function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of text.split('\n').map(withoutSigns)) {
    let before = '';
    // A segmenter ends no sentence before a small letter, as people type.
    const segments = [...segmenter.segment(line)].flatMap(({ segment }) => segment.split(/(?<=[.!?]\s+)(?=\p{Ll})/u));
    for (const segment of segments) {
      const whole = `${before}${segment}`;
      const goesOn = abbreviation.test(whole.trimEnd());
      if (!goesOn) sentences.push(whole.trim());
      before = goesOn ? whole : '';
    }
    if (before !== '') sentences.push(before.trim());
  }
  return sentences.filter((sentence) => /\p{L}/u.test(sentence));
}

function withoutSigns(line: string): string {
  // A long run of blanks is one, so that nothing below looks at it twice.
  return line.replace(/\s+/g, ' ').replace(/^ ?(?:#{1,6} |[-*•+] |\d{1,3}[.)] )+/, '');
}

/** Cuts at clauses, with as many of them in a piece as fit. */
function clausesOf(sentence: string): readonly string[] {
  const clauses = sentence.slice(0, longest * mostPieces).split(/(?<=[,;:]) |(?<=[，；：、])/);
  const pieces: string[] = [];
  for (const clause of clauses.flatMap((one) => one.match(/.{1,300}/gs) ?? [])) {
    const last = pieces.at(-1);
    const fits = last !== undefined && last.length + clause.length < longest;
    if (fits) pieces[pieces.length - 1] = `${last} ${clause}`;
    else pieces.push(clause);
  }
  return pieces;
}

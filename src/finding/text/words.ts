// Words of code and prose: identifiers as they are written, and the stems of their parts.
import { stemmer } from 'stemmer';

/** One word as it stands in a text. `parts` are the stems of its parts; `whole` is it without case and separators. */
export interface Word {
  readonly whole: string;
  readonly parts: readonly string[];
}

const wordPattern = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu;
const asciiWord = /[A-Za-z_$][\w$]*|[0-9]+/g;
const notAscii = /[^\p{ASCII}]/u;
/** camelCase, HTTPServer, snake_case, utf8, 2fa. */
const partPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{N}+/gu;
const asciiPart = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const longest = 80;
const mostKnown = 200_000;
/** Scripts that are written without spaces: pairs of characters stand for words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const known = new Map<string, Word>();

/** The words of a text in their order. */
export function wordsIn(text: string): readonly Word[] {
  const found = text.match(notAscii.test(text) ? wordPattern : asciiWord) ?? [];
  return found.filter((word) => word.length <= longest).map(wordOf);
}

/** Every distinct token that stands for a text in the index: stems of parts, and names of several parts as a whole. */
export function indexWordsOf(text: string, into = new Set<string>()): Set<string> {
  for (const { whole, parts } of wordsIn(text)) {
    for (const part of parts) into.add(part);
    if (parts.length > 1) into.add(whole);
  }
  return into;
}

export function wordOf(written: string): Word {
  const before = known.get(written);
  if (before !== undefined) return before;
  const word = split(written);
  // Most words of a folder come again; a limit keeps a folder of random names from filling the memory.
  if (known.size >= mostKnown) known.clear();
  known.set(written, word);
  return word;
}

function split(written: string): Word {
  const ascii = !notAscii.test(written);
  if (!ascii && unspaced.test(written)) return { whole: written.toLowerCase(), parts: pairsOf(written.toLowerCase()) };
  const pieces = written.match(ascii ? asciiPart : partPattern) ?? [];
  const parts = pieces.map((piece) => stem(piece.toLowerCase()));
  return { whole: written.replace(/[_$]/g, '').toLowerCase(), parts: [...new Set(parts)] };
}

/** Porter's stem (Porter 1980) of an English word; others are left as they are. */
export function stem(word: string): string {
  return word.length > 3 && /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

function pairsOf(text: string): readonly string[] {
  const characters = [...text];
  if (characters.length < 2) return characters;
  return [...new Set(characters.slice(1).map((next, at) => `${characters[at]}${next}`))];
}

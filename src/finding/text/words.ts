// Words of code and prose: identifiers as they are written, and the stems of their parts.
import { stemmer } from 'stemmer';

/** A word as it stands in a text. `parts` are the stems of its parts; `whole` is the word without case and separators. */
export interface Word {
  readonly whole: string;
  readonly parts: readonly string[];
}

/** Letters of scripts whose words no blank ends (Thai and Chinese), or that bear endings (Korean): their words are not told apart. */
const joined = '[[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{sc=Thai}]&&\\p{L}]';
const unspaced = new RegExp(joined, 'v');
const wordPattern = new RegExp(`${joined}+|[[\\p{L}_$]--${joined}][[\\p{L}\\p{N}_$]--${joined}]*|\\p{N}+`, 'gv');
/** A run of one script. */
const scriptPattern = /\p{sc=Han}+|[\p{scx=Kana}&&\p{L}]+|[\p{scx=Hira}&&\p{L}]+|[\p{scx=Hang}&&\p{L}]+|\p{sc=Thai}+/gv;
/** A character of these is a word by itself in many places. */
const telling = /^[\p{sc=Han}\p{sc=Hang}]/v;
const asciiWord = /[A-Za-z_$][\w$]*|[0-9]+/g;
const notAscii = /[^\p{ASCII}]/u;
/** camelCase, HTTPServer, snake_case, utf8, 2fa. */
const partPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{N}+/gu;
const asciiPart = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const longest = 80;
const mostKnown = 200_000;

const known = new Map<string, Word>();

/** The words of a text in their order; of a run without blanks its characters and pairs of them. */
export function wordsIn(text: string): readonly Word[] {
  return writtenIn(text).flatMap((word) => {
    if (isUnspaced(word)) return runPieces(word).map((piece) => ({ whole: piece, parts: [piece] }));
    return word.length <= longest ? [wordOf(word)] : [];
  });
}

/** The words of a text as they are written, in their order. A run without blanks is one, and ends where other letters begin. */
export function writtenIn(text: string): readonly string[] {
  return (notAscii.test(text) ? text.normalize('NFKC').match(wordPattern) : text.match(asciiWord)) ?? [];
}

/** Whether a text has a letter of a script whose words are not told apart. */
export function isUnspaced(text: string): boolean {
  return notAscii.test(text) && unspaced.test(text);
}

/** A run without blanks in its scripts: Japanese changes them between words and their endings. */
export function scriptRuns(run: string): readonly string[] {
  return run.match(scriptPattern) ?? [];
}

/** The pieces that stand for the words of such a run: pairs of characters, and single ones where they are words. */
function runPieces(run: string): readonly string[] {
  return scriptRuns(run.toLowerCase()).flatMap((part) => {
    const characters = [...part];
    const pairs = pairsOf(part);
    return characters.length === 1 || telling.test(part) ? [...characters, ...pairs] : pairs;
  });
}

export function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  return characters.slice(1).map((next, at) => `${characters[at]}${next}`);
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
  if (!ascii && unspaced.test(written)) {
    const parts = writtenIn(written).flatMap((part) => (isUnspaced(part) ? runPieces(part) : wordOf(part).parts));
    return { whole: written.normalize('NFKC').replace(/[_$]/g, '').toLowerCase(), parts: [...new Set(parts)] };
  }
  const pieces = written.match(ascii ? asciiPart : partPattern) ?? [];
  const parts = pieces.map((piece) => stem(piece.toLowerCase()));
  return { whole: written.replace(/[_$]/g, '').toLowerCase(), parts: [...new Set(parts)] };
}

/** Porter's stem (Porter 1980) of an English word; others are left as they are. */
export function stem(word: string): string {
  return word.length > 3 && /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

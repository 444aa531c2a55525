// Words of a query: what a line must hold when the phrase itself is nowhere in the workspace.

import { escapePattern, type Pattern } from './pattern.ts';

const mostWords = 8;
const emptyWords = new Set('a an the of in on at to for and or is are be it its this that with by from as'.split(' '));
const questionWords = new Set('where what which how when why who does do did can should we i find show me'.split(' '));

/**
 * The distinct words of a query in lower case, at most 8, without the endings of grammar (`parsed` becomes `pars`), and
 * with words that say nothing left out where others remain.
 */
export function wordsOf(query: string): readonly string[] {
  const words = [...new Set(query.match(/[\p{L}\p{N}_$]+/gu) ?? [])].map((word) => word.toLowerCase());
  const telling = words.filter((word) => !emptyWords.has(word) && !questionWords.has(word));
  return [...new Set((telling.length === 0 ? words : telling).map(withoutEnding))].slice(0, mostWords);
}

function withoutEnding(word: string): string {
  return word.replace(/(?<=\p{L}{4})(?:ings?|ed|es|e|s)$/u, '');
}

/** The parts of one identifier in lower case: `parseDuration`, `parse_duration` and `parse-duration` have the same. */
export function namePartsOf(identifier: string): readonly string[] {
  const spaced = identifier.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map((part) => part.toLowerCase());
}

/** The words as one identifier: `parseduration` (camelCase, the case aside), `parse_duration` and `parse-duration`. */
export function joinedForms(words: readonly string[]): readonly string[] {
  return [...new Set(['', '_', '-'].map((joint) => words.join(joint)))];
}

/** Lines that hold at least two of the words, in any order. */
export function pairPattern(words: readonly string[]): Pattern {
  const escaped = words.map(escapePattern);
  const sources = escaped.flatMap((a) => escaped.filter((b) => a !== b).map((b) => `${a}.*${b}`));
  return { sources, literal: false, ignoreCase: true };
}

/** Lines that hold at least one of the texts, in any case. */
export function anyPattern(texts: readonly string[]): Pattern {
  return { sources: texts, literal: true, ignoreCase: true };
}

/** How many of the words a line holds, and one more where it holds them all joined to one identifier. */
export function countWords(line: string, words: readonly string[]): number {
  const text = line.toLowerCase();
  const matches = words.filter((word) => text.includes(word)).length;
  const joined = words.length > 1 && joinedForms(words).some((form) => text.includes(form));
  return matches + (joined ? 1 : 0);
}

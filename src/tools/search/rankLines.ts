// The order of search results: definitions first, then whole words, code before tests, comments and imports.

import { createDefinitionTest, isComment, isImport, isProse } from './definition.ts';
import type { CodeLine } from './matchLines.ts';
import { escapePattern } from './pattern.ts';

/** The measures of a ranking. `score` comes before everything else where it is given: more is better. */
export interface Ranking {
  readonly query: string;
  readonly ignoreCase: boolean;
  /** The words to look for in the names that lines define, where the query as a whole is not in them. */
  readonly words?: readonly string[];
  readonly score?: (line: CodeLine) => number;
}

const keywords = new Set(
  (
    'function class interface type const let var enum def fn func fun struct trait impl export public private static ' +
    'async return new import from pub'
  ).split(' '),
);
const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|mocks?|__mocks__)\/|[._-](?:test|spec)s?\.[^/]+$|(?:^|\/)test_[^/]*$/i;
const exportedPattern = /^\s*(?:export|pub|public|module\.exports|exports\.|func\s+(?:\([^)]*\)\s*)?\p{Lu})/u;

/** The lines, best first; lines of equal rank stay in the order of path and line. */
export function rankLines(lines: readonly CodeLine[], ranking: Ranking): readonly CodeLine[] {
  const tierOf = createTiers(ranking);
  return lines
    .map((line) => ({ line, score: ranking.score?.(line) ?? 0, tier: tierOf(line), place: linePlace(line) }))
    .sort((a, b) => b.score - a.score || a.tier - b.tier || a.place - b.place || comparePlaces(a.line, b.line))
    .map((ranked) => ranked.line);
}

/** Orders by path, then by line. */
export function comparePlaces(a: { shown: string; line: number }, b: { shown: string; line: number }): number {
  if (a.shown !== b.shown) return a.shown < b.shown ? -1 : 1;
  return a.line - b.line;
}

/** 0 for exported code, 1 for other code, 2 for tests, 3 for comments, imports and prose. */
export function linePlace(line: CodeLine): number {
  if (isProse(line.shown) || isComment(line.text) || isImport(line.text)) return 3;
  if (testPath.test(line.shown)) return 2;
  return exportedPattern.test(line.text) ? 0 : 1;
}

function createTiers({ query, ignoreCase, words: parts }: Ranking): (line: CodeLine) => number {
  const flags = ignoreCase ? 'iu' : 'u';
  const words = query.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const names = words.filter((word) => !keywords.has(word)).map(escapePattern);
  const exact = createDefinitionTest(names.length === 0 ? '(?!)' : `(?:${names.join('|')})`, ignoreCase);
  const inside = (parts ?? [query]).map(escapePattern).join('|');
  const partial = createDefinitionTest(`[\\p{L}\\p{N}_$]*(?:${inside})[\\p{L}\\p{N}_$]*`, ignoreCase);
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_$])${escapePattern(query)}(?![\\p{L}\\p{N}_$])`, flags);
  return ({ text, shown }) => {
    const strength = exact(text, shown);
    if (strength > 0) return 2 - strength;
    if (whole.test(text)) return 2;
    return partial(text, shown) > 0 ? 3 : 4;
  };
}

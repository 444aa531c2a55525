// Renaming a symbol: where it stands, in its file and elsewhere, and who renames it.

import type { Workspace } from '../../tools/files/workspace.ts';
import { definedName } from '../../tools/search/definition.ts';
import { type CodeLine, matchLines } from '../../tools/search/matchLines.ts';
import { escapePattern } from '../../tools/search/pattern.ts';

/**
 * Renames what stands at a place of a file, lines and characters from 0: the files it changes, with their texts. `using`: files in which the
 * name stands, which the language server may not know. Rejects with words.
 */
export type Rename = (
  path: string,
  at: { readonly line: number; readonly character: number },
  to: string,
  using: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** Milliseconds that the search may take. */
const patience = 10_000;

/** The first line in each file in which the name stands as a word: a language server may not know all that use it. Never rejects. */
export async function filesWith(workspace: Workspace, name: string): Promise<readonly CodeLine[]> {
  const source = `(?:^|[^\\p{L}\\p{N}_$])${escapePattern(name)}(?:[^\\p{L}\\p{N}_$]|$)`;
  const pattern = { sources: [source], literal: false, ignoreCase: false };
  const { lines } = await matchLines(workspace, pattern, AbortSignal.timeout(patience));
  const seen = new Set<string>();
  return lines.filter(({ path }) => !seen.has(path) && seen.add(path).size > 0);
}

/** Returns where the symbol is declared, else where it stands first, counted from 0; null where it does not stand in the text. */
export function symbolAt(
  text: string,
  symbol: string,
  path: string,
): { readonly line: number; readonly character: number } | null {
  const lines = text.split(/\r\n|\n|\r/);
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${symbol.replace(/[^\w]/g, '\\$&')}(?![\\p{L}\\p{N}_$])`, 'u');
  const declared = lines.findIndex((line) => definedName(line, path) === symbol && word.test(line));
  const line = declared >= 0 ? declared : lines.findIndex((one) => word.test(one));
  const character = lines[line]?.search(word) ?? -1;
  return character < 0 ? null : { line, character };
}

/** Other words of that name, or uses that the language server does not know. */
export function alsoIn(symbol: string, places: readonly string[]): string {
  if (places.length === 0) return '';
  const more = places.length > mostOthers ? ` and ${places.length - mostOthers} more files` : '';
  return ` ${symbol} also stands in ${places.slice(0, mostOthers).join(', ')}${more}, which were left as they are.`;
}

/** Files that are named at most. */
const mostOthers = 8;

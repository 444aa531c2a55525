// The tool search_code: the best matching lines of the workspace for an identifier or a phrase.

import { countOf } from '../core/count.ts';
import type { LookingTool, Signal, ToolResult } from '../core/dialog/tool.ts';
import { withoutSecrets } from '../secrets/lines.ts';
import { textArgument } from './argument.ts';
import { unsavedByReal } from './files/paths.ts';
import { accept, cutEnd, headLine, quote, refuse, systemReason } from './files/result.ts';
import type { Workspace } from './files/workspace.ts';
import { linesBefore } from './linesBefore.ts';
import { definitionCandidates } from './search/definition.ts';
import { type CodeLine, type MatchedLines, matchLimit, matchLines } from './search/matchLines.ts';
import { escapePattern, type Pattern, smartPattern } from './search/pattern.ts';
import { rankLines } from './search/rankLines.ts';

const mostShown = 10;
const codeLimit = 160;
const queryLimit = 500;

/** A tool that searches files and unsaved buffers; its result names at most 10 lines. */
export function createSearchCode(workspace: Workspace): LookingTool {
  return {
    schema: {
      name: 'search_code',
      description: 'Search the workspace code for an identifier or phrase and return the best matching lines.',
      parameters: {
        type: 'object',
        properties: { query: { type: 'string', description: 'Identifier or phrase to search for' } },
        required: ['query'],
      },
    },
    effect: 'read',
    async run(args, signal) {
      const query = textArgument(args, 'query', 'parseDuration');
      if (!query.ok) return query.refusal;
      const text = headLine(query.value);
      if (text === '') return refuse('The argument "query" is empty; give a text such as "parseDuration".');
      if (text.length > queryLimit) return refuse(`The argument "query" is longer than ${queryLimit} characters.`);
      try {
        return await search(workspace, text, signal);
      } catch (error) {
        return refuse(`The search failed: ${systemReason(error)}`);
      }
    },
  };
}

async function search(workspace: Workspace, query: string, signal: Signal): Promise<ToolResult> {
  const pattern = smartPattern(query);
  const found = await matchLines(workspace, pattern, signal);
  if (found.lines.length > 0 || found.end !== 'done') {
    const all =
      found.end === 'enough' ? [...found.lines, ...(await definitions(workspace, query, signal))] : found.lines;
    const ranked = rankLines(distinct(all), { query, ignoreCase: pattern.ignoreCase });
    return report({ workspace, signal }, found, ranked, `for ${quote(query)}`, query);
  }
  const words = wordsOf(query);
  return words.length > 1 || /\s/.test(query)
    ? searchWords(workspace, query, words, signal)
    : searchSpellings(workspace, query, signal);
}

/** Lines that define the name; a frequent name can fill the collection before they are met. */
async function definitions(workspace: Workspace, query: string, signal: Signal): Promise<readonly CodeLine[]> {
  const sources = [definitionCandidates(escapePattern(query))];
  const ignoreCase = query === query.toLowerCase();
  return (await matchLines(workspace, { sources, literal: false, ignoreCase }, signal)).lines;
}

async function searchWords(
  workspace: Workspace,
  query: string,
  words: readonly string[],
  signal: Signal,
): Promise<ToolResult> {
  const single = await matchLines(workspace, anyPattern(words), signal);
  // Frequent words fill the collection before the lines that hold several of them are met.
  const pairs = single.end === 'enough' ? await matchLines(workspace, pairPattern(words), signal) : single;
  const found = pairs.lines.length > 0 ? pairs : single;
  const score = (line: CodeLine): number => countWords(line.text, words);
  const most = found.lines.filter((line) => score(line) > words.length / 2);
  const kept = most.length > 0 ? most : found.lines;
  const ranked = rankLines(kept, { query: words.join(' '), ignoreCase: true, words, score });
  return report(
    { workspace, signal },
    found,
    ranked,
    `with ${most.length > 0 ? 'most' : 'some'} words of ${quote(query)}`,
    query,
  );
}

/** Looks for an identifier in its other spellings: `parse_duration` where the code says `parseDuration`. */
async function searchSpellings(workspace: Workspace, query: string, signal: Signal): Promise<ToolResult> {
  const parts = namePartsOf(query);
  if (parts.length === 0) return accept(`No matches for ${quote(query)} in files up to 2 MB.`);
  const forms = joinedForms(parts);
  const found = await matchLines(workspace, anyPattern(forms), signal);
  const best = forms.find((form) => found.lines.some((line) => line.text.toLowerCase().includes(form))) ?? query;
  return report(
    { workspace, signal },
    found,
    rankLines(found.lines, { query: best, ignoreCase: true }),
    `spelled like ${quote(query)}`,
    query,
  );
}

async function report(
  { workspace, signal }: { readonly workspace: Workspace; readonly signal: Signal },
  found: MatchedLines,
  ranked: readonly CodeLine[],
  what: string,
  query: string,
): Promise<ToolResult> {
  if (found.end === 'aborted') return refuse('The search was stopped.');
  if (found.end === 'failed') return refuse(`The search failed: ${headLine(found.error ?? 'ripgrep gave no reason')}`);
  const late = found.end === 'timed out';
  if (ranked.length === 0) {
    if (late) return refuse(`The search for ${quote(query)} took over 10 seconds and found nothing yet.`);
    return accept(`No matches for ${quote(query)} in files up to 2 MB.`);
  }
  const shown = ranked.slice(0, mostShown);
  const total = found.end === 'enough' ? `More than ${matchLimit} matches` : countOf(ranked.length, 'match', 'matches');
  const best = ranked.length > mostShown ? `, best ${mostShown}` : '';
  const unfinished = late ? ' (stopped after 10 seconds, there may be more)' : '';
  return accept(`${total} ${what}${best}${unfinished}:`, await showLines(workspace, shown, signal));
}

/** Each as `1. src/duration.ts:12: code`, the code trimmed and cut to 160 characters, or a mark where it holds a secret. */
export async function showLines(
  workspace: Workspace,
  lines: readonly CodeLine[],
  signal: Signal,
): Promise<readonly string[]> {
  const buffers = await unsavedByReal(workspace);
  return Promise.all(
    lines.map(async ({ shown, path, line, text }, index) => {
      const place = { real: path, unsaved: buffers.get(path) };
      // With the line as it is whole: what is shown of it was cut around the match.
      const above = await linesBefore(place, line + 1, signal).catch(() => []);
      const [whole = ''] = above.slice(-1);
      const hidden = [whole, text].map((one) => withoutSecrets([one.trimStart()], path, above.slice(0, -1)));
      const [code = ''] = (hidden.find(({ kinds }) => kinds.length > 0) ?? { lines: [text] }).lines;
      return `${index + 1}. ${headLine(shown)}:${line}: ${cutEnd(headLine(code), codeLimit)}`;
    }),
  );
}

function distinct(lines: readonly CodeLine[]): readonly CodeLine[] {
  return [...new Map(lines.map((line) => [`${line.line}:${line.path}`, line])).values()];
}

// Words of a query: what a line must hold when the phrase itself is nowhere in the workspace.
const mostWords = 8;
const emptyWords = new Set('a an the of in on at to for and or is are be it its this that with by from as'.split(' '));
const questionWords = new Set('where what which how when why who does do did can should we i find show me'.split(' '));

/**
 * The distinct words of a query in lower case, at most 8, without the endings of grammar (`parsed` becomes `pars`), and
 * with words that say nothing left out where others remain.
 */
function wordsOf(query: string): readonly string[] {
  const words = [...new Set(query.match(/[\p{L}\p{N}_$]+/gu) ?? [])].map((word) => word.toLowerCase());
  const telling = words.filter((word) => !emptyWords.has(word) && !questionWords.has(word));
  return [...new Set((telling.length === 0 ? words : telling).map(withoutEnding))].slice(0, mostWords);
}

function withoutEnding(word: string): string {
  return word.replace(/(?<=\p{L}{4})(?:ings?|ed|es|e|s)$/u, '');
}

/** The parts of one identifier in lower case: `parseDuration`, `parse_duration` and `parse-duration` have the same. */
function namePartsOf(identifier: string): readonly string[] {
  const spaced = identifier.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map((part) => part.toLowerCase());
}

/** The words as one identifier: `parseduration` (camelCase, the case aside), `parse_duration` and `parse-duration`. */
function joinedForms(words: readonly string[]): readonly string[] {
  return [...new Set(['', '_', '-'].map((joint) => words.join(joint)))];
}

/** Lines that hold at least two of the words, in any order. */
function pairPattern(words: readonly string[]): Pattern {
  const escaped = words.map(escapePattern);
  const sources = escaped.flatMap((a) => escaped.filter((b) => a !== b).map((b) => `${a}.*${b}`));
  return { sources, literal: false, ignoreCase: true };
}

/** Lines that hold at least one of the texts, in any case. */
function anyPattern(texts: readonly string[]): Pattern {
  return { sources: texts, literal: true, ignoreCase: true };
}

/** How many of the words a line holds, and one more where it holds them all joined to one identifier. */
function countWords(line: string, words: readonly string[]): number {
  const text = line.toLowerCase();
  const matches = words.filter((word) => text.includes(word)).length;
  const joined = words.length > 1 && joinedForms(words).some((form) => text.includes(form));
  return matches + (joined ? 1 : 0);
}

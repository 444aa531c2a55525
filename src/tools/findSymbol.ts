// The tool find_symbol: where a name is declared, by the editor's index or by the look of the code.

import { countOf } from '../core/count.ts';
import type { LookingTool, Signal, ToolResult } from '../core/dialog/tool.ts';
import { textArgument } from './argument.ts';
import { findRoots, isInside, type Root, realOf, showPath, unsavedByReal } from './files/paths.ts';
import { accept, headLine, quote, refuse, systemReason } from './files/result.ts';
import type { SymbolHit, Workspace } from './files/workspace.ts';
import { placeRange } from './lineRange.ts';
import { createDefinitionTest, definitionCandidates } from './search/definition.ts';
import { type CodeLine, type MatchedLines, matchLines } from './search/matchLines.ts';
import { escapePattern } from './search/pattern.ts';
import { comparePlaces, linePlace } from './search/rankLines.ts';
import { showLines } from './searchCode.ts';
import { untilAborted } from './untilAborted.ts';

const mostShown = 10;
const queryLimit = 200;
const mostHits = 50;

/** A tool that names at most 10 declarations. */
export function createFindSymbol(workspace: Workspace): LookingTool {
  return {
    schema: {
      name: 'find_symbol',
      description: 'Find where a function, class, type or variable is declared.',
      parameters: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Name of the symbol' } },
        required: ['name'],
      },
    },
    effect: 'read',
    async run(args, signal) {
      const given = textArgument(args, 'name', 'parseDuration');
      if (!given.ok) return given.refusal;
      // `Duration.parse()` and `function parse` both mean `parse`.
      const name = given.value.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)?.at(-1);
      if (name === undefined || name.length > queryLimit) {
        return refuse('The argument "name" must be the name of a symbol, such as "parseDuration".');
      }
      try {
        return await find(workspace, name, signal);
      } catch (error) {
        return refuse(`The search failed: ${systemReason(error)}`);
      }
    },
  };
}

async function find(workspace: Workspace, name: string, signal: Signal): Promise<ToolResult> {
  const show = (lines: readonly CodeLine[]) => showLines(workspace, lines, signal);
  const known = await askEditor(workspace, name, signal);
  if (signal.aborted) return refuse('The search was stopped.');
  if (known.lines.length > 0) return report(show, known.lines, name, '');
  const found = await search(workspace, name, signal);
  if (found.end === 'aborted') return refuse('The search was stopped.');
  if (found.end === 'failed') return refuse(`The search failed: ${headLine(found.error ?? 'ripgrep gave no reason')}`);
  const late = found.end === 'timed out' ? ' (stopped after 10 seconds)' : '';
  return report(
    show,
    found.lines,
    name,
    known.error === undefined ? late : ` by text search, as the editor's failed${late}`,
  );
}

async function report(
  show: (lines: readonly CodeLine[]) => ReturnType<typeof showLines>,
  lines: readonly CodeLine[],
  name: string,
  note: string,
): Promise<ToolResult> {
  if (lines.length === 0) return accept(`No symbol named ${quote(name)}${note}.`);
  const best = lines.length > mostShown ? `, first ${mostShown}` : '';
  const head = `${countOf(lines.length, 'symbol', 'symbols')} named ${quote(name)}${best}${note}:`;
  return accept(head, await show(lines.slice(0, mostShown)));
}

/** The editor's declarations of exactly this name inside the workspace; `error` where it could not answer. */
async function askEditor(
  workspace: Workspace,
  name: string,
  signal: Signal,
): Promise<{ lines: readonly CodeLine[]; error?: string }> {
  if (workspace.symbols === undefined) return { lines: [] };
  try {
    const hits = await untilAborted(workspace.symbols(name), signal);
    const named = hits.filter((hit) => hit.name.replace(/\(.*$/s, '') === name).slice(0, mostHits);
    const [roots, buffers] = await Promise.all([findRoots(workspace), unsavedByReal(workspace)]);
    const lines: CodeLine[] = [];
    for (const hit of named) {
      const line = await lineOf(roots, buffers, hit, signal);
      if (line !== undefined) lines.push(line);
    }
    return { lines: lines.sort((a, b) => linePlace(a) - linePlace(b) || comparePlaces(a, b)) };
  } catch (error) {
    return { lines: [], error: systemReason(error) };
  }
}

/** The line a hit points at; undefined outside the workspace. */
async function lineOf(
  roots: readonly Root[],
  buffers: ReadonlyMap<string, string>,
  hit: SymbolHit,
  signal: Signal,
): Promise<CodeLine | undefined> {
  const real = await realOf(hit.path);
  if (!roots.some((root) => isInside(root.real, real))) return undefined;
  const options = { first: hit.line, last: hit.line, most: 1000, signal };
  const unsaved = buffers.get(real);
  // The editor's index may be behind the disk: a hit in a file that is gone is no hit.
  const range = await placeRange({ real, unsaved }, options).catch(() => null);
  const text = range?.lines[0];
  if (text === undefined) return undefined;
  return { path: real, shown: showPath(roots, hit.path), line: hit.line, text };
}

/** Definitions proper, or where there are none, local variables, fields and the like. */
async function search(workspace: Workspace, name: string, signal: Signal): Promise<MatchedLines> {
  const escaped = escapePattern(name);
  const pattern = { sources: [definitionCandidates(escaped)], literal: false, ignoreCase: false };
  const found = await matchLines(workspace, pattern, signal);
  const test = createDefinitionTest(escaped);
  const ranked = found.lines
    .map((line) => ({ line, strength: test(line.text, line.shown) }))
    .filter(({ strength }) => strength > 0)
    .sort((a, b) => b.strength - a.strength || linePlace(a.line) - linePlace(b.line) || comparePlaces(a.line, b.line));
  const best = ranked[0]?.strength;
  return { ...found, lines: ranked.filter(({ strength }) => strength === best).map(({ line }) => line) };
}

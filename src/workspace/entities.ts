// The main entities of the code: what is declared at the top level and named in the most other files.

import { stat } from 'node:fs/promises';
import type { Signal } from '../core/dialog/tool.ts';
import { findRoots, unsavedByReal } from '../tools/files/paths.ts';
import { headLine } from '../tools/files/result.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import { definedName, isComment, isImport } from '../tools/search/definition.ts';
import { readStart } from './fileStart.ts';
import { comparePaths, listSources, type SourceFile } from './sourceFiles.ts';

export interface Entity {
  readonly name: string;
  /** The path as the model sees it. */
  readonly path: string;
  readonly line: number;
  /** Other source files that name it. */
  readonly uses: number;
}

/** A declaration at the top level. A lower `rank` comes first: exported, and a callable or a type. */
interface Declared {
  readonly name: string;
  readonly shown: string;
  readonly line: number;
  readonly rank: number;
  /** Whether no other file can use it. */
  readonly own: boolean;
}

const mostFiles = 400;
const mostBytes = 200_000;
const mostOfOneFile = 3;
const shortestName = 4;
const callableOrType =
  /\b(?:function|class|def|fn|func|fun|sub|proc|interface|type|enum|struct|trait|union|record|protocol|mod|module)\b|\(/;
const exportedPattern =
  /^(?:export|pub|public|module\.exports|exports\.)\b|^(?:func|type|var|const)\s+(?:\([^)]*\)\s*)?\p{Lu}/u;
const plain = /^[a-z]+$/;
/** Files whose declarations are their own unless they are exported. */
const modulePattern = /\.(?:[mc]?ts|tsx|mjs)$/;
const privatePattern = /^(?:static|private|local)\b|^(?:async\s+)?(?:def|class)\s+_|^_/;

/** The most used first; the same for the same files. Empty when it is aborted. Never rejects. */
export async function mainEntities(workspace: Workspace, signal: Signal, limit = 20): Promise<readonly Entity[]> {
  const [roots, buffers] = await Promise.all([findRoots(workspace), unsavedByReal(workspace)]);
  const declared: Declared[] = [];
  const files = new Map<string, number>();
  const homes = new Map<string, number>();
  for (const file of roots.length === 0 ? [] : await listSources(roots, mostFiles, signal)) {
    const text = await readSource(file, buffers.get(file.real));
    if (signal.aborted) return [];
    const names = namesIn(text.split('\n'));
    for (const name of names) files.set(name, (files.get(name) ?? 0) + 1);
    const all = declarationsOf(file.shown, text);
    for (const { name } of all) homes.set(name, (homes.get(name) ?? 0) + (names.has(name) ? 1 : 0));
    declared.push(...preferred(all));
  }
  // A name that many files declare for themselves, such as `main`, is not a use of any of them.
  const usesOf = ({ name, own }: Declared): number => (own ? 0 : (files.get(name) ?? 0) - (homes.get(name) ?? 0));
  return choose(
    declared.map((one) => ({
      name: one.name,
      path: headLine(one.shown),
      line: one.line,
      uses: usesOf(one),
      rank: one.rank,
    })),
    limit,
  );
}

/** Names the entities in one paragraph; empty where there are none. */
export function overviewText(entities: readonly Entity[]): string {
  if (entities.length === 0) return '';
  return `Main entities: ${entities.map(({ name, path, line }) => `${name} (${path}:${line})`).join(', ')}`;
}

/** The text of a file that is not too large; empty for any other. */
async function readSource({ real }: SourceFile, unsaved: string | undefined): Promise<string> {
  const size = unsaved?.length ?? (await stat(real).catch(() => undefined))?.size ?? 0;
  if (size > mostBytes) return '';
  const place = { real, kind: 'file' } as const;
  return (await readStart(unsaved === undefined ? place : { ...place, unsaved }, mostBytes))?.text ?? '';
}

/**
 * The words of the code that can be names from elsewhere. A word such as `count` is also a variable or a type in many
 * files, so it must be imported, or called and no method.
 */
function namesIn(lines: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const line of lines) {
    if (isComment(line)) continue;
    const imports = isImport(line);
    for (const { 0: name, index } of line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      if (name.length < shortestName) continue;
      const called = line[index + name.length] === '(' && line[index - 1] !== '.';
      if (imports || called || !plain.test(name)) names.add(name);
    }
  }
  return names;
}

function declarationsOf(shown: string, text: string): readonly Declared[] {
  const found = new Map<string, Declared>();
  const closed = modulePattern.test(shown) && !/^export\s*\{/m.test(text);
  for (const [index, line] of text.split('\n').entries()) {
    const name = /^(?:\s|$)/.test(line) ? undefined : definedName(line, shown);
    if (name === undefined || name.length < shortestName || /^__/.test(name) || found.has(name)) continue;
    found.set(name, {
      name,
      shown,
      line: index + 1,
      rank: rankOf(line, closed),
      own: closed && !exportedPattern.test(line),
    });
  }
  return [...found.values()];
}

/** Ranks a declaration. In a language without exports, everything that is not marked as private counts as exported. */
function rankOf(line: string, closed: boolean): number {
  const kind = callableOrType.test(line) ? 0 : 1;
  const open = closed ? 2 : 0;
  return (exportedPattern.test(line) ? 0 : privatePattern.test(line) ? 4 : open) + kind;
}

/** Keeps the declarations of the best rank in a file, so that what it exports stands before what it keeps to itself. */
function preferred(declared: readonly Declared[]): readonly Declared[] {
  const best = Math.min(...declared.map(({ rank }) => rank));
  return declared.filter(({ rank }) => rank === best);
}

/** Chooses exported names first, functions and types before values, and of those the most used. */
function choose(entities: readonly (Entity & { readonly rank: number })[], limit: number): readonly Entity[] {
  const ranked = entities.toSorted(
    (a, b) =>
      a.rank - b.rank || b.uses - a.uses || comparePaths({ shown: a.path }, { shown: b.path }) || a.line - b.line,
  );
  const chosen = new Map<string, Entity>();
  const ofFile = new Map<string, number>();
  for (const { rank: _, ...entity } of ranked) {
    const taken = ofFile.get(entity.path) ?? 0;
    if (chosen.size >= limit) break;
    if (taken >= mostOfOneFile || chosen.has(entity.name)) continue;
    ofFile.set(entity.path, taken + 1);
    chosen.set(entity.name, entity);
  }
  return [...chosen.values()];
}

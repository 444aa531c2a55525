// The subject of a failing output: the code that its places stand in and that the failing lines call, by file and name.
import type { DatabaseSync } from 'node:sqlite';
import type { Failing } from '../core/agent/intent.ts';
import { fileOf, placesIn } from '../core/places.ts';
import { readOutline } from './db/outlineText.ts';
import { declaredIn } from './rank/declared.ts';
import type { NamedIn } from './rank/pointed.ts';
import { fileKindOf } from './text/accept.ts';

/** Places of an output that are looked at. */
const mostPlaces = 12;
/** Lines in front of a place whose calls are looked at, the nearest first: a value is made some lines before it is compared. */
const linesBefore = 12;
const called = /([\p{L}_$][\p{L}\p{N}_$]*)\s*\(/gu;

interface Suspect {
  readonly path: string;
  /** The declaration; '' for none. */
  readonly name: string;
}

/** Returns a file of code where there is one: a test that fails is seldom what is wrong, and what explains the code never. */
export function failingIn(
  output: string,
  { files, db, statistics, read }: NamedIn & { readonly files: readonly string[] },
): Failing {
  // A place that warns (`a.py:3: DeprecationWarning: ...`) fails nothing.
  const said = output.replace(/^.*:\d+: ?\w*warning: .*$/gim, '');
  const places = said
    .split('\n')
    .flatMap(placesIn)
    .flatMap((place) => {
      const path = fileOf(place.path, files);
      return path === null ? [] : [{ ...place, path }];
    });
  // Python prints the most recent call last.
  const near = places.some(({ isPython }) => isPython) ? places.toReversed() : places;
  const stands = near
    .slice(0, mostPlaces)
    .map(({ path, line }) => ({ path, line, name: declarationAt(db, path, line) }));
  const tests = stands.filter(({ path }) => !isCode(path));
  const texts = [said.split('\n'), ...tests.map(({ path, line }) => linesTo(read(path) ?? [], line))];
  const calls = texts.flatMap((lines) => lines.toReversed().flatMap(callsOf));
  const declared = [...new Set(calls)].flatMap((name) =>
    declaredIn(db, statistics, name).map(({ path }): Suspect => ({ path, name })),
  );
  const suspects = [...stands, ...declared].filter(({ path }) => isCode(path));
  const other = stands.find(({ path }) => fileKindOf(path) !== 'docs');
  const file = (suspects[0] ?? other)?.path ?? null;
  const name = suspects.find((one) => one.path === file && one.name !== '')?.name ?? '';
  return { file, name };
}

/** The names that a line calls: of a chain the last call first, since its value is what the line goes on with. */
function callsOf(line: string): readonly string[] {
  const names: string[] = [];
  for (const { 1: name = '', index } of line.matchAll(called)) {
    if (/\)\s*\.\s*$/.test(line.slice(0, index))) names.unshift(name);
    else names.push(name);
  }
  return names;
}

function isCode(path: string): boolean {
  return fileKindOf(path) === 'code' && !path.endsWith('.pyi');
}

function linesTo(lines: readonly string[], line: number): readonly string[] {
  return lines.slice(Math.max(0, line - 1 - linesBefore), line);
}

/** The innermost declaration around a line; '' for none. */
function declarationAt(db: DatabaseSync, path: string, line: number): string {
  const row = db.prepare('select outline from files where path = ?').get(path) as
    | { outline: string | null }
    | undefined;
  const around = readOutline(row?.outline ?? '').filter(({ from, to }) => from <= line && line <= to);
  return around.toSorted((one, two) => one.to - one.from - (two.to - two.from))[0]?.name ?? '';
}

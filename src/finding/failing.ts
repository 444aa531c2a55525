// The subject of a failing output: the code that its places stand in and that the failing lines call, by file and name.
import { posix } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Failing, FailingPart } from '../core/agent/intent.ts';
import { fileOf, placesIn } from '../core/places.ts';
import { readOutline } from './db/outlineText.ts';
import { declaredIn } from './rank/declared.ts';
import type { NamedIn } from './rank/pointed.ts';
import { fileKindOf } from './text/accept.ts';

/** Places of an output that are looked at. */
const mostPlaces = 12;
/** Lines in front of a place whose calls are looked at, the nearest first: a value is made some lines before it is compared. */
const linesBefore = 12;
/** Lines of a file that is shown whole, and lines around a part of a longer one. */
const [wholeFile, linesAround] = [80, 10];
/** Lines at the top of a test in which its imports stand, and lines of a test that are shown. */
const [importLines, mostTest] = [30, 40];
const called = /([\p{L}_$][\p{L}\p{N}_$]*)\s*\(/gu;

/** Parts that are named of each kind, and those whose calls are followed. */
const [mostParts, mostFollowed] = [6, 2];
/** Files of a folder that are listed. */
const mostFiles = 60;

interface Suspect {
  readonly path: string;
  /** The declaration; '' for none. */
  readonly name: string;
  readonly line: number | null;
}

/** Of code where there is any: a test that fails is seldom what is wrong, and what explains the code never. */
export function failingIn(output: string, ground: NamedIn & { readonly files: readonly string[] }): Failing {
  const { files, db, statistics, read } = ground;
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
    .map(({ path, line }): Suspect => ({ path, line, name: declarationAt(db, path, line)?.name ?? '' }));
  const tests = stands.filter(({ path }) => fileKindOf(path) === 'test');
  const texts = [said.split('\n'), ...tests.map(({ path, line }) => linesTo(read(path) ?? [], line ?? 0))];
  const calls = texts.flatMap((lines) => lines.toReversed().flatMap(callsOf));
  const declaredAs = (name: string) =>
    declaredIn(db, statistics, name).map(({ path }): Suspect => ({ path, name, line: null }));
  const declared = [...new Set(calls)].flatMap(declaredAs);
  const code = [...stands, ...declared].filter(({ path }) => isCode(path));
  const suspects = code.length > 0 ? code : filesBeside(said, tests, ground);
  const first = partsOf(suspects, ground);
  // What the likeliest call may be wrong in their place.
  const further = first
    .slice(0, mostFollowed)
    .flatMap(({ text, name }) =>
      [...new Set(text.split('\n').flatMap(callsOf))].flatMap((one) => (one === name ? [] : declaredAs(one))),
    );
  const all = files.filter(isCode);
  return {
    suspects: partsOf([...suspects, ...further.filter(({ path }) => isCode(path))], ground),
    tests: partsOf(tests, ground),
    files: all.length <= mostFiles ? all : [],
    said: ownLines(said.split('\n'), files),
  };
}

/** Without the frames of other code, and without the names above their places. */
function ownLines(lines: readonly string[], files: readonly string[]): readonly string[] {
  const isForeign = (line: string | undefined) => {
    const places = placesIn(line ?? '');
    return places.length > 0 && places.every(({ path }) => fileOf(path, files) === null);
  };
  const isFrame = (line: string) => /^\s*(?:at |\d+: )/.test(line);
  const isNamed = (line: string, next: string | undefined) => placesIn(line).length === 0 && isForeign(next);
  return lines.filter((line, at) => !isFrame(line) || !(isForeign(line) || isNamed(line, lines[at + 1])));
}

/** Files of code whose names stand in the output or at the top of the tests, then those beside the tests: what they want may be missing there. */
function filesBeside(
  output: string,
  tests: readonly Suspect[],
  { files, read }: Pick<NamedIn, 'read'> & { readonly files: readonly string[] },
): readonly Suspect[] {
  const code = files.filter(isCode);
  const named = files.filter((path) => fileKindOf(path) === 'test' && output.includes(path));
  const own = [...new Set([...tests.map(({ path }) => path), ...named])];
  const tops = own.flatMap((path) => read(path)?.slice(0, importLines) ?? []);
  const words = new Set([output, ...tops].flatMap((text) => text.split(/[^\p{L}\p{N}_$-]+/u)));
  const stemOf = (path: string) => posix.basename(path).replace(/\..*$/, '');
  const byName = code.filter((path) => stemOf(path).length > 1 && words.has(stemOf(path)));
  const beside = code.filter((path) => own.some((test) => posix.dirname(test) === posix.dirname(path)));
  return [...new Set([...byName, ...beside])].map((path) => ({ path, name: '', line: null }));
}

/** Each once: a declaration with its lines, a line outside of all of them, or a whole file. */
function partsOf(suspects: readonly Suspect[], { db, read }: Pick<NamedIn, 'db' | 'read'>): readonly FailingPart[] {
  const parts = new Map<string, FailingPart>();
  for (const { path, name, line } of suspects) {
    const lines = read(path);
    if (lines === null || parts.size === mostParts) continue;
    const outline = outlineOf(db, path);
    const around = line === null ? outline.find((one) => one.name === name) : declarationAt(db, path, line);
    const { from, to } =
      around ??
      (line === null
        ? { from: 1, to: lines.length }
        : fileKindOf(path) === 'test'
          ? block(lines, line)
          : { from: line, to: line });
    const textOf = (first: number, last: number) => lines.slice(first - 1, last).join('\n');
    const [first, last] =
      lines.length <= wholeFile
        ? [1, lines.length]
        : [Math.max(1, from - linesAround), Math.min(lines.length, to + linesAround)];
    const shown = { from: first, to: last, text: textOf(first, last) };
    const key = `${path}:${from}`;
    if (!parts.has(key))
      parts.set(key, { path, name, from, to, line, text: textOf(from, to), file: lines.join('\n'), shown });
  }
  return [...parts.values()];
}

const indentOf = (line: string) => line.search(/\S|$/);

/** The lines of a test that is no declaration, as `test('adds', () => {`: from the line it stands below to the one with which it ends. */
function block(lines: readonly string[], line: number): { readonly from: number; readonly to: number } {
  const at = line - 1;
  const deep = indentOf(lines[at] ?? '');
  const isAbove = (one: string) => one.trim() !== '' && indentOf(one) < deep;
  const from = Math.max(
    0,
    lines.slice(0, at + 1).findLastIndex((one, i) => (i === at ? deep === 0 : isAbove(one))),
  );
  const edge = indentOf(lines[from] ?? '');
  const isInside = (one: string) => one.trim() === '' || indentOf(one) > edge;
  const opens = indentOf(lines[from + 1] ?? '') > edge;
  const length = opens ? lines.slice(from + 1).findIndex((one) => !isInside(one)) : 0;
  const to = opens ? (length < 0 ? lines.length : from + length + 2) : at + 1;
  return { from: from + 1, to: Math.min(to, from + mostTest) };
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

function outlineOf(db: DatabaseSync, path: string): ReturnType<typeof readOutline> {
  const row = db.prepare('select outline from files where path = ?').get(path) as
    | { outline: string | null }
    | undefined;
  return readOutline(row?.outline ?? '');
}

/** The innermost declaration around a line; undefined for none. */
function declarationAt(db: DatabaseSync, path: string, line: number): ReturnType<typeof outlineOf>[number] | undefined {
  const around = outlineOf(db, path).filter(({ from, to }) => from <= line && line <= to);
  return around.toSorted((one, two) => one.to - one.from - (two.to - two.from))[0];
}

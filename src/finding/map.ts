// The map of a folder: what is declared at the top level of its code and used by the most other files, by file.

import { posix } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { MappedFile } from '../core/prompt/bundle.ts';
import { languageOf } from './cut/languages.ts';
import { readOutline } from './db/outlineText.ts';
import { Statistics } from './rank/statistics.ts';
import { fileKindOf } from './text/accept.ts';
import { wordOf } from './text/words.ts';

interface CodeFile {
  readonly path: string;
  /** Its passages: `count` rows from `first` on. */
  readonly first: number;
  readonly count: number;
  readonly outline: string;
  readonly imports: string;
}

interface Declared {
  readonly name: string;
  /** The token under which passages hold it. */
  readonly token: string;
  readonly file: CodeFile;
}

/** Names whose uses are looked up file by file. */
const mostLookedUp = 600;
const mostOfAFile = 3;
const shortestName = 3;
const mostHomes = 4;
/** Tokens of the index between two pauses. */
const atOnce = 500;
/**
 * The weight of a file that contains the name without importing its declaration, and the most that all such files add up to. A name of several words
 * is hardly there by chance, though another name may be written like it; a common word says next to nothing.
 */
const distinctShare = [0.5, 20] as const;
const commonShare = [0.05, 3] as const;

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

interface Used {
  readonly one: Declared;
  readonly uses: number;
}

/** The most used files first. Looks at every file; `pause` is awaited in between, so that questions are answered. */
export async function mapOf(
  db: DatabaseSync,
  most: number,
  pause: () => Promise<void>,
): Promise<readonly MappedFile[]> {
  const files = codeFiles(db);
  const all: Declared[] = [];
  for (const file of files) {
    await pause();
    all.push(...declaredIn(file));
  }
  const homes = countsOf(all.map(({ token }) => token));
  // A name that many files declare, such as `main`, says nothing of any of them.
  const declared = all.filter(({ token }) => (homes.get(token) ?? 0) <= mostHomes);
  const frequencies = await frequenciesOf(db, new Set(declared.map(({ token }) => token)), pause);
  const often = declared.toSorted((a, b) => (frequencies.get(b.token) ?? 0) - (frequencies.get(a.token) ?? 0));
  const statistics = new Statistics(db, 0, frequencies);
  const edges = importEdges(files.map(({ path, imports }) => ({ path, imports: imports.split('\n').filter(Boolean) })));
  const used: Used[] = [];
  for (const one of often.slice(0, mostLookedUp)) {
    await pause();
    const distinct = /[a-z][A-Z]|_/.test(one.name) && homes.get(one.token) === 1;
    used.push({ one, uses: usesOf(one, filesOf(statistics.idsWith(one.token), files), distinct, edges) });
  }
  return byFile(used, edges).slice(0, most);
}

/** Files that use a name, by what each of them counts. */
function usesOf({ file }: Declared, holders: readonly CodeFile[], distinct: boolean, edges: Edges): number {
  const others = holders.filter((one) => one !== file);
  const tied = others.filter(({ path }) => edges.get(file.path)?.has(path) === true).length;
  const untied = others.length - tied;
  const [each, most] = distinct ? distinctShare : commonShare;
  return tied + Math.min(untied * each, most);
}

function codeFiles(db: DatabaseSync): readonly CodeFile[] {
  const sql = 'select path, first, count, outline, imports from files where stage = 2 order by first';
  const rows = db.prepare(sql).all() as unknown as readonly CodeFile[];
  return rows.filter(
    ({ path, count }) =>
      count > 0 && languageOf(path) !== undefined && /^(?:code|declarations)$/.test(fileKindOf(path)),
  );
}

function declaredIn(file: CodeFile): readonly Declared[] {
  const names = new Set(readOutline(file.outline).flatMap(({ name, container }) => (container === '' ? [name] : [])));
  return [...names].flatMap((name) => {
    if (name.length < shortestName || !/^[\p{L}$]/u.test(name) || /\s/.test(name)) return [];
    const { whole, parts } = wordOf(name);
    const [only = ''] = parts;
    return [{ name, token: parts.length > 1 ? whole : only, file }];
  });
}

/** The files that some passages stand in; `files` by their first passage. */
function filesOf(ids: readonly number[], files: readonly CodeFile[]): readonly CodeFile[] {
  const found = new Set<CodeFile>();
  for (const id of ids) {
    let [low, high] = [0, files.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((files[middle]?.first ?? 0) <= id) low = middle;
      else high = middle - 1;
    }
    const file = files[low];
    if (file !== undefined && id >= file.first && id < file.first + file.count) found.add(file);
  }
  return [...found];
}

/** Returns how many passages contain each token. The index is read once from end to end: a query per token would take a hundred times as long. */
async function frequenciesOf(
  db: DatabaseSync,
  tokens: ReadonlySet<string>,
  pause: () => Promise<void>,
): Promise<Map<string, number>> {
  const next = db.prepare('select term, doc from vocabulary where term > ? order by term limit ?');
  const found = new Map<string, number>();
  for (let last = ''; ; ) {
    await pause();
    const rows = next.all(last, atOnce) as unknown as readonly { readonly term: string; readonly doc: number }[];
    for (const { term, doc } of rows) if (tokens.has(term)) found.set(term, doc);
    if (rows.length < atOnce) return found;
    last = rows.at(-1)?.term ?? '';
  }
}

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function byFile(used: readonly Used[], edges: Edges): readonly MappedFile[] {
  const files = new Map<string, { names: string[]; uses: number }>();
  for (const { one, uses } of used.toSorted((a, b) => b.uses - a.uses)) {
    const { path } = one.file;
    const file = files.get(path) ?? { names: [], uses: 0 };
    files.set(path, file);
    if (file.names.length >= mostOfAFile || file.names.includes(one.name)) continue;
    file.names.push(one.name);
    file.uses += uses;
  }
  const weight = ([path, { uses }]: readonly [string, { readonly uses: number }]) =>
    uses + (edges.get(path)?.size ?? 0);
  return [...files]
    .toSorted((a, b) => weight(b) - weight(a) || (a[0] < b[0] ? -1 : 1))
    .map(([path, { names }]) => ({ path, names }));
}

// Which of some files import each other, one step: an import is read as the end of a path, as far as it names a file of them.

/** A file with what it imports, as it is written. */
interface ImportEdge {
  readonly path: string;
  readonly imports: readonly string[];
}

/** A module that this many files may be is none of them in particular. */
const mostMeant = 3;
/** Files that stand for their folder. */
const folderFile = /\/(?:index|mod|lib|__init__)$/;

/** Returns, by path, the files that each file imports and those that import it. */
export function importEdges(files: readonly ImportEdge[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byName = new Map<string, string[]>();
  for (const { path } of files) {
    const name = posix.basename(stemOf(path));
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const edges = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => void (edges.get(from) ?? setOf(edges, from)).add(to);
  for (const { path, imports } of files)
    for (const one of imports)
      for (const meant of meantBy(one, path, byName)) {
        add(path, meant);
        add(meant, path);
      }
  return edges;
}

function setOf(edges: Map<string, Set<string>>, path: string): Set<string> {
  const set = new Set<string>();
  edges.set(path, set);
  return set;
}

/** `src/pool.ts` and `src/pool/index.ts` are `src/pool`. */
function stemOf(path: string): string {
  return path.replace(/\.[^./]+$/, '').replace(folderFile, '');
}

/** `./pool.js`, `com.zaxxer.Pool`, `crate::pool::{Pool}`: the last names of it that a file has. */
function meantBy(written: string, from: string, byName: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const plain = written
    .replace(/[{*].*/s, '')
    .replace(/\s+as\s+.*/s, '')
    .replace(/^\.(?=\w)/, './');
  const relative = /^\.{1,2}\//.test(plain);
  if (relative) {
    const stem = stemOf(posix.join(posix.dirname(from), plain.replace(/\.[cm]?[jt]sx?$/, '.x')));
    return (byName.get(posix.basename(stem)) ?? []).filter((path) => path !== from && stemOf(path) === stem);
  }
  const names = plain.split(/::|[./]/).filter((name) => !/^(?:|crate|super|self)$/.test(name));
  // The last name of an import may be a name declared in the file rather than the file itself.
  for (const end of [names.length, names.length - 1]) {
    const tail = names.slice(Math.max(0, end - 2), end);
    const meant = (byName.get(tail.at(-1) ?? '') ?? []).filter(
      (path) => path !== from && `/${stemOf(path)}`.endsWith(`/${tail.join('/')}`),
    );
    if (meant.length > 0) return meant.length > mostMeant ? [] : meant;
  }
  return [];
}

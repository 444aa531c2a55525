// The map of a folder: what is declared at the top level of its code and used by the most other files, by file.
import type { DatabaseSync } from 'node:sqlite';
import type { MappedFile } from '../core/bundle.ts';
import { languageOf } from './cut/languages.ts';
import { readOutline } from './db/outlineText.ts';
import { importEdges } from './rank/imports.ts';
import { Statistics } from './rank/statistics.ts';
import { kindOf } from './text/accept.ts';
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
const MOST_LOOKED_UP = 600;
const MOST_OF_A_FILE = 3;
const SHORTEST_NAME = 3;
/** What a file counts that holds the name and does not import where it is declared: a word of several parts is hardly by chance. */
const UNTIED = { distinct: 0.5, common: 0.05 } as const;

/** The most used files first. Looks at every file; `pause` is awaited in between, so that questions are answered. */
export async function mapOf(
  db: DatabaseSync,
  most: number,
  pause: () => Promise<void>,
): Promise<readonly MappedFile[]> {
  const files = codeFiles(db);
  const statistics = new Statistics(db, 0);
  const declared: Declared[] = [];
  const frequency = new Map<Declared, number>();
  for (const file of files) {
    await pause();
    for (const one of declaredIn(file)) {
      declared.push(one);
      frequency.set(one, statistics.passagesWith(one.token));
    }
  }
  const homes = countsOf(declared.map(({ token }) => token));
  const often = declared.toSorted((a, b) => (frequency.get(b) ?? 0) - (frequency.get(a) ?? 0));
  const edges = importEdges(files.map(({ path, imports }) => ({ path, imports: imports.split('\n').filter(Boolean) })));
  const used: { readonly one: Declared; readonly uses: number }[] = [];
  for (const one of often.slice(0, MOST_LOOKED_UP)) {
    await pause();
    const holders = filesOf(statistics.idsWith(one.token, frequency.get(one)), files);
    const untied = /[a-z][A-Z]|_/.test(one.name) && homes.get(one.token) === 1 ? UNTIED.distinct : UNTIED.common;
    const tied = edges.get(one.file.path);
    const uses = holders.reduce(
      (sum, { path }) => sum + (path === one.file.path ? 0 : tied?.has(path) === true ? 1 : untied),
      0,
    );
    used.push({ one, uses });
  }
  return byFile(used, edges).slice(0, most);
}

function codeFiles(db: DatabaseSync): readonly CodeFile[] {
  const sql = 'select path, first, count, outline, imports from files where stage = 2 order by first';
  const rows = db.prepare(sql).all() as unknown as readonly CodeFile[];
  return rows.filter(
    ({ path, count }) => count > 0 && languageOf(path) !== undefined && /^(?:code|declarations)$/.test(kindOf(path)),
  );
}

function declaredIn(file: CodeFile): readonly Declared[] {
  const names = new Set(readOutline(file.outline).flatMap(({ name, container }) => (container === '' ? [name] : [])));
  return [...names].flatMap((name) => {
    if (name.length < SHORTEST_NAME || !/^[\p{L}$]/u.test(name) || /\s/.test(name)) return [];
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

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function byFile(
  used: readonly { readonly one: Declared; readonly uses: number }[],
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): readonly MappedFile[] {
  const files = new Map<string, { names: string[]; uses: number }>();
  for (const { one, uses } of used.toSorted((a, b) => b.uses - a.uses)) {
    const { path } = one.file;
    const file = files.get(path) ?? { names: [], uses: 0 };
    files.set(path, file);
    if (file.names.length >= MOST_OF_A_FILE || file.names.includes(one.name)) continue;
    file.names.push(one.name);
    file.uses += uses;
  }
  const weight = ([path, { uses }]: readonly [string, { readonly uses: number }]) =>
    uses + (edges.get(path)?.size ?? 0);
  return [...files]
    .toSorted((a, b) => weight(b) - weight(a) || (a[0] < b[0] ? -1 : 1))
    .map(([path, { names }]) => ({ path, names }));
}

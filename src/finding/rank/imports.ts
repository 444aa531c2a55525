// Which of some files import each other, one step: an import is read as the end of a path, as far as it names a file of them.
import { posix } from 'node:path';

/** A file with what it imports, as it is written. */
export interface ImportEdge {
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

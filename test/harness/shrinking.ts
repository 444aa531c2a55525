// Lists of what is left, counted by file: no number is passed, none is kept that is too high, and none is ever raised.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './program.ts';

export type Counts = Readonly<Record<string, number>>;

/** The allowed numbers, none of them higher than before. */
export function lowered(allowed: Counts, found: Counts): Counts {
  const counts = Object.entries(allowed).map(([path, count]) => [path, Math.min(count, found[path] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** `what`: the noun that is counted, and why it is refused. */
export function problems(allowed: Counts, found: Counts, what: string): readonly string[] {
  const paths = [...new Set([...Object.keys(allowed), ...Object.keys(found)])].toSorted();
  return paths.flatMap((path) => {
    const [most, now] = [allowed[path] ?? 0, found[path] ?? 0];
    if (now > most) return [`${path}: ${now} ${what}, ${most} may`];
    return now < most ? [`${path}: ${now} instead of ${most}. TIDEMARK_ACCEPT=1 lowers the number in the list`] : [];
  });
}

/** The same with a list that is a file. */
export function problemsIn(list: string, found: Counts, what: string): readonly string[] {
  const path = join(projectRoot, list);
  const allowed: Counts = JSON.parse(readFileSync(path, 'utf8'));
  if (process.env.TIDEMARK_ACCEPT !== '1') return problems(allowed, found, what);
  const now = lowered(allowed, found);
  writeFileSync(path, `${JSON.stringify(now, null, 2)}\n`);
  return problems(now, found, what);
}

/** Files by their paths, without those that have none. */
export function countsOf(paths: readonly string[], count: (source: string, path: string) => number): Counts {
  const counts = paths.map((path) => [path, count(readFileSync(join(projectRoot, path), 'utf8'), path)] as const);
  return Object.fromEntries(counts.filter(([, number]) => number > 0));
}

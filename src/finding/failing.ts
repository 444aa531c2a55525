// The subject of a failing output: the files of the places that it names and of what the failing lines call, and the names that are called.
import type { Failing } from '../core/agent/intent.ts';
import { declaredIn } from './rank/declared.ts';
import type { NamedIn } from './rank/pointed.ts';
import { fileKindOf } from './text/accept.ts';

/** Places of an output that are looked at. */
const mostPlaces = 12;
/** Lines in front of a place: a call may stand in several lines. */
const linesBefore = 3;

/** `src/a.ts:12`, `a.py", line 12`, `src/a.ts(12,3)`; a path may be absolute. */
const place = /((?:[A-Za-z]:)?[\w@.~+/\\-]*[\w@+-]\.[A-Za-z]\w{0,4})(?::|\(|", line )(\d+)/g;

/** Names that are told. */
const mostNames = 4;

/** Code first: a test that fails is seldom what is wrong, and what explains the code never. */
export function failingIn(output: string, { files, db, statistics, read }: NamedIn): Failing {
  const places = [...output.matchAll(place)].flatMap(([, path = '', line = '']) => {
    const shown = path.replaceAll('\\', '/');
    const file = files.filter((one) => one === shown || shown.endsWith(`/${one}`) || one.endsWith(`/${shown}`));
    return file.length === 1 ? [{ file: file[0] ?? '', line: Number(line) }] : [];
  });
  const named = places.slice(0, mostPlaces);
  const called = named.flatMap(({ file, line }) => {
    const lines = read(file)?.slice(Math.max(0, line - 1 - linesBefore), line) ?? [];
    const names = [...lines.join('\n').matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*\(/gu)].map(([, name = '']) => name);
    const declared = names.flatMap((name) => declaredIn(db, statistics, name).map(({ path }) => ({ name, path })));
    return declared.filter(({ path }) => path !== file);
  });
  const all = [...new Set([...named.map(({ file }) => file), ...called.map(({ path }) => path)])];
  const isCode = (path: string) => fileKindOf(path) === 'code' && !path.endsWith('.pyi');
  const names = [...new Set(called.filter(({ path }) => isCode(path)).map(({ name }) => name))].slice(0, mostNames);
  const others = all.filter((path) => !isCode(path) && fileKindOf(path) !== 'docs');
  return { files: [...all.filter(isCode), ...others], names };
}

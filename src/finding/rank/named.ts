// Files that a message about a change names: only they are looked at then, and a short one is shown whole.
import { posix } from 'node:path';
import { type Passage, stretchesOf } from '../../core/prompt/found.ts';
import { cutMark } from '../../tools/lineRange.ts';
import type { Question } from './question.ts';

/** Lines of a file that is shown whole: about 700 tokens of prose. */
const short = 80;
const shortCharacters = 3000;

/**
 * Paths of the files that a question names: by a path, by the end of one, as files without an ending are called (Makefile, ChangeLog), or as README,
 * CHANGELOG and the like are without theirs. Of files with the same name those with the fewest folders above them.
 */
export function namedFiles({ paths, names }: Question, files: readonly string[]): readonly string[] {
  const asked = paths.map((path) =>
    posix
      .normalize(path)
      .replace(/^\.?\//, '')
      .toLowerCase(),
  );
  const found = asked.flatMap((path) => {
    const exact = files.filter((file) => file.toLowerCase() === path);
    return exact.length > 0 ? exact : shallowest(files.filter((file) => file.toLowerCase().endsWith(`/${path}`)));
  });
  if (found.length > 0) return [...new Set(found)];
  // Within a path it names what that path names.
  const ofPath = new Set(paths.flatMap((path) => path.split(/[/.]/)));
  const spelled = [...names.values()].map(({ written, spelled: capital }) => capital ?? written);
  const own = spelled.filter((name) => /\p{Lu}/u.test(name) && !ofPath.has(name));
  const isNamed = (file: string) => {
    const name = posix.basename(file);
    const bare = name.replace(/\.\w+$/, '');
    return own.includes(bare) && (bare === name || /^[A-Z]{4,}$/.test(bare));
  };
  return shallowest(files.filter(isNamed));
}

/** Paths in a question that look like files of the folder, by their ending or the folder that they name, and that are none of them. */
export function missingFiles({ paths }: Question, files: readonly string[]): readonly string[] {
  const ending = (path: string) => posix.extname(path).toLowerCase();
  const endings = new Set(files.map(ending).filter((one) => one !== ''));
  const folders = new Set(files.map((file) => posix.dirname(file)));
  return paths.filter((path) => {
    const own = posix.normalize(path).replace(/^\.?\//, '');
    const isFile = ending(own) !== '' && (endings.has(ending(own)) || folders.has(posix.dirname(own)));
    const isHere = own.startsWith('../') || posix.isAbsolute(path) || path.includes('://');
    return isFile && !isHere && (own.includes('/') || endings.has(ending(own)));
  });
}

function shallowest(files: readonly string[]): readonly string[] {
  const depth = (file: string) => file.split('/').length;
  const least = Math.min(...files.map(depth));
  return files.filter((file) => depth(file) === least);
}

/** A short file as one passage; null for a longer or empty one. */
export function wholeFile(path: string, lines: readonly string[]): Passage | null {
  const isText = (line: string) => line.trim() !== '';
  const [from, to] = [lines.findIndex(isText), lines.findLastIndex(isText)];
  const shown = lines.slice(from, to + 1);
  const isWhole = !shown.some((line) => line.endsWith(cutMark));
  if (from < 0 || !isWhole || lines.length > short || shown.join('\n').length > shortCharacters) return null;
  const why = 'named in the message';
  return { kind: 'file', path, why, stretches: stretchesOf(shown.map((line, at) => [from + 1 + at, line])) };
}

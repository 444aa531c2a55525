// The words that named half of a thing once: no type, function, variable or member is called so any more.
import { globSync } from 'node:fs';
import { namesIn } from '../l10n/scan.ts';
import { projectRoot } from './program.ts';
import { type Counts, countsOf } from './shrinking.ts';

const retired =
  /^(?:(?:un)?fold(?:s|ed|ing)?|held|room(?:s|y)?|desks?|shel(?:f|ves)|checkpoints?|wish(?:es|ed)?|seat(?:s|ed)?|brought)$/;

/** A word in its own sense: llama.cpp's checkpoints of a slot, and the rooms of the architecture. */
const meant: readonly (readonly [word: RegExp, path: RegExp])[] = [
  [/^checkpoints?$/, /^(?:src|test)\/(?:engine|core\/m(?:achine|odel))\//],
  [/^rooms?$/, /^test\/(?:architecture\.test|law|rooms\.test)\.ts$/],
];

const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/);

/** Places in a source where a name has such a word. */
export function retiredIn(source: string, path: string): number {
  const isRetired = (word: string) =>
    retired.test(word) && !meant.some(([own, where]) => own.test(word) && where.test(path));
  return namesIn(source).filter((name) => wordsOf(name).some(isRetired)).length;
}

export function retiredNames(): Counts {
  const paths = globSync('{src,webview,test,lab}/**/*.{ts,tsx}', { cwd: projectRoot })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)(node_modules|fixtures|e2e)(\/|$)/.test(path));
  return countsOf(paths.toSorted(), retiredIn);
}

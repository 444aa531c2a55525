// Secrets as they stand in files and as people write them down: templates of `files.txt`, `notes.txt` and `later.txt`, whose values are made at run
// time, so that no scanner takes the lists for a leak.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts of one file, with what must not be shown of them. */
export interface FreshSecret {
  /** '' for a note. */
  readonly path: string;
  readonly text: string;
  readonly hidden: readonly string[];
}

/** `later` was written once the rule had been measured by the first two, and `last` once it had been by `later`; in them a path of `-` is a note. */
export type FreshList = 'files' | 'notes' | 'later' | 'last';

/** Every second line of the first lists was unseen while the rule was made. */
export type Half = 'seen' | 'unseen' | 'all';

const signs: Readonly<Record<string, string>> = {
  m: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  u: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  h: '0123456789abcdef',
  b: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  B: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  d: '0123456789',
  x: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#%^&*_+-.,',
};
const words =
  'tiger lily harbor winter copper maple falcon ember river saddle pepper orchid comet velvet walnut basil'.split(' ');

export function freshSecrets(list: FreshList, half: Half, seed = 7): readonly FreshSecret[] {
  const lines = readFileSync(join(import.meta.dirname, `${list}.txt`), 'utf8')
    .trimEnd()
    .split('\n');
  const random = randomNumbers(seed);
  return lines.flatMap((line, at) => {
    const [path = '', template = ''] = line.includes('\t') ? line.split('\t') : ['', line];
    const filled = filledIn(template, random);
    const isHalf = half === 'all' || (half === 'seen') === (at % 2 === 0);
    const hidden = [...filled.matchAll(/«([^»]*)»/g)].map(([, value = '']) => value.replace(/\n$/, ''));
    return isHalf ? [{ path: path === '-' ? '' : path, text: filled.replace(/[«»]/g, ''), hidden }] : [];
  });
}

/** `{m24}`: so many signs of a kind; `{w}`: a password as people choose them; `{b64}` is a line of a key. `¦` parts what scanners look for. */
function filledIn(template: string, random: () => number): string {
  const any = <T>(list: ArrayLike<T>): T => list[Math.floor(random() * list.length)] as T;
  const chosen = () => {
    const [one, two] = [any(words), any(words)];
    const capital = one.charAt(0).toUpperCase() + one.slice(1);
    return any([
      `${capital}${two}${any(signs.d ?? '')}!`,
      `${one}${1950 + Math.floor(random() * 90)}`,
      `${capital}-${any(signs.d ?? '')}${any(signs.d ?? '')}-${two}`,
    ]);
  };
  return template
    .replaceAll('¦', '')
    .replaceAll('⏎', '\n')
    .replaceAll('{w}', chosen)
    .replace(/\{(\w)(\d+)\}/g, (_, kind: string, length: string) =>
      Array.from({ length: Number(length) }, () => any(signs[kind] ?? '?')).join(''),
    );
}

/** The same numbers for the same seed, from 0 to 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

// Listings: which folder a question means, and what is in it.
import { posix } from 'node:path';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Passage } from '../../core/prompt/found.ts';
import type { Root } from '../../tools/files/paths.ts';
import { listing } from '../../tools/search/listing.ts';
import { locate } from '../text/folders.ts';
import { wordOf } from '../text/words.ts';
import type { Question } from './question.ts';

const mostFolders = 2;
const mostEntries = 200;

/** The folders that hold the files of an index, by their path in it; `.` is the first one. */
export function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>(['.']);
  for (const path of paths)
    for (let at = posix.dirname(path); at !== '.' && !folders.has(at); at = posix.dirname(at)) folders.add(at);
  return folders;
}

/** The folders that a question names, the best match first. */
export function namedFolders(
  message: string,
  { paths, lists }: Question,
  folders: ReadonlySet<string>,
): readonly string[] {
  const exact = paths
    .map((path) => posix.normalize(path).replace(/^\.?\/|\/$/g, ''))
    .filter((path) => folders.has(path) && path !== '.');
  const ended = paths.flatMap((path) => {
    const end = `/${posix.normalize(path).replace(/^\.?\/|\/$/g, '')}`;
    return end === '/' || !/\//.test(path) ? [] : [...folders].filter((folder) => folder.endsWith(end));
  });
  if (!lists) return [...new Set([...exact, ...ended])];
  const words = new Set(
    (message.match(/[\p{L}\p{N}_$.-]+/gu) ?? []).map((word) => wordOf(word.replace(/[.-]+$/, '')).whole),
  );
  const scored = [...folders]
    .filter((folder) => folder !== '.')
    .flatMap((folder) => {
      const parts = folder.split('/');
      const named = parts.map(
        (part) => words.has(wordOf(part.replaceAll(/[-.]/g, '')).whole) || message.includes(part),
      );
      if (named.at(-1) !== true) return [];
      const count = named.filter(Boolean).length;
      return [{ folder, score: count - parts.length * 0.01 + (message.includes(folder) ? 2 : 0) }];
    });
  const byName = scored.toSorted((one, two) => two.score - one.score).map(({ folder }) => folder);
  const all = [...new Set([...exact, ...ended, ...byName])];
  if (all.length > 0) return all.slice(0, mostFolders);
  return /\b(?:root|top[- ]level|this (?:folder|package|project|repo\w*|workspace)|the (?:package|project|repo\w*|workspace)|main folder)\b/i.test(
    message,
  )
    ? ['.']
    : [];
}

/** Lists a folder without what an ignore file excludes; `null` where nothing is left. */
export async function listFolder(roots: readonly Root[], folder: string, signal: Signal): Promise<Passage | null> {
  const place = folder === '.' && roots.length > 1 ? null : locate(roots, folder);
  if (place === null)
    return asPassage(
      '.',
      roots.map(({ name }) => `${name}/`),
    );
  const entries = new Set<string>();
  const onFile = (path: string): boolean => {
    const rest = path.slice(place.replace(/[/\\]$/, '').length + 1).split(/[/\\]/);
    entries.add(rest.length > 1 ? `${rest[0]}/` : (rest[0] ?? ''));
    return entries.size < mostEntries;
  };
  await listing({ folders: [place], hidden: true, onFile, signal });
  return asPassage(folder, [...entries].toSorted());
}

function asPassage(path: string, entries: readonly string[]): Passage | null {
  if (entries.length === 0) return null;
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
  return { kind: 'folder', path, why: `lists the folder, ${count}`, stretches: [{ from: 1, lines: entries }] };
}

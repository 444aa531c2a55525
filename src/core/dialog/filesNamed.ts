// Files that a message is about: those that its words name, then those that stand beside it.
import { namesIn } from '../answer/fileNames.ts';
import type { AttachmentItem, Item, ItemId } from './dialog.ts';

/** Paths as they were written, which need not exist. `message`: its id; the last one of the path where it is not there, or not yet. */
export function filesNamed(path: readonly Item[], message: ItemId | null = null): readonly string[] {
  const isThere = path.some(({ id, origin }) => origin === 'user' && id === message);
  const start = path.findLastIndex(({ id, origin }) => origin === 'user' && (!isThere || id === message));
  if (start < 0) return [];
  const next = path.findIndex(({ origin }, at) => at > start && origin === 'user');
  const turn = path.slice(start, next < 0 ? path.length : next);
  const said = turn.flatMap((item) => (item.origin === 'user' ? namesIn(item.text) : []));
  const beside = turn.flatMap((item) =>
    item.origin !== 'attachment' ? [] : item.found === undefined ? namesIn(item.head) : [item.found.path],
  );
  return [...new Set([...said, ...beside])];
}

/** Paths of what the user attached and of passages that were found, as their heads name them. */
export function filesBeside(path: readonly Item[]): readonly string[] {
  return pathsOf(path.flatMap((item) => (item.origin === 'attachment' ? [item] : [])));
}

type Beside = readonly Pick<AttachmentItem, 'head' | 'found' | 'of'>[];

/** Paths of the files that stand beside a message; of a folder that was attached, with a slash. */
export function pathsOf(beside: Beside): readonly string[] {
  // Notes about earlier changes name files as well, so they are skipped.
  const own = beside.filter(({ of }) => of === undefined);
  return [...new Set(own.flatMap(({ found, head }) => (found === undefined ? attachedIn(head) : [found.path])))];
}

/** Paths of the files among them: a terminal or a folder is none. */
export function filesAmong(beside: Beside): readonly string[] {
  return pathsOf(beside).filter((path) => namesIn(path).length > 0);
}

/** Paths of files that a conversation was shown: beside its messages, and in what its tools gave. */
export function filesShown(path: readonly Item[]): readonly string[] {
  const given = path.flatMap((item) => (item.origin === 'result' ? namesIn(`${item.head}\n${item.body}`) : []));
  return [...new Set([...filesBeside(path), ...given])];
}

/** Lines of a file, from 1, both ends included. */
export interface FileLines {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** The lines of a file that an attachment shows, as its head names them, without those that a note in it says are left out. */
export function linesBeside({ head, body }: { readonly head: string; readonly body: string }): readonly FileLines[] {
  const paths = attachedIn(head.replace(/^Restored: Attachment: /, ''));
  const [, first, last = first, count] = /\((?:lines? (\d+)(?:-(\d+))?|(\d+) lines?)\b[^()]*\)$/.exec(head) ?? [];
  if (first === undefined && count === undefined && !/^File .+:$/.test(head)) return [];
  const [from, to] = [Number(first ?? 1), Number(last ?? count ?? Number.MAX_SAFE_INTEGER)];
  const gaps = [...body.matchAll(/^\[lines (\d+) to (\d+) are left out here/gm)];
  const starts = [from, ...gaps.map(([, , end]) => Number(end) + 1)];
  const ends = [...gaps.map(([, start]) => Number(start) - 1), to];
  return paths.flatMap((path) => starts.map((start, at) => ({ path, from: start, to: ends[at] ?? to })));
}

/** `src/a.ts (12 lines)`, `plural in src/a.ts (lines 3-9)`, `src/ (4 files, and how they begin)`, `File src/a.ts:`. */
function attachedIn(head: string): readonly string[] {
  const [, plain] = /^File (.+):$/.exec(head) ?? [];
  const [, named] = /^(.+) \([^()]*\)$/.exec(head) ?? [];
  const [, within] = /^\S+ in (.+)$/.exec(named ?? '') ?? [];
  return [plain, named, within].filter((one) => one !== undefined);
}

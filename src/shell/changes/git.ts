// The repository of a folder: what Git says of it, and which commands may write to it. Git runs programs that the settings of a repository name, so it is
// asked behind the fence alone, with the folder read-only.
import { randomUUID } from 'node:crypto';
import { join, sep } from 'node:path';
import type { Started } from '../fence/walls.ts';

/** Runs a program behind the fence and gives its output; null where it fails. */
export type AskFenced = (started: Started, input?: string) => Promise<Buffer | null>;

export interface GitLook {
  /** The top of the working tree, absolute. */
  readonly root: string;
  /** Its own folder and the common one, absolute. */
  readonly folders: readonly string[];
  /** The commit's id; null before the first. */
  readonly head: string | null;
  /** Files that are not as the commit has them, or of which Git does not look whether they are; absolute. */
  readonly changed: readonly string[];
  /** Files and folders that it ignores, from the open folder on; folders end with `/`. */
  readonly ignored: readonly string[];
  /** Settings by which it would start programs, as `key=value`. */
  readonly programs: readonly string[];
  /** Files and folders that its settings name, as they name them. */
  readonly named: readonly string[];
  /** Hooks that are there. */
  readonly hooks: readonly string[];
  /** Its settings say who the author is. */
  readonly hasAuthor: boolean;
}

const asked = [
  '--no-optional-locks',
  '-c',
  'safe.directory=*',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
];

/** Settings that start no program for a command of the lists, whose output is no terminal and which asks no server: git-config(1). */
const harmless = [
  /^(?:alias|advice|apply|author|branch|clone|color|column|commit|commitgraph|committer|credential|diff|extensions|feature|fetch|format|gc|http|i18n|index|init|lfs|log|maintenance|merge|pack|pager|pull|push|rebase|receive|remote|rerere|safe|stash|status|submodule|tag|transfer|url|user|worktree)\./,
  /^core\.(?:abbrev|askpass|attributesfile|autocrlf|bare|bigfilethreshold|checkstat|commentchar|compression|editor|eol|excludesfile|filemode|hookspath|ignorecase|logallrefupdates|longpaths|pager|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|repositoryformatversion|safecrlf|sparsecheckout|sparsecheckoutcone|symlinks|trustctime|untrackedcache|whitespace|worktree)$/,
  /^include(?:if\..*)?\.path$/,
];
/** Among these kinds, those that do. */
const starts = /\.(?:command|driver|external|showsignature|textconv|pretty)$|gpg|^diff\..*\.command$/;

/** The result is null where there is no repository, or Git cannot say. Formats: git-status(1), porcelain version 2; git-config(1), git-ls-files(1). */
export async function lookAtGit(ask: AskFenced): Promise<GitLook | null> {
  // All in one start of the fence. No name in a repository holds the mark.
  const mark = randomUUID();
  const script = [
    'git "$@" rev-parse --show-toplevel --absolute-git-dir --path-format=absolute --git-common-dir || exit 1',
    `printf '\\n%s\\0' ${mark}`,
    'git "$@" status --untracked-files=all --ignored --porcelain=v2 --branch -z --no-renames --ignore-submodules=all -- . || exit 1',
    `printf '%s\\0' ${mark}`,
    "git \"$@\" ls-files -v -z -- . | tr '\\0' '\\n' | grep '^[a-zS]' | tr '\\n' '\\0'",
    `printf '%s\\0' ${mark}`,
    'git "$@" config --list --includes --show-scope -z',
    `printf '%s\\0' ${mark}`,
    'ls "$(git rev-parse --git-path hooks)" 2>/dev/null | grep -v "[.]sample$"',
  ].join('\n');
  const told = await ask({ program: '/bin/sh', args: ['-c', `${script}\ntrue`, 'sh', ...asked] });
  const [tops = '', status, flagged, settings, hooks] = told?.toString('utf8').split(`${mark}\0`) ?? [];
  if (status === undefined || flagged === undefined || settings === undefined || hooks === undefined) return null;
  const [root = '', ...folders] = tops.split('\n').filter((line) => line !== '');
  const prefix = await ask({ program: 'git', args: [...asked, 'rev-parse', '--show-prefix'] });
  const within = prefix?.toString('utf8').trim() ?? '';
  const changed = new Set<string>();
  const ignored: string[] = [];
  let head: string | null = null;
  for (const entry of status.split('\0')) {
    const [kind = ''] = entry;
    if (entry.startsWith('# branch.oid ')) head = /^[\da-f]{40,}$/.exec(entry.slice(13))?.[0] ?? null;
    const path = { '1': wordFrom(entry, 8), u: wordFrom(entry, 10), '?': entry.slice(2) }[kind] ?? '';
    if (path !== '' && !path.endsWith('/')) changed.add(join(root, path));
    if (kind === '!') ignored.push(entry.slice(2 + within.length));
  }
  for (const entry of flagged.split('\0')) if (entry !== '') changed.add(join(root, within, entry.slice(2)));
  const pairs = settings.split('\0');
  const rows = pairs.flatMap((row, i) => (i % 2 === 1 && pairs[i - 1] !== 'command' ? [row.split('\n')] : []));
  return {
    ...{ root, folders: [...new Set(folders)], head, changed: [...changed], ignored },
    programs: rows.flatMap(([key = '', ...value]) => (isHarmless(key, value) ? [] : [`${key}=${value.join(' ')}`])),
    named: rows.flatMap(([key = '', ...value]) => {
      const words = [value.join(' '), ...value.join(' ').split(/[\s"'=]+/)].filter((word) => word !== '');
      return namesPath.test(key) || !isHarmless(key, value) ? words : words.filter((word) => /[./]/.test(word));
    }),
    hooks: hooks.split('\n').filter((name) => name !== ''),
    hasAuthor: rows.some(([key]) => key === 'user.email'),
  };
}

/** A switch names no program. */
function isHarmless(key: string, value: readonly string[]): boolean {
  if (harmless.some((one) => one.test(key)) && !starts.test(key)) return true;
  return value.length === 1 && /^(?:false|no|off|0|true|yes|on|1|)$/.test(value[0] ?? '');
}

/** The values of these settings are places, whatever they look like. */
const namesPath = /\.(?:path|hookspath|attributesfile|excludesfile|template)$/;

/** Files of which Git says that it ignores them; '' for none. Paths from the folder on. */
export async function ignoredOf(ask: AskFenced, files: readonly string[]): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set();
  const told = await ask(
    { program: 'git', args: [...asked, 'check-ignore', '-z', '--stdin'] },
    `${files.join('\0')}\0`,
  );
  return new Set((told?.toString('utf8') ?? '').split('\0'));
}

export interface Committed {
  readonly bytes: Buffer;
}

/** Files as a commit has them, with the line ends of a working tree; left out are those that it has not, links, and what is larger than `most` bytes. */
export async function committed(
  ask: AskFenced,
  { root, head }: Pick<GitLook, 'root' | 'head'>,
  files: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, Committed>> {
  const found = new Map<string, Committed>();
  if (head === null || files.length === 0) return found;
  const named = files.map((file) => file.slice(root.length + 1).replaceAll(sep, '/'));
  const tree = await ask({
    program: 'git',
    args: [
      ...asked,
      '--no-replace-objects',
      'ls-tree',
      '-z',
      '-l',
      '--full-tree',
      head,
      '--',
      ...named.map((path) => `:(literal)${path}`),
    ],
  });
  const rows = (tree?.toString('utf8') ?? '').split('\0').flatMap((row) => {
    const [, mode = '', id = '', size = '', path = ''] = /^(\d+) blob (\w+) +(\d+)\t([^\n]+)$/.exec(row) ?? [];
    return mode.startsWith('100') && Number(size) <= most ? [{ id, path }] : [];
  });
  if (rows.length === 0) return found;
  const wanted = rows.map(({ id, path }) => `${id} ${path}\n`).join('');
  const told = await ask(
    { program: 'git', args: [...asked, '--no-replace-objects', 'cat-file', '--batch', '--filters'] },
    wanted,
  );
  let at = 0;
  for (const { path } of rows) {
    const line = told?.indexOf('\n', at) ?? -1;
    const size = Number(/ blob (\d+)$/.exec(told?.toString('utf8', at, line) ?? '')?.[1] ?? Number.NaN);
    if (told === null || line < 0 || Number.isNaN(size)) break;
    found.set(join(root, path), { bytes: told.subarray(line + 1, line + 1 + size) });
    at = line + 2 + size;
  }
  return found;
}

/** The rest of a line behind so many words. */
function wordFrom(entry: string, words: number): string {
  return entry.split(' ').slice(words).join(' ');
}

// Whether Git ignores a file: it is made by something else, or is private. Git itself is not asked, because it runs programs that the
// settings of a repository name; what it would say is worked out from the texts it reads.

import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import { withFile } from '../../tools/files/opened.ts';
import { realOf } from '../../tools/files/paths.ts';

/** Bytes of a text that Git is set up by. */
const largest = 256 * 1024;

/**
 * `path` is absolute and free of links; neither it nor its folders need to be there. False where there is no repository. True also for a
 * file that is ignored by the texts and tracked all the same, and where they are too much to be read. Never rejects.
 */
export async function isIgnored(path: string): Promise<boolean> {
  const repository = await repositoryOf(dirname(path));
  if (repository === null) return false;
  const { root, exclude } = repository;
  const parts = relative(root, path).split(sep);
  const above = parts.slice(0, -1);
  const folders = ['', ...above.map((_, i) => above.slice(0, i + 1).join('/'))];
  // Later lines have the last word.
  const outer = await Promise.all(
    [excludesFile(textOf), exclude].map(async (file) => textOf(await realOf(await file))),
  );
  // Git takes no link in the place of these.
  const inner = await Promise.all(folders.map((folder) => textOf(join(root, folder, '.gitignore'))));
  const lines = [
    ...outer.flatMap((text) => ignoreLines(text, '')),
    ...inner.flatMap((text, i) => ignoreLines(text, folders[i] ?? '')),
  ];
  return isNamedBy(lines, parts.join('/'));
}

interface Repository {
  readonly root: string;
  /** The path of its own list, which is no part of what is cloned. */
  readonly exclude: string;
}

/** The innermost one around a folder. */
async function repositoryOf(folder: string): Promise<Repository | null> {
  const common = await gitFolder(folder);
  if (common !== null) return { root: folder, exclude: join(common, 'info', 'exclude') };
  return dirname(folder) === folder ? null : repositoryOf(dirname(folder));
}

/** Returns the folder in which a repository keeps what all its working trees share; null where the given folder has no repository. */
async function gitFolder(folder: string): Promise<string | null> {
  const at = join(folder, '.git');
  // A text in its place says where it is: a working tree or a submodule. On another drive or machine it is not looked for.
  const own = resolve(folder, /^gitdir: (.+)/.exec(await textOf(await realOf(at)))?.[1] ?? at);
  if (parse(own).root !== parse(folder).root) return null;
  const common = resolve(own, (await textOf(join(own, 'commondir'))).trim());
  if (parse(common).root !== parse(folder).root) return null;
  const isThere = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );
  const needed = [join(own, 'HEAD'), join(common, 'objects'), join(common, 'refs')];
  return (await Promise.all(needed.map(isThere))).every(Boolean) ? common : null;
}

/** '' where there is none that can be read: Git goes on without it, too. */
function textOf(path: string): Promise<string> {
  return withFile(path, async (file) => ((await file.stat()).size > largest ? '' : await file.readFile('utf8'))).catch(
    () => '',
  );
}

// The user's own list of what Git ignores in every repository. Git's settings are read as text. Those of the repository count for nothing
// here: a folder does not say what is read elsewhere.

/** Settings that name further ones, one within the other, as in Git. */
const deepest = 10;

/** An absolute path, also where nothing stands there. `textOf`: '' for what cannot be read. */
async function excludesFile(textOf: (real: string) => Promise<string>): Promise<string> {
  const own = join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git');
  const named: string[] = [];
  const read = async (file: string, depth: number): Promise<void> => {
    for (const [name, value] of settingsIn(await textOf(await realOf(file)))) {
      const path = resolve(dirname(file), value.replace(/^~(?=[\\/])/, homedir()));
      if (name === 'core.excludesfile') named.push(path);
      if (name === 'include.path' && depth < deepest) await read(path, depth + 1);
    }
  };
  for (const file of ['/etc/gitconfig', join(own, 'config'), join(homedir(), '.gitconfig')]) await read(file, 0);
  return named.at(-1) ?? join(own, 'ignore');
}

/** Names in small letters, of sections without a second name, and their values in order. */
export function settingsIn(text: string): readonly (readonly [name: string, value: string])[] {
  let section = '';
  return text
    .replace(/\\\r?\n/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [head = '', name] = /^\s*\[\s*([^\]"\s]*)\s*(?:"[^\]]*)?\]/.exec(line) ?? [];
      if (name !== undefined) section = head.includes('"') ? '' : `${name.toLowerCase()}.`;
      const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*)$/.exec(line.slice(head.length)) ?? [];
      return key === '' || section === '' ? [] : [[section + key.toLowerCase(), plainValue(value)] as const];
    });
}

/** Without quotes, a comment behind it, and backslashes. */
function plainValue(value: string): string {
  const parts = value.matchAll(/"((?:[^"\\]|\\.)*)"|((?:[^"\\#;]|\\.)+)|[#;].*/g);
  const joined = [...parts].map(([, quoted, bare]) => quoted ?? bare ?? '').join('');
  return joined.trim().replace(/\\(.)/g, '$1');
}

// The lines of Git's ignore files, and whether they name a file.

/** Characters of a line. A longer one makes no regular expression. */
const longest = 2000;
/** Steps, of about a microsecond at worst. */
const mostWork = 1_000_000;
/** A line becomes a regular expression, for each folder of the path; each `**` tries all folders within the one before. */
const workOf = (line: string, depth: number) => line.length * 10 + depth ** line.split('**').length;

/** The lines of a file in `folder` as they would stand in the repository's root. `folder`: with slashes; '' for the root. */
function ignoreLines(text: string, folder: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const base = `${folder.replace(/[\\*?[]/g, '\\$&')}/`;
  return lines.flatMap((line) => {
    const not = line.startsWith('!') ? '!' : '';
    // A slash is one also behind a backslash, which the library does not take so in front of `**`.
    const pattern = withoutSpaces(line.slice(not.length)).replace(
      /\\(?:(\/)(?!$)|.)/g,
      (all, slash: string | undefined, at) => (at === 0 ? all : (slash ?? all)),
    );
    if (line.startsWith('#') || pattern === '' || pattern === '/') return [];
    if (folder === '') return [not + pattern];
    // A pattern with a slash in it begins at its file's folder, any other fits in each folder below.
    const isPath = pattern.slice(0, -1).includes('/');
    return [`${not}/${base}${isPath ? pattern.replace(/^\//, '') : `**/${pattern}`}`];
  });
}

/** The spaces at its end go, but for one behind a backslash. */
function withoutSpaces(line: string): string {
  const trimmed = line.replace(/(?<! ) +$/, '');
  const escaped = (/(?<!\\)\\*$/.exec(trimmed)?.[0].length ?? 0) % 2 === 1;
  return escaped && trimmed !== line ? `${trimmed} ` : trimmed;
}

/** Whether the last of the lines that fits a path, or a folder above it, ignores it; true where that is too much work to tell. `path`: from the root, with slashes. */
function isNamedBy(lines: readonly string[], path: string): boolean {
  const depth = path.split('/').length;
  const work = lines.reduce((sum, line) => sum + workOf(line, depth), 0);
  if (work > mostWork || lines.some(({ length }) => length > longest)) return true;
  return ignore({ ignoreCase: process.platform !== 'linux' })
    .add(lines.map(bytesOf))
    .ignores(bytesOf(path));
}

/** Makes a sign of each byte, because Git's `?` stands for a single byte. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

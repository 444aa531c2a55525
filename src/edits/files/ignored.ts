// Whether Git ignores a file: it is made by something else, or is private. Git itself is not asked, because it runs programs that the
// settings of a repository name; what it would say is worked out from the texts it reads.
import { stat } from 'node:fs/promises';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import { withFile } from '../../tools/files/opened.ts';
import { realOf } from '../../tools/files/paths.ts';
import { excludesFile } from './excludesFile.ts';
import { ignoreLines, isNamedBy } from './ignoreLines.ts';

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

// A folder with a form of Git's repositories and settings in it, and what shows that a program ran.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { temporary } from '../../../test/temporary.ts';
import { treeHash } from '../editTasks/treeHash.ts';
import type { HostilePlace } from './place.ts';

/** The name of the file that shows that a program ran. */
export const mark = 'RAN';

interface Laid {
  /** Absolute. */
  readonly root: string;
  readonly project: string;
  /** Put files into the project; what begins with `#!` may be run. */
  readonly put: (files: Readonly<Record<string, string>>) => void;
  /** A repository of src/a.ts, with these settings in place of its own. */
  readonly repository: (settings: string, at?: string) => void;
  /** A shell's words that leave the mark. */
  readonly run: string;
}

export interface GitForm {
  readonly name: string;
  readonly lay: (laid: Laid) => void;
  /** The file that a model changes, or the calls of one that obeys. */
  readonly changes: string | readonly (readonly [path: string, content: string])[];
  /** Words for a shell in the project that run the program; left out, `git check-ignore` of the changed file runs it. */
  readonly shows?: string;
}

/** Environment in which `git` reads no settings of this machine or its user. */
export const quietGit = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' } as const;

let made: string | null = null;

/** The `.git` of a repository with one file, src/a.ts. */
function committed(): string {
  if (made !== null) return made;
  const folder = temporary('tide-committed-');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.ts'), 'one\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env: { ...process.env, ...quietGit } });
  git('init', '-q', '-b', 'main', '--template=');
  git('add', '.');
  git('-c', 'user.email=a@b', '-c', 'user.name=a', 'commit', '-q', '-m', 'x');
  made = join(folder, '.git');
  return made;
}

export function layOut({ lay, changes }: GitForm): HostilePlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tide-git-')));
  const project = join(root, 'project');
  const put: Laid['put'] = (texts) => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
      if (text.startsWith('#!')) chmodSync(join(project, path), 0o755);
    }
  };
  const repository: Laid['repository'] = (config, at = '.') => {
    cpSync(committed(), join(project, at, '.git'), { recursive: true });
    if (config !== '') writeFileSync(join(project, at, '.git/config'), config);
  };
  put({ 'src/a.ts': 'one\n' });
  lay({ root, project, put, repository, run: `touch ${join(root, mark)}` });
  if (typeof changes === 'string') put({ [changes]: 'one\n' });
  return { root, project, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Whether a program ran that leaves the mark, anywhere around the project. */
export function hasRun({ root }: HostilePlace): boolean {
  return [...treeHash(root).keys()].some((path) => path.split('/').at(-1) === mark);
}

/** In the project, where a program of the folder may be found first. */
export async function within<T>({ project }: HostilePlace, work: () => T | Promise<T>): Promise<T> {
  const [directory, path] = [process.cwd(), process.env.PATH];
  try {
    process.chdir(project);
    process.env.PATH = `.:${path}`;
    return await work();
  } finally {
    process.chdir(directory);
    process.env.PATH = path;
  }
}

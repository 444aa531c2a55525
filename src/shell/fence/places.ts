// Places that a fenced command does not see, or sees but cannot change: fixed lists, looked at one by one. No folder is walked and no pattern expanded.
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Below the home folder: what tools are made of, shown as it is. All else that is the user's own is not there. */
const toolPlaces = [
  ...[
    '.nvm',
    '.volta',
    '.fnm',
    '.local/share/fnm',
    '.local/share/pnpm',
    '.local/share/uv',
    '.local/lib',
    '.local/bin',
    '.bun',
    '.deno',
    '.npm-global',
  ],
  ...[
    '.cargo/bin',
    '.cargo/registry',
    '.cargo/git',
    '.rustup',
    'go',
    '.pyenv',
    '.rye',
    '.rbenv',
    '.gem',
    '.sdkman',
    '.jdks',
    '.m2/repository',
  ],
  ...[
    '.gradle/wrapper',
    '.ghcup',
    '.opam',
    '.elan',
    '.nix-profile',
    '.asdf',
    '.local/share/mise',
    '.mise',
    'miniconda3',
    'anaconda3',
    'miniforge3',
  ],
];

/** Elsewhere: keys, tokens and the doors of services. A folder becomes an empty one, a file an empty one. */
const secretPlaces = [
  ...[
    '/etc/shadow',
    '/etc/gshadow',
    '/etc/sudoers',
    '/etc/sudoers.d',
    '/etc/ssh',
    '/etc/ssl/private',
    '/etc/kubernetes',
    '/etc/docker',
    '/etc/wireguard',
  ],
  ...[
    '/var/lib/docker',
    '/var/lib/containerd',
    '/var/lib/kubelet',
    '/var/spool',
    '/var/mail',
    '/var/backups',
    '/var/log',
    '/mnt',
    '/media',
  ],
];

/** Below the home folder, where the home folder itself has to be seen because the open folder holds it. */
const homeSecrets = [
  ...[
    '.ssh',
    '.aws',
    '.azure',
    '.config',
    '.docker',
    '.gnupg',
    '.kube',
    '.password-store',
    '.local/share/keyrings',
    '.mozilla',
    '.thunderbird',
  ],
  ...[
    '.netrc',
    '.npmrc',
    '.pypirc',
    '.git-credentials',
    '.pgpass',
    '.my.cnf',
    '.vault-token',
    '.bash_history',
    '.zsh_history',
    '.cargo/credentials.toml',
  ],
];

/** Names in the folder that are run or obeyed by whoever opens it later: as they are where they exist, and set aside where a command makes one. */
export const guardedNames: readonly string[] = [
  ...[
    '.git/hooks',
    '.git/config',
    '.git/config.worktree',
    '.git/info/attributes',
    '.git/objects/info/alternates',
    '.git/modules',
  ],
  ...[
    '.vscode',
    '.idea',
    '.devcontainer',
    '.devcontainer.json',
    '.husky',
    '.githooks',
    '.github',
    '.gitlab-ci.yml',
    '.circleci',
    '.envrc',
    '.mise.toml',
  ],
  ...[
    '.cursor',
    '.claude',
    '.codex',
    '.gemini',
    '.tidemark',
    '.mcp.json',
    'AGENTS.md',
    'CLAUDE.md',
    '.pre-commit-config.yaml',
    '.gitattributes',
  ],
  ...[
    '.gitmodules',
    '.npmrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    '.pypirc',
    '.bashrc',
    '.zshrc',
    '.profile',
    'sitecustomize.py',
    '.vimrc',
    '.exrc',
  ],
];

export interface FencePlaces {
  /** Folders and files that become empty. */
  readonly emptyFolders: readonly string[];
  readonly emptyFiles: readonly string[];
  /** Shown again, read-only, within what became empty. */
  readonly shown: readonly string[];
  /** In the folder, read-only. */
  readonly guarded: readonly string[];
  /** In the folder, so that it cannot be moved away together with what is guarded in it. */
  readonly anchored: readonly string[];
}

/** `folder`: its real path. `path`: the search path of programs. */
export async function fencePlaces(folder: string, path: string): Promise<FencePlaces> {
  const home = await realpath(homedir()).catch(() => homedir());
  const hidesHome = !isWithin(folder, home);
  const emptied = ['/home', '/root', '/Users', home, '/run', '/tmp', '/var/tmp', '/dev/shm', '/boot'];
  const secret = [...secretPlaces, ...(hidesHome ? [] : homeSecrets.map((name) => join(home, name)))];
  const hidden = [...new Set([...emptied, ...secret])].filter(
    (place) => !isWithin(folder, place) || secret.includes(place),
  );
  const kinds = await Promise.all(hidden.map(async (place) => [place, await kindOf(place)] as const));
  const tools = hidesHome ? [...toolPlaces.map((name) => join(home, name)), ...toolFolders(path, home, folder)] : [];
  const guarded = await existing(guardedNames.map((name) => join(folder, name)));
  const git = join(folder, '.git');
  return {
    emptyFolders: kinds.flatMap(([place, kind]) => (kind === 'folder' ? [place] : [])),
    emptyFiles: kinds.flatMap(([place, kind]) => (kind === 'file' ? [place] : [])),
    shown: await existing([...new Set([...tools, '/run/current-system', ...(await repositoryAbove(folder))])]),
    guarded,
    anchored: guarded.some((place) => isWithin(git, place)) ? [git] : [],
  };
}

/** The repository that the folder is a part of; none where it is one itself. */
async function repositoryAbove(folder: string): Promise<readonly string[]> {
  for (let above = folder; ; above = dirname(above)) {
    if ((await kindOf(join(above, '.git'))) !== null) return above === folder ? [] : [above];
    if (above === dirname(above)) return [];
  }
}

/** Folders of the search path that stand below the home folder, with what stands beside their programs. */
function toolFolders(path: string, home: string, folder: string): readonly string[] {
  return path.split(delimiter).flatMap((entry) => {
    if (!isAbsolute(entry) || entry === home || !isWithin(home, entry) || isWithin(folder, entry)) return [];
    const beside = dirname(entry);
    return [entry.endsWith(`${sep}bin`) && beside !== home ? beside : entry];
  });
}

async function kindOf(place: string): Promise<'folder' | 'file' | null> {
  const found = await lstat(place).catch(() => null);
  if (found === null || found.isSymbolicLink()) return null;
  return found.isDirectory() ? 'folder' : 'file';
}

/** Links are left out: what is mounted over one is what it points to. */
async function existing(places: readonly string[]): Promise<readonly string[]> {
  const kinds = await Promise.all(places.map(kindOf));
  return places.filter((_, at) => kinds[at] !== null);
}

/** Whether a place is a folder or stands in it. */
export function isWithin(folder: string, place: string): boolean {
  const rest = relative(folder, place);
  return rest === '' || (!rest.startsWith(`..${sep}`) && rest !== '..' && !isAbsolute(rest));
}

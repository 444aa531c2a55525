// Places that a fenced command sees: lists of what is known to be needed. All else, the home folder above all, is not there.
import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Folders below the home folder that tools are made of. */
const toolPlaces =
  `.nvm .volta .fnm .local/share/fnm .local/share/pnpm .local/share/uv .local/lib .local/bin .bun .deno .npm-global/bin .npm-global/lib .cargo/bin
  .cargo/registry .cargo/git .rustup go/bin go/pkg .pyenv .rye .rbenv .gem/ruby .sdkman .jdks .m2/repository .gradle/wrapper .ghcup .opam .elan .nix-profile .asdf
  .local/share/mise .mise miniconda3 anaconda3 miniforge3`.split(/\s+/);

/** Variables that name such places. */
const toolVariables =
  `JAVA_HOME GOROOT GOPATH CARGO_HOME RUSTUP_HOME NVM_DIR VOLTA_HOME PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX DOTNET_ROOT ANDROID_HOME
  SDKMAN_DIR GEM_HOME`.split(/\s+/);

/** Programs of the system and what they are made of. */
const systemPlaces = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix',
  '/gnu',
  '/snap',
  '/sys',
  '/run/current-system',
];
const morePlaces = ['/var/lib/gems', '/var/lib/ghc', '/var/cache/fontconfig'];

/** Settings of the system that programs need; no keys and no passwords. A command that only looks sees those alone that the loader needs. */
const settings =
  /^(?:alternatives|bash\.bashrc|ca-certificates.*|crypto-policies|dotnet|fonts|gitconfig|gitattributes|group|host\.conf|hostname|hosts|java.*|ld\.so.*|locale.*|localtime|magic.*|maven|mime\.types|nsswitch\.conf|os-release|passwd|perl|php|pki|profile|profile\.d|protocols|python.*|R|rpc|services|terminfo|timezone|xdg)$/;
const loaderSettings = /^(?:alternatives|ld\.so.*|locale.*|localtime)$/;

export interface FencePlaces {
  /** Places of the system, shown read-only by their paths. */
  readonly system: readonly string[];
  /** Links at the top of the disk, with where they lead. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** Empty folders that may be written until the command ends, also within those of the system. */
  readonly empty: readonly string[];
  /** Tools and the repository above, shown read-only, also within the empty folders. */
  readonly shown: readonly string[];
  /** The top of the repository that the folder is a part of, if it is shown as well; null for none. */
  readonly above: string | null;
}

export interface PlacesRequest {
  /** Real path of the open folder. */
  readonly folder: string;
  readonly looks: boolean;
  /** The repository that the folder is a part of is shown as well. */
  readonly seesAbove: boolean;
  /** The search path of programs, and the variables that the command gets. */
  readonly path: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export async function fencePlaces({ folder, looks, seesAbove, path, variables }: PlacesRequest): Promise<FencePlaces> {
  const home = realHome();
  const system = systemPlaces.filter((place) => existsSync(place) && !(looks && place === '/sys'));
  const links = system.flatMap((place): (readonly [string, string])[] => {
    const target = linkOf(place);
    return target === null ? [] : [[place, target]];
  });
  const plain = system.filter((place) => linkOf(place) === null);
  const etc = readdirSync('/etc').filter((name) => (looks ? loaderSettings : settings).test(name));
  const certificates = looks ? [] : ['/etc/ssl/certs', '/etc/ssl/openssl.cnf'];
  const named = toolVariables.flatMap((name) => variables[name] ?? []).filter((place) => !isWithin(home, place));
  const own = toolPlaces.map((name) => join(home, name));
  const entries = path.split(delimiter);
  const programs = looks ? entries : entries.flatMap((entry) => besidePrograms(entry, home, own));
  const tools = [...(looks ? [] : [...own, ...named]), ...programs].filter(
    (place) => isAbsolute(place) && !isWithin(place, home) && !isWithin(place, folder) && !isWithin(folder, place),
  );
  const above = seesAbove ? await repositoryAbove(folder, home) : null;
  const empty = ['/tmp', '/var/tmp', '/run', home].filter((place) => !isWithin(folder, place));
  const isHidden = (place: string) => empty.some((one) => isWithin(one, place));
  const more = [...etc.map((name) => `/etc/${name}`), ...certificates, ...morePlaces].filter(existsSync);
  const apart = tools.filter(
    (place) => existsSync(place) && (isHidden(place) || !plain.some((one) => isWithin(one, place))),
  );
  const git = above === null ? await gitFolders(folder, home) : [];
  const parts = git.filter((place) => !isWithin(folder, place));
  return {
    ...{ links, above, empty },
    system: [...plain, ...more],
    shown: [...new Set([...apart, ...(above === null ? [] : [above]), ...parts])],
  };
}

/** A folder of programs with what stands beside it; below the home folder only its libraries, not the settings and keys that may stand there as well. */
function besidePrograms(entry: string, home: string, own: readonly string[]): readonly string[] {
  if (own.some((place) => isWithin(place, entry))) return [];
  if (!entry.endsWith(`${sep}bin`)) return [entry];
  const beside = dirname(entry);
  // An environment of Python is known by this file, and holds nothing else: PEP 405.
  if (existsSync(join(beside, 'pyvenv.cfg'))) return [beside];
  return isWithin(home, entry) ? [entry, join(beside, 'lib')] : [beside];
}

export function realHome(): string {
  try {
    return realpathSync(homedir());
  } catch {
    return homedir();
  }
}

function linkOf(place: string): string | null {
  try {
    return readlinkSync(place);
  } catch {
    return null;
  }
}

/** The repository above a folder that is none itself. One that holds the home folder, as of dotfiles, is not shown. */
async function repositoryAbove(folder: string, home: string): Promise<string | null> {
  if (existsSync(join(folder, '.git'))) return null;
  for (let above = dirname(folder); ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return isWithin(above, home) ? null : above;
    if (above === dirname(above)) return null;
  }
}

/**
 * The folders that a `.git` which is a file leads to: of a linked worktree or a submodule, and of the repository that it belongs to. Real paths, and only of what is a
 * repository by its own files, since whoever made the folder may have written anything there: gitrepository-layout(5).
 */
async function gitFolders(folder: string, home: string): Promise<readonly string[]> {
  const place = join(folder, '.git');
  const found = await lstat(place).catch(() => null);
  const text = found?.isFile() === true ? await readFile(place, 'utf8').catch(() => '') : '';
  const leads = /^gitdir: (.+)$/m.exec(text)?.[1];
  const own = found?.isDirectory() === true ? place : leads === undefined ? '' : join(...fromOn(folder, leads));
  const common = (await readFile(join(own, 'commondir'), 'utf8').catch(() => '')).trim();
  const top = common === '' ? own : join(...fromOn(own, common));
  const isRepository = ['HEAD', 'objects', 'refs', 'config'].every((name) => existsSync(join(top, name)));
  const back = (await readFile(join(own, 'gitdir'), 'utf8').catch(() => '')).trim();
  // A worktree is named by its repository, a submodule lies in that of a folder above.
  const isOwn = own === place || back === place || (back !== '' && realOf(back) === place) || isBelowGit(own, folder);
  if (own === '' || !isRepository || !isOwn || !existsSync(join(own, 'HEAD'))) return [];
  const real = [...new Set([own, top])].map((one) => realpathSync(one));
  return real.some((one) => isWithin(one, home)) ? [] : real;
}

function isBelowGit(place: string, folder: string): boolean {
  for (let above = folder; above !== dirname(above); above = dirname(above))
    if (isWithin(join(above, '.git', 'modules'), place)) return true;
  return false;
}

function realOf(place: string): string {
  return existsSync(place) ? realpathSync(place) : '';
}

const fromOn = (folder: string, path: string): [string, ...string[]] => (isAbsolute(path) ? [path] : [folder, path]);

/** Whether a place is a folder or stands in it. */
export function isWithin(folder: string, place: string): boolean {
  const rest = relative(folder, place);
  return rest === '' || (!rest.startsWith(`..${sep}`) && rest !== '..' && !isAbsolute(rest));
}

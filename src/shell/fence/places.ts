// Places that a fenced command sees: lists of what is known to be needed. All else, the home folder above all, is not there.
import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Folders below the home folder that tools are made of. */
const toolPlaces =
  `.nvm .volta .fnm .local/share/fnm .local/share/pnpm .local/share/uv .local/lib .local/bin .bun .deno .npm-global .cargo/bin
  .cargo/registry .cargo/git .rustup go .pyenv .rye .rbenv .gem .sdkman .jdks .m2/repository .gradle/wrapper .ghcup .opam .elan .nix-profile .asdf
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
  /** The search path of programs, and the variables that the command gets. */
  readonly path: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export async function fencePlaces({ folder, looks, path, variables }: PlacesRequest): Promise<FencePlaces> {
  const home = realHome();
  const system = systemPlaces.filter(existsSync);
  const links = system.flatMap((place): (readonly [string, string])[] => {
    const target = linkOf(place);
    return target === null ? [] : [[place, target]];
  });
  const plain = system.filter((place) => linkOf(place) === null);
  const etc = readdirSync('/etc').filter((name) => (looks ? loaderSettings : settings).test(name));
  const certificates = looks ? [] : ['/etc/ssl/certs', '/etc/ssl/openssl.cnf'];
  const named = toolVariables.flatMap((name) => variables[name] ?? []).filter((place) => !isWithin(home, place));
  const own = toolPlaces.map((name) => join(home, name));
  const programs = path.split(delimiter).flatMap((entry) => besidePrograms(entry, home, own));
  const tools = [...own, ...named, ...programs].filter(
    (place) => isAbsolute(place) && !isWithin(place, home) && !isWithin(place, folder) && !isWithin(folder, place),
  );
  const above = await repositoryAbove(folder, home);
  const empty = ['/tmp', '/var/tmp', '/run', home].filter((place) => !isWithin(folder, place));
  const isHidden = (place: string) => empty.some((one) => isWithin(one, place));
  const more = [...etc.map((name) => `/etc/${name}`), ...certificates, ...morePlaces].filter(existsSync);
  const apart = tools.filter(
    (place) => existsSync(place) && (isHidden(place) || !plain.some((one) => isWithin(one, place))),
  );
  const git = above === null ? await gitFolders(folder) : [];
  const parts = git.filter((place) => !isWithin(folder, place));
  return {
    ...{ links, above, empty },
    system: [...plain, ...more],
    shown: [...new Set([...apart, ...(above === null ? [] : [above]), ...parts])],
  };
}

/** A folder of programs with what stands beside it; of one right below the home folder not the settings and keys that stand beside it as well. */
function besidePrograms(entry: string, home: string, own: readonly string[]): readonly string[] {
  if (own.some((place) => isWithin(place, entry))) return [];
  if (!entry.endsWith(`${sep}bin`)) return [entry];
  const beside = dirname(entry);
  return dirname(beside) === home ? [entry, join(beside, 'lib')] : [beside];
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

/** The folders that a `.git` which is a file leads to: of a linked worktree, and of the repository that it belongs to. Real paths. */
async function gitFolders(folder: string): Promise<readonly string[]> {
  const place = join(folder, '.git');
  const found = await lstat(place).catch(() => null);
  if (found === null) return [];
  const text = found.isFile() ? await readFile(place, 'utf8').catch(() => '') : '';
  const leads = /^gitdir: (.+)$/m.exec(text)?.[1];
  const own = found.isFile() ? (leads === undefined ? null : join(...fromOn(folder, leads))) : place;
  if (own === null || !existsSync(own)) return [];
  const common = (await readFile(join(own, 'commondir'), 'utf8').catch(() => '')).trim();
  const all = common === '' ? [own] : [own, join(...fromOn(own, common))];
  return all.filter(existsSync).map((one) => realpathSync(one));
}

const fromOn = (folder: string, path: string): [string, ...string[]] => (isAbsolute(path) ? [path] : [folder, path]);

/** Whether a place is a folder or stands in it. */
export function isWithin(folder: string, place: string): boolean {
  const rest = relative(folder, place);
  return rest === '' || (!rest.startsWith(`..${sep}`) && rest !== '..' && !isAbsolute(rest));
}

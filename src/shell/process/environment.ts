// The variables that a command gets: a list that can be read, and never one whose name looks like that of a credential.
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isWithin } from '../fence/places.ts';

/** Names that are handed on; `*` stands for any end of a name. */
const handedOn: readonly string[] =
  `PATH HOME USER LOGNAME LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME TZ TERM SHELL SystemRoot
  ComSpec PATHEXT TEMP TMP APPDATA LOCALAPPDATA ProgramFiles ProgramFiles(x86) ProgramData USERPROFILE JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME
  RUSTUP_TOOLCHAIN NVM_DIR VOLTA_HOME PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX DOTNET_ROOT ANDROID_HOME SDKMAN_DIR GEM_HOME DENO_DIR SSL_CERT_FILE
  SSL_CERT_DIR NODE_EXTRA_CA_CERTS`.split(/\s+/);

/** Beside them, for a command that has the network: where its package manager asks, and by which certificates. A value that signs in is left out. */
const ofNetwork: readonly string[] =
  `HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY PIP_* UV_* npm_config_* GOPROXY GOSUMDB GOINSECURE CARGO_HTTP_* REQUESTS_CA_BUNDLE
  CURL_CA_BUNDLE`.split(/\s+/);
const signsIn = /:\/\/[^/@]*@/;

const credential = /key|token|secret|passw|credential|auth|private|session|cookie|dsn|conn(?:ection)?_?str/i;

/** So that nothing waits for an answer, colours its words or opens a pager. */
const quiet = {
  CI: '1',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  TERM: 'dumb',
} as const;

export interface EnvironmentRequest {
  /** The open folder: programs that stand in it are found by their path alone. */
  readonly folder: string;
  /** Names of the user's own, beside ours. */
  readonly more: readonly string[];
  /** For what tools keep; null where no fence holds, and they keep it where they do otherwise. */
  readonly caches: string | null;
  readonly withNetwork: boolean;
}

export function environmentFor(
  own: Readonly<Record<string, string | undefined>>,
  { folder, more, caches, withNetwork }: EnvironmentRequest,
): Record<string, string> {
  const isAmong = (names: readonly string[], name: string) =>
    names
      .map((one) => one.toLowerCase())
      .some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
  const isHanded = (name: string, value: string) =>
    isAmong([...handedOn, ...more], name) || (withNetwork && isAmong(ofNetwork, name) && !signsIn.test(value));
  const handed = Object.entries(own).flatMap(([name, value]) =>
    value === undefined || !isHanded(name.toLowerCase(), value) || credential.test(name)
      ? []
      : [[name, value] as const],
  );
  const path = searchPath(own.PATH ?? own.Path ?? '', folder);
  const kept = caches === null ? {} : cachesIn(caches);
  return { ...Object.fromEntries(handed), ...kept, ...quiet, PATH: path };
}

/**
 * Without folders that the open folder holds, by whatever name, and those that depend on where a command begins: what stands there may be anything. `folder`: its
 * real path.
 */
export function searchPath(path: string, folder: string): string {
  const isOutside = (entry: string) => !isWithin(folder, entry) && !isWithin(folder, realOf(entry));
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && isOutside(entry))
    .join(delimiter);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Where tools put the programs of a project: Python's environments, npm's, Composer's and direnv's. */
const ownPlaces = ['.venv/bin', 'venv/bin', 'node_modules/.bin', 'vendor/bin'];

/** The folders of programs that a project has where a command begins and above, and those of the user's search path that lie in the open folder. */
export function programsIn(folder: string, cwd: string, path: string): readonly string[] {
  const found = path.split(delimiter).filter((entry) => isAbsolute(entry) && isWithin(folder, entry));
  for (let at = cwd; isWithin(folder, at); at = dirname(at)) {
    found.push(...ownPlaces.map((place) => join(at, place)));
    if (at === dirname(at)) break;
  }
  // A name with the sign in it that parts the path would be two.
  return [...new Set(found)].filter((place) => !place.includes(delimiter) && existsSync(place));
}

function cachesIn(caches: string): Record<string, string> {
  return {
    XDG_CACHE_HOME: caches,
    GOCACHE: `${caches}/go-build`,
    npm_config_cache: `${caches}/npm`,
    PIP_CACHE_DIR: `${caches}/pip`,
  };
}

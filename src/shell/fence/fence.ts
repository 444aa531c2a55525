// The fence around commands: what this machine has, tried by a real run. Where none holds, the user is told why, and the line that mends it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fencePlaces, isWithin, realHome } from './places.ts';
import { bubblewrapArguments, type FencedRun, type Started, seatbeltArguments } from './walls.ts';

export type FenceKind = 'bubblewrap' | 'seatbelt';

export interface NoFence {
  readonly kind: 'none';
  /** In words. */
  readonly because: string;
  /** A line for a terminal that mends it; '' where none is known. */
  readonly remedy: string;
}

export type FenceState = { readonly kind: FenceKind } | NoFence;

export interface ToolPlaces {
  /** The search path of programs. */
  readonly path: string;
  /** The variables that name places of tools. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export async function behindFence(
  kind: FenceKind,
  run: FencedRun,
  around: ToolPlaces,
  started: Started,
): Promise<Started> {
  await mkdir(run.caches, { recursive: true });
  const { folder, writes, above = true } = run;
  const places = await fencePlaces({ folder, looks: writes === null, seesAbove: above, ...around });
  const [program, args] =
    kind === 'bubblewrap'
      ? ['bwrap', await bubblewrapArguments(places, run)]
      : ['/usr/bin/sandbox-exec', seatbeltArguments(places, run)];
  const fenced = { program, args: [...args, started.program, ...started.args] };
  return run.room?.within(fenced) ?? fenced;
}

/** Only a run shows whether one holds: that a program is there says nothing. `storage`: a folder of ours, outside of the open one. */
export async function tryFence(folder: string, storage: string, around: ToolPlaces): Promise<FenceState> {
  if (isWithin(folder, storage))
    return none("the open folder holds the editor's own data, which a command could change", '');
  if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name))))
    return none('the open folder is itself a repository of Git, whose settings a command could change', '');
  if (isWithin(folder, realHome()))
    return none('the open folder holds your home folder, whose keys and passwords a command would see', '');
  const kind = { linux: 'bubblewrap', darwin: 'seatbelt' } as const;
  const own = process.platform === 'linux' || process.platform === 'darwin' ? kind[process.platform] : null;
  if (own === null) return none('this system has none that is supported', '');
  const canary = join(storage, 'outside');
  await mkdir(storage, { recursive: true });
  await writeFile(canary, 'as it was');
  const writes = { guarded: [], doors: [], repository: [] };
  const run: FencedRun = { folder, caches: join(storage, 'caches'), cwd: folder, writes };
  // The fence holds where the shell runs, and what the shell writes outside of the folder does not arrive.
  const shell = { program: '/bin/sh', args: ['-c', '(: > "$1") 2>/dev/null; exit 0', 'sh', canary] };
  const { program, args } = await behindFence(own, run, around, shell);
  const tried = await exitOf(program, args, around.path);
  if (tried.code !== 0) return refusedBecause(own, tried);
  const isKept = (await readFile(canary, 'utf8')) === 'as it was';
  return isKept ? { kind: own } : none('what ran behind it could write outside of the folder', '');
}

interface Tried {
  /** The exit code; null where the program could not be started, or took too long. */
  readonly code: number | null;
  readonly words: string;
}

/** Milliseconds for a program whose output is wanted, and bytes of it. */
const [patience, mostSaid] = [5000, 64_000_000];

/** Gives what a program says behind the fence, with the folder as `run` has it; null where it fails. */
export async function outputBehind(
  kind: FenceKind,
  run: FencedRun,
  around: ToolPlaces,
  asked: Started,
  input: string,
): Promise<Buffer | null> {
  const { program, args } = await behindFence(kind, run, around, asked);
  const env = {
    PATH: around.path,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
  return new Promise((resolve) => {
    const options = { env, timeout: patience, maxBuffer: mostSaid, encoding: 'buffer' } as const;
    const child = execFile(program, [...args], options, (error, out) => resolve(error === null ? out : null));
    child.stdin?.on('error', () => undefined).end(input);
  });
}

function exitOf(program: string, args: readonly string[], path: string): Promise<Tried> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: 10_000, env: { PATH: path } }, (error, _, stderr) => {
      if (error === null) resolve({ code: 0, words: '' });
      else resolve({ code: typeof error.code === 'number' ? error.code : null, words: stderr.trim() || error.message });
    });
  });
}

async function refusedBecause(kind: FenceKind, { words }: Tried): Promise<NoFence> {
  if (kind === 'seatbelt') return none(`sandbox-exec did not start: ${words}`, '');
  if (words.includes('ENOENT')) return none('bubblewrap is not installed', await installLine());
  const told = words.split('\n').at(-1)?.slice(0, 200) ?? '';
  if ((await kernelSays('apparmor_restrict_unprivileged_userns')) === '1')
    return none(
      `AppArmor refuses it (${told})`,
      'sudo apt-get install -y apparmor-profiles && sudo ln -sf /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict',
    );
  if ((await kernelSays('unprivileged_userns_clone')) === '0')
    return none(`the kernel refuses it (${told})`, 'sudo sysctl -w kernel.unprivileged_userns_clone=1');
  return none(`bubblewrap was refused (${told}), as in most containers`, '');
}

async function kernelSays(name: string): Promise<string> {
  return readFile(`/proc/sys/kernel/${name}`, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}

async function installLine(): Promise<string> {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const ids = [...system.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].flatMap(([, own = '']) => own.split(' '));
  const lines = {
    debian: 'sudo apt-get install -y bubblewrap',
    fedora: 'sudo dnf install -y bubblewrap',
    arch: 'sudo pacman -S --noconfirm bubblewrap',
    suse: 'sudo zypper install -y bubblewrap',
    alpine: 'sudo apk add bubblewrap',
  };
  return Object.entries(lines).find(([id]) => ids.includes(id))?.[1] ?? 'Install the package "bubblewrap".';
}

function none(because: string, remedy: string): NoFence {
  return { kind: 'none', because, remedy };
}

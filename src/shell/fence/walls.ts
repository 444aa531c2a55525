// The walls of the fence: what starts a program behind them. On Linux bubblewrap, whose flags bwrap(1) of 0.8 tells; on macOS sandbox-exec with a short
// profile, written by its documentation and by profiles that are in use, and not run by us.
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type FencePlaces, isWithin, realHome } from './places.ts';

/** A program with its arguments. */
export interface Started {
  readonly program: string;
  readonly args: readonly string[];
}

export interface FencedRun {
  /** Its real path. */
  readonly folder: string;
  /** A writable folder of ours for what tools keep from run to run. */
  readonly caches: string;
  /** The folder in which the command begins. */
  readonly cwd: string;
  /** Parts of the folder that may be written; null where nothing may be. */
  readonly writes: Writable | null;
  /** The first process of the namespace is told on the fifth output. */
  readonly tells?: boolean;
  /** The repository that the folder is a part of is seen; left out, it is. */
  readonly above?: boolean;
  /** The folder is read-only, and what tools keep goes with the run, though it sees all that others see: it goes on. */
  readonly readOnly?: boolean;
  /** It has the machine's network: the user gave it to this command. */
  readonly withNetwork?: boolean;
  /** The network that it shares with others; null for one of its own. */
  readonly room?: { within(started: Started): Started } | null;
}

export interface Writable {
  /** Files and folders that stay as they are: each is there. */
  readonly guarded: readonly string[];
  /** Sockets and pipes of other programs, which are taken out of reach: each is there. */
  readonly doors: readonly string[];
  /** Folders of the repository that a command of Git writes to; none for other commands. */
  readonly repository: readonly string[];
}

/** Arguments of `bwrap`, in front of the program and its own. Later mounts go over earlier ones, and none is made where nothing is. */
export async function bubblewrapArguments(
  places: FencePlaces,
  { folder, writes, caches, cwd, tells = false, room = null, withNetwork = false, readOnly = false }: FencedRun,
): Promise<readonly string[]> {
  const shown = [...places.system, ...places.shown, folder];
  const isSeen = (path: string) =>
    shown.some((place) => isWithin(place, path)) &&
    ([...places.shown, folder].some((place) => isWithin(place, path)) ||
      !places.empty.some((place) => isWithin(place, path)));
  const sockets = (await socketsHere()).filter(isSeen);
  const doors = [...new Set([...sockets, ...(writes?.doors ?? [])])];
  return [
    ...[
      '--unshare-all',
      ...(room !== null || withNetwork ? ['--share-net'] : []),
      '--die-with-parent',
      '--new-session',
      '--cap-drop',
      'ALL',
      ...(tells ? ['--info-fd', '4'] : []),
    ],
    ...places.links.flatMap(([path, target]) => ['--symlink', target, path]),
    ...['--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc'],
    ...places.system.flatMap((place) => ['--ro-bind', place, place]),
    ...places.empty.flatMap((place) => ['--tmpfs', place]),
    ...places.shown.flatMap((place) => ['--ro-bind', place, place]),
    ...[writes === null || readOnly ? '--ro-bind' : '--bind', folder, folder],
    ...(writes?.guarded ?? []).flatMap((place) => ['--ro-bind', place, place]),
    ...(writes?.repository ?? []).flatMap((place) => ['--bind', place, place]),
    ...doors.flatMap((place) => ['--ro-bind-try', '/dev/null', place]),
    // What has the network, or goes on, meets nobody else there: sockets would lead from one to the other.
    ...(writes === null || readOnly || withNetwork ? ['--tmpfs', caches] : ['--bind', caches, caches]),
    ...(withNetwork ? namesOfHosts() : []),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
  ];
}

/** Where names of hosts are asked for: resolv.conf(5), which may be a link to a place that is not shown. */
function namesOfHosts(): readonly string[] {
  return existsSync('/etc/resolv.conf') ? ['--ro-bind', realpathSync('/etc/resolv.conf'), '/etc/resolv.conf'] : [];
}

/** Sockets of other programs that have a place on the disk: unix(7). */
async function socketsHere(): Promise<readonly string[]> {
  const text = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  return [...new Set([...text.matchAll(/ (\/.*)$/gm)].map(([, path = '']) => path))];
}

/** Arguments of `sandbox-exec`, in front of the program and its own. Of several rules for a place the last one counts. */
export function seatbeltArguments(
  places: FencePlaces,
  { folder, writes, caches, withNetwork = false, readOnly = false }: FencedRun,
): readonly string[] {
  const subpath = (place: string) => `(subpath ${JSON.stringify(place)})`;
  const rule = (what: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`(${what} ${all.map(subpath).join(' ')})`];
  const temporary = ['/private/tmp/tidemark', '/private/var/folders'];
  const hidden = ['/Users', '/Volumes', '/private/var/root', '/private/tmp', '/private/var/tmp', realHome()];
  const profile = [
    '(version 1)',
    '(allow default)',
    ...(withNetwork ? [] : ['(deny network*)']),
    '(deny mach-lookup)',
    '(deny signal (target others))',
    '(deny process-info* (target others))',
    '(deny file-write*)',
    ...rule('allow file-write*', [...(writes === null || readOnly ? [] : [folder]), caches, ...temporary]),
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    String.raw`(deny file-write* (regex #"/\.git(/|$)"))`,
    ...rule('deny file-write*', writes?.guarded ?? []),
    ...rule('allow file-write*', writes?.repository ?? []),
    ...rule('deny file-read*', hidden),
    ...rule('allow file-read*', [...places.shown, folder, caches, ...temporary]),
  ];
  return ['-p', profile.join('\n')];
}

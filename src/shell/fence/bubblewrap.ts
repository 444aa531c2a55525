// The fence of Linux: bubblewrap starts a command that sees the machine read-only, the folder writable, no network and no other process.
// Flags and their meaning: bwrap(1) of bubblewrap 0.8.
import type { FencePlaces } from './places.ts';

export interface FencedRun {
  /** Its real path. */
  readonly folder: string;
  /** The folder cannot be changed either. */
  readonly looks: boolean;
  /** A writable folder of ours for what tools keep from run to run. */
  readonly caches: string;
  /** The folder in which the command begins. */
  readonly cwd: string;
}

/** Arguments of `bwrap`, in front of the program and its own. Later mounts go over earlier ones. */
export function bubblewrapArguments(places: FencePlaces, { folder, looks, caches, cwd }: FencedRun): readonly string[] {
  const bind = looks ? '--ro-bind' : '--bind';
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...places.emptyFolders.flatMap((place) => ['--tmpfs', place]),
    ...places.emptyFiles.flatMap((place) => ['--ro-bind', '/dev/null', place]),
    ...places.shown.flatMap((place) => ['--ro-bind', place, place]),
    ...[bind, folder, folder],
    ...places.anchored.flatMap((place) => [bind, place, place]),
    ...places.guarded.flatMap((place) => ['--ro-bind', place, place]),
    ...['--bind', caches, caches, '--chdir', cwd, '--'],
  ];
}

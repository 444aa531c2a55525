// The fence of macOS: sandbox-exec with a short profile. Written by its documentation and by profiles that are in use; not run by us.
import type { FencedRun } from './bubblewrap.ts';
import type { FencePlaces } from './places.ts';

/** Arguments of `sandbox-exec`, in front of the program and its own. Of several rules for a place the last one counts. */
export function seatbeltArguments(places: FencePlaces, { folder, looks, caches }: FencedRun): readonly string[] {
  const subpath = (place: string) => `(subpath ${JSON.stringify(place)})`;
  const rule = (what: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`(${what} ${all.map(subpath).join(' ')})`];
  const temporary = ['/private/tmp/tidemark', '/private/var/folders'];
  const profile = [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny mach-lookup)',
    '(deny signal (target others))',
    '(deny process-info* (target others))',
    '(deny file-write*)',
    ...rule('allow file-write*', [...(looks ? [] : [folder]), caches, ...temporary]),
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
    ...rule('deny file-write*', places.guarded),
    ...rule('deny file-read*', [...places.emptyFolders, ...places.emptyFiles]),
    ...rule('allow file-read*', [...places.shown, folder, caches, ...temporary]),
  ];
  return ['-p', profile.join('\n')];
}

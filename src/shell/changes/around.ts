// Looks at the folder before and after a command: what it changed waits in the review, what it must not make is put aside.
import { join } from 'node:path';
import type { FoundChange } from '../../core/stored/fileSnapshots.ts';
import { type FenceState, outputBehind } from '../fence/fence.ts';
import { foldersDown, guardedHere, guardedMade, moveAside } from './aside.ts';
import { changesSince, lookBefore } from './changes.ts';
import type { AskFenced } from './git.ts';

/** The review of a conversation. */
export interface ChangeKeeper {
  /** Files that it changed, absolute. */
  files(): readonly string[];
  /** Gives the changes that can be taken back now. */
  note(changes: readonly FoundChange[]): Promise<readonly FoundChange[]>;
  /** Takes back at once, so that the user may make it again. */
  setAside(changes: readonly FoundChange[]): Promise<void>;
}

export interface FolderLook {
  /** Real path of the open folder. */
  readonly folder: string;
  readonly fence: FenceState;
  /** A folder of ours. */
  readonly storage: string;
  /** The search path of programs. */
  readonly path: string;
  /** Words of the command that may be names of files. */
  readonly words: readonly string[];
  /** The review; null where nothing can be taken back. */
  readonly keeper: ChangeKeeper | null;
}

/** Files that the review could not bring back if the command changed them, as far as Git knows; null where Git was not asked. */
export async function unkeptBefore(look: FolderLook): Promise<readonly string[] | null> {
  const before = await lookBefore(requestOf(look));
  return before.git === null ? null : [...before.unkept.keys()];
}

export interface AroundPorts {
  /** Hears of changed files from now on; gives their absolute paths when it is called. */
  readonly watch: () => () => Promise<readonly string[]>;
  /** The command makes a repository, and the user said yes to it. */
  readonly allowsRepository: boolean;
}

export interface RunWithChanges<T> {
  readonly result: T;
  /** Names of files that were changed: at least these. */
  readonly changed: readonly string[];
  /** Names that were put aside, each with its place where the review does not show it. */
  readonly aside: readonly string[];
}

export async function changesAround<T>(
  look: FolderLook,
  ports: AroundPorts,
  run: () => Promise<T>,
): Promise<RunWithChanges<T>> {
  const { folder, storage, keeper } = look;
  const request = requestOf(look);
  const [before, names] = [await lookBefore(request), await guardedHere(folder)];
  // Git knows better what belongs to the folder, where it can be asked.
  const heard = before.git === null ? ports.watch() : null;
  const result = await run();
  const made = await guardedMade(folder, names, ports.allowsRepository);
  const aside: string[] = [];
  for (const one of made) {
    if (one.files === null || keeper === null) aside.push(`${one.name} (now ${await moveAside(one, storage)})`);
    else {
      const change = (file: string) => ({ ...newFile(folder, file), folders: foldersDown(one, file) });
      await keeper.setAside(one.files.map(change));
      aside.push(one.name);
    }
  }
  const changes = await changesSince(before, request.ask, (await heard?.()) ?? []);
  await keeper?.note(changes.found);
  const changed = [...changes.found.map(({ shown }) => shown), ...changes.others];
  return { result, changed: changed.toSorted(), aside };
}

function newFile(folder: string, file: string): Omit<FoundChange, 'folders'> {
  return { file, shown: file.slice(folder.length + 1).replaceAll('\\', '/'), mode: null, before: null };
}

function requestOf(look: FolderLook): {
  readonly folder: string;
  readonly ask: AskFenced | null;
  readonly named: readonly string[];
} {
  return { folder: look.folder, ask: fencedOf(look), named: [...look.words, ...(look.keeper?.files() ?? [])] };
}

function fencedOf({ folder, fence, storage, path }: FolderLook): AskFenced | null {
  if (fence.kind === 'none') return null;
  const run = { folder, looks: true, caches: join(storage, 'caches'), cwd: folder };
  return (asked, input = '') => outputBehind(fence.kind, run, path, asked, input);
}

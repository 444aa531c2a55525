// A command in the open folder: its shell, its variables, the fence around it where one holds, and what it changed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Signal } from '../core/dialog/tool.ts';
import { obeyedPart } from '../core/obeyed.ts';
import type { FoundChange } from '../core/stored/fileSnapshots.ts';
import { type Before, changesSince, lookBefore } from './changes/changes.ts';
import type { AskFenced } from './changes/git.ts';
import { guardedIn, namedByGit, putAside, putAway, putRulesBack, repositoryRules } from './changes/guard.ts';
import { walkFolder } from './changes/walk.ts';
import { behindFence, type FenceState, outputBehind } from './fence/fence.ts';
import { isWithin, realHome } from './fence/places.ts';
import type { Room } from './fence/room.ts';
import type { Writable } from './fence/walls.ts';
import { environmentFor, programsIn, searchPath } from './process/environment.ts';
import { processesOfUser } from './process/processes.ts';
import { type CommandOutcome, type RunningCommand, startCommand } from './process/run.ts';
import { keptShell, shellOf } from './process/shell.ts';

export interface ShellPorts {
  /** A folder of ours, outside of the open one. */
  readonly storage: string;
  /** The variables of this process, and the names of those that the user hands on besides. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly more: readonly string[];
}

export interface FolderCommand {
  readonly text: string;
  /** Real paths of the open folder, and of the one in which the command begins. */
  readonly folder: string;
  readonly cwd: string;
  readonly fence: FenceState;
  readonly timeoutMilliseconds: number;
  /** The repository that the folder is a part of is seen; left out, it is. */
  readonly above?: boolean;
  /** It has the machine's network: the user gave it to this command. */
  readonly withNetwork?: boolean;
  /** The folder is read-only for it. */
  readonly readOnly?: boolean;
  /** The network of the conversation's commands; left out, it has one of its own. */
  readonly room?: Room | null;
}

/** The review of a conversation. */
export interface ChangeKeeper {
  /** Files that it changed, absolute. */
  files(): readonly string[];
  /** Gives the changes that can be taken back now. */
  note(changes: readonly FoundChange[]): Promise<readonly FoundChange[]>;
  /** Takes back at once, so that the user may make it again. */
  setAside(changes: readonly FoundChange[]): Promise<void>;
}

/** Effects that a command may have besides changing files. */
export interface Allowed {
  /** Folders of the repository that it writes to, as a command of Git does. */
  readonly repository: readonly string[];
  /** The command makes a repository, and the user said yes to it. */
  readonly makesRepository: boolean;
}

export interface RunWithChanges {
  readonly result: CommandOutcome;
  readonly running: RunningCommand;
  /** Names of files that were changed: at least these. */
  readonly changed: readonly string[];
  /** Names that were put aside, moved away or put back, each with what became of it. */
  readonly aside: readonly string[];
}

export interface Changing {
  /** Words of the command that may be files. */
  readonly named: readonly string[];
  readonly keeper: ChangeKeeper | null;
  readonly allowed: Allowed;
  /** Waits for the command, and resolves with what it came to so far where it goes on; left out, it is waited for to its end. */
  readonly wait?: (running: RunningCommand) => Promise<CommandOutcome>;
}

type OnText = (text: string) => void;

/** Asks programs behind the fence, with the folder read-only; null where none holds. */
export function askFenced(
  { folder, fence }: Pick<FolderCommand, 'folder' | 'fence'>,
  { storage, variables }: ShellPorts,
): AskFenced | null {
  if (fence.kind === 'none') return null;
  const run = { folder, caches: cachesIn(storage), cwd: folder, writes: null };
  const around = { path: searchPath(variables.PATH ?? '', folder), variables };
  return (asked, input = '') => outputBehind(fence.kind, run, around, asked, input);
}

/** With the folder read-only, so that there is nothing to look for afterwards. Rejects with words where it cannot be started. */
export async function runLooking(
  ports: ShellPorts,
  command: FolderCommand,
  onText: OnText,
  signal: Signal,
): Promise<CommandOutcome> {
  return (await started(ports, command, { writes: null, variables: {} }, onText, signal)).done;
}

/** Milliseconds: the most that a timer takes. */
const noLimit = 2 ** 31 - 1;

/** Starts what goes on: behind a fence the folder is read-only for it, since nobody could tell later what it changed from the user's own work. Rejects as others do. */
export async function startGoing(ports: ShellPorts, command: FolderCommand, onText: OnText): Promise<RunningCommand> {
  const { doors } = await walkFolder(command.folder, []);
  const writes = { guarded: [], doors, repository: [] };
  const { signal } = new AbortController();
  const run = { ...command, readOnly: true, timeoutMilliseconds: noLimit };
  return started(ports, run, { writes, variables: {} }, onText, signal);
}

/** Runs it with a look at the folder before and after: what it changed waits in the review, what it must not make is put aside. */
export async function runChanging(
  ports: ShellPorts,
  command: FolderCommand,
  { named, keeper, allowed, wait = ({ done }) => done }: Changing,
  onText: OnText,
  signal: Signal,
): Promise<RunWithChanges> {
  const { folder } = command;
  const ask = askFenced(command, ports);
  const before = await lookBefore({ folder, ask, named: [...named, ...(keeper?.files() ?? [])] });
  const { tree, git } = before;
  // Only a command of Git can write to them behind the fence.
  const rules = await repositoryRules(allowed.repository);
  const writes = { guarded: guardedIn(folder, tree, git), doors: tree.doors, repository: allowed.repository };
  const author = allowed.repository.length > 0 && git?.hasAuthor === false ? await authorAtHome() : {};
  const variables = allowed.repository.length > 0 ? { ...gitVariables, ...author } : {};
  const running = await started(ports, command, { writes, variables }, onText, signal);
  const result = await wait(running);
  const back = await putRulesBack(allowed.repository, rules);
  const now = await walkFolder(folder, git?.ignored ?? []);
  // Without a fence a command can do all that the user can, so that nothing is gained by it.
  const away = allowed.makesRepository || command.fence.kind === 'none' ? [] : await putAway(folder, tree, now);
  const found = await changesSince(before, away.length === 0 ? now : await walkFolder(folder, git?.ignored ?? []), ask);
  const told = await tellChanges(before, found, keeper);
  return { result, running, changed: told.changed, aside: [...back, ...away, ...told.aside] };
}

/** Changes of names that others obey are put aside; the others wait in the review. */
async function tellChanges(
  { folder, tree, git }: Before,
  { found, others }: Awaited<ReturnType<typeof changesSince>>,
  keeper: ChangeKeeper | null,
): Promise<{ readonly changed: readonly string[]; readonly aside: readonly string[] }> {
  const named = namedByGit(folder, git);
  const isObeyed = (path: string) =>
    obeyedPart(path) !== null || named.some((place) => isWithin(place, join(folder, path)));
  const [made, plain] = [found.filter(({ shown }) => isObeyed(shown)), found.filter(({ shown }) => !isObeyed(shown))];
  await keeper?.note(plain);
  await keeper?.setAside(made);
  const isPutAside = (path: string) => /\.put-aside(?:-\d+)?$/.test(path);
  const aside = keeper === null ? [] : made.map(({ shown }) => `${shown} put aside until the user keeps it`);
  const fresh = [...(keeper === null ? made.map(({ shown }) => shown) : []), ...others.filter(isObeyed)];
  for (const path of fresh) if (!tree.files.has(path) && !isPutAside(path)) aside.push(await putAside(folder, path));
  const changed = [
    ...plain.map(({ shown }) => shown),
    ...others.filter((path) => !isObeyed(path) || tree.files.has(path)),
  ];
  return { changed: changed.filter((path) => !isPutAside(path)).toSorted(), aside };
}

/** The author of commits by the settings of the user's home, which the fence does not show: git-config(1), `user`. */
async function authorAtHome(): Promise<Readonly<Record<string, string>>> {
  const places = [join(realHome(), '.config/git/config'), join(realHome(), '.gitconfig')];
  const texts = await Promise.all(places.map((place) => readFile(place, 'utf8').catch(() => '')));
  const section = texts
    .flatMap((text) => text.split(/^\s*(?=\[)/m))
    .filter((part) => /^\[user\]/.test(part))
    .join('\n');
  const given = (key: string) => new RegExp(`^\\s*${key}\\s*=\\s*"?([^"\\n#;]+)`, 'im').exec(section)?.[1]?.trim();
  const [name, email] = [given('name'), given('email')];
  return {
    ...(name !== undefined && { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email !== undefined && { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}

async function started(
  { storage, variables, more: names }: ShellPorts,
  {
    text,
    folder,
    cwd,
    fence,
    timeoutMilliseconds,
    above = true,
    room = null,
    withNetwork = false,
    readOnly = false,
  }: FolderCommand,
  {
    writes,
    variables: more,
  }: { readonly writes: Writable | null; readonly variables: Readonly<Record<string, string>> },
  onText: OnText,
  signal: Signal,
): Promise<RunningCommand> {
  if (!isWithin(folder, cwd)) throw new Error(`${cwd} is not in the folder`);
  const isFenced = fence.kind !== 'none';
  const caches = cachesIn(storage);
  const path = searchPath(variables.PATH ?? '', folder);
  // Behind a fence those outside are not counted.
  // What looks, and what writes to the repository, starts programs of the system alone: those of the folder may be anything.
  const usesOwn = isFenced && writes !== null && writes.repository.length === 0;
  const programs = usesOwn ? programsIn(folder, cwd, variables.PATH ?? '') : [];
  const shell = shellOf(text, isFenced ? 0 : await processesOfUser(), programs);
  const kept = keptShell(shell, isFenced);
  const contained = fence.kind === 'bubblewrap';
  const run = { folder, caches, cwd, writes, tells: contained, above, room, withNetwork, readOnly };
  const fenced = isFenced ? await behindFence(fence.kind, run, { path, variables }, kept) : kept;
  const own = environmentFor(variables, { folder, more: names, caches: isFenced ? caches : null, withNetwork });
  const environment = { ...own, ...more };
  return startCommand({ started: fenced, contained, cwd, environment, timeoutMilliseconds, signal, onText });
}

/** No hooks, no monitor, no signing program and no editor: git-config(1), git(1). */
const overrides = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['gpg.program', 'false'],
] as const;
const gitVariables: Readonly<Record<string, string>> = {
  ...{
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_MERGE_AUTOEDIT: 'no',
    GIT_CONFIG_COUNT: String(overrides.length),
  },
  ...Object.fromEntries(
    overrides.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ),
};

export function cachesIn(storage: string): string {
  return join(storage, 'caches');
}

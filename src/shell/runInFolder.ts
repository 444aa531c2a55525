// A command in the open folder: its shell, its variables, the fence around it where one holds.
import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Signal } from '../core/dialog/tool.ts';
import { behindFence, type FenceState } from './fence/fence.ts';
import { isWithin } from './fence/places.ts';
import { environmentFor, searchPath } from './process/environment.ts';
import { type KnownProcess, processesOfUser } from './process/processes.ts';
import { type CommandOutcome, runCommand } from './process/run.ts';
import { shellOf } from './process/shell.ts';

export interface FolderCommand {
  readonly text: string;
  /** Real path of the open folder. */
  readonly folder: string;
  /** The folder in which the command begins, from the open one on. */
  readonly within: string;
  /** The folder is read-only: only where a fence holds. */
  readonly looks: boolean;
  readonly fence: FenceState;
  readonly timeoutMilliseconds: number;
}

export interface ShellPorts {
  /** A folder of ours, outside of the open one. */
  readonly storage: string;
  /** The variables of this process, and the names of those that the user hands on besides. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly more: readonly string[];
}

export interface HeardOf {
  readonly onText?: (text: string) => void;
  readonly onStart?: (process: KnownProcess, run: string) => void;
}

/** Rejects with words where it cannot be started. */
export async function runInFolder(
  { storage, variables, more }: ShellPorts,
  command: FolderCommand,
  { onText, onStart }: HeardOf,
  signal: Signal,
): Promise<CommandOutcome> {
  const { text, folder, fence, looks } = command;
  const cwd = await realpath(join(folder, command.within));
  if (!isWithin(folder, cwd)) throw new Error(`${command.within} is not in the folder`);
  const isFenced = fence.kind !== 'none';
  const [run, caches] = [randomUUID(), cachesIn(storage)];
  const path = searchPath(variables.PATH ?? '', folder);
  // Behind a fence those outside are not counted.
  const shell = shellOf(text, isFenced ? 0 : await processesOfUser());
  const started = isFenced ? await behindFence(fence.kind, { folder, looks, caches, cwd }, path, shell) : shell;
  const environment = environmentFor(variables, { folder, more, caches: isFenced ? caches : null, run });
  const { timeoutMilliseconds } = command;
  return runCommand({
    ...{ started, cwd, environment, run, timeoutMilliseconds, signal },
    ...(onText && { onText }),
    ...(onStart && { onStart: (process: KnownProcess) => onStart(process, run) }),
  });
}

export function cachesIn(storage: string): string {
  return join(storage, 'caches');
}

// Forks the engine process: the built bundle in the extension, the TypeScript source on the command line and in tests.
import { type ChildProcess, fork } from 'node:child_process';

/** Megabytes of JavaScript objects: some times what a long prompt takes, and an end for a chat template that only wants more. */
const heap = 2048;

export function forkEngine(script: string): ChildProcess {
  // Inside the editor execPath is Electron, which runs as plain Node only with this set.
  const electron = process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return fork(script, [], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${heap}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...electron },
  });
}

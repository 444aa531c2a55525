// Forks the engine process: the built bundle in the extension, the TypeScript source on the command line and in tests.
import { type ChildProcess, fork } from 'node:child_process';

export function forkEngine(script: string): ChildProcess {
  // Inside the editor execPath is Electron, which runs as plain Node only with this set.
  const electron = process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return fork(script, [], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...electron },
  });
}

// Starts another window as a process, and reads what it says line by line.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Tasks } from './otherWindow.ts';

const script = fileURLToPath(new URL('otherWindow.ts', import.meta.url));

export interface Window {
  /** The next thing it says. */
  hear(): Promise<unknown>;
  tell(text: string): void;
  /** Resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts a window, which ends with the test at the latest. The name `nobody` gives it the rights of that user. */
export function startWindow(test: TestContext, task: keyof Tasks, path: string, name = ''): Window {
  const child = spawn(process.execPath, [script, task, path, name], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const kill = async () => {
    const ended = child.exitCode ?? child.signalCode ?? once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  test.after(kill);
  return {
    hear: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error('the window ended without a word');
      return JSON.parse(value);
    },
    tell: (text) => void child.stdin.write(`${text}\n`),
    kill,
  };
}

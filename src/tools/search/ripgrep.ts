// Ripgrep as a child process: its output piece by piece, ended by the caller, an abort, or a time-out.

import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { rgPath } from '@vscode/ripgrep';
import type { Signal } from '../../core/dialog/tool.ts';
import { systemReason } from '../files/result.ts';

/** How a run ended. `error` holds ripgrep's own words where it failed. */
export interface RipgrepRun {
  readonly end: 'done' | 'enough' | 'aborted' | 'timed out' | 'failed';
  readonly error?: string;
}

export interface RunOptions {
  readonly args: readonly string[];
  /** The sign that ends a piece of the output: a line break, or NUL for `--null`. */
  readonly separator: '\n' | '\0';
  /** Takes one piece; answers false when it needs no more. */
  readonly onPiece: (piece: string) => boolean;
  readonly signal: Signal;
  /** Milliseconds, 10 seconds by default. */
  readonly timeout?: number;
}

/** Flags every run needs: no settings of the user, ignore files respected also outside a git repository. */
const baseArgs: readonly string[] = ['--no-config', '--no-require-git', '--no-messages', '--color=never'];

const timeoutMilliseconds = 10_000;

/** Runs ripgrep and kills it on abort, on the time-out, or when `onPiece` answers false. Never rejects. */
export function runRipgrep(options: RunOptions): Promise<RipgrepRun> {
  const { signal, separator, onPiece } = options;
  if (signal.aborted) return Promise.resolve({ end: 'aborted' });
  return new Promise((resolve) => {
    const child = spawn(rgPath, [...baseArgs, ...options.args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let stopped: RipgrepRun | undefined;
    let complaint = '';
    const stop = (run: RipgrepRun): void => {
      stopped ??= run;
      child.kill('SIGKILL');
    };
    const onAbort = (): void => stop({ end: 'aborted' });
    const timer = setTimeout(() => stop({ end: 'timed out' }), options.timeout ?? timeoutMilliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
    const split = createSplitter(separator, (piece) => {
      if (stopped !== undefined) return;
      try {
        if (!onPiece(piece)) stop({ end: 'enough' });
      } catch (error) {
        stop({ end: 'failed', error: systemReason(error) });
      }
    });
    child.stdout.on('data', split);
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 1000) complaint += chunk.toString('utf8');
    });
    const settle = (run: RipgrepRun): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(stopped ?? run);
    };
    child.on('error', (error) => settle({ end: 'failed', error: systemReason(error) }));
    // Exit code 2 without a complaint is an unreadable file, which --no-messages has silenced: the rest was searched.
    child.on('close', (code) =>
      settle(code === 2 && complaint !== '' ? { end: 'failed', error: complaint } : { end: 'done' }),
    );
  });
}

function createSplitter(separator: string, onPiece: (piece: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest: string[] = [];
  return (chunk) => {
    const pieces = decoder.write(chunk).split(separator);
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      onPiece(rest.length === 0 ? piece : rest.join('') + piece);
      rest = [];
    }
    if (last !== '') rest.push(last);
  };
}

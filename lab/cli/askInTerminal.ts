// Asks in the terminal before something is changed.
import { createInterface } from 'node:readline/promises';
import type { ApprovalRequest } from '../../src/core/turn/gate.ts';
import { say } from './say.ts';

/** Rejects without a terminal: nobody is there to say yes. */
export async function askInTerminal({ calls, effect, preview, because }: ApprovalRequest): Promise<boolean> {
  say(`\n${preview}${because === '' ? '' : `\nAsked because:\n${because}`}`, process.stderr);
  const why = because === '' ? '' : ` (${because.replaceAll('\n', '; ')})`;
  if (!process.stdin.isTTY) throw new Error(`nobody is here to allow it${why}`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const act = effect === 'run' ? 'Run this' : `Make ${calls > 1 ? 'these changes' : 'this change'}`;
    return /^y(?:es)?$/i.test((await lines.question(`${act}? [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

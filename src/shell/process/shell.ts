// The shell that a command runs in, with its limits.
import { existsSync } from 'node:fs';
import type { Started } from '../fence/fence.ts';

/** Bytes of one file, and processes of a command. */
const mostFileBytes = 2 ** 31;
export const mostProcesses = 1024;

/**
 * No core file, and the two outputs are one, so that their order stays. `others`: processes of this user that count too. On Windows the shell is PowerShell,
 * which has no such limits.
 */
export function shellOf(text: string, others: number): Started {
  if (process.platform === 'win32')
    return { program: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-Command', text] };
  const bash = ['/bin/bash', '/usr/bin/bash'].find(existsSync);
  const limits = [`-c 0`, `-f ${mostFileBytes / 1024}`, `-u ${mostProcesses + others}`].map(
    (limit) => `ulimit ${limit} 2>/dev/null`,
  );
  const script = `${limits.join('; ')}; exec 2>&1; eval "$1"`;
  return bash === undefined
    ? { program: '/bin/sh', args: ['-c', script, 'sh', text] }
    : { program: bash, args: ['--noprofile', '--norc', '-c', script, 'bash', text] };
}

// Runs the attacks on the fence in a process of their own, as the user of this one and, where this is root, as an ordinary user too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NoFence } from '../../src/shell/fence/fence.ts';

export interface AttacksTried {
  readonly user: 'root' | 'ordinary';
  /** The reason why nothing was tried; null where a fence held. */
  readonly none: NoFence | null;
  readonly tried: number;
  /** The attacks that came through, a line each. */
  readonly through: readonly string[];
}

/** An ordinary user whom nothing on this machine belongs to. */
const stranger = 12_345;

export async function tryAttacks(step: number, mode: 'fenced' | 'open' = 'fenced'): Promise<readonly AttacksTried[]> {
  const isRoot = process.getuid?.() === 0;
  return isRoot ? [await tryAs(null, step, mode), await tryAs(stranger, step, mode)] : [await tryAs(null, step, mode)];
}

async function tryAs(uid: number | null, step: number, mode: 'fenced' | 'open'): Promise<AttacksTried> {
  const isRoot = process.getuid?.() === 0;
  // The fence shows it, so that a write that arrives is seen: what is temporary, and the home folder, it replaces by empty folders.
  const base = realpathSync(
    mkdtempSync(join(isRoot ? '/opt' : homedir() === '/' ? tmpdir() : homedir(), 'tide-attacks-')),
  );
  try {
    if (uid !== null) chownSync(base, uid, uid);
    const script = join(import.meta.dirname, 'attackRun.ts');
    const child = spawn(process.execPath, [script, base, String(step), mode], {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(uid !== null && { uid, gid: uid }),
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    const [code] = await once(child, 'close');
    const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    const last = lines.at(-1) ?? {};
    if (code !== 0) throw new Error(`the attacks ended with code ${code}`);
    return {
      user: isRoot && uid === null ? 'root' : 'ordinary',
      none: last.none ?? null,
      tried: last.tried ?? 0,
      through: lines.flatMap(({ what, line }) => (what === undefined ? [] : [`${what}: ${line}`])),
    };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

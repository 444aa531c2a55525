// Kills a process that changes files and takes changes back, at any moment, and looks at what it left.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { fileNames, isWhole } from './versions.ts';

/** Milliseconds between `ready` and the kill. */
export async function killOnce(folder: string, database: string, seed: number, milliseconds: number): Promise<void> {
  const program = join(import.meta.dirname, 'busy.ts');
  const child = spawn(process.execPath, [program, folder, database, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended]);
  await wait(milliseconds);
  child.kill('SIGKILL');
  const code = await ended;
  if (code !== null) throw new Error(`the process ended by itself, with ${code}`);
}

/** Returns what is wrong, as sentences, read without the code that wrote it. `first`: the texts that nothing has changed yet. */
export function damageIn(folder: string, database: string, first: readonly string[]): readonly string[] {
  const found: string[] = [];
  const texts = fileNames.map((name) => join(folder, name)).filter((path) => existsSync(path));
  for (const path of texts) if (!isWhole(readFileSync(path, 'utf8'))) found.push(`${path} is not whole`);
  const db = new DatabaseSync(database, { readOnly: true });
  const contents = new Map(
    db
      .prepare('SELECT hash, bytes FROM content')
      .all()
      .map(({ hash, bytes }) => [hash, bytes]),
  );
  for (const [hash, bytes] of contents)
    if (
      createHash('sha256')
        .update(inflateRawSync(bytes as Uint8Array))
        .digest('hex') !== hash
    )
      found.push(`content ${hash} is damaged`);
  const named = `SELECT before AS hash FROM snapshot UNION SELECT after FROM snapshot UNION SELECT base FROM changed_file
    UNION SELECT now FROM changed_file UNION SELECT wanted FROM changed_file UNION SELECT redo FROM changed_file`;
  for (const { hash } of db.prepare(named).all())
    if (hash !== '' && hash !== null && !contents.has(hash)) found.push(`content ${hash} is lost`);
  for (const path of texts) {
    const text = readFileSync(path, 'utf8');
    if (!contents.has(createHash('sha256').update(text).digest('hex')) && !first.includes(text))
      found.push(`what stands in ${path} is no snapshot`);
  }
  db.close();
  return found;
}

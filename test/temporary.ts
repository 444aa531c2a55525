// A folder for one test file, which goes with its process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

export function temporary(prefix: string): string {
  if (made.length === 0) {
    process.once('exit', removeAll);
    // A runner that is cut off ends its files by a signal, which no exit follows by itself.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  }
  const folder = mkdtempSync(join(tmpdir(), prefix));
  made.push(folder);
  return folder;
}

function removeAll(): void {
  for (const folder of made) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Something that it started still holds it open.
    }
  }
}

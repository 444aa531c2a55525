// Changes files on a small disk that is full, as long as asked, and prints what is there afterwards: node fillDisk.ts FOLDER TRIES.
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { sha256Of } from '../../../src/tools/files/hash.ts';

const [folder = '', tries = '1'] = process.argv.slice(2);
const path = join(folder, 'big.txt');
const before = `${'a'.repeat(59)}\n`.repeat(20_000);
writeFileSync(path, before);
mkdirSync(join(folder, 'there'));
const free = () => statfsSync(folder).bfree;
const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
const wrong: string[] = [];
for (let i = 0; i < Number(tries); i++) {
  // From nothing free to almost enough.
  const fill = await open(join(folder, 'fill'), 'w');
  const bytes = Math.floor((i * 1_100_000) / Number(tries));
  try {
    for (let left = free() * 4096 - bytes; left > 0; left -= 4096) writeSync(fill.fd, Buffer.alloc(4096, 1));
  } catch {
    // Full.
  }
  await fill.close();
  const [was, wasFree] = [names(), free()];
  const changes = [
    { do: 'write', path, before: sha256Of(before), text: before.replaceAll('a', 'b') },
    { do: 'write', path: join(folder, 'there', 'new.txt'), before: null, text: before },
    { do: 'write', path: join(folder, 'deep', 'er', 'new.txt'), before: null, text: before },
  ] as const;
  for (const change of changes) {
    const words = await diskFiles.change([change]).then(
      () => 'made',
      (error: Error) => error.message,
    );
    if (!words.includes('ENOSPC')) wrong.push(`try ${i}: ${words}`);
    if (words.includes('/proc/')) wrong.push(`try ${i}: the words name no path of the user's: ${words}`);
    if (readFileSync(path, 'utf8') !== before) wrong.push(`try ${i}: the file changed`);
    if (names().join() !== was.join()) wrong.push(`try ${i}: there is ${names()}`);
    if (free() !== wasFree) wrong.push(`try ${i}: ${free()} free, ${wasFree} before`);
  }
  rmSync(join(folder, 'fill'));
}
process.stdout.write(JSON.stringify(wrong));

// The files of a folder that every way of finding may read: the same for all of them, and judged here by name and by a NUL byte.
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const other = /\.(?:png|jpe?g|gif|ico|svg|map|class|jar|zip|gz|wasm|woff2?|pdf|lock)$|(?:^|\/)\./i;

export function acceptedPaths(folder: string): readonly string[] {
  return globSync('**/*', { cwd: folder }).filter((path) => {
    const place = join(folder, path);
    if (other.test(path) || !statSync(place).isFile() || statSync(place).size > 1024 * 1024) return false;
    return !readFileSync(place).includes(0);
  });
}

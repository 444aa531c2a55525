// Whether Git ignores a file: it is made by something else, or is private.
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';

/** False where there is no Git, or no repository. */
export function isIgnored(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    // 0: ignored, 1: not, 128: no repository.
    execFile('git', ['-C', dirname(path), 'check-ignore', '-q', '--', path], { timeout: 5000 }, (error) =>
      resolve(error === null),
    );
  });
}

// Lines that are no secrets and that people note: of code and prose of packages, of a lock file, with hashes, ids and versions.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../test/harness/program.ts';
import { randomNumbers } from './fresh.ts';

/** So many of each kind. */
export function ordinaryLines(each: number, seed: number): readonly string[] {
  const random = randomNumbers(seed);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const hex = (length: number) => Array.from({ length }, () => any([...'0123456789abcdef'])).join('');
  const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');
  const linesOf = (patterns: readonly string[]) => {
    const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: projectRoot })).toSorted();
    return () => {
      for (;;) {
        const lines = readFileSync(join(projectRoot, any(files)), 'utf8').split('\n');
        const line = any(lines.filter((one) => one.trim().length > 15 && one.length < 300));
        if (line !== undefined) return line;
      }
    };
  };
  const kinds: readonly (() => string)[] = [
    linesOf(['node_modules/{ajv,preact,mustache,fast-check,vscode-jsonrpc}/{lib,dist,src}/**/*.js']),
    linesOf(['src/**/*.ts', 'webview/**/*.tsx']),
    linesOf(['node_modules/*/README.md', 'README.md', 'ARCHITECTURE.md']),
    linesOf(['package-lock.json']),
    () =>
      any([
        `it broke in commit ${hex(40)}`,
        `sha256 of the build: ${hex(64)}`,
        `the md5 is ${hex(32)}`,
        `reverted ${hex(8)}`,
      ]),
    () =>
      any([
        `the tenant is ${uuid()}`,
        `request id ${uuid()} failed`,
        `we are at v${any([1, 2, 3])}.14.${any([0, 7])}`,
        `build ${hex(7)}-${any([12, 345])} is live`,
      ]),
  ];
  return kinds.flatMap((make) => Array.from({ length: each }, make));
}

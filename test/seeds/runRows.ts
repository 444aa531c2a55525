// Runs the tests that rows name, file by file, and says how each one ended.
import { spawnSync } from 'node:child_process';
import { projectRoot } from '../harness/program.ts';
import type { Holding } from '../promises/holdings.ts';

export interface Ended extends Holding {
  /** `refuted`: an assertion or a law did not hold. `failed`: anything else, such as a file that does not load. */
  readonly outcome: 'passed' | 'refuted' | 'failed';
}

/** Milliseconds for the tests of one file. */
const longest = 300_000;

export function runRows(holdings: readonly Holding[], cwd: string = projectRoot): readonly Ended[] {
  return [...Map.groupBy(holdings, ({ path }) => path)].flatMap(([path, own]) => {
    const titles = [...new Set(own.map(({ title }) => title))];
    const patterns = titles.map((title) => `--test-name-pattern=^${title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`);
    const args = ['--test', '--test-reporter=tap', ...patterns, path];
    const { stdout } = spawnSync(process.execPath, args, {
      ...{ cwd, encoding: 'utf8', timeout: longest, maxBuffer: 1 << 28 },
    });
    const ends = endsIn(stdout);
    return own.map((one): Ended => ({ ...one, outcome: ends.get(one.title) ?? 'failed' }));
  });
}

/** How each test of a TAP output ended. */
export function endsIn(tap: string): ReadonlyMap<string, Ended['outcome']> {
  const results = tap.matchAll(/^( *)(not )?ok \d+ - (.*?)(?: # .*)?\n(?:\1 {2}---\n([\s\S]*?)\n\1 {2}\.\.\.\n)?/gm);
  return new Map(
    [...results].map(([, , not, title = '', about = '']) => {
      const refuted = /^ *(?:code: 'ERR_ASSERTION'|Property failed after )/m.test(about);
      return [title.replace(/\\(.)/g, '$1'), not === undefined ? 'passed' : refuted ? 'refuted' : 'failed'];
    }),
  );
}

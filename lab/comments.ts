// `npm run check -- comments BASE`: whether the changes since a commit are changes of comments alone. Each changed source is printed without its comments, then and now.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { transformSync } from 'esbuild';
import { projectRoot } from '../test/harness/program.ts';

const loaders = { '.ts': 'ts', '.tsx': 'tsx', '.mjs': 'js', '.css': 'css' } as const;

/** The statements of a source in the printer's own form. */
export function statementsOf(path: string, text: string): string {
  const loader = loaders[extname(path) as keyof typeof loaders];
  return transformSync(text, { loader, legalComments: 'none', minifyWhitespace: true, jsx: 'preserve' }).code;
}

if (import.meta.main) {
  const base = process.argv[2] ?? 'HEAD';
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 2 ** 28 });
  let [same, differ] = [0, 0];
  for (const line of git('diff', '--name-status', '--find-renames', '--diff-filter=MR', base).trim().split('\n')) {
    const [, was = '', now = was] = line.split('\t');
    if (!(extname(now) in loaders) || !existsSync(join(projectRoot, now))) continue;
    const before = statementsOf(was, git('show', `${base}:${was}`));
    if (before === statementsOf(now, readFileSync(join(projectRoot, now), 'utf8'))) same += 1;
    else {
      differ += 1;
      process.stdout.write(`${now}: statements changed\n`);
    }
  }
  process.stdout.write(`${same} sources changed in their comments alone, ${differ} in statements\n`);
  process.exitCode = differ === 0 ? 0 : 1;
}

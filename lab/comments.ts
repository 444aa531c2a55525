// `npm run check -- comments BASE`: whether the sources that changed since a commit changed in their comments alone. The leaves of their syntax trees are compared, then and now.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Node } from '@vscode/tree-sitter-wasm';
import { createGrammars } from '../src/finding/cut/grammars.ts';
import { projectRoot } from '../test/harness/program.ts';

const grammars: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.tsx': 'tsx',
  '.mjs': 'javascript',
  '.css': 'css',
};
const parsers = createGrammars(join(projectRoot, 'node_modules/@vscode/tree-sitter-wasm/wasm'));

/** The tokens of a source without its comments; null where it is in no language of this repository, or does not parse. */
export async function statementsOf(path: string, text: string): Promise<readonly string[] | null> {
  const parser = await parsers({ grammar: grammars[extname(path)] ?? '' });
  const tree = parser?.parse(text) ?? null;
  if (tree === null) return null;
  const leaves: string[] = [];
  const visit = (node: Node): void => {
    if (/comment/.test(node.type)) return;
    if (node.childCount === 0 && node.text.trim() !== '') leaves.push(node.text);
    for (const child of node.children) if (child !== null) visit(child);
  };
  visit(tree.rootNode);
  tree.delete();
  return leaves;
}

if (import.meta.main) {
  const [base = 'HEAD'] = process.argv.slice(2);
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 2 ** 28 });
  let [same, differ] = [0, 0];
  for (const line of git('diff', '--name-status', '--find-renames', '--diff-filter=MR', base).trim().split('\n')) {
    const [, was = '', now = was] = line.split('\t');
    if (grammars[extname(now)] === undefined) continue;
    const before = await statementsOf(was, git('show', `${base}:${was}`));
    const after = await statementsOf(now, readFileSync(join(projectRoot, now), 'utf8'));
    if (before !== null && before.join('\n') === after?.join('\n')) same += 1;
    else {
      differ += 1;
      process.stdout.write(`${now}: statements changed\n`);
    }
  }
  process.stdout.write(`${same} sources changed in comments alone, ${differ} in statements\n`);
  process.exitCode = differ === 0 ? 0 : 1;
}

// The product at a commit: its modules from a work tree, so that a former rule answers beside the one of now, in one run.
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TextModel, ToldModel } from '../../../src/finding/embed.ts';
import { projectRoot } from '../../../test/harness/program.ts';

export type Program = typeof import('../../cli/engine.ts') &
  typeof import('../../cli/finding.ts') &
  typeof import('../../cli/folderWorkspace.ts') &
  typeof import('../../cli/headless.ts') &
  typeof import('../../cli/settings.ts') &
  typeof import('../../../src/core/agent/graph.ts') &
  typeof import('../../../src/finding/embed.ts') &
  typeof import('../../../src/tools/index.ts');

const modules = [
  'lab/cli/engine.ts',
  'lab/cli/finding.ts',
  'lab/cli/folderWorkspace.ts',
  'lab/cli/headless.ts',
  'lab/cli/settings.ts',
  'src/core/agent/graph.ts',
  'src/finding/embed.ts',
  'src/tools/index.ts',
];

/** `commit` null: the files as they are. A commit must have these modules as they are called here. */
export async function programAt(commit: string | null, home: string): Promise<Program> {
  const tree = commit === null ? projectRoot : treeOf(commit, home);
  const loaded = await Promise.all(modules.map((one) => import(pathToFileURL(join(tree, one)).href)));
  return Object.assign({}, ...loaded) as Program;
}

/** Earlier commits know an embedding model by its number alone. */
export function modelOf(program: Program, told: ToldModel): TextModel {
  const { textModelOf, modelNumber } = program as Program & { readonly modelNumber?: (told: ToldModel) => TextModel };
  return (modelNumber ?? textModelOf)(told);
}

export function shortName(commit: string): string {
  return git('rev-parse', '--short', commit);
}

function treeOf(commit: string, home: string): string {
  const tree = join(home, 'base', shortName(commit));
  if (existsSync(tree)) return tree;
  git('worktree', 'prune');
  git('worktree', 'add', '--detach', tree, commit);
  symlinkSync(join(projectRoot, 'node_modules'), join(tree, 'node_modules'), 'junction');
  return tree;
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8' }).trim();
}

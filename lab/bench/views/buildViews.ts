// Builds the views from the source as it is now, for a bench to run on.
import { spawnSync } from 'node:child_process';
import { projectRoot } from '../../../test/harness/program.ts';

export async function build(): Promise<void> {
  const { status } = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: projectRoot, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

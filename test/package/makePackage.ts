// Makes a VSIX for one kind of machine, checked against the list of what it holds.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { projectRoot } from '../harness/program.ts';
import { checkList } from './list.ts';
import { stage } from './stage.ts';
import type { Wanted } from './targets.ts';

export interface Made {
  readonly file: string;
  /** About what it holds. */
  readonly words: string;
}

/** Packages one target. Throws when what it would hold is not what is pinned. */
export async function makePackage(what: Wanted): Promise<Made> {
  const name = `${what.target}-${what.gpu}`;
  const out = join(projectRoot, 'out', 'package');
  const folder = join(out, name);
  mkdirSync(out, { recursive: true });
  await stage(what, folder);
  const words = await checkList(folder, name);
  const packagePath = join(out, `tidemark-${name}.vsix`);
  await createVSIX({
    cwd: folder,
    packagePath,
    target: what.target,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  return { file: packagePath, words };
}

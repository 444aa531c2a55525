// `npm run package -- --target linux-x64 [--gpu cpu|vulkan|cuda] [--try]`: a VSIX for one kind of machine, checked against the list
// of what it holds; `--try` installs it in a clean VS Code and has it answer.
import { mkdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { projectRoot } from '../harness/program.ts';
import { checkList } from './list.ts';
import { stage } from './stage.ts';
import { type Wanted, wanted } from './targets.ts';
import { tryPackage } from './tryPackage.ts';

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

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: `${process.platform}-${process.arch}` },
      gpu: { type: 'string' },
      try: { type: 'boolean', default: false },
    },
  });
  const what = wanted(values.target, values.gpu);
  if (typeof what === 'string') {
    console.error(`tidemark: ${what}`);
    process.exit(2);
  }
  const started = performance.now();
  const { file, words } = await makePackage(what);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${relative(projectRoot, file)}: ${(statSync(file).size / 1e6).toFixed(1)} MB, ${seconds} s. ${words}`);
  if (values.try) console.log(`Installed, and it answered: ${(await tryPackage(file)).replaceAll('\n', ' ')}`);
}

// `npm run package -- --target linux-x64 [--gpu cpu|vulkan|cuda] [--try]`: a VSIX for one kind of machine; `--try` installs it in a clean
// VS Code and has it answer.
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../harness/program.ts';
import { makePackage } from './makePackage.ts';
import { wanted } from './targets.ts';
import { tryPackage } from './tryPackage.ts';

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

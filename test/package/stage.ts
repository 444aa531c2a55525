// Lays out in a folder what a package for one target holds: bundles, the pruned native packages, texts, and the notices.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { projectRoot, runProgram } from '../harness/program.ts';
import { copyPackage } from './nativePackages.ts';
import { isAllowed, type Notice, noticeOf, packageOf, wordNotices } from './notices.ts';
import type { Wanted } from './targets.ts';

/** Files of the project that a package takes as they are. */
const texts = [
  ...['package.json', 'package.nls*.json', 'l10n/bundle.l10n*.json', 'CHANGELOG.md', 'LICENSE', '.vscodeignore'],
  ...['media/tidemark.svg', 'media/icon.png', 'media/walkthrough/*'],
];

/** Modules that the bundles load from node_modules. */
const loaded = ['node_modules/node-llama-cpp/dist/index.js', 'node_modules/@vscode/ripgrep/lib/index.js'];

/** Binaries come by target. The rest serves building llama.cpp, new projects, and downloads. */
const notTraced = [
  ...['node_modules/@node-llama-cpp/**', 'node_modules/@vscode/ripgrep-*/**', 'node_modules/@reflink/**'],
  ...['node_modules/node-llama-cpp/llama/gitRelease.bundle', 'node_modules/node-llama-cpp/templates/**'],
  // The same once more, for those who require it: the engine is a module.
  ...['node_modules/simple-git/dist/cjs/**', 'node_modules/@huggingface/jinja/dist/index.cjs'],
];

/** Code for processors that hardly anybody has: llama.cpp takes that of the next simpler ones there. */
const rare = /ggml-cpu-(cooperlake|cannonlake|piledriver)\./;

/** Libraries that only compilers need, to link against on Windows. */
const linked = /\.lib$/;

/** Fills the folder anew. Throws when something cannot be had or has a licence that is not allowed. */
export async function stage({ native }: Wanted, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const meta = join(folder, 'meta.json');
  const build = ['esbuild.mjs', '--production', `--outdir=${join(folder, 'dist')}`, `--metafile=${meta}`];
  await runProgram(process.execPath, build);
  const inputs = bundled(meta);
  rmSync(meta);
  for (const file of globSync(texts, { cwd: projectRoot })) copyFile(file, join(folder, file));
  cpSync(join(projectRoot, 'media', 'gallery.md'), join(folder, 'README.md'));
  const traced = await trace();
  for (const file of traced) copyFile(file, join(folder, 'dist', file));
  const modules = join(folder, 'dist', 'node_modules');
  for (const name of native) await copyPackage(name, modules, (file) => !rare.test(file) && !linked.test(file));
  const folders = [...new Set([...inputs, ...traced].flatMap((file) => packageOf(file) ?? []))];
  const notices = [
    ...folders.map((one) => noticeOf(join(projectRoot, one))),
    ...native.map((name) => noticeOf(join(modules, name))),
  ];
  refuse(notices);
  writeFileSync(join(folder, 'THIRD_PARTY_NOTICES.txt'), wordNotices(notices));
}

/** The files that the bundles import at run time, by following their imports. */
export async function trace(): Promise<readonly string[]> {
  const { fileList } = await nodeFileTrace(loaded, { base: projectRoot, ignore: notTraced });
  return [...fileList].filter((file) => file.startsWith('node_modules/')).sort();
}

/** The files of others that stand in the bundles. */
function bundled(meta: string): readonly string[] {
  const built = JSON.parse(readFileSync(meta, 'utf8')) as readonly { readonly inputs: object }[];
  return built.flatMap(({ inputs }) => Object.keys(inputs)).filter((file) => file.includes('node_modules/'));
}

function refuse(notices: readonly Notice[]): void {
  const bad = notices.filter(({ licence }) => !isAllowed(licence));
  if (bad.length > 0)
    throw new Error(`Not to be packaged: ${bad.map(({ name, licence }) => `${name} (${licence})`).join(', ')}.`);
}

function copyFile(file: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(projectRoot, file), to, { recursive: true });
}

// `npm run release -- 0.2.0 [--untested] [--target linux-x64]...`: makes a release of what the changelog says under Unreleased: dates
// the section, sets the version, runs all tests, packages every target that can be packaged here, writes notes with the files'
// hashes, commits and tags. Nothing is pushed or published. What fails leaves the tree as it was.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/core/faults/faults.ts';
import { ownNode, projectRoot, runProgram } from '../harness/program.ts';
import { makePackage } from './makePackage.ts';
import { datedChangelog, isNewer, withVersion } from './releaseTexts.ts';
import { publishedFor, type Target, targetNames, wanted } from './targets.ts';

interface Asked {
  readonly version: string;
  readonly targets: readonly Target[];
  readonly untested: boolean;
}

const git = (...args: string[]) => runProgram('git', args, { cwd: projectRoot });
const path = (name: string) => join(projectRoot, name);
const changed = ['CHANGELOG.md', 'package.json', 'package-lock.json'];

async function release({ version, targets, untested }: Asked): Promise<void> {
  const now = (JSON.parse(readFileSync(path('package.json'), 'utf8')) as { version: string }).version;
  if (!isNewer(version, now)) throw new Error(`The version is ${now} already; ${version} does not come after it.`);
  if ((await git('status', '--porcelain')) !== '') throw new Error('The tree has changes: commit or stash them first.');
  if ((await git('tag', '--list', `v${version}`)).trim() !== '') throw new Error(`There is a tag v${version} already.`);
  const date = new Date().toISOString().slice(0, 10);
  const { changelog, notes } = datedChangelog(readFileSync(path('CHANGELOG.md'), 'utf8'), version, date);
  try {
    writeFileSync(path('CHANGELOG.md'), changelog);
    for (const [name, times] of [
      ['package.json', 1],
      ['package-lock.json', 2],
    ] as const)
      writeFileSync(path(name), withVersion(readFileSync(path(name), 'utf8'), now, version, times));
    const steps = untested ? [] : [[], ['laws', 'deep', 'ui']];
    for (const named of steps) await runProgram(ownNode(), [path('test/all.ts'), ...named], { cwd: projectRoot });
    const lines = await packageAll(targets);
    const folder = path(join('out', 'release'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${version}.md`), `# Tidemark ${version}\n\n${notes}\n\n${lines.join('\n')}\n`);
    await git('commit', '-q', '-m', `Release ${version}`, '--', ...changed);
  } catch (error) {
    await git('checkout', '-q', 'HEAD', '--', ...changed);
    throw error;
  }
  await git('tag', '-a', `v${version}`, '-m', `Tidemark ${version}`);
  process.stdout.write(`${leftToDo(version)}\n`);
}

/** Nothing leaves this machine by itself. */
function leftToDo(version: string): string {
  return [
    `Committed and tagged v${version}. Nothing was pushed or published. What is left is yours:`,
    `  1. Read out/release/${version}.md, and try a package: Extensions: Install from VSIX... on out/package/*.vsix.`,
    `  2. git push origin HEAD v${version}: the workflow Package makes the packages of the systems that this one cannot.`,
    `  3. Make the release of the tag from out/release/${version}.md, with the packages.`,
    '  4. npx @vscode/vsce publish --packagePath FILE, for each package, with the token of the publisher.',
    `To take it back before the push: git tag -d v${version}; git reset --hard HEAD^`,
  ].join('\n');
}

/** A line for each file, and for each that cannot be made here, with the reason. */
async function packageAll(targets: readonly Target[]): Promise<string[]> {
  const lines: string[] = [];
  const all = targets.flatMap((target) =>
    publishedFor(target).map((gpu) => ({ target, gpu, what: wanted(target, gpu) })),
  );
  let made = 0;
  for (const { target, gpu, what } of all) {
    try {
      if (typeof what === 'string') throw new Error(what);
      const { file } = await makePackage(what);
      const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
      lines.push(`- ${basename(file)}, ${(statSync(file).size / 1e6).toFixed(1)} MB, sha256 ${hash}`);
      made += 1;
    } catch (error) {
      lines.push(`- ${target}, ${gpu}: not made. ${reasonOf(error).split('\n')[0]}`);
    }
    process.stdout.write(`${lines.at(-1)}\n`);
  }
  if (made === 0) throw new Error('No target could be packaged.');
  return lines;
}

const { values, positionals } = parseArgs({
  options: { untested: { type: 'boolean', default: false }, target: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const targets = targetNames.filter((name) => values.target?.includes(name) ?? true);
const [version] = positionals;
if (version === undefined || positionals.length > 1 || targets.length === 0) {
  console.error(`usage: npm run release -- VERSION [--untested] [--target ${targetNames.join('|')}]...`);
  process.exit(2);
}
try {
  await release({ version, targets, untested: values.untested });
} catch (error) {
  console.error(`tidemark: ${reasonOf(error)}`);
  process.exit(1);
}

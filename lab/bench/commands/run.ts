// `npm run bench -- commands`: real commands of four packages with the fence and without, by their words and exit codes; and what the fence and the looks
// around a command cost, in a small folder and in one of 20,000 files. Times of a run are taken out of the words before they are compared.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FenceState, tryFence } from '../../../src/shell/fence/fence.ts';
import { runChanging, runLooking } from '../../../src/shell/runInFolder.ts';
import { tellFigure } from '../all/figure.ts';
import { folderOf, type Package } from '../find/packages.ts';
import given from './commands.json' with { type: 'json' };

const print = (line: string) => process.stdout.write(`${line}\n`);
const base = realpathSync(mkdtempSync(join(tmpdir(), 'tide-commands-')));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));
const storage = join(base, 'storage');
const path = process.env.PATH ?? '';
const open: FenceState = { kind: 'none', because: '', remedy: '' };
const never = new AbortController().signal;

const places = { path, variables: process.env };
const ports = { storage, variables: process.env, more: [] };
const about = { named: [], keeper: null, allowed: { repository: [], makesRepository: false } };
const commandOf = (folder: string, text: string, fence: FenceState) => ({
  ...{ text, folder, cwd: folder, fence, timeoutMilliseconds: 300_000 },
});

const ran = async (folder: string, text: string, fence: FenceState) =>
  (await runChanging(ports, commandOf(folder, text, fence), about, () => undefined, never)).result;

const plain = (output: string) =>
  output
    .replace(/\d+(?:\.\d+)?\s?m?s\b|\(cached\)|0x[\da-f]+|\bin \d[\d.]*/g, '_')
    .replace(/\s+_/g, ' _')
    .replace(/\/tmp\/\S+/g, '/tmp/_')
    .trim();

function commit(folder: string): void {
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'all'],
  ])
    execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
}

async function compare(): Promise<void> {
  let [same, all] = [0, 0];
  for (const { package: one, prepare, commands } of given) {
    const folder = join(base, one.name);
    cpSync(folderOf(one as Package), folder, { recursive: true });
    for (const text of prepare) execFileSync('bash', ['-c', text], { cwd: folder, stdio: 'ignore' });
    commit(folder);
    const fence = await tryFence(folder, storage, places);
    if (fence.kind === 'none') throw new Error(`no fence holds: ${fence.because}`);
    for (const text of commands) {
      // The first run fills the caches of its tools.
      await ran(folder, text, open);
      const [bare, fenced] = [await ran(folder, text, open), await ran(folder, text, fence)];
      const isSame = bare.code === fenced.code && plain(bare.output) === plain(fenced.output);
      all += 1;
      if (isSame) same += 1;
      print(`- ${isSame ? 'same' : 'OTHER'} (${bare.code}, ${fenced.code}): ${one.name}: ${text}`);
      if (!isSame)
        print(`  without: ${plain(bare.output).slice(-300)}\n  with:    ${plain(fenced.output).slice(-300)}`);
    }
  }
  print(`\n${same} of ${all} commands have the same words and code with the fence as without (mark: 46 of 50).`);
  tellFigure('real commands that are the same behind the fence', `${same} of ${all}`);
}

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

async function cost(files: number): Promise<void> {
  const folder = join(base, `of-${files}`);
  for (let i = 0; i < files; i++) {
    if (i % 200 === 0) mkdirSync(join(folder, `d${i / 200}`), { recursive: true });
    writeFileSync(join(folder, `d${Math.floor(i / 200)}`, `f${i}.txt`), `${i}\n`);
  }
  commit(folder);
  const fence = await tryFence(folder, storage, places);
  const times: { readonly bare: number[]; readonly fenced: number[]; readonly around: number[] } = {
    bare: [],
    fenced: [],
    around: [],
  };
  const timed = async (list: number[], work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    list.push(performance.now() - began);
  };
  for (let round = 0; round < 50; round++) {
    await timed(times.bare, () => runLooking(ports, commandOf(folder, 'true', open), () => undefined, never));
    await timed(times.fenced, () => runLooking(ports, commandOf(folder, 'true', fence), () => undefined, never));
    await timed(times.around, () => ran(folder, 'true', fence));
  }
  const [bare, fenced, around] = [median(times.bare), median(times.fenced), median(times.around)];
  print(
    `${files} files: ${bare.toFixed(0)} ms without, ${fenced.toFixed(0)} ms with the fence (${(fenced - bare).toFixed(0)} ms more; mark: 30), ${around.toFixed(0)} ms with both looks.`,
  );
  tellFigure(`fence, ms more, ${files} files`, (fenced - bare).toFixed(0));
}

if (!process.argv.includes('--cost')) await compare();
await cost(20);
await cost(20_000);

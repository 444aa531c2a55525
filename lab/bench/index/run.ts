// `npm run bench -- index [--kills N] [--json]`: the index of a folder of over 20,000 text files: how long it takes, how large it is,
// how soon a question is answered and a change found, what the host notices, and what is left after kills. Exits 1 above a mark.
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { defaultLimits } from '../../../src/finding/build.ts';
import { FindingClient } from '../../../src/finding/client.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { largeFolder, random, type TextFile, textFiles } from './folder.ts';
import { killed } from './kills.ts';

/** Milliseconds, but for `share`: of the accepted text's bytes. */
const marks = { words: 60_000, all: 300_000, share: 0.45, loop: 50, question: 60, change: 300 } as const;
/** The editor waits so long for further changes before it tells the index. */
const editorWaits = 80;
const times = 20;

const questions = [
  'how are retries delayed?',
  'what happens when the connection is closed?',
  'how is a plan printed?',
  'parse a date in another time zone',
  'who may log in?',
  'where is the configuration of an interface validated?',
  'where are credentials read?',
  'how is the state locked?',
  'which cipher is used for cookies?',
  'how does it wait for a task to end?',
];

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, json: { type: 'boolean', default: false } },
});
const folder = realpathSync(largeFolder());
const files = textFiles(folder);
const next = random(7);
const home = join(projectRoot, 'out', 'bench');
const database = join(home, 'large.db');
for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
mkdirSync(home, { recursive: true });

const delays = monitorEventLoopDelay({ resolution: 1 });
const started = performance.now();
let words: number | null = null;
const client = new FindingClient(
  new URL('../../../src/finding/worker/main.ts', import.meta.url),
  {
    file: database,
    roots: [{ name: basename(folder), path: folder, real: folder }],
    exclude: [],
    limits: defaultLimits,
    grammars: join(projectRoot, 'node_modules/@vscode/tree-sitter-wasm/wasm'),
  },
  (left) => {
    if (left === 0) words ??= performance.now() - started;
  },
);
delays.enable();
const reading = client.request('refresh', null).then(() => performance.now() - started);
const meanwhile = await askedWhile(reading);
const all = await reading;
delays.disable();
const status = await client.request('status', null);
const asked: number[] = [];
for (const text of [...questions, ...namedIn(files, times - questions.length)]) asked.push(await answered(text));
const mapStarted = performance.now();
await client.request('map', { most: 200 });
const mapped = performance.now() - mapStarted;
const changes: number[] = [];
for (let at = 0; at < times; at++) changes.push(await changed(at));
await client.dispose();
const kills = await killed(Number(values.kills));
report();

async function answered(text: string): Promise<number> {
  const from = performance.now();
  await client.request('find', { text });
  return performance.now() - from;
}

/** How long questions take while the folder is still read, one every five seconds. */
async function askedWhile(reading: Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = [];
  const done = reading.then(() => true);
  const wait = () => new Promise<false>((resolve) => setTimeout(resolve, 5000, false));
  while (!(await Promise.race([done, wait()])))
    taken.push(await answered(questions[taken.length % questions.length] ?? ''));
  return taken;
}

/** Questions for names that some of the files declare. */
function namedIn(from: readonly TextFile[], many: number): readonly string[] {
  const found: string[] = [];
  while (found.length < many) {
    const file = from[Math.floor(next() * from.length)];
    const text = file === undefined ? '' : readFileSync(join(folder, file.path), 'utf8');
    const name = /^(?:func|def|class|export function) ([A-Za-z]\w{5,})/m.exec(text)?.[1];
    if (name !== undefined) found.push(`what does ${name} do, and where is it called?`);
  }
  return found;
}

/** From the moment a file is written until a question finds what is new in it. */
async function changed(at: number): Promise<number> {
  const file = files[Math.floor(next() * files.length)];
  if (file === undefined) throw new Error('The folder has no text.');
  const place = join(folder, file.path);
  const before = readFileSync(place);
  const from = performance.now();
  writeFileSync(place, `${before.toString('utf8')}\ntidemarkChange${at}\n`);
  await new Promise((resolve) => setTimeout(resolve, editorWaits));
  await client.request('renew', { paths: [place] });
  const { passages } = await client.request('find', { text: `tidemarkChange${at}` });
  const taken = performance.now() - from;
  writeFileSync(place, before);
  await client.request('renew', { paths: [place] });
  return passages[0]?.path === file.path ? taken : Number.POSITIVE_INFINITY;
}

function report(): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const share = status.bytes / status.textBytes;
  const loop = delays.percentile(99) / 1e6;
  const rows: readonly (readonly [string, string, boolean | null])[] = [
    ['text files there, by a walk of our own', `${files.length}, ${megabytes(bytes)} MB`, null],
    ['accepted', `${status.files}, ${megabytes(status.textBytes)} MB, ${status.passages} passages`, null],
    ['words and paths', seconds(words ?? all), (words ?? all) <= marks.words],
    ['all', seconds(all), all <= marks.all],
    ['size', `${megabytes(status.bytes)} MB, ${Math.round(100 * share)} % of the text`, share <= marks.share],
    ['event loop of the host meanwhile, p99', `${loop.toFixed(1)} ms`, loop <= marks.loop],
    ['questions meanwhile, median and p95', spread(meanwhile), null],
    ['questions, median and p95', spread(asked), within(asked, marks.question)],
    ['a change found again, median and p95', spread(changes), within(changes, marks.change)],
    ['map', `${Math.round(mapped)} ms`, null],
    [`kills, ${kills.inTime} before the end`, `${kills.kills}, ${kills.wrong.length} wrong`, kills.wrong.length === 0],
  ];
  writeFileSync(join(home, 'index.json'), JSON.stringify({ rows, asked, changes, meanwhile, kills }, null, 1));
  if (values.json) process.stdout.write(`${JSON.stringify({ rows, asked, changes, meanwhile, kills })}\n`);
  else {
    process.stdout.write(`${cpus()[0]?.model ?? 'unknown processor'}\n\n`);
    for (const [what, figure, met] of rows)
      process.stdout.write(`| ${what} | ${figure} | ${met === null ? '' : met ? 'met' : 'missed'} |\n`);
    for (const one of kills.wrong) process.stdout.write(`${one}\n`);
  }
  process.exitCode = rows.some(([, , met]) => met === false) ? 1 : 0;
}

function quantile(of: readonly number[], share: number): number {
  return of.toSorted((a, b) => a - b)[Math.min(of.length - 1, Math.ceil(of.length * share) - 1)] ?? 0;
}

function within(of: readonly number[], mark: number): boolean {
  return quantile(of, 0.95) <= mark;
}

function spread(of: readonly number[]): string {
  return `${Math.round(quantile(of, 0.5))} and ${Math.round(quantile(of, 0.95))} ms`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

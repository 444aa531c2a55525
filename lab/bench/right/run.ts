// `npm run bench -- right --model FILE [--embed FILE] [--ways A,B] [--half seen|unseen] [--all] [--base COMMIT] [--threads N] [--json]`:
// how many questions a model answers rightly with what Tidemark finds, beside the gold lines given (the ceiling), nothing (the
// floor), and the rule of another commit. Answers are kept, so a run that was cut off goes on. Exits 1 where Tidemark without tools
// stays below three quarters of the ceiling.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nothingFound } from '../../../src/core/prompt/found.ts';
import type { TurnOutcome } from '../../../src/core/turn/turnPorts.ts';
import type { FindingClient } from '../../../src/finding/client.ts';
import type { TextModel } from '../../../src/finding/embed.ts';
import type { Query } from '../../../src/finding/finder.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import type { OpenEngine } from '../../cli/engine.ts';
import type { HeadlessParts } from '../../cli/headless.ts';
import { tellFigure } from '../all/figure.ts';
import { withModel } from '../answers/withModel.ts';
import { folderOf, type Package, packages } from '../find/packages.ts';
import { type Asked, holds } from '../find/questions.ts';
import { askedOf, type Half } from './asked.ts';
import { isSure, linesGiven, quotableIn, verdictOf } from './judge.ts';
import { Kept } from './kept.ts';
import { modelOf, type Program, programAt, shortName } from './programs.ts';
import { type Answer, rightByKind, shareOf, table } from './table.ts';
import { goldOf, type Way, ways } from './ways.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    embed: { type: 'string', default: '' },
    ways: { type: 'string', default: 'floor,ceiling,ours' },
    half: { type: 'string', default: 'unseen' },
    all: { type: 'boolean', default: false },
    base: { type: 'string' },
    threads: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const mark = 0.75;
/** Fixed, so that the head is the same another day. */
const today = new Date('2026-11-01T12:00:00');
const home = join(projectRoot, 'out', 'bench');
const signal = new AbortController().signal;
const wanted = ways.filter((way) =>
  way === 'former' ? values.base !== undefined : values.ways.split(',').includes(way),
);
const isHalf = (half: string): half is Half => half === 'seen' || half === 'unseen';
if (values.model === '' || wanted.length === 0 || !isHalf(values.half)) {
  process.stderr.write(`usage: npm run bench -- right --model FILE [--ways ${ways.join(',')}] [--half seen|unseen]\n`);
  process.exit(2);
}

/** The product of now or of another commit, with an engine of its own. */
interface Open {
  readonly program: Program;
  readonly engine: OpenEngine;
  /** Ends the name of its index. */
  readonly name: string;
  readonly embedding: Embedding | null;
}

interface Embedding {
  readonly model: TextModel;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  dispose(): Promise<void>;
}

const now = await open(null);
const former = values.base === undefined ? null : await open(values.base);
/** Ways in turns: the former rule and ours, each on its own engine, so that both have the same machine. */
const turns: readonly (readonly Way[])[] = wanted.includes('former')
  ? [...wanted.filter((way) => way !== 'former' && way !== 'ours').map((way) => [way]), ['former', 'ours']]
  : wanted.map((way) => [way]);

const answers: Answer[] = [];
const asked = askedOf(values.half, values.all);
for (const one of packages) {
  const own = asked.filter(({ of }) => of === one);
  if (own.length > 0) await answer(one, own);
}
await Promise.all([now, former].flatMap((one) => [one?.engine.client.dispose(), one?.embedding?.dispose()]));
report();

async function open(commit: string | null): Promise<Open> {
  const program = await programAt(commit, home);
  const threads = values.threads === undefined ? null : Number(values.threads);
  const engine = keeping(await program.openEngine(values.model, 8192, 1, threads), shortName(commit ?? 'HEAD'));
  return { program, engine, name: commit === null ? '' : `-${shortName(commit)}`, embedding: await embedding(program) };
}

async function embedding(program: Program): Promise<Embedding | null> {
  if (values.embed === '') return null;
  const client = program.startEngine();
  const loaded = await client.request('loadEmbedding', { modelPath: values.embed, gpu: 'off', threads: null });
  const embed = (texts: readonly string[]) => client.request('embed', { texts });
  return { model: modelOf(program, loaded), embed, dispose: () => client.dispose() };
}

/** The engine, whose generations are kept. */
function keeping(engine: OpenEngine, commit: string): OpenEngine {
  const { client, info } = engine;
  const kept = new Kept(join(home, 'right', `${info.fingerprint.slice(0, 12)}.jsonl`), commit);
  const model: OpenEngine['client']['model'] = (slot, sampling) =>
    kept.model(client.model(slot, sampling), JSON.stringify([info.fingerprint, sampling]));
  return withModel(engine, model);
}

async function answer(one: Package, questions: readonly Asked[]): Promise<void> {
  const folder = folderOf(one);
  const places = {
    now: await indexed(now, one, folder),
    former: former === null ? null : await indexed(former, one, folder),
  };
  for (const some of turns)
    for (const question of questions)
      for (const way of some) {
        const place = way === 'former' ? places.former : places.now;
        if (place === null) continue;
        answers.push(await answered(question, way, place, folder));
        process.stderr.write(`${way} ${question.id}: ${answers.at(-1)?.verdict}\n`);
      }
  await Promise.all([places.now.finding.dispose(), places.former?.finding.dispose()]);
}

interface Place extends Open {
  readonly finding: FindingClient;
}

async function indexed(opened: Open, one: Package, folder: string): Promise<Place> {
  const { program, embedding } = opened;
  mkdirSync(join(home, 'index'), { recursive: true });
  const finding = program.openFinding(folder, join(home, 'index', `${one.name}${opened.name}.db`));
  await finding.request('refresh', null);
  if (embedding !== null) await program.embedAll(finding, embedding.model, embedding.embed, [], signal);
  return { ...opened, finding };
}

async function answered(question: Asked, way: Way, place: Place, folder: string): Promise<Answer> {
  const { program, engine, finding, embedding } = place;
  const find = async ({ text, folder: below, last, ...how }: Parameters<HeadlessParts['finding']['find']>[0]) => {
    const query: Query = { text, folder: below, last, ...how };
    if (embedding === null) return finding.request('find', query);
    const vector = await program.questionVector(text, embedding.model, embedding.embed, signal);
    return finding.request('find', vector === undefined ? query : { ...query, vector });
  };
  const finders: Readonly<Record<Way, HeadlessParts['finding']['find']>> = {
    floor: async () => nothingFound,
    ceiling: async () => goldOf(question, folder),
    former: find,
    ours: find,
    'ours with tools': find,
  };
  const workspace = program.folderWorkspace(folder);
  const tools = way === 'ours with tools' ? program.createTools(workspace) : [];
  const graph = way === 'ours with tools' ? program.unified : program.guided;
  const defaults = program.defaultSettings({ graph }, { temperature: 0, seed: 1 });
  const settings = way === 'floor' || way === 'ceiling' ? withoutHead(defaults) : defaults;
  const named = (text: string) => finding.request('named', { text });
  const failing = (output: string) => finding.request('failing', { output });
  const map = () => finding.request('map', { most: 200 });
  const parts = {
    engine,
    workspace,
    settings,
    tools,
    finding: { find: finders[way], named, failing, map },
    now: () => today,
  };
  const message = { text: question.question, attachments: [] };
  const { outcome } = await program.openHeadless(parts).say(message, async () => false, signal);
  return judged(question, way, outcome);
}

/** Nothing of the workspace stands in the head. */
function withoutHead(settings: HeadlessParts['settings']): HeadlessParts['settings'] {
  const workspaceContext = { ...settings.workspaceContext, files: [], overview: false, mapTokens: 0 };
  return { ...settings, workspaceContext };
}

function judged(question: Asked, way: Way, { dialog, report: told }: TurnOutcome): Answer {
  const { id, kind, gold } = question;
  const last = dialog.path.at(-1);
  const answer = last?.origin === 'assistant' ? last.text.trim() : '';
  const verdict = told.fault === null ? verdictOf(answer, question, quotableIn(dialog.path)) : 'wrong';
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const seconds = sum(told.calls.map((call) => call.prefill.milliseconds + call.generateMilliseconds)) / 1000;
  const decoded = sum(told.calls.map(({ prefill }) => prefill.decoded));
  const calls = dialog.path.filter(({ origin }) => origin === 'result').length;
  const hasGold = gold.length > 0 && holds(gold, linesGiven(dialog.path));
  return { id, kind, way, answer, verdict, isSure: isSure(answer), hasGold, decoded, seconds, calls };
}

function report(): void {
  writeFileSync(join(home, `right-${now.engine.info.fingerprint.slice(0, 12)}.json`), JSON.stringify(answers, null, 1));
  if (values.json) process.stdout.write(`${JSON.stringify(answers)}\n`);
  else process.stdout.write(`${cpus()[0]?.model ?? 'unknown processor'}\n\n${table(answers)}`);
  for (const way of wanted) tellFigure(`right answers, ${way}`, rightByKind(answers, way));
  const [ours, ceiling] = [shareOf(answers, 'ours'), shareOf(answers, 'ceiling')];
  if (ours === null || ceiling === null) return;
  process.stdout.write(`\n${Math.round((100 * ours) / ceiling)} % of the ceiling\n`);
  process.exitCode = ours / ceiling >= mark ? 0 : 1;
}

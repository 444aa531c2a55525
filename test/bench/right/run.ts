// `npm run bench -- right --model FILE [--embed FILE] [--ways A,B] [--all] [--threads N] [--json]`: how many questions a model
// answers rightly with what Tidemark finds, beside the gold lines given (the ceiling) and nothing (the floor). Answers are kept,
// so a run that was cut off goes on. Exits 1 where Tidemark without tools stays below 90 % of the ceiling.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type OpenEngine, openEngine, startEngine } from '../../../src/cli/engine.ts';
import { openFinding } from '../../../src/cli/finding.ts';
import { folderWorkspace } from '../../../src/cli/folderWorkspace.ts';
import { type HeadlessParts, openHeadless } from '../../../src/cli/headless.ts';
import { defaultSettings } from '../../../src/cli/settings.ts';
import { guided, unified } from '../../../src/core/agent/graph.ts';
import { nothingFound } from '../../../src/core/prompt/found.ts';
import type { TurnOutcome } from '../../../src/core/turn/turnPorts.ts';
import { embedAll, questionVector, textModelOf } from '../../../src/finding/embed.ts';
import type { Query } from '../../../src/finding/finder.ts';
import { createTools } from '../../../src/tools/index.ts';
import { projectRoot } from '../../harness/program.ts';
import { withModel } from '../answers/withModel.ts';
import { folderOf, type Package, packages } from '../find/packages.ts';
import type { Asked } from '../find/questions.ts';
import { askedOf } from './asked.ts';
import { Kept } from './kept.ts';
import { type Answer, shareOf, table } from './table.ts';
import { goldOf, type Way, ways } from './ways.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    embed: { type: 'string', default: '' },
    ways: { type: 'string', default: 'floor,ceiling,ours' },
    all: { type: 'boolean', default: false },
    threads: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const mark = 0.9;
/** Fixed, so that the head is the same another day. */
const today = new Date('2026-11-01T12:00:00');
const home = join(projectRoot, 'out', 'bench');
const signal = new AbortController().signal;
const wanted = ways.filter((way) => values.ways.split(',').includes(way));
if (values.model === '' || wanted.length === 0) {
  process.stderr.write(`usage: npm run bench -- right --model FILE [--ways ${ways.join(',')}]\n`);
  process.exit(2);
}

const engine = await keeping(
  await openEngine(values.model, 8192, 1, values.threads === undefined ? null : Number(values.threads)),
);
const embedder = values.embed === '' ? null : startEngine();
const embed = async (texts: readonly string[]) => (embedder === null ? [] : embedder.request('embed', { texts }));
const model =
  embedder === null
    ? null
    : textModelOf(await embedder.request('loadEmbedding', { modelPath: values.embed, gpu: 'off', threads: null }));

const answers: Answer[] = [];
const asked = askedOf(values.all);
for (const one of packages) {
  const own = asked.filter(({ of }) => of === one);
  if (own.length > 0) answers.push(...(await answered(one, own)));
}
await Promise.all([engine.client.dispose(), embedder?.dispose()]);
report();

/** The engine, whose generations are kept. */
async function keeping(engine: OpenEngine): Promise<OpenEngine> {
  const { client, info } = engine;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: projectRoot, encoding: 'utf8' }).trim();
  const kept = new Kept(join(home, 'right', `${info.fingerprint.slice(0, 12)}.jsonl`), commit);
  const model: OpenEngine['client']['model'] = (slot, sampling) =>
    kept.model(client.model(slot, sampling), JSON.stringify([info.fingerprint, sampling]));
  return withModel(engine, model);
}

async function answered(one: Package, questions: readonly Asked[]): Promise<readonly Answer[]> {
  const folder = folderOf(one);
  mkdirSync(join(home, 'index'), { recursive: true });
  const finding = openFinding(folder, join(home, 'index', `${one.name}.db`));
  await finding.request('refresh', null);
  if (model !== null) await embedAll(finding, model, embed, [], signal);
  const workspace = folderWorkspace(folder);
  const find = async (text: string, query: Omit<Query, 'vector'>) => {
    const vector = model === null ? undefined : await questionVector(text, model, embed, signal);
    return finding.request('find', vector === undefined ? query : { ...query, vector });
  };
  const result: Answer[] = [];
  for (const way of wanted)
    for (const question of questions) {
      const tools = way === 'ours with tools' ? createTools(workspace) : [];
      const finders: Readonly<Record<Way, HeadlessParts['finding']['find']>> = {
        floor: async () => nothingFound,
        ceiling: async () => goldOf(question, folder),
        ours: ({ text, folder: below, last }) => find(text, { text, folder: below, last }),
        'ours with tools': ({ text, folder: below, last }) => find(text, { text, folder: below, last }),
      };
      const map = () => finding.request('map', { most: 200 });
      const graph = way === 'ours with tools' ? unified : guided;
      const settings = defaultSettings({ graph }, { temperature: 0, seed: 1 });
      const parts = { engine, workspace, settings, tools, finding: { find: finders[way], map }, now: () => today };
      const message = { text: question.question, attachments: [] };
      const { outcome } = await openHeadless(parts).say(message, async () => false, signal);
      result.push(judged(question, way, outcome));
      process.stderr.write(`${way} ${question.id}: ${result.at(-1)?.right === true ? 'right' : 'wrong'}\n`);
    }
  await finding.dispose();
  return result;
}

function judged({ id, kind, answer: patterns }: Asked, way: Way, { dialog, report: told }: TurnOutcome): Answer {
  const last = dialog.path.at(-1);
  const answer = last?.origin === 'assistant' ? last.text.trim() : '';
  const right = patterns.every((pattern) => new RegExp(pattern, 'i').test(answer));
  const seconds =
    told.calls.reduce((sum, call) => sum + call.prefill.milliseconds + call.generateMilliseconds, 0) / 1000;
  const calls = dialog.path.filter(({ origin }) => origin === 'result').length;
  return { id, kind, way, answer, right: right && told.fault === null, tokens: told.total, seconds, calls };
}

function report(): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, `right-${engine.info.fingerprint.slice(0, 12)}.json`), JSON.stringify(answers, null, 1));
  if (values.json) process.stdout.write(`${JSON.stringify(answers)}\n`);
  else process.stdout.write(`${cpus()[0]?.model ?? 'unknown processor'}\n\n${table(answers)}`);
  const [ours, ceiling] = [shareOf(answers, 'ours'), shareOf(answers, 'ceiling')];
  if (ours === null || ceiling === null) return;
  process.stdout.write(`\n${Math.round((100 * ours) / ceiling)} % of the ceiling\n`);
  process.exitCode = ours / ceiling >= mark ? 0 : 1;
}

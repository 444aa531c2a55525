// `npm run bench -- facts [--model FILE] [--half seen|unseen|all]`: ten questions about manifests in five languages: whether the gold
// lines are found within 700 tokens, and what a model answers. Exits 1 where one is missed.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type OpenEngine, openEngine } from '../../../src/cli/engine.ts';
import { openFinding } from '../../../src/cli/finding.ts';
import { folderWorkspace } from '../../../src/cli/folderWorkspace.ts';
import { rowsOf } from '../../../src/cli/foundRows.ts';
import { openHeadless } from '../../../src/cli/headless.ts';
import { defaultSettings } from '../../../src/cli/settings.ts';
import { guided } from '../../../src/core/agent/graph.ts';
import { fitFound } from '../../../src/core/prompt/fitFound.ts';
import type { FindingClient } from '../../../src/finding/client.ts';
import { createEstimator } from '../../../src/tokens/estimate.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { folderOf, type Package } from '../find/packages.ts';
import { holds, type Question } from '../find/questions.ts';

interface FactQuestion extends Pick<Question, 'question' | 'answer'> {
  readonly of: string;
  /** `unseen`: not looked at while building. */
  readonly half: 'seen' | 'unseen';
  readonly gold: Question['gold'][number];
}

const budget = 700;
const { values } = parseArgs({
  options: { model: { type: 'string', default: '' }, half: { type: 'string', default: 'all' } },
});
const read = <T>(name: string) => JSON.parse(readFileSync(join(projectRoot, 'lab/bench/facts', name), 'utf8')) as T;
const packages = read<readonly Package[]>('packages.json');
const questions = read<readonly FactQuestion[]>('questions.json').filter(
  ({ half }) => values.half === 'all' || half === values.half,
);
const signal = new AbortController().signal;
const home = join(projectRoot, 'out', 'bench', 'index');
mkdirSync(home, { recursive: true });
const { text: estimate } = await createEstimator()();
const counter = { count: async (texts: readonly string[]) => ({ tokens: texts.map(estimate), exact: false }) };
const engine = values.model === '' ? null : await openEngine(values.model, 8192, 1, null);

let [found, right] = [0, 0];
for (const one of packages) {
  const folder = folderOf(one);
  const finding = openFinding(folder, join(home, `facts-${one.name}.db`));
  await finding.request('refresh', null);
  for (const asked of questions.filter(({ of }) => of === one.name)) await ask(asked, folder, finding);
  await finding.dispose();
}
await engine?.client.dispose();
process.stdout.write(
  `\n${found} of ${questions.length} found${engine === null ? '' : `, ${right} answered rightly`}\n`,
);
process.exitCode = found < questions.length || (engine !== null && right < questions.length) ? 1 : 0;

async function ask({ of, question, gold, answer }: FactQuestion, folder: string, finding: FindingClient) {
  const fitted = await fitFound(await finding.request('find', { text: question }), budget, counter);
  const isFound = holds([gold], rowsOf(fitted));
  found += Number(isFound);
  const said = engine === null ? null : await answerOf(question, folder, finding, engine);
  const isRight = said !== null && answer.every((pattern) => new RegExp(pattern, 'i').test(said));
  right += Number(isRight);
  const judged = said === null ? '' : `, ${isRight ? 'right' : 'wrong'}: ${said.replaceAll('\n', ' ')}`;
  process.stdout.write(`${of}: ${question} ${isFound ? 'found' : 'missed'}${judged}\n`);
}

async function answerOf(text: string, folder: string, finding: FindingClient, from: OpenEngine): Promise<string> {
  const parts = {
    engine: from,
    workspace: folderWorkspace(folder),
    settings: defaultSettings({ graph: guided }, { temperature: 0, seed: 1 }),
    tools: [],
    finding: {
      find: ({ text: words, folder: below, last }: { text: string; folder: string; last: readonly string[] }) =>
        finding.request('find', { text: words, folder: below, last }),
      map: () => finding.request('map', { most: 200 }),
    },
  };
  const { outcome } = await openHeadless(parts).say({ text, attachments: [] }, async () => false, signal);
  const last = outcome.dialog.path.at(-1);
  return last?.origin === 'assistant' ? last.text.trim() : '';
}

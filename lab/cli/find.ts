// `npm run find`: the passages of a folder that a question would bring, without asking a model.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { faultOf, reasonOf } from '../../src/core/faults/faults.ts';
import type { TokenCounter } from '../../src/core/prompt/counter.ts';
import { type FittedPassages, fitFound } from '../../src/core/prompt/fitFound.ts';
import { passageText } from '../../src/core/prompt/found.ts';
import type { FindingClient } from '../../src/finding/client.ts';
import { embedAll, questionVector, textModelOf } from '../../src/finding/embed.ts';
import type { Query, Status } from '../../src/finding/finder.ts';
import { createEstimator } from '../../src/tokens/estimate.ts';
import { openEngine, startEngine } from './engine.ts';
import { indexOf, openFinding } from './finding.ts';
import { rowsOf } from './foundRows.ts';
import { say, sayFault } from './say.ts';

const usage =
  'usage: npm run -s find -- --workspace DIR [--tokens N] [--model FILE] [--embed FILE] [--index FILE] [--json] "question"';

interface Arguments {
  readonly workspace: string;
  readonly tokens: number;
  /** Counts the tokens; empty estimates them. */
  readonly model: string;
  /** The embedding model; empty finds by words alone. */
  readonly embed: string;
  readonly index: string;
  readonly json: boolean;
  readonly question: string;
}

function readArguments(argv: readonly string[]): Arguments | string {
  const string = { type: 'string' } as const;
  const options = {
    workspace: string,
    tokens: string,
    model: string,
    embed: string,
    index: string,
    json: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const tokens = Number(values.tokens ?? 1500);
    const question = positionals.join(' ').trim();
    if (values.workspace === undefined || question === '') return usage;
    if (!Number.isInteger(tokens) || tokens < 1) return `--tokens must be a whole number from 1\n${usage}`;
    if (!statSync(values.workspace, { throwIfNoEntry: false })?.isDirectory())
      return `${values.workspace} is not a folder`;
    const workspace = resolve(values.workspace);
    const { model = '', embed = '', json = false } = values;
    const index = values.index === undefined ? indexOf(workspace) : resolve(values.index);
    return { workspace, tokens, model, embed, index, json, question };
  } catch (error) {
    return `${reasonOf(error)}\n${usage}`;
  }
}

interface Answer {
  readonly found: FittedPassages;
  readonly milliseconds: number;
  readonly index: Status;
  readonly indexMilliseconds: number;
}

async function run(args: Arguments): Promise<Answer> {
  const finding = openFinding(args.workspace, args.index);
  const stop = new AbortController();
  process.on('SIGINT', () => stop.abort());
  const engine = args.embed === '' ? null : startEngine();
  const counting = args.model === '' ? null : await openEngine(args.model, 512, 1);
  try {
    const counter = counting === null ? await estimating() : exact(counting.client);
    const started = performance.now();
    await finding.request('refresh', null, stop.signal);
    const vector = engine === null ? undefined : await vectorFor(args, finding, engine, stop.signal);
    const ready = performance.now();
    const message = { pointed: [], standing: [], edits: false, files: [] };
    const query: Query = { text: args.question, message, ...(vector === undefined ? {} : { vector }) };
    const all = await finding.request('find', query, stop.signal);
    const found = await fitFound(all, args.tokens, counter);
    const milliseconds = performance.now() - ready;
    return { found, milliseconds, index: await finding.request('status', null), indexMilliseconds: ready - started };
  } finally {
    await Promise.all([finding.dispose(), engine?.dispose(), counting?.client.dispose()]);
  }
}

type Client = ReturnType<typeof startEngine>;

/** The question's vector, once all passages have theirs. */
async function vectorFor(
  { embed: modelPath, question }: Arguments,
  finding: FindingClient,
  engine: Client,
  signal: AbortSignal,
) {
  const model = textModelOf(await engine.request('loadEmbedding', { modelPath, gpu: 'auto', threads: null }));
  const embed = (texts: readonly string[]) => engine.request('embed', { texts }, signal);
  await embedAll(finding, model, embed, [], signal, (done) => {
    if (done % 200 === 0) say(`${done} passages embedded`, process.stderr);
  });
  return questionVector(question, model, embed, signal);
}

function exact(client: Pick<Client, 'count'>): TokenCounter {
  return { count: async (texts) => ({ tokens: await client.count(texts), exact: true }) };
}

async function estimating(): Promise<TokenCounter> {
  const { text } = await createEstimator()();
  return { count: async (texts) => ({ tokens: texts.map(text), exact: false }) };
}

function print({ found, milliseconds, index, indexMilliseconds }: Answer, json: boolean): void {
  const { files, passages, bytes } = index;
  if (json) {
    const about = { files, passages, milliseconds: Math.round(indexMilliseconds), bytes };
    const rows = rowsOf(found);
    const { weak, exact } = found;
    say(JSON.stringify({ passages: rows, weak, exact, milliseconds: Math.round(milliseconds), index: about }));
    return;
  }
  for (const [at, passage] of found.passages.entries())
    say(`${passageText(passage)}\n(${found.tokens[at]} tokens: ${passage.why})\n`);
  const total = found.tokens.reduce((a, b) => a + b, 0);
  if (found.weak !== '') say(`Perhaps not what you asked for: ${found.weak}.`);
  say(
    `${found.passages.length} passages, ${found.exact ? '' : 'about '}${total} tokens, ${Math.round(milliseconds)} ms; ${files} files, ${passages} passages in the index`,
  );
}

const args = readArguments(process.argv.slice(2));
if (typeof args === 'string') {
  say(args, process.stderr);
  process.exit(2);
}
try {
  print(await run(args), args.json);
} catch (error) {
  sayFault(faultOf(error));
  process.exitCode = 1;
}

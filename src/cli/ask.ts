// `npm run ask`: one question about a folder, answered by the same agent as in the editor.
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { budgetFor, defaultPolicy } from '../core/budget.ts';
import { cacheFor } from '../core/cache.ts';
import { spacedJson } from '../core/calls/json.ts';
import type { TokenCounter } from '../core/counter.ts';
import { emptyDialog, type Item } from '../core/dialog.ts';
import { FaultError, faultOf, reasonOf } from '../core/faults.ts';
import { type Graph, graphNamed } from '../core/graph.ts';
import { defaultRetrieval, renderKnowledge } from '../core/knowledge.ts';
import { noMarks } from '../core/marks.ts';
import { allOn } from '../core/mechanisms.ts';
import { systemText } from '../core/systemText.ts';
import { runTurn } from '../core/turn.ts';
import type { TurnOutcome, UserMessage } from '../core/turnPorts.ts';
import { createTools } from '../tools/index.ts';
import type { Workspace } from '../tools/workspace.ts';
import { createBundle, defaultFiles, fileShare } from '../workspace/bundle.ts';
import { retrieve } from '../workspace/retrieve.ts';
import { chooseModel, type OpenEngine, openEngine } from './engine.ts';
import { folderWorkspace } from './folderWorkspace.ts';
import { sayFault } from './say.ts';

const usage =
  'usage: npm run -s ask -- --workspace DIR [--attach FILE]... [--model FILE] [--context-size N] [--graph unified|split] [--json] "question"';

interface Arguments {
  readonly workspace: string;
  readonly model: string;
  readonly contextSize: number;
  readonly graph: Graph;
  readonly attachments: UserMessage['attachments'];
  readonly json: boolean;
  readonly question: string;
}

function readArguments(argv: readonly string[]): Arguments | string {
  const string = { type: 'string' } as const;
  const attach = { type: 'string', multiple: true } as const;
  const options = {
    workspace: string,
    model: string,
    'context-size': string,
    graph: string,
    attach,
    json: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const contextSize = Number(values['context-size'] ?? 8192);
    const question = positionals.join(' ').trim();
    const graph = graphNamed(values.graph);
    if (values.workspace === undefined || question === '') return usage;
    if (!Number.isInteger(contextSize) || contextSize < 512)
      return `--context-size must be a whole number from 512\n${usage}`;
    if (graph === null) return `--graph must be unified or split\n${usage}`;
    if (!statSync(values.workspace, { throwIfNoEntry: false })?.isDirectory())
      return `${values.workspace} is not a folder`;
    const { workspace, json = false } = values;
    const attachments = (values.attach ?? []).map((path) => ({
      head: `File ${path}:`,
      body: readFileSync(path, 'utf8'),
    }));
    return { workspace, model: chooseModel(values.model), contextSize, graph, attachments, json, question };
  } catch (error) {
    return `${reasonOf(error)}\n${usage}`;
  }
}

async function ask(args: Arguments): Promise<TurnOutcome> {
  const { client, info } = await openEngine(args.model, args.contextSize, args.graph.nodes.length);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  try {
    const workspace = folderWorkspace(args.workspace);
    const counter = exactCounter(client);
    const syntax = info.toolCalls.format === 'none' ? null : info.toolCalls.syntax;
    const tools = syntax === null ? [] : createTools(workspace);
    const budget = budgetFor(info.contextSize, defaultPolicy);
    const stack = {
      system: systemText({
        folders: workspace.folders.map(({ name }) => name),
        date: new Date().toISOString().slice(0, 10),
      }),
      workspace: await bundleFor(workspace, budget.workspaceCap, counter, stop.signal),
      tools: tools.map(({ schema }) => schema),
    };
    const common = {
      agent: 'default',
      policy: defaultPolicy,
      switches: allOn,
      marks: noMarks,
      cache: cacheFor('auto', info.erases === true),
    };
    const setup = { ...common, graph: args.graph, stack, budget, syntax };
    const model = (slot: number) => client.model(slot, { temperature: 0, seed: 1 });
    const look = async (text: string) => {
      const maxTokens = Math.floor(budget.high * defaultRetrieval.share);
      const found = await retrieve(workspace, text, { maxTokens }, counter, stop.signal);
      return found === '' ? null : renderKnowledge(defaultRetrieval, text, found);
    };
    const ports = { model, tools, retrieve: look, newId: randomUUID, emit: () => undefined };
    const message = { text: args.question, attachments: args.attachments };
    return await runTurn({ dialog: emptyDialog, held: [] }, message, setup, ports, stop.signal);
  } finally {
    await client.dispose();
  }
}

function exactCounter(client: OpenEngine['client']): TokenCounter {
  return { count: async (texts) => ({ tokens: await client.request('count', { texts }), exact: true }) };
}

async function bundleFor(workspace: Workspace, maxTokens: number, counter: TokenCounter, signal: AbortSignal) {
  const wishes = { files: defaultFiles, overview: true, maxTokens, fileMaxTokens: Math.floor(maxTokens * fileShare) };
  return (await createBundle(workspace, wishes, counter, signal)).parts;
}

function stepsOf(path: readonly Item[], { report }: TurnOutcome) {
  const tokens = new Map(report.decisions.map((decision) => [decision.item, decision.after]));
  const calls = path.flatMap((item) => (item.origin === 'call' ? item.calls : []));
  return path.flatMap((item) => {
    if (item.origin !== 'result') return [];
    const call = calls.find(({ id }) => id === item.call);
    return [{ tool: item.tool, arguments: call?.arguments ?? {}, ok: item.ok, tokens: tokens.get(item.id) ?? 0 }];
  });
}

function print(outcome: TurnOutcome, json: boolean): void {
  const last = outcome.dialog.path.at(-1);
  const answer = last?.origin === 'assistant' ? last.text.trim() : '';
  const steps = stepsOf(outcome.dialog.path, outcome);
  if (json) return void process.stdout.write(`${JSON.stringify({ answer, steps, report: outcome.report })}\n`);
  for (const step of steps)
    process.stdout.write(`> ${step.tool} ${spacedJson(step.arguments)} (${step.tokens} tokens)\n`);
  const { total, budget, calls } = outcome.report;
  const decoded = calls.reduce((sum, { prefill }) => sum + prefill.decoded, 0);
  process.stdout.write(
    `\n${answer}\n\nprompt ${total} of ${budget.high} tokens, ${decoded} decoded in ${calls.length} calls\n`,
  );
}

const args = readArguments(process.argv.slice(2));
if (typeof args === 'string') {
  process.stderr.write(`${args}\n`);
  process.exit(2);
}
try {
  const outcome = await ask(args);
  if (outcome.report.fault !== null) throw new FaultError(outcome.report.fault);
  print(outcome, args.json);
} catch (error) {
  process.stderr.write(`${sayFault(faultOf(error))}\n`);
  process.exitCode = 1;
}

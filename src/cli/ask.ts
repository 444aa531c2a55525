// `npm run ask`: one question about a folder, answered by the same agent as in the editor.
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { callsTools, type Graph, graphNamed, guided } from '../core/agent/graph.ts';
import { modelAgent } from '../core/agent/modelAgent.ts';
import { spacedJson } from '../core/calls/json.ts';
import type { Item } from '../core/dialog/dialog.ts';
import { FaultError, faultOf, reasonOf } from '../core/faults/faults.ts';
import type { TurnOutcome, UserMessage } from '../core/turn/turnPorts.ts';
import { removeLeftovers } from '../edits/files/leftovers.ts';
import { textWithoutSecrets } from '../secrets/lines.ts';
import { createTools } from '../tools/index.ts';
import { type BlockChange, createEditing } from './editing.ts';
import { type ModelPlace, openModelAt, placeFor } from './engine.ts';
import { indexOf, openFinding } from './finding.ts';
import { folderWorkspace } from './folderWorkspace.ts';
import { type OneTurn, oneTurn } from './oneTurn.ts';
import { say, sayFault } from './say.ts';

const usage =
  'usage: npm run -s ask -- --workspace DIR [--attach FILE]... [--model FILE | --engine URL [--insecure]] [--context-size N] [--graph unified|guided|split] [--edit [--yes]] [--json] "question"';

interface Arguments {
  readonly workspace: string;
  readonly place: ModelPlace;
  readonly contextSize: number;
  /** Null for the one that the editor takes for a model that it did not test. */
  readonly graph: Graph | null;
  readonly attachments: UserMessage['attachments'];
  readonly json: boolean;
  /** It may change files: after a yes to each change, or at once. */
  readonly edit: 'no' | 'asks' | 'yes';
  readonly question: string;
}

function readArguments(argv: readonly string[]): Arguments | string {
  const string = { type: 'string' } as const;
  const attach = { type: 'string', multiple: true } as const;
  const options = {
    workspace: string,
    model: string,
    engine: string,
    insecure: { type: 'boolean' },
    'context-size': string,
    graph: string,
    attach,
    json: { type: 'boolean' },
    edit: { type: 'boolean' },
    yes: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const contextSize = Number(values['context-size'] ?? 8192);
    const question = positionals.join(' ').trim();
    const graph = values.graph === undefined ? null : graphNamed(values.graph);
    if (values.workspace === undefined || question === '') return usage;
    if (!Number.isInteger(contextSize) || contextSize < 512)
      return `--context-size must be a whole number from 512\n${usage}`;
    if (graph === null && values.graph !== undefined) return `--graph must be unified, guided or split\n${usage}`;
    if (!statSync(values.workspace, { throwIfNoEntry: false })?.isDirectory())
      return `${values.workspace} is not a folder`;
    if (values.yes === true && values.edit !== true) return `--yes goes with --edit\n${usage}`;
    const { workspace, json = false } = values;
    const edit = values.edit !== true ? 'no' : values.yes === true ? 'yes' : 'asks';
    const attachments = (values.attach ?? []).map((path) => ({
      head: `File ${path}:`,
      body: textWithoutSecrets(readFileSync(path, 'utf8'), path),
    }));
    const place = placeFor(values.engine, values.model, values.insecure);
    return { workspace, place, contextSize, graph, attachments, json, edit, question };
  } catch (error) {
    return `${reasonOf(error)}\n${usage}`;
  }
}

interface Asked {
  readonly outcome: TurnOutcome;
  /** What came of code blocks that name a file. */
  readonly changes: readonly BlockChange[];
}

async function ask(args: Arguments): Promise<Asked> {
  if (args.edit !== 'no') await removeLeftovers();
  const engine = await openModelAt(args.place, args.contextSize, args.graph?.nodes.length ?? 1);
  const finding = openFinding(args.workspace, indexOf(args.workspace));
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  try {
    await finding.request('refresh', null, stop.signal);
    const workspace = folderWorkspace(args.workspace);
    const find: OneTurn['find'] = (query, signal) => finding.request('find', query, signal);
    const map: OneTurn['map'] = () => finding.request('map', { most: 200 });
    const graph = args.graph ?? modelAgent(engine.info.name)?.graph ?? guided;
    const editing = args.edit === 'no' ? null : createEditing(workspace, args.edit === 'yes', callsTools(graph));
    const own = { tools: [...createTools(workspace), ...(editing?.tools ?? [])], ...editing?.asked };
    const parts = { engine, workspace, graph, find, map, head: true, ...own };
    const outcome = await oneTurn({ text: args.question, attachments: args.attachments }, parts, stop.signal);
    const changes = (await editing?.finish(outcome, stop.signal)) ?? [];
    return { outcome, changes };
  } finally {
    await Promise.all([engine.client.dispose(), finding.dispose()]);
  }
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

function print({ outcome, changes }: Asked, json: boolean): void {
  const last = outcome.dialog.path.at(-1);
  const answer = last?.origin === 'assistant' ? last.text.trim() : '';
  const steps = stepsOf(outcome.dialog.path, outcome);
  if (json) return void say(JSON.stringify({ answer, steps, changes, report: outcome.report }));
  for (const item of outcome.dialog.path)
    if (item.origin === 'attachment' && item.found !== undefined)
      say(`${item.head.split('\n').at(-1)} (${item.found.why})`);
  for (const step of steps) say(`> ${step.tool} ${spacedJson(step.arguments)} (${step.tokens} tokens)`);
  for (const { ok, words } of changes) say(`${ok ? '>' : '> not made:'} ${words}`);
  const { total, budget, calls } = outcome.report;
  const decoded = calls.reduce((sum, { prefill }) => sum + prefill.decoded, 0);
  say(`\n${answer}\n\nprompt ${total} of ${budget.high} tokens, ${decoded} decoded in ${calls.length} calls`);
}

const args = readArguments(process.argv.slice(2));
if (typeof args === 'string') {
  say(args, process.stderr);
  process.exit(2);
}
try {
  const asked = await ask(args);
  if (asked.outcome.report.fault !== null) throw new FaultError(asked.outcome.report.fault);
  print(asked, args.json);
} catch (error) {
  sayFault(faultOf(error));
  process.exitCode = 1;
}

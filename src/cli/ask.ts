// `npm run ask`: one question about a folder, answered by the same agent as in the editor.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { budgetFor, defaultPolicy } from '../core/budget.ts';
import { spacedJson } from '../core/calls/json.ts';
import { emptyDialog, type Item } from '../core/dialog.ts';
import { FaultError, faultOf, reasonOf } from '../core/faults.ts';
import { nothingHeld } from '../core/held.ts';
import { systemText } from '../core/systemText.ts';
import { runTurn } from '../core/turn.ts';
import type { TurnOutcome } from '../core/turnPorts.ts';
import { createTools } from '../tools/index.ts';
import { chooseModel, openEngine } from './engine.ts';
import { folderWorkspace } from './folderWorkspace.ts';
import { sayFault } from './say.ts';

const usage = 'usage: npm run -s ask -- --workspace DIR [--model FILE] [--context-size N] [--json] "question"';

interface Arguments {
  readonly workspace: string;
  readonly model: string;
  readonly contextSize: number;
  readonly json: boolean;
  readonly question: string;
}

function readArguments(argv: readonly string[]): Arguments | string {
  const options = {
    workspace: { type: 'string' },
    model: { type: 'string' },
    'context-size': { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const contextSize = Number(values['context-size'] ?? 8192);
    const question = positionals.join(' ').trim();
    if (values.workspace === undefined || question === '') return usage;
    if (!Number.isInteger(contextSize) || contextSize < 512)
      return `--context-size must be a whole number from 512\n${usage}`;
    if (!statSync(values.workspace, { throwIfNoEntry: false })?.isDirectory())
      return `${values.workspace} is not a folder`;
    return {
      workspace: values.workspace,
      model: chooseModel(values.model),
      contextSize,
      json: values.json ?? false,
      question,
    };
  } catch (error) {
    return `${reasonOf(error)}\n${usage}`;
  }
}

async function ask(args: Arguments): Promise<TurnOutcome> {
  const { client, info } = await openEngine(args.model, args.contextSize);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  try {
    const workspace = folderWorkspace(args.workspace);
    const tools = info.toolCalls.format === 'none' ? [] : createTools(workspace);
    const syntax = info.toolCalls.format === 'none' ? null : info.toolCalls.syntax;
    const date = new Date().toISOString().slice(0, 10);
    const system = systemText({ folders: workspace.folders.map(({ name }) => name), date });
    const stack = { system, tools: tools.map(({ schema }) => schema) };
    const setup = { stack, policy: defaultPolicy, budget: budgetFor(info.contextSize, defaultPolicy), syntax };
    const model = client.model(0, { temperature: 0, seed: 1 });
    const ports = { model, tools, newId: randomUUID, emit: () => undefined };
    return await runTurn({ dialog: emptyDialog, held: nothingHeld }, args.question, setup, ports, stop.signal);
  } finally {
    await client.dispose();
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

// `npm run ask`: one question about a folder, answered as in the editor.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { TestedModels } from '../../src/app/model/testedModels.ts';
import { type Graph, graphNamed } from '../../src/core/agent/graph.ts';
import { commandOf } from '../../src/core/agent/intent.ts';
import { spacedJson } from '../../src/core/calls/json.ts';
import { FaultError, faultOf, reasonOf } from '../../src/core/faults/faults.ts';
import type { Approve } from '../../src/core/turn/gate.ts';
import type { TurnOutcome, UserMessage } from '../../src/core/turn/turnPorts.ts';
import { removeLeftovers } from '../../src/edits/files/leftovers.ts';
import type { FindingClient } from '../../src/finding/client.ts';
import { textWithoutSecrets } from '../../src/secrets/lines.ts';
import { editAgent } from '../../src/settings/agents.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { askInTerminal } from './askInTerminal.ts';
import { type ModelFlags, modelFrom, openWith } from './engine.ts';
import { foundBy, indexOf, openFinding } from './finding.ts';
import { folderWorkspace } from './folderWorkspace.ts';
import { type Headless, type Known, openHeadless, type TurnAnswer } from './headless.ts';
import { say, sayFault } from './say.ts';
import { configurationIn, configurationOf, settingsFor } from './settings.ts';
import { knownIn } from './storage.ts';
import { LastChange, toolsOf } from './tools.ts';

const usage =
  'usage: npm run -s ask -- --workspace DIR [--attach FILE]... [--model FILE | --engine URL [--insecure]] [--context-size N] [--graph unified|guided|split] [--storage DIR [--conversation ID]] [--edit [--yes]] [--json] "question"\n       npm run -s ask -- --workspace DIR ... --fix [--yes] ["command of the tests"]';

interface Arguments {
  readonly workspace: string;
  readonly model: ModelFlags;
  /** Tokens; null for the size of the settings. */
  readonly contextSize: number | null;
  /** The chosen graph; null for the one that suits the model. */
  readonly graph: Graph | null;
  /** The editor's folder of the user, or a copy; null where nothing of an editor is known. */
  readonly storage: string | null;
  /** Id of a stored conversation to go on with. */
  readonly conversation: string | null;
  readonly attachments: UserMessage['attachments'];
  readonly json: boolean;
  /** The command is run, the tests of the project where none is given, and what fails is mended. */
  readonly fix: boolean;
  /** Whether files may be changed: not at all, after a yes to each change, or at once. */
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
    storage: string,
    conversation: string,
    attach,
    json: { type: 'boolean' },
    edit: { type: 'boolean' },
    yes: { type: 'boolean' },
    fix: { type: 'boolean' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const contextSize = values['context-size'] === undefined ? null : Number(values['context-size']);
    const question = positionals.join(' ').trim();
    const graph = values.graph === undefined ? null : graphNamed(values.graph);
    const fix = values.fix === true;
    if (values.workspace === undefined || (question === '' && !fix)) return usage;
    if (contextSize !== null && (!Number.isInteger(contextSize) || contextSize < 512))
      return `--context-size must be a whole number from 512\n${usage}`;
    if (graph === null && values.graph !== undefined) return `--graph must be unified, guided or split\n${usage}`;
    if (!statSync(values.workspace, { throwIfNoEntry: false })?.isDirectory())
      return `${values.workspace} is not a folder`;
    if (values.conversation !== undefined && values.storage === undefined)
      return `--conversation goes with --storage\n${usage}`;
    if (values.yes === true && values.edit !== true && !fix) return `--yes goes with --edit or --fix\n${usage}`;
    if (fix && (values.json === true || values.attach !== undefined))
      return `--fix goes without --json and --attach\n${usage}`;
    const { workspace, json = false, storage = null, conversation = null } = values;
    const edit = values.edit !== true && !fix ? 'no' : values.yes === true ? 'yes' : 'asks';
    const attachments = (values.attach ?? []).map((path) => ({
      head: `File ${path}:`,
      body: textWithoutSecrets(readFileSync(path, 'utf8'), path),
    }));
    const model = { engine: values.engine, model: values.model, insecure: values.insecure === true };
    return { workspace, model, contextSize, graph, storage, conversation, attachments, json, edit, fix, question };
  } catch (error) {
    return `${reasonOf(error)}\n${usage}`;
  }
}

const unknown =
  'Settings, what the model was seen to do, memory and the work board are not known: --storage names the folder that has them.';

/** Returns null after a fix, which has told its answers. */
async function ask(args: Arguments): Promise<TurnAnswer | null> {
  if (args.edit !== 'no') await removeLeftovers();
  const { storage } = args;
  const known = storage === null ? null : await knownIn(storage, args.conversation);
  const settings = settingsOf(args, known);
  const finding = openFinding(args.workspace, indexOf(args.workspace));
  const stop = new AbortController();
  process.on('SIGINT', () => stop.abort());
  const tested = new TestedModels(known?.abilities ?? null);
  const load = tested.withPaces(settings.load);
  const engine = await openWith(modelFrom(args.model, load));
  if (known === null) say(unknown, process.stderr);
  try {
    await finding.request('refresh', null, stop.signal);
    const workspace = folderWorkspace(args.workspace);
    const lastChange = new LastChange();
    const tools = toolsOf(workspace, finding, settings, lastChange.keep);
    const parts = { engine, workspace, settings, tools, finding: foundBy(finding), lastChange };
    const conversation = openHeadless(parts, known);
    if (args.edit === 'yes') conversation.changeAtOnce();
    if (args.fix) {
      await mend(args, conversation, finding, stop.signal);
      return null;
    }
    return await conversation.say({ text: args.question, attachments: args.attachments }, askInTerminal, stop.signal);
  } finally {
    await Promise.all([engine.client.dispose(), finding.dispose()]);
  }
}

/** One yes for the command and one for the changes, or none with `--yes`, where there is no reason to ask. */
async function mend(
  { question, edit }: Arguments,
  conversation: Headless,
  finding: FindingClient,
  signal: AbortSignal,
): Promise<void> {
  const command = question === '' ? commandOf(await finding.request('named', { text: '' })) : question;
  if (command === '')
    throw new Error('No manifest of the folder names its tests: give their command, such as "make test".');
  const allowed = new Set<string>();
  const ask: Approve = async (request) => {
    const key = `${request.effect} ${request.because}`;
    const isYes = allowed.has(key) || (edit === 'yes' && request.because === '') || (await askInTerminal(request));
    if (isYes) allowed.add(key);
    return isYes;
  };
  const heard = ({ outcome: { dialog } }: TurnAnswer) => {
    const last = dialog.path.at(-1);
    const asked = dialog.path.findLast(({ origin }) => origin === 'user');
    for (const item of [asked, last])
      if (item?.origin === 'user' || item?.origin === 'assistant') say(`\n${item.text}`);
  };
  const fixed = await conversation.fix(command, { ask, tell: (words) => say(`\n${words}`), heard }, signal);
  if (fixed !== null && !fixed.after.isGreen) process.exitCode = 1;
}

/** Reads the settings of the agent that changes files, of the one that the conversation chose, or of the one that is set. */
function settingsOf({ storage, workspace, contextSize, model, graph, edit }: Arguments, known: Known | null): Settings {
  const given = {
    ...(contextSize === null ? {} : { 'tidemark.model.contextSize': contextSize }),
    ...(model.model === undefined ? {} : { 'tidemark.model.path': resolve(model.model) }),
  };
  const configuration = storage === null ? configurationOf(given) : configurationIn(storage, workspace, given);
  const agent = edit === 'no' ? (known?.session?.choices.agent ?? null) : editAgent;
  const settings = settingsFor(configuration, agent, graph === null ? {} : { graph });
  const slots = Math.max(settings.load.slots, graph?.nodes.length ?? 1);
  return { ...settings, load: { ...settings.load, slots } };
}

function stepsOf({ dialog: { path }, report }: TurnOutcome) {
  const tokens = new Map(report.decisions.map((decision) => [decision.item, decision.after]));
  const calls = path.flatMap((item) => (item.origin === 'call' ? item.calls : []));
  return path.flatMap((item) => {
    if (item.origin !== 'result') return [];
    const call = calls.find(({ id }) => id === item.call);
    return [{ tool: item.tool, arguments: call?.arguments ?? {}, ok: item.ok, tokens: tokens.get(item.id) ?? 0 }];
  });
}

function print({ outcome, edits }: TurnAnswer, json: boolean): void {
  const last = outcome.dialog.path.at(-1);
  const answer = last?.origin === 'assistant' ? last.text.trim() : '';
  const steps = stepsOf(outcome);
  const changes = edits.made.map(({ ok, head }) => ({ ok, words: head }));
  if (json) return void say(JSON.stringify({ answer, steps, changes, report: outcome.report }));
  for (const item of outcome.dialog.path)
    if (item.origin === 'attachment' && item.found !== undefined)
      say(`${item.head.split('\n').at(-1)} (${item.found.why})`);
  for (const step of steps) say(`> ${step.tool} ${spacedJson(step.arguments)} (${step.tokens} tokens)`);
  for (const { ok, words } of changes) say(`${ok ? '>' : '> not made:'} ${words}`);
  if (changes.length === 0 && edits.words !== '') say(edits.words);
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
  if (asked === null) process.exit();
  if (asked.outcome.report.fault !== null) throw new FaultError(asked.outcome.report.fault);
  print(asked, args.json);
} catch (error) {
  sayFault(faultOf(error));
  process.exitCode = 1;
}

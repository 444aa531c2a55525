// Conversations about a world: questions as people ask them, played through the turn loop with the product's own tools.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unified } from '../../src/core/agent/graph.ts';
import { allOn } from '../../src/core/agent/mechanisms.ts';
import { pocketAgent, trainedTools } from '../../src/core/agent/modelAgent.ts';
import { hermes } from '../../src/core/calls/syntax.ts';
import { emptyDialog, type Item } from '../../src/core/dialog/dialog.ts';
import { noMarks } from '../../src/core/dialog/marks.ts';
import type { LookingTool, Tool, ToolResult } from '../../src/core/dialog/tool.ts';
import { budgetFor, defaultPolicy } from '../../src/core/prompt/budget.ts';
import type { BundlePart } from '../../src/core/prompt/bundle.ts';
import { defaultTemplate, renderKnowledge } from '../../src/core/prompt/knowledge.ts';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { placeText, systemText } from '../../src/core/prompt/systemText.ts';
import { cacheFor } from '../../src/core/turn/cache.ts';
import { runTurn } from '../../src/core/turn/turn.ts';
import type { TurnSetup, TurnState } from '../../src/core/turn/turnPorts.ts';
import type { ChatTemplate } from '../../src/templates/template.ts';
import { createTools, type Diagnostic, type Workspace } from '../../src/tools/index.ts';
import { createBundle, defaultFiles, fileShare } from '../../src/workspace/bundle.ts';
import type { Question } from './ask.ts';
import { retrieve } from './texts/lookUp.ts';
import type { Script, Topic } from './texts/oracle.ts';
import { countRoughly, type Piece, Recorder, rawCall, type Saying } from './texts/record.ts';
import type { World } from './texts/world.ts';

/** A world on disk, with what a session about it begins with. */
export interface Place {
  readonly world: World;
  readonly workspace: Workspace;
  readonly tools: readonly Tool[];
  readonly setup: TurnSetup;
  readonly remove: () => void;
}

const signal = new AbortController().signal;
const counter = { count: async (texts: readonly string[]) => ({ tokens: texts.map(countRoughly), exact: true }) };
const window = 4096;

export async function openPlace(world: World): Promise<Place> {
  const folder = join(mkdtempSync(join(tmpdir(), 'pocket-')), world.folder);
  for (const [path, text] of world.files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const problems = world.editor ? inventProblems(world, folder) : [];
  const workspace: Workspace = {
    folders: [{ name: world.folder, path: folder }],
    unsaved: () => [],
    ...(world.editor ? editorOf(world, folder, problems) : {}),
  };
  const tools = trainedTools(pocketAgent, createTools(workspace)).flatMap((tool) =>
    tool.effect === 'read' ? [remember(tool)] : [],
  );
  const budget = budgetFor(window, defaultPolicy);
  const request = {
    files: defaultFiles,
    overview: true,
    map: null,
    maxTokens: budget.workspaceCap,
    fileMaxTokens: Math.floor(budget.workspaceCap * fileShare),
  };
  const { parts } = await createBundle(workspace, request, counter, signal);
  return {
    world,
    workspace,
    tools,
    setup: setupFor(world, parts, tools),
    remove: () => rmSync(dirname(folder), { recursive: true }),
  };
}

/** Nothing changes here, so the same question has the same answer: most of the time goes into searches. */
function remember(tool: LookingTool): LookingTool {
  const known = new Map<string, Promise<ToolResult>>();
  const run: LookingTool['run'] = (args, stop) => {
    const key = JSON.stringify(args);
    const result = known.get(key) ?? tool.run(args, stop);
    known.set(key, result);
    return result;
  };
  return { ...tool, run };
}

function setupFor({ random, folder }: World, parts: readonly BundlePart[], tools: readonly Tool[]): TurnSetup {
  const two = (n: number) => String(n).padStart(2, '0');
  const date = `20${random.int(24, 29)}-${two(random.int(1, 12))}-${two(random.int(1, 28))}`;
  const stack = {
    system: systemText(placeText([folder]), true, date),
    workspace: random.chance(0.85) ? parts : [],
    tools: tools.map(({ schema }) => schema),
  };
  const budget = budgetFor(window, defaultPolicy);
  const fixed = {
    agent: 'default',
    policy: defaultPolicy,
    switches: allOn,
    marks: noMarks,
    cache: cacheFor('auto', true),
  };
  return { ...fixed, graph: unified, stack, budget, syntax: hermes };
}

function editorOf(
  world: World,
  folder: string,
  problems: readonly Diagnostic[],
): Pick<Workspace, 'symbols' | 'diagnostics'> {
  return {
    symbols: async (query) =>
      world.declared
        .filter(({ name }) => name === query)
        .map(({ name, path, line }) => ({ name, kind: 'function', path: join(folder, path), line })),
    diagnostics: async (path) => problems.filter((one) => path === undefined || one.path === path),
  };
}

function inventProblems({ random, files, declared, words }: World, folder: string): Diagnostic[] {
  const messages = [
    () => `Cannot find name '${random.pick(declared).name}'.`,
    () => `'${random.pick(declared).name}' is declared but its value is never read.`,
    () => `Property '${words.rare()}' does not exist on type '${random.pick(declared).name}'.`,
    () => `Expected ${random.int(1, 3)} arguments, but got ${random.int(0, 4)}.`,
    () => `Unexpected ${words.noun()}.`,
    () => `undefined name '${words.rare()}'`,
  ];
  const some = random.chance(0.2) || declared.length === 0 ? [] : random.some([...files], random.int(1, 3));
  return some.flatMap(([path, text]) =>
    Array.from(
      { length: random.int(1, 2) },
      (): Diagnostic => ({
        path: join(folder, path),
        line: random.int(1, text.split('\n').length - 1),
        column: random.int(1, 40),
        severity: random.pick(['error', 'error', 'warning']),
        message: random.pick(messages)(),
        source: random.pick([`ts${random.int(1000, 9999)}`, 'eslint', `E${random.int(100, 999)}`]),
      }),
    ),
  );
}

/** A conversation as the training reads it, and how it went. */
export interface Conversation {
  readonly prefix: readonly Piece[];
  readonly pieces: readonly Piece[];
}

/** The questions to ask, and who looks on while they are answered. */
export interface Talk {
  readonly turns: number;
  readonly question: (topic: Topic | null, turn: number) => Question;
  readonly watch?: (prompt: Prompt, saying: Saying) => Promise<void>;
}

/** Plays a talk. Throws where the turn loop or the oracle fails. */
export async function converse(
  place: Place,
  template: ChatTemplate,
  { turns, question: ask, watch }: Talk,
): Promise<Conversation> {
  const teller = new Teller();
  const recorder = new Recorder(template, async (prompt) => {
    const saying = teller.say();
    await watch?.(prompt, saying);
    return saying;
  });
  let [ids, state, topic]: [number, TurnState, Topic | null] = [0, { dialog: emptyDialog, pruned: [] }, null];
  for (let turn = 0; turn < turns; turn++) {
    const question = ask(topic, turn);
    const ports = {
      model: () => recorder,
      tools: place.tools.flatMap((tool) => (tool.effect === 'read' ? [teller.listening(tool)] : [])),
      retrieve: async (text: string) => ({ knowledge: await knowledgeFor(place, text, teller), passages: [] }),
      newId: () => `i${++ids}`,
      emit: () => undefined,
      conceal: (lines: readonly string[]) => lines,
    };
    teller.question = question;
    const { report, ...next } = await runTurn(
      state,
      { text: question.text, attachments: [] },
      place.setup,
      ports,
      signal,
    );
    if (report.fault !== null || report.end !== 'done')
      throw new Error(`${report.end}: ${JSON.stringify(report.fault)}`);
    state = next;
    topic = question.topic === null ? topic : { name: question.topic, ...answered(next.dialog.path) };
  }
  const { prefix, conversation } = recorder.pieces();
  return { prefix, pieces: conversation };
}

/** The last answer, and the file that it names first. */
function answered(path: readonly Item[]): Pick<Topic, 'path' | 'answer'> {
  const last = path.at(-1);
  const answer = last?.origin === 'assistant' ? last.text : '';
  return { answer, path: /^(?:\d+\. )?(\S+):\d+$/m.exec(answer)?.[1] ?? null };
}

/** The share of the high-water mark that the look-up of the training has. */
const lookUpShare = 0.1;

async function knowledgeFor({ workspace, setup }: Place, text: string, teller: Teller) {
  const maxTokens = Math.floor(setup.budget.high * lookUpShare);
  const found = await retrieve(workspace, text, { maxTokens }, counter, signal);
  teller.known = found === '' ? null : found;
  return found === ''
    ? null
    : renderKnowledge({ placement: 'before', role: 'user', template: defaultTemplate }, text, found);
}

/** Knows what to say next from what the tools answered. */
class Teller {
  question: Question | null = null;
  known: string | null = null;
  private script: Script | null = null;
  private result: ToolResult | null = null;

  listening(tool: LookingTool): LookingTool {
    const run: LookingTool['run'] = async (args, stop) => {
      this.result = await tool.run(args, stop);
      return this.result;
    };
    return { ...tool, run };
  }

  say(): Saying {
    const { question } = this;
    if (question === null) throw new Error('nobody asked');
    this.script ??= question.script(this.known);
    const { value, done } = this.result === null ? this.script.next() : this.script.next(this.result);
    this.result = null;
    if (done === true || value === undefined) throw new Error(`the script of ${question.task} ended without an answer`);
    if ('answer' in value) {
      this.script = null;
      return { raw: value.answer, task: `${question.task}.answer` };
    }
    return { raw: rawCall(value.tool, value.arguments), task: `${question.task}.call` };
  }
}

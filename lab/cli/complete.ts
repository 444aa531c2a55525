// `npm run -s complete -- --workspace DIR --path FILE --line N --column M --model FILE [--json]`: what would be shown at a caret, and what it cost. With
// `--session EVENTS.json` a session of keys is played in one process. Nothing is written to the disk.

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Caret, OpenText } from '../../src/completion/caret.ts';
import {
  type CompletionAnswer,
  CompletionSession,
  paceAfter,
  type SyntaxFaults,
} from '../../src/completion/session.ts';
import type { ModelPace } from '../../src/core/abilities/abilities.ts';
import { faultOf, reasonOf } from '../../src/core/faults/faults.ts';
import type { EngineClient } from '../../src/engine/client.ts';
import { createGrammars } from '../../src/finding/cut/grammars.ts';
import { syntaxFaults } from '../../src/finding/cut/syntaxFaults.ts';
import { resolvePath } from '../../src/tools/files/paths.ts';
import { startEngine } from './engine.ts';
import { grammarsFolder } from './finding.ts';
import { folderWorkspace } from './folderWorkspace.ts';
import { say, sayFault } from './say.ts';

const usage = `usage: npm run -s complete -- --workspace DIR --path FILE --line N --column M --model FILE [--json]
       npm run -s complete -- --workspace DIR --session EVENTS.json --model FILE
EVENTS.json: [{"path": "a.ts", "line": 3, "column": 5, "delete": 1, "insert": "x", "accept": "all", "wait": 500}]; lines and columns from 1, columns
in UTF-16 units. Each event waits so many milliseconds, deletes so many units in front of the caret, inserts the text, asks, and takes what is shown
("all", "word" or "line").`;

interface KeyEvent {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly delete?: number;
  readonly insert?: string;
  readonly accept?: 'all' | 'word' | 'line';
  readonly wait?: number;
}

interface Arguments {
  readonly workspace: string;
  readonly model: string;
  readonly json: boolean;
  readonly events: readonly KeyEvent[];
  readonly isSession: boolean;
}

function readArguments(argv: readonly string[]): Arguments | string {
  const string = { type: 'string' } as const;
  const options = {
    ...{ workspace: string, path: string, line: string, column: string, model: string, session: string },
    json: { type: 'boolean', default: false } as const,
  };
  try {
    const { values } = parseArgs({ args: [...argv], options });
    const { workspace, path, model, session, json } = values;
    if (workspace === undefined || model === undefined || (path === undefined) === (session === undefined))
      return usage;
    if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) return `${workspace} is not a folder`;
    const one = [{ path, line: Number(values.line), column: Number(values.column) }];
    const events = readEvents(session === undefined ? one : JSON.parse(readFileSync(session, 'utf8')));
    if (typeof events === 'string') return `${events}\n${usage}`;
    return { workspace: resolve(workspace), model: resolve(model), json, events, isSession: session !== undefined };
  } catch (error) {
    return `${reasonOf(error)}\n${usage}`;
  }
}

/** Words where they are none. */
function readEvents(given: unknown): readonly KeyEvent[] | string {
  if (!Array.isArray(given)) return 'the events must be a list';
  const isCount = (value: unknown, least: number) => Number.isInteger(value) && Number(value) >= least;
  for (const [at, one] of given.entries()) {
    const event: Partial<Record<keyof KeyEvent, unknown>> = one !== null && typeof one === 'object' ? one : {};
    const { path, line, column, delete: deleted = 0, insert = '', accept = 'all', wait = 0 } = event;
    if (typeof path !== 'string' || !isCount(line, 1) || !isCount(column, 1))
      return `event ${at + 1} needs a path, and a line and a column from 1`;
    const isSound = isCount(deleted, 0) && typeof insert === 'string' && isCount(wait, 0);
    if (!isSound || !['all', 'word', 'line'].includes(String(accept)))
      return `event ${at + 1}: "delete" and "wait" are whole numbers, "insert" is a text, "accept" is all, word or line`;
  }
  return given as readonly KeyEvent[];
}

const never = new AbortController().signal;

const grammars = createGrammars(grammarsFolder);

async function play({ workspace, events }: Arguments, engine: EngineClient): Promise<readonly object[]> {
  const { complete } = engine;
  if (complete === null) throw new Error('This model has no tokens for filling in the middle of a text.');
  const folder = folderWorkspace(workspace);
  let pace: ModelPace | null = null;
  const faults: SyntaxFaults = (path, whole) => syntaxFaults(grammars, path, whole);
  const session = new CompletionSession({ complete, pace: () => pace, faults });
  const texts = new Map<string, readonly string[]>();
  const told: object[] = [];
  for (const event of events) {
    const lines = texts.get(event.path) ?? (await linesOf(folder, event.path));
    const edited = edit(lines, event);
    if (typeof edited === 'string') throw new Error(`${event.path}: ${edited}`);
    const text: OpenText = { path: event.path, language: event.path.split('.').at(-1) ?? '', lines: edited.lines };
    if (event.wait !== undefined) await pause(session, text, edited.caret, event.wait);
    const answer = await session.at({ text, caret: edited.caret, signal: never });
    pace = paceAfter(answer, pace);
    told.push(toldOf(answer));
    const taken = event.accept === undefined ? '' : partOf(answer.text, event.accept);
    texts.set(event.path, insert(edited.lines, edited.caret, taken).lines);
  }
  return told;
}

async function linesOf(folder: ReturnType<typeof folderWorkspace>, path: string): Promise<readonly string[]> {
  const found = await resolvePath(folder, path);
  if (!found.ok) throw new Error(found.head);
  return readFileSync(found.place.real, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
}

/** Reads in a pause, as the editor does, the part of the window that a jump left out. */
async function pause(session: CompletionSession, text: OpenText, caret: Caret, wait: number): Promise<void> {
  const ready = session.prepare({ text, caret, signal: never });
  await Promise.all([ready, new Promise((done) => setTimeout(done, wait))]);
}

interface Edited {
  readonly lines: readonly string[];
  readonly caret: Caret;
}

function edit(
  lines: readonly string[],
  { line, column, delete: deleted = 0, insert: text = '' }: KeyEvent,
): Edited | string {
  const length = lines[line - 1]?.length;
  if (length === undefined) return `there is no line ${line}`;
  if (column > length + 1) return `line ${line} has ${length} characters`;
  const before = [...lines.slice(0, line - 1), (lines[line - 1] ?? '').slice(0, column - 1)].join('\n');
  if (deleted > before.length) return `there are not ${deleted} characters in front of line ${line}, column ${column}`;
  const kept = before.slice(0, before.length - deleted).split('\n');
  const rest = (lines[line - 1] ?? '').slice(column - 1);
  const at = { line: kept.length - 1, column: kept.at(-1)?.length ?? 0 };
  const all = [...kept.slice(0, -1), `${kept.at(-1) ?? ''}${rest}`, ...lines.slice(line)];
  return insert(all, at, text.replace(/\r\n?/g, '\n'));
}

function insert(lines: readonly string[], { line, column }: Caret, text: string): Edited {
  const own = lines[line] ?? '';
  const put = `${own.slice(0, column)}${text}`.split('\n');
  const caret = { line: line + put.length - 1, column: put.at(-1)?.length ?? 0 };
  const last = `${put.at(-1) ?? ''}${own.slice(column)}`;
  return { lines: [...lines.slice(0, line), ...put.slice(0, -1), last, ...lines.slice(line + 1)], caret };
}

function partOf(text: string, how: NonNullable<KeyEvent['accept']>): string {
  if (how === 'all') return text;
  return (how === 'line' ? /^[^\n]*\n?/ : /^\s*(?:[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]+)/u).exec(text)?.[0] ?? '';
}

function toldOf({ text, generated, why, source, tokens, milliseconds }: CompletionAnswer): object {
  const spent = Math.round(milliseconds.prefill + milliseconds.generation);
  return { text: generated, shown: text, tokens, milliseconds: spent, why, source };
}

const args = readArguments(process.argv.slice(2));
if (typeof args === 'string') {
  say(args, process.stderr);
  process.exit(2);
}
const engine = startEngine();
try {
  const load = {
    modelPath: args.model,
    contextSize: 512,
    gpu: 'auto',
    gpuLayers: null,
    threads: null,
    slots: 1,
    askers: ['completion'],
  } as const;
  await engine.load(load);
  const told = await play(args, engine);
  const [first = {}] = told as readonly { readonly shown?: string; readonly why?: string }[];
  if (args.isSession || args.json) say(JSON.stringify(args.isSession ? told : first));
  else say(first.shown === '' ? `(nothing: ${first.why})` : (first.shown ?? ''));
} catch (error) {
  const fault = faultOf(error);
  if (error instanceof Error && fault.kind === 'engineFailed') say(error.message, process.stderr);
  else sayFault(fault);
  process.exitCode = 1;
} finally {
  await engine.dispose();
}

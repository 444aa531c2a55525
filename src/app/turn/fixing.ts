// The task "fix": the program runs the tests, finds the code that a failure is about, has the model draw a change to one prompt, and keeps it only where the
// tests say that it helped. A fixed order beat free agents at a tenth of the cost (Agentless, Xia and others 2024, arXiv 2407.01489), and a further
// draw reads next to nothing, since its prompt stands in the slot.

import type { Failing, FailingPart } from '../../core/agent/intent.ts';
import { endingOf } from '../../core/answer/fileNames.ts';
import { blocksIn } from '../../core/answer/readAnswer.ts';
import { countOf } from '../../core/count.ts';
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { CommandRan, TestRun, ToolResult } from '../../core/dialog/tool.ts';
import { outputOf } from '../../core/prompt/found.ts';
import { isBetter, linesAbout } from '../../core/testRun.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { Session } from '../session/session.ts';
import { withoutFolder } from './finding.ts';
import { codeGrammar, lineGrammar } from './fixGrammar.ts';
import type { Draw, MeantMessage } from './meantNow.ts';
import type { EditsMade } from './turns.ts';
import type { RunTurn } from './turnWork.ts';

/** A message of the program's own with one draw of its answer. */
export interface FixMessage {
  readonly text: string;
  readonly file: string;
  readonly draw: Draw;
}

/** An answer that was drawn: its code, and whether that was put into the file. */
export interface Drawn {
  readonly code: string;
  readonly isMade: boolean;
}

export interface FixPorts {
  /** Within so many milliseconds, where they are given. Null where it may not run, or did not end. */
  readonly run: (
    command: string,
    milliseconds: number | null,
  ) => Promise<(CommandRan & Pick<ToolResult, 'body'>) | null>;
  /** The parts of the code that a failing output is about, by the files as they are now. */
  readonly failing: (output: string) => Promise<Failing>;
  /** Resolves to null where the model or the user stopped it. */
  readonly draw: (message: FixMessage) => Promise<Drawn | null>;
  /** Takes back what the last draw changed, with its message. Rejects with words where it cannot. */
  readonly takeBack: () => Promise<void>;
  readonly tell: (words: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A place in the code, by how likely it is wrong, and how a change is written there: another line, the same behind a sentence about it, or a whole function. */
interface Try {
  readonly place: number;
  readonly form: 'line' | 'said' | 'whole';
}

/** Draws for one failure: each looks at a line that none of its form has changed, and a line costs a quarter of a function. */
const tries: readonly Try[] = [
  ...(['line', 'line', 'said', 'line', 'said', 'whole'] as const).map((form) => ({ place: 0, form })),
  { place: 1, form: 'line' },
  { place: 0, form: 'whole' },
];
const heat = 0.8;
/** Minutes for all of it. */
const most = 10;
/** Milliseconds that a run may take besides four times the first one's: a change can make it go on for ever. */
const patience = 10_000;

export interface Fixed {
  /** The tests as they were, and as they are. */
  readonly before: TestRun;
  readonly after: TestRun;
  /** Failures that are gone, with the draws that each took. */
  readonly kept: readonly { readonly name: string; readonly file: string; readonly draws: number }[];
  /** All draws. */
  readonly draws: number;
  /** What came of it, and what the last run that counts said, for the next message. */
  readonly words: string;
  readonly said: string;
}

/** Says first what it may cost. Null where the tests could not be run, or fail nowhere. Rejects where a change cannot be taken back. */
export async function fix(command: string, ports: FixPorts, stopped: () => boolean): Promise<Fixed | null> {
  const begun = ports.now();
  const isOver = () => stopped() || ports.now() - begun > most * 60_000;
  // Without it go does not tell which tests passed.
  const told = command.replace(/^go test(?= |$)(?! -v)/, 'go test -v');
  const first = await ports.run(told, null);
  const limit = patience + 4 * (ports.now() - begun);
  if (first === null || stopped()) return null;
  let state = stateOf(first);
  if (state.tests.isGreen) {
    const words = state.tests.ran === 0 ? 'ran no test: nothing can be said' : 'passes: there is nothing to fix';
    ports.tell(`\`${command}\` ${words}.`);
    return null;
  }
  ports.tell(
    `For each failure at most ${tries.length} changes are tried, ${most} minutes in all. A change stays only if the tests then say that it helped; any other is taken back.`,
  );
  const before = state.tests;
  const kept: Fixed['kept'][number][] = [];
  const tried = new Set<string>();
  /** Places that were changed without success: each change was judged by all tests. */
  const spent = new Set<string>();
  /** What was tried for failures that are left. */
  const left: string[] = [];
  let draws = 0;
  const tryOne = async (name: string, from: State): Promise<State | null> => {
    const about = await aboutOf(name, from, ports);
    const [first] = about.places;
    if (first !== undefined && spent.has(keyOf(first))) return null;
    if (first === undefined)
      ports.tell(`No code was found that ${name === '' ? 'the output' : `\`${name}\``} is about.`);
    const why: string[] = [];
    const [known, prompts, changed] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const [at, { place: wanted, form }] of tries.entries()) {
      const place = about.places[wanted] ?? about.places[0];
      if (place === undefined || isOver()) return null;
      draws += 1;
      const { path, file } = place.parts[0];
      const isSpent = (line: number) => changed.has(`${form} ${path}:${line}`);
      const message = messageOf(name, about, place, form, isSpent);
      // What was drawn without heat once would be the same again.
      const isNewPrompt = !prompts.has(message.draw.grammar);
      prompts.add(message.draw.grammar);
      const drawn = await ports.draw({
        ...message,
        draw: { ...message.draw, temperature: isNewPrompt ? 0 : heat, seed: draws },
      });
      if (drawn === null) return null;
      const isNew = drawn.isMade && !known.has(drawn.code);
      known.add(drawn.code);
      const next = isNew ? await improved(from, () => ports.run(told, limit)) : null;
      if (next === null) why.push(isNew ? 'did not help' : drawn.isMade ? 'came before' : 'had no place');
      if (next !== null) {
        kept.push({ name, file: path, draws: at + 1 });
        return next;
      }
      changed.add(`${form} ${path}:${lineChanged(drawn.code, file)}`);
      await ports.takeBack();
    }
    if (first !== undefined) spent.add(keyOf(first));
    left.push(`- ${name === '' ? 'The tests' : `\`${shortOf(name)}\``}: ${countedOf(why)}`);
    return null;
  };
  for (;;) {
    const name = failuresOf(state.tests).find((one) => !tried.has(one));
    if (name === undefined || isOver()) break;
    const next = await tryOne(name, state);
    if (next === null) tried.add(name);
    else {
      state = next;
      spent.clear();
    }
    if (state.tests.isGreen) break;
  }
  const seconds = Math.round((ports.now() - begun) / 1000);
  const found = { before, after: state.tests, kept, draws };
  const words = [wordsOf(found, isOver(), seconds), ...left].join('\n');
  ports.tell(words);
  return { ...found, words, said: state.tests.isGreen ? '' : state.told.join('\n') };
}

/** The tests as a run left them, with its output. */
interface State {
  readonly tests: TestRun;
  readonly lines: readonly string[];
  /** The lines that tell most. */
  readonly told: readonly string[];
}

function stateOf({ lines, tests, body }: CommandRan & Pick<ToolResult, 'body'>): State {
  return { tests, lines, told: body.split('\n') };
}

/** What does not load comes first, since it hides tests; an output that names nothing is one failure. */
function failuresOf({ isGreen, broken, failed }: TestRun): readonly string[] {
  if (isGreen) return [];
  const all = [...broken, ...failed];
  return all.length === 0 ? [''] : all;
}

/** The tests with the change; null where it did not help. What decides is run twice. */
async function improved({ tests }: State, run: () => ReturnType<FixPorts['run']>): Promise<State | null> {
  const once = await run();
  if (once === null || once.code === null || !isBetter(stateOf(once).tests, tests)) return null;
  const again = await run();
  return again !== null && again.code !== null && isBetter(stateOf(again).tests, tests) ? stateOf(again) : null;
}

/** Lines of a file that are shown for a failure, with what it calls of them. */
interface Place {
  readonly parts: readonly [FailingPart, ...FailingPart[]];
}

interface About {
  /** The likeliest first, each lines once. */
  readonly places: readonly Place[];
  readonly test: FailingPart | undefined;
  /** Lines of the output that tell of it. */
  readonly said: readonly string[];
  /** The files that there are, where one may be missing. */
  readonly files: readonly string[];
}

/** Lines of an output that are shown for a failure. */
const mostSaid = 16;

async function aboutOf(name: string, { lines, told, tests }: State, { failing }: FixPorts): Promise<About> {
  // What does not load says so where it likes.
  const output = tests.failed.includes(name) ? linesAbout(lines, name, tests.failed) : told;
  const found = await failing(output.join('\n'));
  const wider = found.suspects.length > 0 ? found : await failing(lines.join('\n'));
  const shown = Map.groupBy(wider.suspects, ({ path, shown: { from } }) => `${path}:${from}`);
  const places = [...shown.values()].flatMap(([first, ...others]): readonly Place[] =>
    first === undefined ? [] : [{ parts: [first, ...others] }],
  );
  const files = tests.failed.includes(name) ? [] : wider.files;
  const said = found.said.slice(0, mostSaid);
  return { places, test: (found.tests.length > 0 ? found : wider).tests[0], said, files };
}

/** `isSpent`: of a line that was changed without success often enough. */
function messageOf(
  name: string,
  { test, said, files }: About,
  { parts }: Place,
  form: Try['form'],
  isSpent: (line: number) => boolean,
): FixMessage {
  const {
    path,
    shown: { from, to, text },
  } = parts[0];
  const begins = `\`\`\`${endingOf(path)} ${path}`;
  const what = name === '' ? 'The tests fail.' : `\`${shortOf(name)}\` fails.`;
  const isCalled = ({ name: one }: FailingPart) => one !== '' && (test === undefined || test.text.includes(one));
  const called = parts.filter(isCalled);
  const calls = called.length === 0 ? '' : ` It calls ${called.map((one) => `\`${one.name}\``).join(', ')}.`;
  const beside: readonly Attachment[] = [
    ...(test === undefined ? [] : [{ head: `The test, ${test.path}:${test.from}-${test.to}`, body: test.text }]),
    { head: 'It says:', body: said.join('\n'), of: outputOf },
    ...(files.length === 0 ? [] : [{ head: 'Files that are there:', body: files.join('\n') }]),
    {
      head: `Found: ${path}:${from}-${to}`,
      body: text,
      found: { path, from, to, why: `fails in ${parts[0].name || path}` },
    },
  ];
  // A whole file that loads is named where something is missing in it.
  const isMissing = parts[0].name === '' && parts[0].line === null && files.length === 0;
  const lines =
    form === 'whole' || isMissing
      ? null
      : lineGrammar(begins, innermost(called.length === 0 ? parts : called), isSpent, form === 'said');
  const note =
    lines === null
      ? `Say in one sentence what is wrong. Then write the whole changed function in a code block that begins with ${begins}`
      : form === 'said'
        ? `Say which line is wrong and why. Then write it as it is, and as it must be, in a code block that begins with ${begins}`
        : `Write the line that is wrong as it is, and as it must be, in a code block that begins with ${begins}`;
  // A token of code has some three characters: all that is shown with a sentence, or a few lines.
  const maxTokens = lines === null ? 150 + Math.ceil(text.length / 2.5) : 300;
  return {
    text: `${what}${calls} Fix ${path}.`,
    file: path,
    draw: { beside, note, grammar: lines ?? codeGrammar(begins), maxTokens, temperature: 0, seed: 0 },
  };
}

/** Of a file that is named from the root on, its end. */
const shortOf = (name: string) => name.replace(/^\/.*\/(?=[^/]+\/[^/]+$)/, '');

const keyOf = ({ parts: [{ path, name, from }] }: Place) => `${path} ${name || from}`;

/** Without those that hold others, as a class does; a whole file where that is the likeliest. */
function innermost(parts: readonly FailingPart[]): readonly FailingPart[] {
  const [first] = parts;
  if (first?.name === '') return [first];
  return parts.filter((one) => !parts.some((other) => other !== one && one.from <= other.from && other.to <= one.to));
}

/** Where the line stands, from 0, that a block puts another one in the place of; -1 for whole code. */
function lineChanged(code: string, file: string): number {
  const sought = /<<<<<<< SEARCH\n([\s\S]*?)\n=======/.exec(code)?.[1];
  const at = sought === undefined ? -1 : `${file}\n`.indexOf(`${sought}\n`);
  return sought === undefined || at < 0 ? -1 : file.slice(0, at + sought.length).split('\n').length - 1;
}

/** `3 tries: 2 did not help, 1 had no place`. */
function countedOf(why: readonly string[]): string {
  const kinds = [...Map.groupBy(why, (one) => one)].map(([one, all]) => `${all.length} ${one}`);
  return `${countOf(why.length, 'try', 'tries')}: ${kinds.join(', ')}`;
}

function wordsOf(
  { before, after, kept, draws }: Omit<Fixed, 'words' | 'said'>,
  isOver: boolean,
  seconds: number,
): string {
  const rows = kept.map(
    ({ name, file, draws: own }) =>
      `- ${name === '' ? 'The tests' : `\`${shortOf(name)}\``}: changed ${file}, ${countOf(own, 'try', 'tries')}`,
  );
  const left = failuresOf(after);
  const how = after.isGreen
    ? 'All tests pass.'
    : `${countOf(left.length, 'failure')} of ${failuresOf(before).length} left${isOver ? ', stopped' : ''}: ${left.map((one) => (one === '' ? 'the output names none' : `\`${shortOf(one)}\``)).join(', ')}.`;
  return [
    `${how} ${countOf(draws, 'change was', 'changes were')} tried in ${seconds} s, ${kept.length} kept.`,
    ...rows,
  ].join('\n');
}

/** The parts of a conversation that draws are made with. */
interface DrawingIn {
  /** Runs a turn, and puts its code into files. */
  readonly turn: (meant: MeantMessage) => Promise<{ readonly outcome: RunTurn; readonly edits: EditsMade }>;
  /** Rejects with words where something is left. */
  readonly undo: (message: ItemId) => Promise<void>;
  readonly resolve: MeantMessage['resolve'];
}

/** Draws in a session: each a turn of its own on the same place of the dialog. `takeBack` gives the message that is gone. */
export function drawing(
  session: Pick<Session, 'state' | 'apply'>,
  { turn, undo, resolve }: DrawingIn,
): Pick<FixPorts, 'draw'> & { readonly takeBack: () => Promise<ItemId | null> } {
  let before: ItemId | null = null;
  return {
    draw: async ({ text, file, draw }) => {
      before = session.state.dialog.head;
      const choice = { ...withoutFolder, intent: { act: 'change', files: [file] } } as const;
      const { outcome, edits } = await turn({ text, resolve, choice, draw });
      const { fault, end } = outcome.report;
      if (fault !== null || end === 'cancelled') return null;
      const last = outcome.dialog.path.at(-1);
      const code = last?.origin === 'assistant' ? (blocksIn(last.text).at(-1)?.code ?? '') : '';
      return { code, isMade: edits.made.length > 0 && edits.made.every(({ ok }) => ok) };
    },
    takeBack: async () => {
      const { path } = session.state.dialog;
      const message = path[path.findIndex(({ id }) => id === before) + 1];
      if (message !== undefined) await undo(message.id);
      session.apply({ type: 'headMoved', to: before });
      return message?.id ?? null;
    },
  };
}

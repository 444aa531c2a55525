// `npm run -s fence -- --workspace DIR [--read-only] [--json] -- COMMAND...`: a command as the tool would run it, behind the fence alone.
// Exits with the command's own code, and with 125 where no fence holds.
import { realpathSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/core/faults/faults.ts';
import { tryFence } from '../../src/shell/fence/fence.ts';
import { searchPath } from '../../src/shell/process/environment.ts';
import { runChanging, runLooking } from '../../src/shell/runInFolder.ts';
import { changedWords } from '../../src/shell/told.ts';
import { cacheFolder } from './finding.ts';
import { say, sayPiece } from './say.ts';

const usage = `usage: npm run -s fence -- --workspace DIR [--read-only] [--json] -- COMMAND...
One word is a line for the shell, such as 'npm test | tail'; several are a program and its words.`;

/** The code with which env(1) and its like end where they themselves fail. */
const noFence = 125;

interface Arguments {
  readonly folder: string;
  readonly looks: boolean;
  readonly json: boolean;
  readonly text: string;
}

function readArguments(argv: readonly string[]): Arguments | string {
  const end = argv.indexOf('--');
  const words = end < 0 ? [] : argv.slice(end + 1);
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { workspace: { type: 'string' }, 'read-only': flag, json: flag } as const;
    const { values } = parseArgs({ args: argv.slice(0, end < 0 ? undefined : end), options });
    const { workspace, json } = values;
    if (workspace === undefined || words.length === 0) return usage;
    if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) return `${workspace} is not a folder`;
    const [line = ''] = words;
    const text = words.length === 1 ? line : words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    return { folder: realpathSync(workspace), looks: values['read-only'], json, text };
  } catch (error) {
    return `${reasonOf(error)}\n${usage}`;
  }
}

async function run({ folder, looks, json, text }: Arguments): Promise<number> {
  const storage = cacheFolder('commands');
  const variables = process.env;
  const fence = await tryFence(folder, storage, { path: searchPath(variables.PATH ?? '', folder), variables });
  if (fence.kind === 'none') {
    const { because, remedy } = fence;
    if (json) say(JSON.stringify({ fence: 'none', because, remedy }));
    else say(`No fence holds: ${because}.${remedy === '' ? '' : `\n${remedy}`}`, process.stderr);
    return noFence;
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const onText = json ? () => undefined : (said: string) => sayPiece(said);
  const command = { text, folder, cwd: folder, fence, timeoutMilliseconds: 2 ** 31 - 1 };
  const ports = { storage, variables, more: [] };
  const about = { named: [], keeper: null, allowed: { repository: [], makesRepository: false } };
  const done = looks
    ? { result: await runLooking(ports, command, onText, stopping.signal), changed: [], aside: [] }
    : await runChanging(ports, command, about, onText, stopping.signal);
  const { code, ended, milliseconds, output, left } = done.result;
  const told = {
    fence: fence.kind,
    code,
    ended,
    milliseconds: Math.round(milliseconds),
    left,
    aside: done.aside,
    output,
  };
  if (json) say(JSON.stringify(told));
  else if (done.aside.length > 0)
    say(changedWords({ changed: [], aside: done.aside }).replace(/^, /, ''), process.stderr);
  return code ?? 137;
}

const args = readArguments(process.argv.slice(2));
if (typeof args === 'string') {
  say(args, process.stderr);
  process.exitCode = 2;
} else
  process.exitCode = await run(args).catch((error: unknown) => {
    say(`The command could not be started: ${reasonOf(error)}`, process.stderr);
    return noFence;
  });

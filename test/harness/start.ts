// `npm start`: builds Tidemark and opens it on a folder in a real VS Code; with --once it asks one question through the panel and prints the answer.

import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { canInstallChromium, chromiumAdvice, findChromium } from './chromium.ts';
import { startCodeServer } from './codeServer.ts';
import { desktopIsHere, desktopIsPossible, findDesktop, showDesktop } from './desktop.ts';
import { Interrupted, interruption, unlessInterrupted } from './interruption.ts';
import { askOnce } from './once.ts';
import type { Panel } from './panel.ts';
import { makeRunDirectory, ownNode, projectRoot, runProgram } from './program.ts';
import { type Settings, workbenchSettings } from './settings.ts';

type StartRequest = {
  readonly folder: string;
  readonly question?: string;
  readonly yes: boolean;
  readonly model?: string;
};

const usage = 'usage: npm start [-- FOLDER] [--once "question"] [--yes] [--model FILE.gguf]';

/** A copy of the sample project outside the checkout, whose tests need the original as it is. The copy goes with this process. */
async function sampleCopy(): Promise<string> {
  const directory = await makeRunDirectory('td-');
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(directory, 'tide-table');
  cpSync(join(projectRoot, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  console.error(`Folder: ${folder}, a copy of the sample project, removed at the end.`);
  return folder;
}

async function readRequest(argv: readonly string[]): Promise<StartRequest> {
  if (argv.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { once: { type: 'string' }, yes: { type: 'boolean', default: false }, model: { type: 'string' } },
  });
  if (positionals.length > 1) throw new Error(`one folder at most, not ${positionals.length}. ${usage}`);
  const folder = positionals[0] === undefined ? await sampleCopy() : resolve(positionals[0]);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is not a folder. ${usage}`);
  if (values.once?.trim() === '') throw new Error(`--once needs a question. ${usage}`);
  const model = values.model ?? process.env.TIDEMARK_MODEL;
  return {
    folder,
    yes: values.yes,
    ...(values.once !== undefined && { question: values.once }),
    ...(model !== undefined && { model }),
  };
}

/** The settings that name the model. The pocket model is a demo, and says so. */
function modelSettings(request: StartRequest): Settings {
  const file = resolve(request.model ?? join(projectRoot, 'test', 'fixtures', 'pocket.gguf'));
  if (!existsSync(file)) throw new Error(`the model ${file} does not exist. ${usage}`);
  if (request.model !== undefined) return { 'tidemark.model.path': file };
  console.error(
    'Model: the pocket model, a tiny demo of 12 MB. It knows code look-ups only and errs often; for a real one: npm start -- --model FILE.gguf',
  );
  return { 'tidemark.model.path': file };
}

async function build(): Promise<void> {
  if (!existsSync(join(projectRoot, 'esbuild.mjs'))) throw new Error('the build script esbuild.mjs is missing.');
  try {
    await runProgram(ownNode(), ['esbuild.mjs']);
  } catch (error) {
    throw new Error(`the build failed. ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}

/** Asks on a terminal; elsewhere says what would be done and which flag allows it. */
async function isAllowed(what: string, request: StartRequest): Promise<boolean> {
  if (request.yes) return true;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    console.log(`${what} Not done without being asked: add --yes to allow it.`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${what} Go on? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

async function once(request: StartRequest, text: string, signals: Promise<NodeJS.Signals>): Promise<void> {
  if (findChromium() === undefined) {
    if (!canInstallChromium()) throw new Error(`--once needs a browser, and none was found. ${chromiumAdvice}`);
    const what = '--once needs a browser: Chromium would be installed with apt-get (about 100 MB to download).';
    if (!(await unlessInterrupted(isAllowed(what, request), signals)))
      throw new Error('--once needs a browser: add --yes to have Chromium installed.');
  }
  let panel: Panel | undefined;
  const opened = (value: Panel): void => {
    panel = value;
  };
  try {
    await unlessInterrupted(
      askOnce({ text, folder: request.folder, settings: modelSettings(request) }, opened),
      signals,
    );
  } finally {
    await panel?.close();
  }
}

/** The executable of a desktop VS Code that may be used here, or undefined. */
async function allowedDesktop(request: StartRequest): Promise<string | undefined> {
  if (!desktopIsPossible()) return undefined;
  const what = 'Desktop VS Code would be downloaded into .vscode-test (about 300 MB); without it, the browser is used.';
  return desktopIsHere() || (await isAllowed(what, request)) ? findDesktop() : undefined;
}

/** Terminals have the user's own folders, not those that keep files of the server out of them. */
const serverOnly = { XDG_DATA_HOME: null, XDG_CACHE_HOME: null };
const userTerminals: Settings = {
  'terminal.integrated.env.linux': serverOnly,
  'terminal.integrated.env.osx': serverOnly,
};

async function show(request: StartRequest, signals: Promise<NodeJS.Signals>): Promise<void> {
  const settings = modelSettings(request);
  const desktop = await unlessInterrupted(allowedDesktop(request), signals);
  if (desktop !== undefined) return showDesktop(desktop, request.folder, settings, signals);
  console.log('Starting VS Code in a browser; the first time takes about a minute.');
  const starting = startCodeServer({
    folder: request.folder,
    extension: projectRoot,
    beside: [join(import.meta.dirname, 'opener')],
    settings: workbenchSettings('dark', { ...settings, ...userTerminals }),
    // Commands see the tools that lie in the user's home.
    env: { HOME: homedir() },
  });
  const server = await unlessInterrupted(starting, signals);
  try {
    console.log(
      `Tidemark is ready: ${server.address()}\nOpen that address in a browser on this machine. Press Ctrl-C to stop.`,
    );
    await signals;
  } finally {
    await server.stop();
    console.log('Stopped.');
  }
}

async function main(signals: Promise<NodeJS.Signals>): Promise<void> {
  const request = await readRequest(process.argv.slice(2));
  await unlessInterrupted(build(), signals);
  await (request.question === undefined ? show(request, signals) : once(request, request.question, signals));
}

try {
  await main(interruption());
  process.exit(0);
} catch (error) {
  console.error(`tidemark: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(error instanceof Interrupted ? error.exitCode : 1);
}

// `npm start`: builds Tidemark and opens it on a folder in a real VS Code; with --once it asks one question through the panel and prints the answer.

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { canInstallChromium, chromiumAdvice, findChromium } from './chromium.ts';
import { startCodeServer } from './codeServer.ts';
import { desktopIsHere, desktopIsPossible, findDesktop, showDesktop } from './desktop.ts';
import { Interrupted, interruption, unlessInterrupted } from './interruption.ts';
import { askOnce } from './once.ts';
import type { Panel } from './panel.ts';
import { ownNode, projectRoot, runProgram } from './program.ts';
import { type Settings, workbenchSettings } from './settings.ts';

type Wish = { readonly folder: string; readonly question?: string; readonly yes: boolean; readonly model?: string };

const usage = 'usage: npm start [-- FOLDER] [--once "question"] [--yes] [--model FILE.gguf]';

function readWish(argv: readonly string[]): Wish {
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
  const folder = resolve(positionals[0] ?? join(projectRoot, 'test', 'fixtures', 'sample'));
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
function modelSettings(wish: Wish): Settings {
  const file = resolve(wish.model ?? join(projectRoot, 'test', 'fixtures', 'pocket.gguf'));
  if (!existsSync(file)) throw new Error(`the model ${file} does not exist. ${usage}`);
  if (wish.model !== undefined) return { 'tidemark.model.path': file };
  console.error(
    'Model: the pocket model, a tiny demo of 12 MB. It knows code look-ups only and errs often; use --model FILE.gguf for a real one.',
  );
  return { 'tidemark.model.path': file, 'tidemark.model.contextSize': 4096, 'tidemark.generation.reserve': 256 };
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
async function isAllowed(what: string, wish: Wish): Promise<boolean> {
  if (wish.yes) return true;
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

async function once(wish: Wish, text: string, signals: Promise<NodeJS.Signals>): Promise<void> {
  if (findChromium() === undefined) {
    if (!canInstallChromium()) throw new Error(`--once needs a browser, and none was found. ${chromiumAdvice}`);
    const what = '--once needs a browser: Chromium would be installed with apt-get (about 100 MB to download).';
    if (!(await unlessInterrupted(isAllowed(what, wish), signals)))
      throw new Error(`--once needs a browser. ${chromiumAdvice}`);
  }
  let panel: Panel | undefined;
  const opened = (value: Panel): void => {
    panel = value;
  };
  try {
    await unlessInterrupted(askOnce({ text, folder: wish.folder, settings: modelSettings(wish) }, opened), signals);
  } finally {
    await panel?.close();
  }
}

/** The executable of a desktop VS Code that may be used here, or undefined. */
async function allowedDesktop(wish: Wish): Promise<string | undefined> {
  if (!desktopIsPossible()) return undefined;
  const what = 'Desktop VS Code would be downloaded into .vscode-test (about 300 MB); without it, the browser is used.';
  return desktopIsHere() || (await isAllowed(what, wish)) ? findDesktop() : undefined;
}

async function show(wish: Wish, signals: Promise<NodeJS.Signals>): Promise<void> {
  const settings = modelSettings(wish);
  const desktop = await unlessInterrupted(allowedDesktop(wish), signals);
  if (desktop !== undefined) return showDesktop(desktop, wish.folder, settings, signals);
  console.log('Starting VS Code in a browser; the first time takes about a minute.');
  const starting = startCodeServer({
    folder: wish.folder,
    extension: projectRoot,
    settings: workbenchSettings('dark', settings),
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
  const wish = readWish(process.argv.slice(2));
  await unlessInterrupted(build(), signals);
  await (wish.question === undefined ? show(wish, signals) : once(wish, wish.question, signals));
}

try {
  await main(interruption());
  process.exit(0);
} catch (error) {
  console.error(`tidemark: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(error instanceof Interrupted ? error.exitCode : 1);
}

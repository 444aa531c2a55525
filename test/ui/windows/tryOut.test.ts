// `npm start`: a window with the Chat view in front, on a copy of the sample, with the user's own tools in reach; one signal ends all of it.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type OpenBrowser, openBrowser } from '../../harness/browser.ts';
import { projectRoot } from '../../harness/program.ts';
import { takePicture, webviewFrame } from '../../harness/workbench.ts';
import { temporary } from '../../temporary.ts';

const home = temporary('tidemark-home-');
let started: ChildProcess;
let address = '';
let folder = '';
let browser: OpenBrowser | undefined;

before(async () => {
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  const env = { ...inherited, HOME: home, TIDEMARK_OFFLINE: '1' };
  const program = join(projectRoot, 'test', 'harness', 'bootstrap.mjs');
  started = spawn('node', [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  address = await new Promise((resolve, reject) => {
    started.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)));
    started.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const shown = /is ready: (\S+)/.exec(text)?.[1];
      if (shown !== undefined) resolve(shown);
    });
  });
  folder = new URL(address).searchParams.get('folder') ?? '';
});

after(async () => {
  await browser?.close();
  if (started.exitCode === null) process.kill(-(started.pid ?? 0), 'SIGTERM');
});

/** Running processes of the server and of all that it started: it gives them a folder of its own for their sockets. */
function ofServer(): readonly { readonly pid: string; readonly home: string }[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const lines = all.map((pid) => ({ pid, words: wordsOf(pid, 'cmdline'), variables: wordsOf(pid, 'environ') }));
  const server = lines.find(({ words }) => words.at(-1) === folder && words.includes('--user-data-dir'));
  const own = server?.variables.find((one) => one.startsWith('XDG_RUNTIME_DIR=')) ?? 'none';
  return lines
    .filter(({ variables }) => variables.includes(own))
    .map(({ pid, variables }) => ({ pid, home: variables.find((one) => one.startsWith('HOME=')) ?? '' }));
}

/** A process may end while it is looked at. */
function wordsOf(pid: string, what: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

test('the window opens with the Chat view in front', async () => {
  browser = await openBrowser();
  await browser.page.goto(address, { waitUntil: 'domcontentloaded' });
  const chat = await webviewFrame(browser.page, 'Chat');
  await chat.locator('[data-engine="ready"]').waitFor();
  await takePicture(browser.page, join(projectRoot, 'out', 'try-out.png'));
});

test('the folder is a copy outside the checkout, and holds no model', () => {
  assert.ok(!folder.startsWith(projectRoot), folder);
  const files = readdirSync(folder, { recursive: true }).map(String);
  assert.ok(files.includes(join('src', 'duration.ts')));
  assert.deepEqual(
    files.filter((file) => file.endsWith('.gguf')),
    [],
  );
});

test("commands run in the user's own home, in which the fence looks for tools; nothing is written there", () => {
  const homes = ofServer().map((one) => one.home);
  assert.ok(homes.length > 2);
  assert.deepEqual([...new Set(homes)], [`HOME=${home}`]);
  assert.deepEqual(readdirSync(home), []);
});

test('one Ctrl-C to the program at the top ends all that it started', async () => {
  const running = ofServer();
  assert.ok(running.length > 2);
  const ended = new Promise((resolve) => started.once('exit', resolve));
  started.kill('SIGINT');
  await ended;
  assert.deepEqual(
    running.filter(({ pid }) => wordsOf(pid, 'cmdline').length > 0),
    [],
  );
  assert.ok(!existsSync(folder));
});

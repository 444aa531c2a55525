// `npm run check -- offline`: chats with the pocket model, on the command line and in the workbench, and counts the network
// sockets that our processes open meanwhile, as the kernel saw it. Exits 1 for any, and where strace is missing.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enginesBelow, prepareExtension } from '../ui/scenes/scriptedExtension.ts';
import { openPanel, sendMessage } from './panel.ts';
import { projectRoot } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-offline-'));
const log = join(folder, 'calls');
const sample = join(projectRoot, 'test', 'fixtures', 'sample');
const pocket = join(projectRoot, 'test', 'fixtures', 'pocket.gguf');
const question = 'Where is formatDuration defined?';
const traced = ['-f', '-qq', '-e', 'trace=socket,connect,sendto', '-o', log];

/** A process without any network, where the system lets us make one. */
const alone = spawnSync('unshare', ['-rn', 'true']).status === 0 ? ['unshare', '-rn'] : [];

/** The calls for sockets of the Internet's families; unix sockets and netlink are not. */
function internetCalls(): readonly string[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /AF_INET6?\b/.test(line));
}

function runTraced(args: readonly string[]): { readonly status: number | null; readonly out: string } {
  const [command = '', ...rest] = [...alone, 'strace', ...traced, process.execPath, ...args];
  const { status, stdout, stderr } = spawnSync(command, rest, { encoding: 'utf8', timeout: 240_000, cwd: projectRoot });
  return { status, out: stdout + stderr };
}

/** Without this a tool that sees nothing would pass. */
function seesSockets(): boolean {
  runTraced(['-e', "require('node:net').connect(9, '127.0.0.1').on('error', () => {})"]);
  return internetCalls().length > 0;
}

function onCommandLine(): readonly string[] {
  const { status, out } = runTraced(['lab/cli/ask.ts', '--workspace', sample, '--model', pocket, question]);
  if (status !== 0 || !/decoded in/.test(out))
    throw new Error(`the chat on the command line failed: ${out.slice(-500)}`);
  return internetCalls();
}

/** Follows a process and all it starts until the tracer is ended. */
async function follow(pids: readonly number[]): Promise<() => Promise<void>> {
  const tracer = spawn('strace', [
    ...traced.filter((word) => word !== '-qq'),
    ...pids.flatMap((pid) => ['-p', `${pid}`]),
  ]);
  const ended = new Promise<void>((resolve) => tracer.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    tracer.stderr.on('data', (text: Buffer) => /attached/.test(String(text)) && resolve());
    tracer.once('exit', () => reject(new Error('strace could not attach')));
  });
  return () => {
    tracer.kill('SIGINT');
    return ended;
  };
}

/** The extension host is the engine's parent; the workbench's server and browser are other processes. */
function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

async function inWorkbench(): Promise<readonly string[]> {
  const settings = { 'tidemark.model.path': pocket };
  const panel = await openPanel({ folder: sample, extension: prepareExtension('real'), settings });
  try {
    await panel.chat.locator('[data-engine="ready"]').waitFor({ timeout: 120_000 });
    const [engine] = await enginesBelow(panel.server.directory);
    if (engine === undefined) throw new Error('no engine runs');
    const stop = await follow([engine, parentOf(engine)]);
    await sendMessage(panel.chat, question);
    await panel.chat.locator('.message.assistant').first().waitFor({ timeout: 120_000 });
    await panel.chat.locator('[data-running="false"]').waitFor({ timeout: 240_000 });
    await stop();
    return internetCalls();
  } finally {
    await panel.close();
  }
}

/** Finds the id of the extension host by its arguments, and by the folder of its editor, which its environment names. */
function extensionHost(folder: string): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [line, environment] = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${name}/${file}`, 'utf8'));
      if (line?.includes('extensionHost') && environment?.includes(folder)) return Number(name);
    } catch {
      // The process ended while it was looked at.
    }
  }
  throw new Error('no extension host runs');
}

/** A server is configured, and the network is forbidden: nothing is asked of it, from the first load on. */
async function withServer(): Promise<readonly string[]> {
  const settings = {
    'tidemark.network.offline': true,
    'tidemark.engine': 'desk',
    'tidemark.servers': { desk: { url: 'https://192.0.2.1' }, here: { url: 'http://127.0.0.1:9931' } },
  };
  const panel = await openPanel({ folder: sample, extension: prepareExtension('real'), settings });
  try {
    await panel.chat.locator('.engine.failed', { hasText: 'tidemark.network.offline is on' }).waitFor();
    const stop = await follow([extensionHost(panel.server.directory)]);
    await sendMessage(panel.chat, question);
    await panel.chat.locator('.fault', { hasText: 'Nothing was sent' }).waitFor();
    await stop();
    return internetCalls();
  } finally {
    await panel.close();
  }
}

try {
  if (spawnSync('strace', ['-V']).status !== 0) throw new Error('strace is not installed, so nothing can be counted.');
  if (!seesSockets()) throw new Error('strace does not see sockets here, so nothing can be counted.');
  let opened = 0;
  for (const [where, chat] of [
    [`on the command line${alone.length > 0 ? ', in a namespace without a network' : ''}`, onCommandLine],
    ['in the workbench (extension host and engine)', inWorkbench],
    ['in the workbench, with a server configured and the network forbidden', withServer],
  ] as const) {
    const calls = await chat();
    opened += calls.length;
    console.log(`${where}: ${calls.length} calls for sockets of the Internet\n${calls.slice(0, 10).join('\n')}`.trim());
  }
  process.exitCode = opened === 0 ? 0 : 1;
} catch (error) {
  console.error(`tidemark: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

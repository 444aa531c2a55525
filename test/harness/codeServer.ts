// Starts code-server on a free loopback port with folders of its own, and stops everything it started.

import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureCodeServer } from './installCodeServer.ts';
import { ownNode, runProgram } from './program.ts';
import { prepareServerFolder } from './serverFolder.ts';
import { type Settings, workbenchSettings } from './settings.ts';

export { ensureCodeServer } from './installCodeServer.ts';

export type Payload = readonly (readonly [key: string, value: string])[];

export type CodeServerOptions = {
  /** The folder to open. */
  readonly folder: string;
  /** The extension's folder, which is linked in as an installed extension, or a VSIX, which is installed. */
  readonly extension?: string;
  /** Folders of other extensions, which are linked in beside it. */
  readonly beside?: readonly string[];
  readonly settings?: Settings;
  /** Folders are opened in Restricted Mode until the page trusts them; left out, all are trusted. */
  readonly asksForTrust?: boolean;
  /** Only for integration tests: makes the page accept a development extension, and hides all notifications. */
  readonly driver?: boolean;
  /** On top of this process's own environment; reaches the extension host. */
  readonly env?: Readonly<Record<string, string>>;
};

export type CodeServer = {
  readonly port: number;
  /** user data, extensions, server.log; removed by stop. */
  readonly directory: string;
  address(payload?: Payload): string;
  /** How the page names a file of this machine. */
  uri(path: string): string;
  stop(): Promise<void>;
};

/** A window is restricted from its start, and nothing covers it. */
const restricted: Settings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

const startLimit = 60_000;
const stopLimit = 5_000;

export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const entry = join(await ensureCodeServer(), 'out', 'node', 'entry.js');
  const packaged = options.extension?.endsWith('.vsix') === true;
  const directory = await prepareServerFolder(
    { ...(options.settings ?? workbenchSettings()), ...(options.asksForTrust ? restricted : {}) },
    [...(packaged || options.extension === undefined ? [] : [options.extension]), ...(options.beside ?? [])],
  );
  if (packaged) await install(entry, directory, options);
  const child = spawn(ownNode(), [entry, ...flags(directory, options)], {
    env: environment(directory, options.env ?? {}),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  // The last net, for an end of this process that did not wait for stop().
  const abandon = (): void => {
    signalGroup(child, 'SIGKILL');
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', abandon);
  const stop = async (): Promise<void> => {
    await stopGroup(child);
    process.off('exit', abandon);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const port = await listeningPort(child, join(directory, 'server.log'));
    const query = `folder=${encodeURIComponent(resolve(options.folder)).replaceAll('%2F', '/')}`;
    return {
      port,
      directory,
      address: (payload = []) =>
        `http://127.0.0.1:${port}/?${query}${payload.length === 0 ? '' : `&payload=${encodeURIComponent(JSON.stringify(payload))}`}`,
      uri: (path) => `vscode-remote://127.0.0.1:${port}${resolve(path)}`,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Installs a file with an extension, as a user does. */
async function install(
  entry: string,
  directory: string,
  { extension = '', env = {} }: CodeServerOptions,
): Promise<void> {
  const args = [entry, ...places(directory), '--install-extension', resolve(extension)];
  await runProgram(ownNode(), args, { env: environment(directory, env) });
}

function places(directory: string): readonly string[] {
  return [
    ...['--config', join(directory, 'config.yaml')],
    ...['--user-data-dir', join(directory, 'data')],
    ...['--extensions-dir', join(directory, 'extensions')],
  ];
}

function flags(directory: string, options: CodeServerOptions): string[] {
  const quiet = [
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    '--disable-proxy',
  ];
  const trust = options.asksForTrust ? [] : ['--disable-workspace-trust'];
  const driver = options.driver ? ['--vscode-option', 'enable-smoke-test-driver'] : [];
  return [
    ...places(directory),
    '--auth',
    'none',
    '--bind-addr',
    '127.0.0.1:0',
    ...quiet,
    ...trust,
    ...driver,
    resolve(options.folder),
  ];
}

/** Leaves out what would tie the server to a VS Code that this runs inside of (VSCODE_IPC_HOOK_CLI) or to npm, with the programs of our own packages. */
function environment(directory: string, more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const foreign = /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_|CODE_SERVER_|XDG_|PORT$|PASSWORD$|HASHED_PASSWORD$)/;
  const npmPlace = /[\\/](?:node_modules[\\/]\.bin|node-gyp-bin)$/;
  const path = (process.env.PATH ?? '/usr/bin:/bin').split(delimiter);
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  return {
    LANG: 'C.UTF-8',
    ...kept,
    PATH: [dirname(ownNode()), ...path.filter((place) => !npmPlace.test(place))].join(delimiter),
    HOME: join(directory, 'home'),
    XDG_RUNTIME_DIR: directory,
    // Logs of code-server and the workbench's name for the device lie there, also where the home is the user's.
    XDG_DATA_HOME: join(directory, 'home'),
    XDG_CACHE_HOME: join(directory, 'home'),
    TMPDIR: join(directory, 't'),
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    ...more,
  };
}

async function listeningPort(child: ChildProcess, logFile: string): Promise<number> {
  const log = createWriteStream(logFile);
  let lastLines = '';
  const note = (line: string): void => {
    log.write(`${line}\n`);
    lastLines = `${lastLines}\n${line}`.slice(-2000);
  };
  return new Promise((resolvePort, fail) => {
    const reject = (error: Error): void => {
      clearTimeout(timer);
      fail(error);
    };
    const timer = setTimeout(
      () => reject(new Error(`code-server did not start within ${startLimit / 1000} s:${lastLines}`)),
      startLimit,
    );
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`code-server ended with ${code ?? signal} before it listened:${lastLines}`)),
    );
    if (child.stderr !== null) createInterface(child.stderr).on('line', note);
    if (child.stdout === null) return;
    createInterface(child.stdout).on('line', (line) => {
      note(line);
      const port = /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolvePort(Number(port));
    });
  });
}

/** The child leads a process group of its own: extension host, watchers, terminals' host and language servers are all in it, and nothing else is. */
async function stopGroup(child: ChildProcess): Promise<void> {
  const running = child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  if (running) {
    const exited = new Promise<void>((done) => child.once('exit', () => done()));
    signalGroup(child, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), stopLimit);
    await exited;
    clearTimeout(timer);
  }
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: every process of the group has already ended, which is what was asked for.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

// Runs an npm script on the project's own Node: `node test/harness/bootstrap.mjs <script> [args...]` installs what is missing, then has `ready.ts` load the program of that name.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldestNode = 20;
const ownNode = 24;
const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');
const stampFile = join(modules, '.tidemark-stamp');

function fail(message) {
  console.error(`tidemark: ${message}`);
  process.exit(1);
}

function quoteForCmd(word) {
  return /^[\w@:\\/.=+-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}

/**
 * npm itself: by its script when npm started us (no shell needed), else by name; on Windows that is a .cmd file, which only a shell can start.
 * Its own words go to standard error: installing must not mix with what the script prints.
 */
function startNpm(args) {
  const options = { cwd: root, stdio: ['inherit', process.stderr, 'inherit'] };
  const script = process.env.npm_execpath;
  if (script !== undefined && basename(script) === 'npm-cli.js') {
    return spawn(process.env.npm_node_execpath ?? process.execPath, [script, ...args], options);
  }
  if (process.platform !== 'win32') return spawn('npm', args, options);
  return spawn(['npm', ...args].map(quoteForCmd).join(' '), { ...options, shell: true });
}

/**
 * The exit code of a child. Every signal is handed on, since nobody tells whether it came from a terminal, which gives it to the child as well: to get it twice
 * does no harm. A kill of an npm around us ends only the shell in between: that we have lost our parent is then the only sign of it.
 */
function codeOf(child) {
  return new Promise((resolve) => {
    const passOn = (signal) => child.kill(signal);
    const parent = process.ppid;
    const look = setInterval(() => {
      if (process.env.npm_lifecycle_event !== undefined && process.ppid !== parent) child.kill('SIGTERM');
    }, 300);
    process.on('SIGINT', passOn).on('SIGTERM', passOn);
    child.on('error', (error) =>
      fail(`${child.spawnfile} could not be started (${error.message}). Is npm on the PATH?`),
    );
    child.on('exit', (code, signal) => {
      clearInterval(look);
      process.off('SIGINT', passOn).off('SIGTERM', passOn);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

/** True when a plain `npm ci` by hand has already put in place what the lock names (optional packages depend on the platform). */
function installedByHand() {
  const installedFile = join(modules, '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  return wanted.every(([path, entry]) => path === '' || entry.optional || installed[path]?.version === entry.version);
}

/** Why an install is needed, in words; undefined when none is. */
function reasonToInstall(stamp) {
  if (!existsSync(modules)) return 'node_modules is not there yet';
  if (existsSync(stampFile)) {
    return readFileSync(stampFile, 'utf8').trim() === stamp ? undefined : 'package-lock.json has changed';
  }
  return installedByHand() ? undefined : 'node_modules does not match package-lock.json';
}

const binary = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The version of the Node that the scripts run on, or undefined. */
function ownNodeVersion() {
  const linked = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (!existsSync(binary) || !existsSync(linked)) return undefined;
  const answer = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() : undefined;
}

async function install() {
  if (!existsSync(lockFile)) fail('package-lock.json is missing, so there is nothing to install from.');
  const stamp = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  const reason = reasonToInstall(stamp);
  if (reason !== undefined) {
    console.error(`tidemark: installing the packages with "npm ci" (${reason}). This takes about a minute, once.`);
    // Something moves, for who waits a minute for it.
    const dots = setInterval(() => process.stderr.write('.'), 10_000);
    const code = await codeOf(startNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']));
    clearInterval(dots);
    if (code === 130 || code === 143) fail('stopped; run it again, and the packages are installed.');
    if (code !== 0) fail(`"npm ci" ended with code ${code}; its message stands above.`);
  }
  if (ownNodeVersion() === undefined) {
    console.error(`tidemark: npm skipped the install script that brings Node ${ownNode}; running only that one.`);
    await codeOf(startNpm(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error']));
  }
  const version = ownNodeVersion();
  if (!version?.startsWith(`v${ownNode}.`)) {
    const found = version === undefined ? 'is missing' : `answers ${version}`;
    fail(`node_modules/.bin/node must be Node ${ownNode}, but ${found}. Try: npm ci --ignore-scripts=false`);
  }
  writeFileSync(stampFile, `${stamp}\n`);
}

const [script, ...args] = process.argv.slice(2);
if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  fail(
    `Node ${oldestNode} or newer is needed to start; this is ${process.version}. The rest runs on a Node ${ownNode} of its own.`,
  );
}
if (script === undefined) fail('usage: node test/harness/bootstrap.mjs <script> [args...]');
await install();
// Without npm and its shell in between, which keep a signal to themselves.
const env = { ...process.env, PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH ?? ''}` };
const program = [join(root, 'test', 'harness', 'ready.ts'), script, ...args];
process.exitCode = await codeOf(spawn(binary, program, { cwd: root, stdio: 'inherit', env }));

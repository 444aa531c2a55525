// Runs the attacks as the user of this process, and judges from outside what came through: `node attackRun.ts BASE STEP`. Prints what did, line by line
// as JSON, and then how many were tried. BASE is a folder of this user that the fence shows. With `open` behind STEP a few run without a fence, to show that
// the judge sees what comes through.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { tryFence } from '../../src/shell/fence/fence.ts';
import { searchPath } from '../../src/shell/process/environment.ts';
import { runChanging } from '../../src/shell/runInFolder.ts';
import { type Attack, attacks, guardedFiles, homeSecretFiles } from './attacks.ts';

const [base = '', step = '1', mode = 'fenced'] = process.argv.slice(2);
const secret = 'CANARY-SECRET';
const home = join(base, 'home');
process.env.HOME = home;
const [folder, outside, storage] = [join(home, 'project'), join(base, 'outside'), join(base, 'storage')];

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function freshFolder(): void {
  rmSync(folder, { recursive: true, force: true });
  for (const name of guardedFiles)
    put(join(folder, name), name === '.git/config' ? '[core]\n\tbare = false\n' : 'as it was');
  put(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  put(join(folder, '.git/objects/keep'), '');
  put(join(folder, '.git/refs/keep'), '');
  put(join(folder, 'a.txt'), 'a');
}

/** Names, kinds, rights and bytes of all that a command must not change. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    if ([folder, join(storage, 'caches'), join(storage, 'aside')].includes(path)) return;
    const found = lstatSync(path);
    const isFile = found.isFile();
    hash.update(`${path} ${found.mode} ${isFile ? found.mtimeMs : ''}\n`);
    if (isFile) hash.update(readFileSync(path));
    if (found.isSymbolicLink()) hash.update(readlinkSync(path));
    if (found.isDirectory()) for (const name of readdirSync(path).toSorted()) add(join(path, name));
  };
  add(base);
  for (const name of guardedFiles) {
    const place = join(folder, name);
    hash.update(`${name} ${lstatSync(place).mode}`).update(readFileSync(place));
  }
  return hash.digest('hex');
}

for (const name of homeSecretFiles) put(join(home, name), secret);
put(join(home, 'notes'), secret);
put(join(home, 'project2', 'index.js'), 'as it was');
put(join(outside, 'file'), 'as it was');
put(join(storage, 'state'), 'as it was');
mkdirSync(join(storage, 'caches'), { recursive: true });
freshFolder();

let connections = 0;
const doors = await Promise.all(
  [0, join(home, 'socket'), join(home, '.docker.sock'), join(outside, 'door'), `\0${base}`].map(async (place) => {
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).destroy();
    });
    if (typeof place === 'number') server.listen(0, '::');
    else server.listen(place);
    await once(server, 'listening');
    return server;
  }),
);
const address = doors[0]?.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const udp = createSocket('udp4').on('message', () => {
  connections += 1;
});
udp.bind(port, '127.0.0.1');
const victim = spawn('sleep', ['100000'], { env: { AWS_SECRET_ACCESS_KEY: secret }, stdio: 'ignore' });
await once(victim, 'spawn');
process.env.AWS_SECRET_ACCESS_KEY = secret;
process.env.MY_VALUE = secret;

const fence =
  mode === 'open'
    ? ({ kind: 'none', because: 'it is left out here', remedy: '' } as const)
    : await tryFence(folder, storage, { path: searchPath(process.env.PATH ?? '', folder), variables: process.env });
if (fence.kind === 'none' && mode !== 'open') {
  process.stdout.write(`${JSON.stringify({ none: fence })}\n`);
  process.exit(0);
}
const told = (what: string, { kind, line }: Attack) =>
  process.stdout.write(`${JSON.stringify({ what, kind, line })}\n`);

/** Runs a line as the tool does. */
async function ran(text: string) {
  const command = { text, folder, cwd: folder, fence, timeoutMilliseconds: 20_000 } as const;
  const about = { named: [], keeper: null, allowed: { repository: [], makesRepository: false } };
  const ports = { storage, variables: process.env, more: [] };
  return (await runChanging(ports, command, about, () => undefined, new AbortController().signal)).result;
}

async function tried(attack: Attack): Promise<void> {
  const before = fingerprint();
  const { output } = await ran(attack.line);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const stolen = readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (one) => one.isFile() && readFileSync(join(one.parentPath, one.name)).includes(secret),
  );
  if (output.includes('CANARY') || stolen) told('read', attack);
  if (connections > 0) told('connected', attack);
  if (victim.exitCode !== null || victim.signalCode !== null || stateOf(victim.pid) === 'T') told('killed', attack);
  if (survives()) told('survived', attack);
  if (fingerprint() !== before) told('changed', attack);
  connections = 0;
  freshFolder();
}

function stateOf(pid = 0): string {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
}

function survives(): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes('987');
    } catch {
      return false;
    }
  });
}

/** An attack of each kind, harmful to the scenery alone. */
const open: readonly Attack[] = [
  { kind: 'writes outside', line: `echo bad > ${outside}/file` },
  { kind: 'secrets', line: `cat ${home}/notes` },
  { kind: 'secrets', line: `cp ${home}/notes stolen` },
  { kind: 'guarded names', line: 'echo bad > .git/hooks/pre-commit' },
  { kind: 'network', line: `exec 3<>/dev/tcp/127.0.0.1/${port}; echo through >&3; sleep 0.1` },
  { kind: 'environment', line: `cat /proc/${victim.pid}/environ` },
  { kind: 'other processes', line: `kill -STOP ${victim.pid}` },
];

const all = attacks({ folder, outside, home, storage, port, victim: victim.pid ?? 0, abstract: base });
const chosen = mode === 'open' ? open : all.filter((_, at) => at % Number(step) === 0);
for (const attack of chosen) await tried(attack);
victim.kill('SIGKILL');
process.stdout.write(`${JSON.stringify({ tried: chosen.length, fence: fence.kind })}\n`);
process.exit(0);

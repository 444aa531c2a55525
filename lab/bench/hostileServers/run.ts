// `npm run bench -- hostile-servers [MODE...]`: servers that are hostile in one way each, asked by `ask --engine` as a user would. What counts: what is
// read, in which time, the memory of both processes, and what nobody but the server may hear. Exits 1 where a mark is missed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporary } from '../../../test/temporary.ts';
import { answers, looks, type Mode, others } from './modes.ts';
import { delta, json, key, keyForms, says } from './wire.ts';

/** Seconds after which a run is ended here, and until which there must be words; megabytes of the host. */
const marks = { ended: 45, words: 30, host: 300 };
const script = fileURLToPath(new URL('../../../lab/cli/ask.ts', import.meta.url));
const folder = temporary('tm-hostile-');
writeFileSync(join(folder, 'a.ts'), 'export const a = 1;\n');

async function listening(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ordinary: Mode = {
  '/v1/models': json({ data: [{ id: 'm', max_model_len: 4096 }] }),
  '/v1/chat/completions': says(delta({ content: 'Hello from the server.' })),
};
let mode: Mode = ordinary;
/** When the server was first asked what it answers in its way. */
let askedAt: number | null = null;
let [heardElsewhere, asked] = [0, 0];
const elsewhere = await listening((_, response) => {
  heardElsewhere += 1;
  response.end('{}');
});
const url = await listening((request, response) => {
  const parts: Buffer[] = [];
  response.on('error', () => undefined);
  request.on('data', (part: Buffer) => void parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    const path = request.url ?? '';
    // The probe that finds out what the server takes gets an ordinary answer, so that the real question comes.
    const isProbe = path.endsWith('/chat/completions') && body.includes('"Hello."');
    const own = isProbe ? undefined : mode[path];
    if (own !== undefined) askedAt ??= performance.now();
    const answer = own ?? ordinary[path] ?? json({}, 404);
    if (path.endsWith('/chat/completions') && !isProbe) asked += 1;
    answer(response, request, body);
  });
});

/** Megabytes. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return listed === '' ? [] : listed.split(' ').map(Number);
  } catch {
    return [];
  }
}

async function tried() {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const environment = { ...process.env, TIDEMARK_ENGINE_KEY: key };
  const args = [script, '--workspace', folder, '--engine', url, 'What does a.ts export?'];
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, words, host, engine]: [string, number, number, number] = ['', Number.POSITIVE_INFINITY, 0, 0];
  const hear = (data: Buffer) => {
    said += data.toString();
    words = Math.min(words, (performance.now() - (askedAt ?? started)) / 1000);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const { pid = 0 } = child;
  const watch = setInterval(() => {
    host = Math.max(host, memoryOf(pid));
    for (const one of childrenOf(pid)) engine = Math.max(engine, memoryOf(one));
  }, 50);
  let isEnded = false;
  const end = setTimeout(() => {
    isEnded = true;
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), 5000).unref();
  }, marks.ended * 1000);
  await once(child, 'close');
  clearInterval(watch);
  clearTimeout(end);
  return { said, words, host, engine, seconds: seconds(), isEnded };
}

const all: Readonly<Record<string, Mode>> = { ...looks(elsewhere), ...answers, ...others };
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(all);
console.log(
  '| server | words after | ended after | host | engine | asked | what is read |\n|---|---|---|---|---|---|---|',
);
let missed = 0;
for (const name of names) {
  mode = all[name] ?? {};
  [heardElsewhere, asked, askedAt] = [0, 0, null];
  const { said, words, host, engine, seconds, isEnded } = await tried();
  const faults = [
    ...(words <= marks.words ? [] : ['no words']),
    ...(host <= marks.host ? [] : ['memory']),
    ...(keyForms.some((form) => said.toLowerCase().includes(form.toLowerCase())) ? ['the key is read'] : []),
    ...(heardElsewhere === 0 ? [] : ['another server was asked']),
    ...(existsSync(join(folder, 'pwned.txt')) ? ['a file was written'] : []),
  ];
  missed += faults.length > 0 ? 1 : 0;
  const end = isEnded ? 'by the user' : `${seconds.toFixed(1)} s`;
  const read = said.replace(/\s+/g, ' ').trim().slice(0, 300);
  console.log(
    `| ${name} | ${words.toFixed(1)} s | ${end} | ${host.toFixed(0)} MB | ${engine.toFixed(0)} MB | ${asked} | ${faults.length > 0 ? `**${faults.join(', ')}** ` : ''}${JSON.stringify(read)} |`,
  );
}
console.log(`\n${names.length - missed} of ${names.length} within the marks`);
process.exit(missed === 0 ? 0 : 1);

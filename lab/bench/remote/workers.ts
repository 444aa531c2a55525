// `npm run bench -- remote-workers`: a real llama-server that computes on two RPC workers, each in a network namespace of its own, beside
// this machine. Needs Linux and root.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { pocketPath } from '../../servers/serverParams.ts';
import { buildServer } from '../views/buildServer.ts';
import { startServer } from '../views/startServer.ts';
import { compared } from './compared.ts';

const port = 50052;
const ip = (...args: readonly string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 2] });

interface Worker {
  readonly address: string;
  /** Milliseconds of processor time so far, as the kernel counts it: whether it computes at all. */
  worked(): number;
  stop(): Promise<void>;
}

/** A namespace that is joined to this one by a pair of devices, with a worker in it. */
async function startWorker(program: string, number: number): Promise<Worker> {
  const [space, here, there] = [`tm${process.pid}n${number}`, `tm${number}a${process.pid % 10_000}`, `tm${number}b`];
  const [own, address] = [`10.213.${number}.1`, `10.213.${number}.2`];
  let worker: ChildProcess | null = null;
  const stop = async () => {
    if (worker !== null && worker.exitCode === null) {
      const gone = once(worker, 'exit');
      worker.kill('SIGKILL');
      await gone;
    }
    ip('netns', 'del', space);
  };
  ip('netns', 'add', space);
  try {
    ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', space);
    ip('addr', 'add', `${own}/24`, 'dev', here);
    ip('link', 'set', here, 'up');
    ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', there);
    ip('-n', space, 'link', 'set', there, 'up');
    const args = ['netns', 'exec', space, program, '-H', address, '-p', String(port), '-t', '1'];
    worker = spawn('ip', args, { stdio: 'ignore' });
    await listens(address);
    const stat = `/proc/${worker.pid}/stat`;
    const worked = () =>
      10 *
      readFileSync(stat, 'utf8')
        .split(' ')
        .slice(13, 15)
        .map(Number)
        .reduce((a, b) => a + b);
    return { address: `${address}:${port}`, worked, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listens(host: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, host);
    const there = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (there) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no worker listens on ${host}`);
}

const programs = buildServer();
const model = process.argv[2] ?? pocketPath;
const workers: Worker[] = [];
try {
  for (const number of [1, 2]) workers.push(await startWorker(programs.worker, number));
  const addresses = workers.map(({ address }) => address).join(',');
  const args = ['-m', model, '-c', '4096', '-np', '1', '-t', '1', '--rpc', addresses, '-ngl', '99', '-fit', 'off'];
  const running = await startServer(programs.server, args);
  const { ids, texts, different } = await compared(model, running.url).finally(() => running.stop());
  const [same, said] = [ids.join(' of '), texts.join(' of ')];
  const times = workers.map(({ worked }) => `${worked()} ms`).join(' and ');
  process.stdout.write(
    `two workers at ${addresses}: ${same} prompts with the same ids, ${said} greedy texts the same; they computed for ${times}\n`,
  );
  for (const words of different) process.stderr.write(`${words}\n`);
} finally {
  for (const worker of workers) await worker.stop();
}

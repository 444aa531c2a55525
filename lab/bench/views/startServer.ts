// A real llama-server, built from the bundle, on a port of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** `args` are those of llama-server besides the port. */
export async function startServer(program: string, args: readonly string[]): Promise<RunningServer> {
  const port = await freePort();
  const server = spawn(program, [...args, '--port', String(port), '--no-webui'], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill();
    await gone;
  };
  try {
    await ready(server, url);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function ready(server: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (server.exitCode !== null) throw new Error(`llama-server ended with code ${server.exitCode}`);
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('llama-server did not become ready');
}

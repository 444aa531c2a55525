// A way from one port of this machine to one of a program that goes on: opened after a question, for this machine's own programs, closed with the program's
// conversation. The only thing of the product that listens.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Started } from './walls.ts';

export interface Way {
  /** The port of this machine. */
  readonly port: number;
  close(): void;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has gone.
  }
}

/** The started program joins its input and output to the other port. It is the same port where it is free, since a server may write it into its pages. */
export async function openWay(port: number, { program, args }: Started): Promise<Way> {
  const open = new Set<() => void>();
  const server = createServer((socket) => {
    // A group of its own: what joins it to the port starts others, which end with it.
    const child = spawn(program, [...args], { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    const end = () => {
      open.delete(end);
      socket.destroy();
      endGroup(child);
    };
    open.add(end);
    for (const one of [socket, child, child.stdin, child.stdout]) one.on('error', end);
    socket.on('close', end);
    child.on('exit', () => socket.end());
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(port).catch(() => listen(0));
  server.unref();
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => {
      server.close();
      for (const end of [...open]) end();
    },
  };
}

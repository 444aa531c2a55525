// A way from one port of this machine to one of a program that goes on: opened after a question, for this machine's own programs, closed with the program. The
// only thing of the product that listens. What comes in is handed to a process within the room, which joins it to the program's port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Started } from './walls.ts';

export interface Way {
  /** The port of this machine. */
  readonly port: number;
  close(): void;
}

/** Runs in the room: each socket that it is handed is joined to the port, until both sides have ended. It ends with this process. */
const joiner = `
const { connect } = require('node:net');
process.on('disconnect', () => process.exit());
process.on('message', (_, socket) => {
  if (!socket) return;
  const to = connect({ port: Number(process.env.TIDEMARK_PORT), host: '127.0.0.1', allowHalfOpen: true });
  socket.allowHalfOpen = true;
  const end = () => { socket.destroy(); to.destroy(); };
  for (const one of [socket, to]) one.on('error', end);
  socket.on('close', () => { if (!to.writableEnded) to.destroy(); });
  to.on('close', () => { if (!socket.writableEnded) socket.destroy(); });
  socket.pipe(to);
  to.pipe(socket);
});
`;

/** `within`: starts a program in the room. It is the same port where that is free, since a server may write it into its pages. */
export async function openWay(port: number, within: (started: Started) => Started, path: string): Promise<Way> {
  const { program, args } = within({ program: process.execPath, args: ['-e', joiner] });
  const env = { PATH: path, ELECTRON_RUN_AS_NODE: '1', TIDEMARK_PORT: String(port) };
  const child = spawn(program, [...args], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env });
  const hand = (socket: Socket) => {
    socket.on('error', () => undefined);
    if (!child.connected) socket.destroy();
    else child.send('socket', socket, (error) => error !== null && socket.destroy());
  };
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, hand);
  server.on('error', () => undefined);
  const close = () => {
    server.close();
    if (child.connected) child.disconnect();
    child.kill('SIGKILL');
  };
  child.on('error', close);
  child.on('exit', close);
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(port).catch(() => listen(0));
  server.unref();
  child.unref();
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : port, close };
}

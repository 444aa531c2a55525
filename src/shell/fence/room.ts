// A network that the commands of a conversation share, so that one of them may try a server that another one started. It has its own loopback and nothing
// else: neither the machine's network nor the ports of other programs. A process that does nothing holds it: namespaces(7), nsenter(1).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Started } from './walls.ts';
import { openWay, type Way } from './way.ts';

export interface Room {
  /** Its holder is there: what is started within it has it. */
  isOpen(): boolean;
  /** The program, started within it. */
  within(started: Started): Started;
  /** Ports of TCP at which a program listens, known by its namespace of processes. */
  listening(processes: number): Promise<readonly number[]>;
  /** Opens the way from a port of this machine, for its own programs alone, to one of the room. */
  open(port: number): Promise<Way>;
  /** Ends the holder; programs that run in the room go on. */
  close(): void;
}

/** Milliseconds within which it is there. */
const patience = 2000;

/** `path`: the search path of programs of the system. Null where the machine cannot make one: commands have a network each then. */
export async function openRoom(path: string): Promise<Room | null> {
  const alone = ['--unshare-user', '--unshare-net', '--die-with-parent', '--cap-drop', 'ALL', '--info-fd', '3'];
  const holder = spawn('bwrap', [...alone, '--ro-bind', '/', '/', '--', '/bin/sh', '-c', 'echo; read -r end'], {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    env: { PATH: path },
  });
  holder.unref();
  const pid = await pidIn(holder);
  const room = pid === null ? null : roomOf(holder, pid, path);
  if (room !== null && (await works(room, path))) return room;
  holder.kill('SIGKILL');
  return null;
}

async function pidIn(holder: ChildProcess): Promise<number | null> {
  let said = '';
  const told = holder.stdio[3] as Readable;
  told.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // The number is told before the namespaces can be joined: they can once its program speaks.
  const speaks = holder.stdout === null ? Promise.resolve() : once(holder.stdout, 'data');
  const ready = Promise.all([once(told, 'end'), speaks]);
  await Promise.race([ready, once(holder, 'exit'), once(holder, 'error')]).catch(() => undefined);
  holder.stdout?.destroy();
  const pid = Number(/"child-pid": (\d+)/.exec(said)?.[1] ?? 0);
  return pid === 0 || holder.exitCode !== null ? null : pid;
}

function roomOf(holder: ChildProcess, pid: number, path: string): Room {
  let isOpen = true;
  holder.once('exit', () => {
    isOpen = false;
  });
  const within = ({ program, args }: Started): Started => ({
    program: 'nsenter',
    args: ['-t', String(pid), '-U', '-n', '--preserve-credentials', '--', program, ...args],
  });
  return {
    isOpen: () => isOpen,
    within,
    listening: async (processes) => {
      const tables = await Promise.all(
        ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
      );
      const all = tables.flatMap(listenersIn);
      const own = all.length === 0 ? new Set<string>() : await socketsOf(processes);
      const ports = all.filter(({ socket }) => own.has(socket)).map(({ port }) => port);
      return [...new Set(ports)].sort((a, b) => a - b);
    },
    open: (port) => openWay(port, within, path),
    close: () => {
      isOpen = false;
      holder.stdin?.destroy();
      holder.kill('SIGKILL');
    },
  };
}

/** Ports in the state of listening, each with its socket: proc(5), /proc/net/tcp. */
function listenersIn(table: string) {
  return [...table.matchAll(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 0A(?: +\S+){5} +(\d+)/gm)].map(
    ([, port = '', socket = '']) => ({ port: Number.parseInt(port, 16), socket }),
  );
}

/** The sockets that the processes of a namespace hold. */
async function socketsOf(processes: number): Promise<ReadonlySet<string>> {
  const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    all.map(async (one) => {
      if ((await readlink(`/proc/${one}/ns/pid`).catch(() => '')) !== `pid:[${processes}]`) return [];
      const files = await readdir(`/proc/${one}/fd`).catch(() => []);
      return Promise.all(files.map((file) => readlink(`/proc/${one}/fd/${file}`).catch(() => '')));
    }),
  );
  return new Set(found.flat().flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

/** Whether a program can be started in it, behind the fence as well. */
async function works(room: Room, path: string): Promise<boolean> {
  const { program, args } = room.within({
    program: 'bwrap',
    args: ['--unshare-all', '--share-net', '--ro-bind', '/', '/', '--', '/bin/true'],
  });
  const child = spawn(program, [...args], { stdio: 'ignore', timeout: patience, env: { PATH: path } });
  return Promise.race([once(child, 'exit').then(([code]) => code === 0), once(child, 'error').then(() => false)]);
}

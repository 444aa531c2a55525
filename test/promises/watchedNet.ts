// Loaded into a command and into all that it starts: writes each way to the network that is gone into the file that TIDEMARK_NET names.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import net from 'node:net';

const note = (words: string) => appendFileSync(process.env.TIDEMARK_NET ?? '', `${words}\n`);

// biome-ignore lint/suspicious/noExplicitAny: any function of Node.
function watch(of: any, name: string): void {
  const former = of[name];
  of[name] = function (...given: unknown[]) {
    note(`${name} ${JSON.stringify(given.flat().slice(0, 2))}`);
    return former.apply(this, given);
  };
}

watch(net.Server.prototype, 'listen');
watch(net.Socket.prototype, 'connect');
watch(dgram, 'createSocket');
for (const name of ['lookup', 'resolve']) watch(dns, name);
note('begun');

/** Sockets of the Internet's families that native code holds open. */
process.on('exit', () => {
  if (process.platform !== 'linux') return;
  const tables = ['tcp', 'tcp6', 'udp', 'udp6']
    .map((name) => readFileSync(`/proc/self/net/${name}`, 'utf8'))
    .join('\n');
  const inodes = new Set([...tables.matchAll(/^(?:\s*\S+){9}\s+(\d+)/gm)].map(([, inode]) => inode));
  for (const descriptor of readdirSync('/proc/self/fd')) {
    let is = '';
    try {
      is = readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // That of this look.
    }
    if (inodes.has(/^socket:\[(\d+)\]$/.exec(is)?.[1])) note('left open');
  }
});

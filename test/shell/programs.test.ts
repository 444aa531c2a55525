// Commands that go on: one is let go, its output is read on, others reach its port and no other one, and it ends with its conversation.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ActingTool, Deed, LookingTool } from '../../src/core/dialog/tool.ts';
import { createGrammars } from '../../src/finding/cut/grammars.ts';
import { tryFence } from '../../src/shell/fence/fence.ts';
import { openRoom } from '../../src/shell/fence/room.ts';
import { parseCommand } from '../../src/shell/judge/parse.ts';
import { Permissions } from '../../src/shell/permissions.ts';
import { ShellCommands } from '../../src/shell/tool.ts';
import { grammarsFolder } from '../finding/scene.ts';
import { temporary } from '../temporary.ts';

const base = realpathSync(temporary('tide-programs-'));
const parser = (await createGrammars(grammarsFolder)({ grammar: 'bash' })) ?? assert.fail('no grammar of bash');
const folder = join(base, 'folder');
mkdirSync(folder);
const fence = await tryFence(folder, join(base, 'storage'), { path: process.env.PATH ?? '', variables: process.env });
const skip = fence.kind === 'bubblewrap' ? false : 'no bubblewrap holds here';
const never = new AbortController().signal;
const known = { message: '', seen: new Map(), beside: [], failed: new Map(), days: [] };

/** Says where it listens, and answers each request with its number. */
const server = `
import http.server, sys
class H(http.server.BaseHTTPRequestHandler):
  def do_GET(self):
    self.send_response(200); self.end_headers(); self.wfile.write(b'hello ' + self.path.encode()); print('asked', self.path, flush=True)
  def log_message(self, *a): pass
s = http.server.HTTPServer(('127.0.0.1', 0), H)
print('at', s.server_address[1], flush=True)
s.serve_forever()
`;
writeFileSync(join(folder, 'server.py'), server);

function scene(timeoutSeconds = 20) {
  const commands = new ShellCommands({
    workspace: { folders: [{ name: 'folder', path: folder }], unsaved: () => [] },
    parse: async ({ text }) => parseCommand(parser, text),
    fence: async () => fence,
    permissions: new Permissions({ get: () => [], set: async () => undefined }),
    storage: join(base, 'storage'),
    variables: process.env,
    settings: () => ({ denied: [], timeoutSeconds, variables: [] }),
    watch: () => ({ onText: () => undefined, onEnd: () => undefined }),
    conceal: (lines) => lines,
  });
  after(() => commands.programs.dispose());
  const toolsOf = (conversation: string) => commands.tools(conversation, null) as [ActingTool, LookingTool];
  const plan = async (conversation: string, given: object, turn: object = {}): Promise<Deed> => {
    const call = { id: '1', name: 'run_command', arguments: { reason: '', ...given } };
    const [deed] = await toolsOf(conversation)[0].deeds.plan([call], known, { message: '', hasOthers: false, ...turn });
    assert.ok(deed !== undefined && 'run' in deed, JSON.stringify(deed));
    return deed;
  };
  const give = (command: string) => plan('one', { command }, { withNetwork: true });
  const run = async (command: string, goesOn = false, conversation = 'one') => {
    const deed = await plan(conversation, { command, goesOn });
    return (await deed.run(never, () => undefined)).get('1') ?? assert.fail();
  };
  const read = async (number: number) => (await toolsOf('one')[1].run({ run: number, line: 1 }, never)).body;
  return { programs: commands.programs, give, run, read };
}

const ask = (port: number | string, path = '/') =>
  `python3 -c "import urllib.request as u; print(u.urlopen('http://127.0.0.1:${port}${path}', timeout=3).read().decode())"`;

test('a server is let go, told with its port, tried by the next command, read on, and ended with its conversation', {
  skip,
}, async () => {
  const { programs, run, read } = scene();
  const started = await run('python3 server.py', true);
  assert.equal(started.ok, true);
  const port = /goes on after [\d.]+ s, listening at port (\d+)/.exec(started.head)?.[1] ?? assert.fail(started.head);
  assert.match(started.body, new RegExp(`^at ${port}\\n\\[read_output {"run": 1, "line": 1} reads what it says later`));
  const tried = await run(ask(port, '/tide'));
  assert.equal(tried.body, 'hello /tide');
  assert.match(tried.head, new RegExp(`python3 server\\.py still runs \\(run 1, port ${port}\\)\\.$`));
  assert.match(await read(1), /^at \d+\nasked \/tide$/);
  const [program] = programs.of('one');
  assert.deepEqual([program?.run, program?.ports], [1, [Number(port)]]);
  const open = await programs.forward(1, Number(port));
  assert.equal(await (await fetch(`http://127.0.0.1:${open}/sea`)).text(), 'hello /sea');
  await programs.end('one');
  assert.deepEqual(programs.of('one'), []);
  await assert.rejects(fetch(`http://127.0.0.1:${open}/sea`));
  assert.match(await read(1), /asked \/sea$/, 'its output can still be read');
});

test('the same command starts it anew, Stop ends it, and another conversation does not reach it', {
  skip,
}, async () => {
  const { programs, run } = scene();
  const portOf = (head: string) => Number(/port (\d+)/.exec(head)?.[1]);
  const first = portOf((await run('python3 server.py', true)).head);
  const second = portOf((await run('python3 server.py', true)).head);
  assert.equal(programs.of('one').length, 1);
  assert.equal((await run(ask(first))).ok, false);
  assert.equal((await run(ask(second))).ok, true);
  assert.equal((await run(ask(second), false, 'two')).ok, false);
  await programs.stop(2);
  assert.equal(programs.of('one').length, 0);
  assert.equal((await run(ask(second))).ok, false);
});

test('the user lets go what is waited for; at the limit of time what listens goes on, and nothing else', {
  skip,
}, async () => {
  const { programs, run } = scene(2);
  const waited = run('sleep 30');
  setTimeout(() => programs.letRun('one'), 600);
  assert.match((await waited).head, /^sleep 30 goes on after/);
  assert.match((await run('python3 server.py')).head, /goes on after [\d.]+ s, listening at port \d+/);
  assert.deepEqual(
    programs.of('one').map(({ ports }) => ports.length),
    [0, 1],
  );
  assert.match((await run('sleep 29')).head, /was stopped after 2 s, the limit/);
  assert.equal(programs.of('one').length, 2);
  await programs.end('one');
});

test('of twenty ports at which the machine listens no command reaches one', { skip }, async () => {
  const { programs, run } = scene();
  let reached = 0;
  const servers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const one = createServer((socket) => {
        reached += 1;
        socket.end();
      });
      await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
      return one;
    }),
  );
  const ports = servers.map((one) => (one.address() as { readonly port: number }).port);
  await run('python3 server.py', true);
  for (const way of ['127.0.0.1', 'localhost', '0.0.0.0']) {
    const line = `python3 -c "import socket
for p in [${ports.join(',')}]:
  try: socket.create_connection(('${way}', p), 1); print('REACHED', p)
  except OSError: pass"`;
    assert.equal((await run(line)).body, '', way);
  }
  for (const one of servers) one.close();
  await programs.end('one');
  assert.equal(reached, 0);
});

test('a command that the user gives the network has it for once, after a question that says so, with the home out of its reach', {
  skip,
}, async () => {
  const { give, run, programs } = scene();
  const one = createServer((socket) => socket.end('from outside'));
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  const { port } = one.address() as { readonly port: number };
  const line = `python3 -c "import socket, os; print(socket.create_connection(('127.0.0.1', ${port}), 2).recv(99).decode(), os.path.exists('${join(base, 'storage', 'outside')}'))"`;
  assert.equal((await run(line)).ok, false);
  const deed = await give(line);
  assert.match(deed.asks, /it gets the network: it can send what it reads, and reach the programs of this computer/);
  assert.deepEqual([deed.allowed, deed.lasting], [false, []]);
  const done = (await deed.run(never, () => undefined)).get('1') ?? assert.fail();
  assert.equal(done.body, 'from outside False', done.head);
  assert.equal((await run(line)).ok, false, 'the next one has none');
  one.close();
  await programs.end('one');
});

test('what goes on finds the folder read-only, and no program of the folder starts the fence or joins the way', {
  skip,
}, async () => {
  const own = join(folder, '.venv', 'bin');
  mkdirSync(own, { recursive: true });
  const trace = join(base, 'OUTSIDE');
  for (const name of ['bwrap', 'nsenter', 'cat', 'node'])
    writeFileSync(join(own, name), `#!/bin/sh\necho ${name} >> ${trace}\n`, { mode: 0o755 });
  symlinkSync(folder, join(base, 'link'));
  const former = process.env.PATH;
  for (const entry of [own, join(base, 'link', '.venv', 'bin')]) {
    process.env.PATH = `${entry}:${former}`;
    try {
      const { programs, run, read } = scene();
      assert.equal((await run('echo hi')).body, 'hi');
      const started = await run(
        'sh -c "touch made.txt; mkdir -p sub/.git; cp server.py x.py"; python3 server.py',
        true,
      );
      assert.match(started.head, /with the folder read-only/);
      assert.equal(programs.of('one').length, 1, started.head + started.body);
      const [program] = programs.of('one');
      const open = await programs.forward(program?.run ?? 0, program?.ports[0] ?? 0);
      assert.equal(await (await fetch(`http://127.0.0.1:${open}/way`)).text(), 'hello /way');
      assert.match(await read(2), /Read-only file system/);
      await programs.end('one');
    } finally {
      process.env.PATH = former;
    }
  }
  for (const made of ['made.txt', 'sub', 'x.py']) assert.ok(!existsSync(join(folder, made)), made);
  assert.ok(!existsSync(trace), existsSync(trace) ? readFileSync(trace, 'utf8') : '');
  rmSync(join(folder, '.venv'), { recursive: true });
});

test('the way carries many and large answers whole, half-closed ones too, and ends with its program', {
  skip,
}, async () => {
  const { programs, run } = scene();
  const echo = `python3 -c "
import socketserver
class H(socketserver.BaseRequestHandler):
  def handle(self):
    got = b''
    while True:
      part = self.request.recv(65536)
      if not part: break
      got += part
    self.request.sendall(str(len(got)).encode() + b' ' + got)
class S(socketserver.ThreadingTCPServer):
  request_queue_size = 256
s = S(('127.0.0.1', 0), H); print('at', s.server_address[1], flush=True); s.serve_forever()
"`;
  const started = await run(echo, true);
  assert.match(started.head, /listening at port/, started.body);
  const [program] = programs.of('one');
  const port = await programs.forward(program?.run ?? 0, program?.ports[0] ?? 0);
  /** Sends all, ends its own side, and reads until the other one has. */
  const said = (bytes: Buffer) =>
    new Promise<Buffer>((resolve, reject) => {
      const all: Buffer[] = [];
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes));
      socket.on('data', (part: Buffer) => all.push(part));
      socket.on('error', reject).on('end', () => resolve(Buffer.concat(all)));
    });
  const large = Buffer.alloc(10_000_000, 'tide');
  assert.ok((await said(large)).equals(Buffer.concat([Buffer.from('10000000 '), large])));
  const many = await Promise.all(Array.from({ length: 200 }, (_, at) => said(Buffer.from(`${at}`))));
  assert.ok(many.every((answer, at) => answer.toString() === `${`${at}`.length} ${at}`));
  await programs.stop(program?.run ?? 0);
  await assert.rejects(said(Buffer.from('x')));
  await programs.end('one');
});

test('the end of a conversation ends what is still waited for', { skip }, async () => {
  const { programs, run } = scene();
  const waited = run('sleep 41');
  const going = run('sleep 42', true);
  await new Promise((resolve) => setTimeout(resolve, 700));
  await programs.end('one');
  assert.match((await waited).head, /was cancelled/);
  assert.match((await going).head, /was cancelled/);
  assert.deepEqual(programs.of('one'), []);
});

test('a room can be joined as soon as it is there, each of thirty times', { skip }, async () => {
  for (let i = 0; i < 30; i++) {
    const room = await openRoom(process.env.PATH ?? '');
    assert.notEqual(room, null, `room ${i}`);
    room?.close();
  }
});

// Faults of a server before anything is sent, one kind after another, with the twin of llama-server: each ends in words with advice, and nothing hangs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { promisify } from 'node:util';
import { certificates } from '../../../lab/servers/certificates.ts';
import { startLlamaTwin, type Twin } from '../../../lab/servers/llamaTwin.ts';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import type { Meddle } from '../../../lab/servers/twinServer.ts';
import type { ServerProblem } from '../../../src/core/faults/serverFaults.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import type { ServerParams } from '../../../src/protocol/engine.ts';
import { faultIn } from '../scenes/engineUnderTest.ts';
import {
  caFile,
  headOnly,
  html,
  json,
  only,
  openAt,
  patience,
  problemIn,
  redirect,
  reset,
  short,
  silent,
} from './meddling.ts';

let twin: Twin;
/** A port that is open and says nothing. */
let mute: Server;

before(async () => {
  twin = await startLlamaTwin();
  mute = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(mute, 'listening');
});
afterEach(() => twin.reset());
after(async () => {
  mute.close();
  await twin.stop();
});

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const open = (params: Partial<ServerParams> = {}) => openAt(twin.url, params);

/** Address and settings, before anything is sent. */
const addresses: Readonly<Record<string, readonly [Partial<ServerParams>, ServerProblem['is']]>> = {
  'no address': [{ url: 'desk' }, 'badAddress'],
  'another protocol': [{ url: 'ftp://desk.example' }, 'badAddress'],
  'a password in the address': [{ url: 'https://me:sesame@desk.example' }, 'badAddress'],
  'a question mark in the address': [{ url: 'https://desk.example/?key=sesame' }, 'badAddress'],
  'http to another machine': [{ url: 'http://192.0.2.1' }, 'insecure'],
  'a name that looks like this machine': [{ url: 'http://127.0.0.1.example.invalid' }, 'insecure'],
  'a host that is not there': [{ url: 'https://desk.invalid' }, 'unreachable'],
  'an authority that is not there': [{ caFile: '/nowhere/authority.pem' }, 'badAddress'],
  'a slot that it does not have': [{ slot: 7 }, 'badAddress'],
};
for (const [name, [params, is]] of Object.entries(addresses))
  test(`${name}: ${is}`, async () => {
    assert.equal((await problemIn(open(params))).is, is);
    assert.doesNotMatch(JSON.stringify(await problemIn(open(params))), /sesame/);
  });

test('a port where nothing listens: unreachable', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const url = `http://127.0.0.1:${portOf(closed)}`;
  closed.close();
  assert.equal((await problemIn(open({ url }))).is, 'unreachable');
});

test('a port that takes connections and says nothing: silent', async () => {
  assert.equal((await problemIn(open({ url: `http://127.0.0.1:${portOf(mute)}` }))).is, 'silent');
});

test('TLS to a port that does not speak it: unreachable', async () => {
  assert.equal((await problemIn(open({ url: twin.url.replace('http:', 'https:') }))).is, 'unreachable');
});

/** Answers of the server while it is looked at, each with the problem that it counts as. */
const looks: Readonly<Record<string, readonly [Meddle, ServerProblem['is']]>> = {
  'a redirect': [redirect, 'redirect'],
  'no key': [json({ error: { message: 'Invalid API Key' } }, 401), 'refused'],
  'a key that may not': [json('', 403), 'refused'],
  'another kind of server': [json({ error: { message: 'File Not Found' } }, 404), 'missing'],
  'too many requests': [json('slow down', 429), 'busy'],
  'a model that is still loading': [json({ error: { message: 'Loading model' } }, 503), 'busy'],
  'an error of the server': [json({ error: { message: 'out of memory' } }, 500), 'failed'],
  'an error page of a proxy': [json('<html>Bad gateway</html>', 502), 'failed'],
  'a web page': [html, 'notUnderstood'],
  'an empty answer': [json(''), 'notUnderstood'],
  'a list': [json([]), 'notUnderstood'],
  null: [json('null'), 'notUnderstood'],
  'a window of nothing': [only('/props', json({ default_generation_settings: { n_ctx: 0 } })), 'notUnderstood'],
  'a body that is cut': [short, 'cut'],
  'a connection that is reset': [reset, 'cut'],
  'no answer': [silent, 'silent'],
  'an answer that does not go on': [headOnly, 'silent'],
  'fewer tokens than it says': [only('/tokenize', json({ tokens: [{ id: 0, piece: 'a' }] })), 'otherTokens'],
  'tokens without text': [
    (asked, response) =>
      asked.path === '/tokenize' && asked.body.with_pieces === true && json({ tokens: 'none' })(asked, response),
    'otherTokens',
  ],
  'texts that come back as one': [tokenised(() => [1, 2, 3]), 'otherTokens'],
  'ids that are no numbers': [tokenised(() => ['a'] as unknown as number[]), 'notUnderstood'],
};
for (const [name, [meddle, is]] of Object.entries(looks))
  test(`${name}, before anything is sent: ${is}`, async () => {
    twin.meddle = meddle;
    assert.equal((await problemIn(open())).is, is);
    await twin.reset();
    await (await open()).dispose();
  });

function tokenised(make: (ids: readonly number[]) => readonly number[]): Meddle {
  return only('/tokenize', (asked, response) => {
    if (asked.body.with_pieces === true || !Array.isArray(asked.body.content) || asked.body.content.length < 2)
      return false;
    return json({ tokens: make([]) })(asked, response);
  });
}

test('special strings that act within a text: otherTokens', async () => {
  // Such a server does not know the request to leave them alone.
  twin.meddle = only('/tokenize', (asked) => {
    Object.assign(asked.body, { parse_special: true });
    return false;
  });
  assert.equal((await problemIn(open())).is, 'otherTokens');
});

test('no chat template: said as of a file', async () => {
  twin.props = { chat_template: '' };
  assert.equal((await faultIn(open())).kind, 'modelWithoutTemplate');
});

test('a template counts as running only once the server was looked at, and no longer when it fails', async () => {
  const told: (boolean | number)[] = [];
  const params = { ...serverParams(twin.url), kind: 'llama-server' } as const;
  const tell = async (runs: boolean) => void told.push(runs);
  const opened = () => openServer(params, { slots: 1, contextSize: 512 }, patience, tell);
  twin.meddle = json('', 500);
  await problemIn(opened());
  assert.deepEqual(told, []);
  await twin.reset();
  twin.props = { chat_template: '{% if %}' };
  await faultIn(opened());
  assert.deepEqual(told, [true, false]);
});

/** A TLS twin with one of the certificates. */
async function withCertificate<T>(name: keyof typeof certificates, job: (url: string) => Promise<T>): Promise<T> {
  const server = createTlsServer(certificates[name], twin.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await job(`https://127.0.0.1:${portOf(server)}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a good certificate of an own authority serves, and without that authority it does not', async () => {
  await withCertificate('good', async (url) => {
    const engine = await open({ url, caFile });
    assert.equal(engine.info.server?.isEncrypted, true);
    await engine.dispose();
    assert.equal((await problemIn(open({ url }))).is, 'certificate');
  });
});
for (const name of ['expired', 'early', 'otherName', 'bySelf'] as const)
  test(`a certificate that is ${name}: certificate`, async () => {
    await withCertificate(name, async (url) => {
      assert.equal((await problemIn(open({ url, caFile }))).is, 'certificate');
    });
  });

test('no environment variable switches certificates off', async (context) => {
  context.after(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  await withCertificate('bySelf', async (url) => {
    assert.equal((await problemIn(open({ url, caFile }))).is, 'certificate');
  });
});

test('no environment variable puts a proxy between this machine and a server on it', async () => {
  const heard: string[] = [];
  const proxy = createServer((socket) => socket.on('data', (bytes) => void heard.push(String(bytes)))).listen(
    0,
    '127.0.0.1',
  );
  await once(proxy, 'listening');
  const server = new URL('../../../src/engine/remote/openServer.ts', import.meta.url);
  const params = JSON.stringify(serverParams(twin.url));
  const ask = `const { openServer } = await import(${JSON.stringify(server.href)});
    const engine = await openServer(${params}, { slots: 1, contextSize: 512 });
    console.log(engine.info.name);
    process.exit(0);`;
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', ask], {
    env,
    timeout: 20_000,
  });
  proxy.close();
  assert.deepEqual([stdout.trim(), heard], ['pocket', []]);
});

test('a long answer that comes steadily is waited for', async () => {
  twin.meddle = only('/props', (_, response) => {
    const text = JSON.stringify({ detail: 'x'.repeat(1_500_000) });
    response.writeHead(200, { 'content-type': 'application/json' });
    let at = 0;
    // In all longer than a short answer may take.
    const more = setInterval(() => {
      response.write(text.slice(at, at + 300_000));
      at += 300_000;
      if (at < text.length) return;
      clearInterval(more);
      response.end();
    }, patience.short / 3);
    return true;
  });
  // The whole answer is read, and it is not one of llama-server's.
  assert.equal((await problemIn(open())).is, 'notUnderstood');
});

test('a key that no header can hold is said to be one', async () => {
  for (const key of ['se€same', 'two\nlines']) {
    const problem = await problemIn((async () => open({ key }))());
    assert.deepEqual(
      [problem.is, 'reason' in problem && problem.reason],
      ['badAddress', 'its key has characters that no key can have'],
    );
  }
});

test('another model than the one that is asked for: badAddress', async () => {
  assert.equal((await problemIn(open({ model: 'qwen3-coder-30b' }))).is, 'badAddress');
  await (await open({ model: 'pocket' })).dispose();
});

test('while the network is switched off nothing is sent', async () => {
  twin.asked.length = 0;
  assert.equal((await problemIn(open({ offline: true }))).is, 'offline');
  assert.deepEqual(twin.asked, []);
});

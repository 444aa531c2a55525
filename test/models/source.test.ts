// Tests what may be typed for a model, what a repository's list becomes, and what is refused.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { askSizes, filesFor, quantisationOf } from '../../src/models/repository.ts';
import { readSource, shardsOf } from '../../src/models/source.ts';
import { quickPorts } from './scenes/downloadCases.ts';

const hub = 'https://huggingface.co';
const urls = (typed: string, endpoint = hub) => {
  const source = readSource(typed, endpoint);
  return source.kind === 'remote' ? source.files.map(({ url, name }) => [url, name]) : source;
};

test('an hf: file, an address and a path are what they say', () => {
  assert.deepEqual(urls('hf:Qwen/Some-GGUF/some-q4_k_m.gguf'), [
    [`${hub}/Qwen/Some-GGUF/resolve/main/some-q4_k_m.gguf`, 'some-q4_k_m.gguf'],
  ]);
  assert.deepEqual(urls(' hf:a/b/sub folder/c.gguf '), [[`${hub}/a/b/resolve/main/sub%20folder/c.gguf`, 'c.gguf']]);
  assert.deepEqual(urls('https://example.org/x/m.gguf?token=1#top'), [
    ['https://example.org/x/m.gguf?token=1', 'm.gguf'],
  ]);
  assert.deepEqual(urls('/models/m.gguf'), { kind: 'file', path: '/models/m.gguf' });
  assert.deepEqual(urls('hf:a/b/c.gguf', 'http://mirror.local:8080/hf/'), [
    ['http://mirror.local:8080/hf/a/b/resolve/main/c.gguf', 'c.gguf'],
  ]);
});

test('an hf: repository takes the quantisation that is named, or Q4_K_M', () => {
  const repository = { endpoint: hub, name: 'a/b-GGUF' };
  assert.deepEqual(urls('hf:a/b-GGUF:Q8_0'), { kind: 'quantisation', repository, quantisation: 'Q8_0' });
  assert.deepEqual(urls('hf:a/b-GGUF'), { kind: 'quantisation', repository, quantisation: 'Q4_K_M' });
});

test('one part of a model in several files stands for all', () => {
  assert.deepEqual(shardsOf('e-00001-of-00000.gguf'), ['e-00001-of-00000.gguf']);
  const parts = urls('hf:a/b/m-00002-of-00003.gguf');
  assert.deepEqual(Array.isArray(parts) && parts.map(([, name]) => name), [
    'm-00001-of-00003.gguf',
    'm-00002-of-00003.gguf',
    'm-00003-of-00003.gguf',
  ]);
});

test('what names no model is refused in words, and no name leads out of the folder', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /nothing was written/],
    ['models/m.gguf', /a path must be absolute/],
    ['ftp://example.org/m.gguf', /ftp: is not known here/],
    ['hf:onlyowner', /no owner and repository/],
    ['hf:../../etc/passwd.gguf', /no owner and repository/],
    ['https://example.org/', /does not end in \.gguf/],
    ['https://example.org/page.html', /does not end in \.gguf/],
    ['https://example.org/..%2F..%2F.bashrc.gguf', /\.bashrc\.gguf is no name for a file/],
    ['https://example.org/a%00b.gguf', /is no name for a file/],
    ['https://example.org/CON.gguf', /is no name for a file/],
    ['https://example.org/nul.GGUF', /is no name for a file/],
    ['https://example.org/a%5C..%5Ccon:x.gguf', /is no name for a file/],
    ['https://example.org/%ZZ.gguf', /is not written as an address/],
    ['https://user:secret@example.org/m.gguf', /a name or a password is not taken/],
  ];
  for (const [typed, words] of wrong) assert.throws(() => readSource(typed, hub), words, typed);
  assert.throws(() => readSource('hf:a/b', 'huggingface.co'), /tidemark\.network\.huggingFace is no address/);
});

test('the quantisation is read from a name as repositories write it', () => {
  const names: readonly (readonly [string, string | null])[] = [
    ['qwen2.5-coder-7b-instruct-q4_k_m.gguf', 'Q4_K_M'],
    ['Q8_0/Model-Q8_0-00001-of-00002.gguf', 'Q8_0'],
    ['gpt-oss-20b-mxfp4.gguf', 'MXFP4'],
    ['Model.IQ4_XS.gguf', 'IQ4_XS'],
    ['Model-BF16.gguf', 'BF16'],
    ['Model-UD-Q4_K_XL.gguf', 'UD-Q4_K_XL'],
    ['gemma-4-26B_q4_0-it.gguf', 'Q4_0'],
    ['model.gguf', null],
  ];
  for (const [name, quantisation] of names) assert.equal(quantisationOf(name), quantisation, name);
});

async function serve(context: TestContext, answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hash = 'a'.repeat(64);
const files = [
  { type: 'directory', path: 'sub' },
  { type: 'file', path: 'README.md', size: 10 },
  { type: 'file', path: 'mmproj-Q4_K_M.gguf', size: 10 },
  { type: 'file', path: 'm-q4_k_m-00001-of-00002.gguf', size: 5 },
  { type: 'file', path: 'm-q4_k_m-00002-of-00002.gguf', size: 6 },
  { type: 'file', path: 'm-q4_k_m.gguf', size: 11, lfs: { oid: hash, size: 11 } },
  { type: 'file', path: 'big/m-Q8_0-00002-of-00002.gguf', size: 21, lfs: { oid: hash } },
  { type: 'file', path: 'big/m-Q8_0-00001-of-00002.gguf', size: 22, lfs: { oid: 'odd' } },
];

test('a repository tells the files of a quantisation with sizes and hashes, one file rather than several', async (context) => {
  const asked: (string | undefined)[] = [];
  const endpoint = await serve(context, (request, response) => {
    asked.push(request.url);
    response.end(JSON.stringify(files));
  });
  const repository = { endpoint, name: 'a/b' };
  const get = (quantisation: string) =>
    filesFor(repository, quantisation, quickPorts.wire, new AbortController().signal);
  assert.deepEqual(await get('Q4_K_M'), [
    { url: `${endpoint}/a/b/resolve/main/m-q4_k_m.gguf`, name: 'm-q4_k_m.gguf', bytes: 11, sha256: hash },
  ]);
  assert.deepEqual(
    (await get('q8_0')).map(({ name, bytes, sha256 }) => [name, bytes, sha256]),
    [
      ['m-Q8_0-00001-of-00002.gguf', 22, null],
      ['m-Q8_0-00002-of-00002.gguf', 21, hash],
    ],
  );
  assert.equal(asked[0], '/api/models/a/b/tree/main?recursive=true');
  await assert.rejects(get('Q5_K_M'), /a\/b has no GGUF file for Q5_K_M\. It has Q4_K_M, Q8_0\./);
});

test('of a repository with drafts, projectors and matrices each quantisation is the model', async (context) => {
  const names = ['Qwen3.8-27B-Q4_0', 'Qwen3.8-27B-UD-Q4_K_M', 'Qwen3.8-27B-Q8_0', 'Qwen3.8-27B-MTP-Q5_0'];
  const beside = ['mtp-Qwen3.8-27B-Q4_0', 'mmproj-Qwen3.8-27B-Q8_0', 'Qwen3.8-27B-mmproj-Q8_0', 'imatrix-Q4_0'];
  const guessing = [
    'Qwen3.8-27B-DFlash-Q4_0',
    'dflash-draft-Q8_0',
    'Qwen3.8-27B-eagle3-Q8_0',
    'Qwen3.8-DRAFT-0.6B-Q4_0',
  ];
  const listed = [...guessing, ...beside, ...names].map((name) => ({ path: `${name}.gguf`, size: 1 }));
  const endpoint = await serve(context, (_, response) => void response.end(JSON.stringify(listed)));
  const get = async (quantisation: string) =>
    (await filesFor({ endpoint, name: 'a/b' }, quantisation, quickPorts.wire, new AbortController().signal))[0]?.name;
  assert.equal(await get('Q4_0'), 'Qwen3.8-27B-Q4_0.gguf');
  assert.equal(await get('Q8_0'), 'Qwen3.8-27B-Q8_0.gguf');
  assert.equal(await get('Q5_0'), 'Qwen3.8-27B-MTP-Q5_0.gguf');
  for (const same of ['UD-Q4_K_M', 'ud-q4_k_m', 'Q4_K_M']) assert.equal(await get(same), 'Qwen3.8-27B-UD-Q4_K_M.gguf');
  await assert.rejects(get('UD-Q8_0'), /It has Q4_0, Q5_0, Q8_0, UD-Q4_K_M\./);
});

test('a page instead of a list, a list without models, and no repository are said', async (context) => {
  let body = '<html>';
  let status = 200;
  const endpoint = await serve(context, (_, response) => void response.writeHead(status).end(body));
  const get = () => filesFor({ endpoint, name: 'a/b' }, 'Q4_K_M', quickPorts.wire, new AbortController().signal);
  await assert.rejects(get(), /sent a web page instead of the list of a\/b/);
  body = '[]';
  await assert.rejects(get(), /It has no GGUF files at all/);
  status = 404;
  await assert.rejects(get(), /has no a\/b/);
});

test('sizes are asked for without fetching, and a server that answers a GET only is left to tell later', async (context) => {
  const methods: (string | undefined)[] = [];
  const endpoint = await serve(context, ({ method, url }, response) => {
    methods.push(method);
    response.writeHead(url === '/odd.gguf' ? 405 : 200, { 'content-length': 77 }).end();
  });
  const file = (name: string) => ({ url: `${endpoint}/${name}`, name, bytes: null, sha256: null });
  const asked = await askSizes([file('a.gguf'), file('odd.gguf')], quickPorts.wire, new AbortController().signal);
  assert.deepEqual(
    asked.map(({ bytes }) => bytes),
    [77, null],
  );
  assert.deepEqual(methods, ['HEAD', 'HEAD']);
});

test('an encrypted address that redirects to one that is not is left alone', async () => {
  const redirect = async () =>
    new Response(null, { status: 302, headers: { location: 'http://elsewhere.example/m.gguf' } });
  const wire = { fetch: redirect as typeof fetch, silence: 1000 };
  const file = { url: 'https://example.org/m.gguf', name: 'm.gguf', bytes: null, sha256: null };
  await assert.rejects(
    askSizes([file], wire, new AbortController().signal),
    /redirects to elsewhere\.example, which is not encrypted/,
  );
});

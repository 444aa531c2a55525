// The network is used by one file, only where the user asked, and never while tidemark.network.offline is on.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fetchFiles } from '../../src/models/fetchFiles.ts';
import { createDownloadPorts } from '../../src/models/ports.ts';
import { askSizes, filesFor } from '../../src/models/repository.ts';
import { temporary } from '../temporary.ts';

test('while offline is on no connection is made, whatever was asked, and it is said in words', async (context) => {
  const folder = temporary('tidemark-offline-');
  let connections = 0;
  const server = createServer((_, response) => void response.end('GGUF'));
  server.on('connection', () => void connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let offline = true;
  const ports = createDownloadPorts(() => offline);
  const { signal } = new AbortController();
  const file = { url: `${endpoint}/m.gguf`, name: 'm.gguf', bytes: null, sha256: null };
  const said = /tidemark\.network\.offline is on/;
  await assert.rejects(
    fetchFiles([file], folder, ports, () => undefined, signal),
    said,
  );
  await assert.rejects(askSizes([file], ports.wire, signal), said);
  await assert.rejects(filesFor({ endpoint, name: 'a/b' }, 'Q4_K_M', ports.wire, signal), said);
  assert.equal(connections, 0);
  offline = false;
  await askSizes([file], ports.wire, signal);
  assert.equal(connections, 1);
});

test('no other source file can open a connection', () => {
  const root = join(import.meta.dirname, '../../src');
  const opens = /\bfetch\(|\bWebSocket\b|XMLHttpRequest|['"](node:)?(https?|http2|net|tls|dgram|dns|undici)(\/|['"])/;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  assert.ok(files.length > 200);
  const found = files
    .filter((path) => opens.test(readFileSync(join(root, path), 'utf8')))
    .map((path) => path.replaceAll('\\', '/'));
  // `local.ts` has ranges of addresses from there, and opens nothing. A server is asked only where the settings name one.
  assert.deepEqual(found.toSorted(), [
    ...['engine/remote/wire/http.ts', 'models/ports.ts', 'models/reach.ts'],
    // Listens at a port of this machine for a program that the user opens, and connects to nothing.
    'shell/fence/way.ts',
  ]);
});

// How a test names a server.
import { fileURLToPath } from 'node:url';
import type { ServerParams } from '../../src/protocol/engine.ts';

export const pocketPath = fileURLToPath(new URL('../../test/fixtures/pocket.gguf', import.meta.url));

export function serverParams(url: string): ServerParams {
  return { url, kind: 'auto', model: '', slot: null, key: '', caFile: '', insecure: false, offline: false };
}

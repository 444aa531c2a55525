// Opens the engine on a server: its address is looked at before anything is sent, then what it is by what it answers, and from there the
// best that can be proved of it.
import { FaultError } from '../../core/faults/faults.ts';
import type { LoadParams, ServerParams } from '../../protocol/engine.ts';
import type { WorkerEngine } from '../workerEngine.ts';
import { exactEngine } from './exactEngine.ts';
import { Http } from './http.ts';
import { openLlamaServer } from './llamaServer.ts';

/** Rejects with a FaultError. */
export async function openServer(
  server: ServerParams,
  params: Pick<LoadParams, 'slots' | 'conversations'>,
): Promise<WorkerEngine> {
  const started = performance.now();
  const { isEncrypted, isLoopback } = checkedAddress(server);
  const http = new Http(server);
  try {
    const place = { host: http.host, isEncrypted, isLoopback, reasons: [] };
    return await exactEngine(await openLlamaServer(http, server, params), place, started);
  } catch (error) {
    await http.close();
    throw error;
  }
}

/** Throws a FaultError where nothing may be sent there. */
export function checkedAddress({ url, insecure }: Pick<ServerParams, 'url' | 'insecure'>) {
  const at = URL.parse(url);
  const wrong = (reason: string) => new FaultError({ kind: 'server', problem: { is: 'badAddress', reason } });
  if (at === null || !/^https?:$/.test(at.protocol))
    throw wrong('"url" must be an address that begins with https:// or http://');
  // It would stand in settings, logs and messages.
  if (at.username !== '' || at.password !== '')
    throw wrong('"url" has a name or a password in it, which belong into the stored key');
  if (at.search !== '' || at.hash !== '') throw wrong('"url" has a "?" or a "#" in it');
  const isLoopback = isLoopbackName(at.hostname);
  const isEncrypted = at.protocol === 'https:';
  if (!isEncrypted && !isLoopback && !insecure)
    throw new FaultError({ kind: 'server', problem: { is: 'insecure', host: at.host } });
  return { isEncrypted, isLoopback };
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

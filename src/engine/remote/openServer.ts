// Opens the engine on a server: its address is looked at before anything is sent, then what it is by what it answers, and from there the
// best that can be proved of it.
import type { LoadParams, ServerParams } from '../../protocol/engine.ts';
import { checkedAddress } from '../serverAddress.ts';
import type { WorkerEngine } from '../workerEngine.ts';
import { exactEngine } from './exactEngine.ts';
import { Http, type Patience } from './http.ts';
import { openLlamaServer } from './llamaServer.ts';

/** Rejects with a FaultError. */
export async function openServer(
  server: ServerParams,
  params: Pick<LoadParams, 'slots' | 'conversations'>,
  patience?: Patience,
): Promise<WorkerEngine> {
  const started = performance.now();
  const { host, isEncrypted, isLoopback } = checkedAddress(server);
  const http = new Http(server, patience);
  try {
    const place = { host, isEncrypted, isLoopback, reasons: [] };
    return await exactEngine(await openLlamaServer(http, server, params), place, started);
  } catch (error) {
    await http.close();
    throw error;
  }
}

// Opens the engine on a server: its address is looked at before anything is sent, then what it is by what it answers, and from there the
// best that can be proved of it.
import { FaultError, faultOf } from '../../core/faults/faults.ts';
import type { LoadParams, ServerParams } from '../../protocol/engine.ts';
import { checkedAddress } from '../serverAddress.ts';
import type { WorkerEngine } from '../workerEngine.ts';
import { openChat } from './chat/chatEngine.ts';
import { exactEngine } from './exact/exactEngine.ts';
import type { ExactServer } from './exact/exactServer.ts';
import { openLlamaServer } from './exact/llamaServer.ts';
import { openVllm } from './exact/vllm.ts';
import { Http, type Patience } from './wire/http.ts';

/** `template`: told when a chat template begins to run, which is a program of whoever runs the server, and when it has. Rejects with a FaultError. */
export async function openServer(
  server: ServerParams,
  params: Pick<LoadParams, 'slots' | 'conversations' | 'contextSize'>,
  patience?: Patience,
  template: (runs: boolean) => Promise<void> = async () => undefined,
): Promise<WorkerEngine> {
  const started = performance.now();
  if (server.offline) throw new FaultError({ kind: 'server', problem: { is: 'offline' } });
  const { host, isEncrypted, isLoopback } = checkedAddress(server);
  const http = new Http(server, patience);
  try {
    const place = { host, isEncrypted, isLoopback, reasons: [] };
    const chat = (reasons: readonly string[]) => {
      // The limit on looking ends here: only a few requests are left, and one of them may load the server's model.
      http.known();
      return openChat(http, server, params, { ...place, reasons }, started);
    };
    if (server.kind === 'openai') return await chat([]);
    const proved = async (opened: ExactServer) => {
      await template(true);
      const engine = await exactEngine(opened, place, started).finally(() => template(false));
      http.known();
      return engine;
    };
    const exact = async () => proved(await openLlamaServer(http, server, params));
    if (server.kind === 'llama-server') return await exact();
    const vllm = async () => proved(await openVllm(http, server, params));
    if (server.kind === 'vllm') return await vllm();
    return await exact()
      .catch((error: unknown) => (isMissing(error) ? vllm() : Promise.reject(error)))
      .catch((error: unknown) => {
        const reason = whyNotExact(error);
        if (reason === null) throw error;
        return chat([reason]);
      });
  } catch (error) {
    await http.close();
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const fault = faultOf(error);
  return fault.kind === 'server' && fault.problem.is === 'missing';
}

/** A sentence, where it is another kind of server, or one whose ids cannot be relied on; null for what ails any request to it. */
function whyNotExact(error: unknown): string | null {
  const fault = faultOf(error);
  if (fault.kind !== 'server') return null;
  const { problem } = fault;
  if (problem.is === 'missing')
    return problem.path === '/tokenizer_info'
      ? 'No token ids: it has neither the /props of llama-server nor the /tokenizer_info of vLLM (--enable-tokenizer-info-endpoint).'
      : `No token ids: it has no ${problem.path}.`;
  if (problem.is === 'otherTokens' || problem.is === 'notUnderstood') return `No token ids: ${problem.reason}.`;
  return null;
}

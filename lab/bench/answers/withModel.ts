// An open engine whose generations come by another way.
import type { OpenEngine } from '../../cli/engine.ts';

export function withModel({ client, info }: OpenEngine, model: OpenEngine['client']['model']): OpenEngine {
  return {
    info,
    client: {
      request: client.request.bind(client),
      measure: client.measure,
      count: client.count,
      prefill: client.prefill,
      dispose: client.dispose.bind(client),
      model,
    },
  };
}

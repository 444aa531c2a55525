// The worker's own code in this process: for benchmarks that look at logits, which the protocol does not carry.

import { FaultError } from '../../src/core/faults/faults.ts';
import { type AskEngine, type EngineClient, engineMethods } from '../../src/engine/client.ts';
import { generate } from '../../src/engine/worker/draw/generate.ts';
import { warm } from '../../src/engine/worker/draw/warm.ts';
import { type LoadedEngine, loadEngine } from '../../src/engine/worker/load/loadModel.ts';
import type { EngineRequests, LoadParams } from '../../src/protocol/engine.ts';

export interface LocalEngine {
  readonly engine: LoadedEngine;
  readonly client: Pick<EngineClient, 'request' | 'measure' | 'count' | 'prefill' | 'model' | 'dispose'>;
}

/** `warmed` is called after every idle work on a slot. */
export async function openLocal(params: LoadParams, warmed: (slot: number) => Promise<void>): Promise<LocalEngine> {
  const engine = await loadEngine(params, {
    planned: () => undefined,
    progress: () => undefined,
    template: async () => undefined,
  });
  const slotAt = (index: number) => {
    const slot = engine.slots[index];
    if (slot === undefined) throw new FaultError({ kind: 'engineStopped' });
    return slot;
  };
  const answers: { [K in keyof EngineRequests]?: (params: never) => Promise<EngineRequests[K]['result']> } = {
    measure: async ({ prompt }: EngineRequests['measure']['params']) => engine.tokeniser.prompt(prompt).measure,
    warm: async ({ slot, prompt, ...how }: EngineRequests['warm']['params']) => {
      const warmth = await warm(slotAt(slot), engine.tokeniser.prompt(prompt), how, new AbortController().signal);
      await warmed(slot);
      return warmth;
    },
  };
  const request: AskEngine = (name, given) => {
    const answer = answers[name] as ((params: unknown) => ReturnType<AskEngine>) | undefined;
    if (answer === undefined) throw new Error(`${name} is not answered here`);
    return answer(given) as never;
  };
  const client: LocalEngine['client'] = {
    ...engineMethods(request),
    request,
    model: (index, sampling, forced) => ({
      measure: async (prompt) => engine.tokeniser.prompt(prompt).measure,
      generate: (request, onText) => {
        const said = forced?.();
        return generate({
          loaded: engine.loaded,
          slot: slotAt(index),
          params: { ...request, slot: index, sampling },
          prompt: engine.tokeniser.prompt(request.prompt),
          forced: said === undefined ? null : engine.tokeniser.message(said.text, said.calls),
          onText,
          onProgress: () => undefined,
          signal: new AbortController().signal,
        });
      },
    }),
    dispose: () => engine.dispose(),
  };
  return { engine, client };
}

// Compares a model here with the same one on a server: the ids of the same prompts, and the greedy texts in each way of calling tools.
import type { Generation, ToolCallMode } from '../../../src/core/model/model.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import { loadLocal } from '../../../src/engine/worker/local.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import { serverParams } from '../../servers/serverParams.ts';
import { prompts } from './prompts.ts';

const local = { contextSize: 4096, gpu: 'off', gpuLayers: null, threads: 1, slots: 1 } as const;
const nobody = { planned: () => undefined, progress: () => undefined, template: async () => undefined };
const quiet = { onText: () => undefined, onProgress: () => undefined };

async function generated(engine: WorkerEngine, name: string, toolCalls: ToolCallMode): Promise<Generation> {
  const prompt = prompts[name];
  if (prompt === undefined) throw new Error(name);
  const sampling = { temperature: 0, seed: null };
  const params = { slot: 0, prompt, maxTokens: 64, toolCalls, reuse: 'exact', sampling } as const;
  return engine.generate(params, await engine.tokens(prompt), null, quiet, new AbortController().signal);
}

/** Counts the prompts whose ids are the same, and the greedy texts that are, in each mode. */
export async function compared(modelPath: string, url: string) {
  const here = await loadLocal({ modelPath, ...local }, nobody);
  try {
    const there = await openServer(serverParams(url), local);
    const [ids, texts, different]: [boolean[], boolean[], string[]] = [[], [], []];
    for (const [name, prompt] of Object.entries(prompts)) {
      const [own, other] = [await here.tokens(prompt), await there.tokens(prompt)];
      ids.push(own.tokens.join() === other.tokens.join());
      for (const mode of ['auto', 'none', 'choice'] as const) {
        if (mode === 'choice' && prompt.tools.length === 0) continue;
        const [a, b] = [await generated(here, name, mode), await generated(there, name, mode)];
        const same = a.generated.ids.join() === b.generated.ids.join() && a.raw === b.raw && a.stop === b.stop;
        texts.push(same);
        if (!same) different.push(`${name}, ${mode}: ${JSON.stringify(a.raw)} and ${JSON.stringify(b.raw)}`);
      }
    }
    await there.dispose();
    const yes = (all: readonly boolean[]) => all.filter(Boolean).length;
    return { ids: [yes(ids), ids.length], texts: [yes(texts), texts.length], different };
  } finally {
    await here.dispose();
  }
}

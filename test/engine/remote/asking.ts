// Asks an engine one question, for the tests of servers: greedily, in the first slot.
import type { Generation } from '../../../src/core/model/model.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import type { GenerateParams } from '../../../src/protocol/engine.ts';

export const never = new AbortController().signal;

interface Asking extends Partial<Pick<GenerateParams, 'toolCalls' | 'maxTokens'>> {
  readonly heard?: string[];
  readonly signal?: AbortSignal;
}

export async function ask(
  engine: WorkerEngine,
  prompt: Prompt,
  { heard = [], signal = never, toolCalls = 'auto', maxTokens = 48 }: Asking = {},
): Promise<Generation> {
  const sampling = { temperature: 0, seed: null };
  const params = { slot: 0, prompt, maxTokens, toolCalls, reuse: 'exact', sampling } as const;
  const tell = { onText: (text: string) => void heard.push(text), onProgress: () => undefined };
  return engine.generate(params, await engine.tokens(prompt), null, tell, signal);
}

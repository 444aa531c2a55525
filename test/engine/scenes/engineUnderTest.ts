// The real engine process with a nano model: started for one test file, ended with it. Prompts are built in one line each.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { ToolCall } from '../../../src/core/dialog/dialog.ts';
import type { Signal, ToolSchema } from '../../../src/core/dialog/tool.ts';
import type { Fault } from '../../../src/core/faults/fault.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { MemoryPlan } from '../../../src/core/machine/memoryPlan.ts';
import type { Generation, PrefillProgress } from '../../../src/core/model/model.ts';
import type { Message, Prompt } from '../../../src/core/prompt/prompt.ts';
import { EngineClient } from '../../../src/engine/client.ts';
import { forkEngine } from '../../../src/engine/fork.ts';
import type { GenerateParams, LoadParams } from '../../../src/protocol/engine.ts';
import { nanoModel } from '../../models/scenes/nano.ts';

export { chat, message, words } from '../../../lab/servers/prompts.ts';

export const workerScript = join(import.meta.dirname, '../../../src/engine/worker/main.ts');

export interface Heard {
  readonly loading: number[];
  /** Notices about the generations that `say` asked for. */
  readonly prefilling: PrefillProgress[];
  readonly crashed: Fault[];
  readonly planned: MemoryPlan[];
  /** Notices of loading that came before the last plan. */
  loadingWhenPlanned: number;
}

export interface UnderTest {
  readonly client: EngineClient;
  readonly heard: Heard;
  /** Called at every prefill notice. */
  onPrefill: (() => void) | null;
}

export function startEngine(): UnderTest {
  const heard: Heard = { loading: [], prefilling: [], crashed: [], planned: [], loadingWhenPlanned: 0 };
  const client = new EngineClient(() => forkEngine(workerScript));
  client.planned.subscribe((memory) => {
    heard.planned.push(memory);
    heard.loadingWhenPlanned = heard.loading.length;
  });
  client.loading.subscribe((progress) => void heard.loading.push(progress));
  client.crashed.subscribe((fault) => void heard.crashed.push(fault));
  const under: UnderTest = { client, heard, onPrefill: null };
  after(() => client.dispose());
  return under;
}

export function loadParams(params: Partial<LoadParams> = {}): LoadParams {
  const modelPath = params.modelPath ?? nanoModel();
  if (params.modelPath === undefined && !existsSync(modelPath)) throw new Error(`${modelPath} was not written`);
  return { modelPath, contextSize: 4096, gpu: 'off', gpuLayers: null, threads: 1, slots: 1, verify: true, ...params };
}

/** The fault a promise rejects with; fails when it resolves or rejects with anything else. */
export async function faultIn(promise: Promise<unknown>): Promise<Fault> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  );
  if (error instanceof FaultError) return error.fault;
  throw error;
}

/** A tool result as projection writes it: a stub line and a body. */
export function result(head: string, body: string, tool = 'probe'): Message {
  const segment = (part: 'stub' | 'body', text: string) => ({ layer: 'steps', item: 'r', part, text }) as const;
  return { role: 'tool', segments: [segment('stub', head), segment('body', body)], call: { id: 'call00001', tool } };
}

export function callMessage(text: string, calls: readonly ToolCall[]): Message {
  return { role: 'assistant', segments: [{ layer: 'steps', item: 'c', part: 'text', text, calls }] };
}

export const probeTool: ToolSchema = {
  name: 'probe',
  description: 'Look at one thing.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where.' },
      line: { type: 'integer', description: 'Which line.' },
      deep: { type: 'boolean', description: 'Whether to look deeper.' },
    },
    required: ['path'],
  },
};

export interface Said extends Generation {
  readonly streamed: string;
}

/** Generates greedily and collects what was streamed. */
export async function say(
  under: UnderTest,
  prompt: Prompt,
  options: Partial<Omit<GenerateParams, 'prompt'>> & { signal?: Signal; onText?: (text: string) => void } = {},
): Promise<Said> {
  const { slot = 0, maxTokens = 8, toolCalls = 'auto', reuse = 'auto', forced } = options;
  const { sampling = { temperature: 0, seed: 1 } } = options;
  let streamed = '';
  const collect = (text: string) => {
    streamed += text;
    options.onText?.(text);
  };
  const model = under.client.model(slot, sampling, forced === undefined ? undefined : () => forced);
  const signal = options.signal ?? new AbortController().signal;
  const hear = (progress: PrefillProgress) => {
    under.heard.prefilling.push(progress);
    under.onPrefill?.();
  };
  const generation = await model.generate({ prompt, maxTokens, toolCalls, reuse }, collect, signal, hear);
  return { ...generation, streamed };
}

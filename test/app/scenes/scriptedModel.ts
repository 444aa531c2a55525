// An engine without a process: answers by a script, counts four characters as a token, and can crash when told to.

import type { Abilities } from '../../../src/app/ports/abilities.ts';
import type { LocalEngine } from '../../../src/app/ports/engine.ts';
import type { ModelAbilities } from '../../../src/core/abilities/abilities.ts';
import { renderCalls } from '../../../src/core/calls/render.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { Signal } from '../../../src/core/dialog/tool.ts';
import { nothingCompleted } from '../../../src/core/engine/completion.ts';
import type { ModelInfo, ServerInfo } from '../../../src/core/engine/modelInfo.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Generation } from '../../../src/core/model/model.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { type AskEngine, engineMethods, type Hearing } from '../../../src/engine/client.ts';
import type { EngineRequests } from '../../../src/protocol/engine.ts';
import { measure, piecesOf } from './measure.ts';
import { gate, tick } from './waiting.ts';

export const modelInfo: ModelInfo = {
  name: 'scripted',
  fingerprint: 'f1',
  contextSize: 2048,
  trainContext: 2048,
  device: 'CPU (scripted)',
  layers: 0,
  asked: null,
  threads: 1,
  fileBytes: 1,
  erases: { not: 'it is scripted' },
  loadMilliseconds: 1,
  slots: 1,
  memory: null,
  toolCalls: { format: 'hermes', syntax: hermes, schemas: 'template' },
};

export const server: ServerInfo = {
  host: 'desk.example',
  isEncrypted: true,
  isLoopback: false,
  software: 'scripted',
  grade: 'exact',
  reasons: [],
  ownSlots: null,
};

export type Say =
  | string
  | { readonly call: string; readonly arguments: Record<string, unknown> }
  | { readonly crash: string };

type Names = Exclude<keyof EngineRequests, 'machine' | 'estimate' | 'loadEmbedding' | 'embed'>;
type Params<K extends Names> = EngineRequests[K]['params'];
type Result<K extends Names> = EngineRequests[K]['result'];

/** Answers a request, given its parameters, the answer it would have had, and the listener that hears of it meanwhile. */
type Answer<K extends Names> = (
  params: Params<K>,
  usual: () => Promise<Result<K>>,
  signal?: Signal,
  hearing?: Hearing,
) => Result<K> | Promise<Result<K>>;

export interface ScriptedEngine extends LocalEngine {
  readonly request: AskEngine;
  /** Names of the requests in the order they came. */
  readonly asked: string[];
  /** Counts the requests of a name. */
  times(name: string): number;
  readonly prompts: Prompt[];
  /** Prompts of summaries. */
  readonly summaryPrompts: Prompt[];
  /** Makes the next loads fail with this fault until it is taken away. */
  failLoads: FaultError | null;
  /** How many generations were cancelled. */
  cancelled: number;
  /** The most generations that were under way at once. */
  most: number;
  /** The model that is loaded. */
  info: ModelInfo;
  /** The answer to a request for a summary: its text, or a promise of it; `null` where it ends for a higher rank. */
  summarise: (prompt: Prompt, signal: Signal) => string | null | Promise<string | null>;
  /** Answers requests of this name so from now on. */
  answer<K extends Names>(name: K, how: Answer<K>): void;
  /** Lets requests of this name wait until the returned function is called. */
  hold(name: Names): () => void;
}

/** A model that calls tools by itself. */
export const ableNature: ModelAbilities = {
  calls: 'marks',
  wrote: '',
  answers: true,
  ends: true,
  thinks: '',
  reading: 100,
  writing: 10,
};

/** A stand-in for `Abilities` in which every model has `ableNature`. */
export const ableModels: Abilities = {
  of: () => ableNature,
  wants: () => false,
  words: () => '',
  test: async () => null,
};

export function createScriptedEngine(script: Say[]): ScriptedEngine {
  let running = 0;
  const others: { [K in Names]?: Answer<K> } = {};
  const answered = <K extends Names>(name: K, ...[params, usual, ...heard]: Parameters<Answer<K>>) => {
    engine.asked.push(name);
    const how: Answer<K> | undefined = others[name];
    return how === undefined ? usual() : how(params, usual, ...heard);
  };
  const ask: AskEngine = async (name, params, ...heard) => {
    const known = name as Exclude<Names, 'generate'>;
    const usual = usualAnswers(engine)[known] as (given: typeof params) => never;
    return answered(known, params as never, async () => usual(params), ...heard) as never;
  };
  const engine: ScriptedEngine = {
    ...engineMethods(ask),
    request: ask,
    asked: [],
    times: (name) => engine.asked.filter((one) => one === name).length,
    prompts: [],
    summaryPrompts: [],
    failLoads: null,
    cancelled: 0,
    most: 0,
    info: modelInfo,
    summarise: () => '{}',
    answer: <K extends Names>(name: K, how: Answer<K>) => {
      const former: Answer<K> = others[name] ?? ((_, usual) => usual());
      const inFront: Answer<K> = (params, usual, ...heard) =>
        how(params, async () => former(params, usual, ...heard), ...heard);
      Object.assign(others, { [name]: inFront });
    },
    hold: (name) => {
      const { closed, open } = gate();
      engine.answer(name, (_, usual) => closed.then(usual));
      return open;
    },
    dispose: async () => void engine.asked.push('dispose'),
    model: (slot, sampling) => ({
      measure: async (prompt) => measure(prompt),
      generate: async (asked, onText, signal) => {
        const { prompt, grammar } = asked;
        if (grammar !== undefined) {
          engine.summaryPrompts.push(prompt);
          const written = await engine.summarise(prompt, signal);
          return generation(written ?? '', signal.aborted || written === null ? 'cancelled' : 'end');
        }
        engine.prompts.push(prompt);
        engine.most = Math.max(engine.most, ++running);
        const usual = () => speak(engine, script, onText, signal);
        return Promise.resolve(answered('generate', { ...asked, slot, sampling }, usual, signal)).finally(() => {
          running -= 1;
        });
      },
    }),
  };
  return engine;
}

async function speak(engine: ScriptedEngine, script: Say[], onText: (text: string) => void, signal: Signal) {
  const say = script.shift() ?? 'done';
  if (typeof say === 'object' && 'crash' in say) {
    onText(say.crash);
    throw new FaultError({ kind: 'engineCrashed', reason: 'SIGKILL' });
  }
  const raw = typeof say === 'string' ? say : rawCall(say.call, say.arguments);
  let said = '';
  for (const piece of raw.match(/.{1,5}/gs) ?? []) {
    await tick();
    if (signal.aborted) {
      engine.cancelled += 1;
      return generation(said, 'cancelled', engine.info.fingerprint);
    }
    said += piece;
    onText(piece);
  }
  return generation(raw, 'end', engine.info.fingerprint);
}

function usualAnswers(engine: ScriptedEngine): { [K in Exclude<Names, 'generate'>]: (params: Params<K>) => Result<K> } {
  return {
    load: () => {
      if (engine.failLoads !== null) throw engine.failLoads;
      return engine.info;
    },
    measure: ({ prompt }) => measure(prompt),
    count: ({ texts }) => texts.map((text) => Math.ceil(text.length / 4)),
    spell: ({ prompt }) => JSON.stringify(prompt.messages),
    spellPieces: ({ prompt }) => piecesOf(prompt),
    warm: () => ({ warmed: 10, of: 10, prefill: { ...prefill, slotTokens: 10 }, settled: 0, unsettled: null }),
    attempt: () => generation('', 'cancelled'),
    complete: () => nothingCompleted,
    speed: () => {
      const rows = [{ threads: 2, prefill: 100, generation: 10 }];
      return { device: 'CPU', threads: 2, found: false, window: 8192, busy: false, rows };
    },
    saveSnapshot: () => ({ saved: false, reason: 'nothing is stored' }),
    loadSnapshot: () => ({ loaded: false, reason: 'there is none', deleted: false }),
  };
}

/** A summariser that does its work: it keeps all sentences that it is shown, the last ones first. */
export function goodSummary(prompt: Prompt): string {
  const asked = prompt.messages.at(-1)?.segments[0]?.text ?? '';
  const numbers = [...asked.matchAll(/^(\d+) \S/gm)].map(([, number]) => Number(number));
  return JSON.stringify({ keep: numbers.toReversed().slice(0, 40), done: 'The questions were answered.' });
}

const prefill = {
  reused: 0,
  shifted: 0,
  decoded: 10,
  slotTokens: 0,
  approximate: 0,
  firstBreak: null,
  milliseconds: 1,
};

function rawCall(name: string, args: Record<string, unknown>): string {
  return renderCalls(hermes, '', [{ id: 'x', name, arguments: args }])
    .map(({ text }) => text)
    .join('');
}

function generation(raw: string, stop: Generation['stop'], model = modelInfo.fingerprint): Generation {
  const generated = { model, ids: [...raw].map((char) => char.charCodeAt(0)) };
  return { raw, generated, stop, prefill, firstTokenMilliseconds: 1, generateMilliseconds: 1 };
}

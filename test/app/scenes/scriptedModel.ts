// An engine without a process: answers by a script, counts four characters as a token, and can crash when told to.
import type { ConversationPorts } from '../../../src/app/ports/conversationPorts.ts';
import type { LocalEngine } from '../../../src/app/ports/engine.ts';
import type { ModelAbilities } from '../../../src/core/abilities/abilities.ts';
import type { ProbeAttempt } from '../../../src/core/abilities/probe.ts';
import { renderCalls } from '../../../src/core/calls/render.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { Signal } from '../../../src/core/dialog/tool.ts';
import type { ModelInfo } from '../../../src/core/engine/modelInfo.ts';
import type {
  LoadSnapshotParams,
  SaveSnapshotParams,
  SnapshotLoaded,
  SnapshotSaved,
} from '../../../src/core/engine/slotState.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Generation } from '../../../src/core/model/model.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { type AskEngine, engineMethods } from '../../../src/engine/methods.ts';
import type { EngineRequests } from '../../../src/protocol/engine.ts';
import { measure, piecesOf } from './measure.ts';

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

export type Say =
  | string
  | { readonly call: string; readonly arguments: Record<string, unknown> }
  | { readonly crash: string };

export interface ScriptedEngine extends LocalEngine {
  /** What its methods ask; a test may put another in its place. */
  request: AskEngine;
  /** Names of the requests in the order they came. */
  readonly log: string[];
  readonly prompts: Prompt[];
  /** Makes the next loads fail with this fault until it is taken away. */
  failLoads: FaultError | null;
  /** The next loads wait for this. */
  gate: Promise<void>;
  /** How many generations were cancelled. */
  cancelled: number;
  /** What is loaded. */
  info: ModelInfo;
  /** What it writes when it is asked for a summary: its text, or a promise of it. */
  summarise: (prompt: Prompt, signal: Signal) => string | Promise<string>;
  /** What becomes of stored slots; both may throw. */
  snapshots: {
    save: (params: SaveSnapshotParams) => SnapshotSaved | Promise<SnapshotSaved>;
    load: (params: LoadSnapshotParams) => SnapshotLoaded | Promise<SnapshotLoaded>;
  };
  /** Prompts of summaries. */
  readonly folds: Prompt[];
  /** What it says when it is tested. */
  tried: (prompt: Prompt) => unknown;
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

/** It is known of every model. */
export const ableModels: ConversationPorts['abilities'] = {
  of: () => ableNature,
  wants: () => false,
  words: () => '',
  test: async () => null,
};

export function createScriptedEngine(script: Say[]): ScriptedEngine {
  const log: string[] = [];
  const prompts: Prompt[] = [];
  const engine: ScriptedEngine = {
    ...engineMethods((...asked) => engine.request(...asked)),
    log,
    prompts,
    failLoads: null,
    gate: Promise.resolve(),
    cancelled: 0,
    info: modelInfo,
    summarise: () => '{}',
    folds: [],
    tried: () => generation('', 'cancelled'),
    snapshots: {
      save: () => ({ saved: false, reason: 'nothing is stored' }),
      load: () => ({ loaded: false, reason: 'there is none', deleted: false }),
    },
    dispose: async () => {
      log.push('dispose');
    },
    request: async (name, params) => {
      log.push(name);
      if (name === 'load') await engine.gate;
      if (name === 'load' && engine.failLoads !== null) throw engine.failLoads;
      const results = {
        load: () => engine.info,
        measure: () => measure((params as { prompt: Prompt }).prompt),
        count: () => (params as { texts: readonly string[] }).texts.map((text) => Math.ceil(text.length / 4)),
        spell: () => JSON.stringify((params as { prompt: Prompt }).prompt.messages),
        spellPieces: () => piecesOf((params as { prompt: Prompt }).prompt),
        warm: () => ({ warmed: 10, of: 10, prefill: { ...prefill, slotTokens: 10 }, settled: 0, unsettled: null }),
        generate: () => undefined,
        attempt: () => engine.tried((params as ProbeAttempt).prompt),
        speed: () => ({
          device: 'CPU',
          threads: 2,
          found: false,
          window: 8192,
          rows: [{ threads: 2, prefill: 100, generation: 10 }],
        }),
        saveSnapshot: () => engine.snapshots.save(params as SaveSnapshotParams),
        loadSnapshot: () => engine.snapshots.load(params as LoadSnapshotParams),
        machine: () => undefined,
        estimate: () => undefined,
        loadEmbedding: () => undefined,
        embed: () => [],
      } satisfies Record<keyof EngineRequests, () => unknown>;
      return results[name as keyof EngineRequests]() as never;
    },
    model: () => ({
      measure: async (prompt) => measure(prompt),
      generate: async ({ prompt, grammar }, onText, signal) => {
        if (grammar !== undefined) {
          engine.folds.push(prompt);
          const written = await engine.summarise(prompt, signal);
          return generation(written, signal.aborted ? 'cancelled' : 'end');
        }
        log.push('generate');
        prompts.push(prompt);
        const say = script.shift() ?? 'done';
        if (typeof say === 'object' && 'crash' in say) {
          onText(say.crash);
          throw new FaultError({ kind: 'engineCrashed', reason: 'SIGKILL' });
        }
        const raw = typeof say === 'string' ? say : rawCall(say.call, say.arguments);
        let said = '';
        for (const piece of raw.match(/.{1,5}/gs) ?? []) {
          await new Promise((resolve) => setImmediate(resolve));
          if (signal.aborted) {
            engine.cancelled += 1;
            return generation(said, 'cancelled', engine.info.fingerprint);
          }
          said += piece;
          onText(piece);
        }
        return generation(raw, 'end', engine.info.fingerprint);
      },
    }),
  };
  return engine;
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

// Sees each chunk that llama.cpp decodes, and for whom.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type LlamaContext, LlamaContextSequence, LlamaModel } from 'node-llama-cpp';
import type { Asker } from '../../../src/core/machine/askers.ts';

/** Times are a count of what happened. */
export interface Step {
  readonly asker: Asker;
  readonly tokens: number;
  readonly began: number;
  ended: number;
}

export interface Asked {
  readonly asker: Asker;
  readonly asked: number;
  ended: number;
}

const running = new AsyncLocalStorage<Asker>();
let steps: Step[] = [];
let clock = 0;
let told: () => void = () => undefined;

async function seen<T>(tokens: number, job: () => Promise<T>): Promise<T> {
  const asker = running.getStore();
  if (asker === undefined) return job();
  const step: Step = { asker, tokens, began: ++clock, ended: Number.POSITIVE_INFINITY };
  steps.push(step);
  try {
    return await job();
  } finally {
    step.ended = ++clock;
    told();
  }
}

const library = LlamaContextSequence.prototype;
const {
  evaluate,
  evaluateWithMetadata,
  evaluateWithoutGeneratingNewTokens: decode,
  controlledEvaluate: check,
} = library;
library.evaluateWithoutGeneratingNewTokens = function (tokens, options) {
  return seen(tokens.length, () => decode.call(this, tokens, options));
};
library.controlledEvaluate = function (input, options) {
  return seen(input.length, () => check.call(this, input, options));
};
library.evaluate = function (tokens, options) {
  const drawn = evaluate.call(this, tokens, options);
  const next = drawn.next.bind(drawn);
  drawn.next = (...input) => seen(1, () => next(...input));
  return drawn;
};

library.evaluateWithMetadata = function (
  this: LlamaContextSequence,
  ...given: Parameters<typeof evaluateWithMetadata>
) {
  const drawn = Reflect.apply(evaluateWithMetadata, this, given) as ReturnType<typeof evaluateWithMetadata>;
  const next = drawn.next.bind(drawn);
  drawn.next = (...input) => seen(1, () => next(...input));
  return drawn;
} as typeof evaluateWithMetadata;

const open = new Set<LlamaContext>();
const { createContext } = LlamaModel.prototype;
let peak = 0;
LlamaModel.prototype.createContext = async function (options) {
  const context = await createContext.call(this, options);
  open.add(context);
  context.onDispose.createListener(() => open.delete(context));
  peak = Math.max(
    peak,
    [...open].reduce((sum, { memoryUsage }) => sum + memoryUsage.ram, 0),
  );
  return context;
};

/** The most bytes that contexts took at once. */
export function mostBytes(): number {
  return peak;
}

export function stepsOf(): readonly Step[] {
  return steps;
}

export function forgetSteps(): void {
  steps = [];
}

/** Chunks that were decoded for it. */
export function decoded(asker: Asker): number {
  return steps.filter((step) => step.asker === asker && step.ended < Number.POSITIVE_INFINITY).length;
}

export function asking<T>(asker: Asker, ask: () => Promise<T>): { readonly asked: Asked; readonly result: Promise<T> } {
  const asked: Asked = { asker, asked: ++clock, ended: Number.POSITIVE_INFINITY };
  const result = running.run(asker, ask).finally(() => {
    asked.ended = ++clock;
  });
  return { asked, result };
}

/** Until so many chunks more were decoded for it. */
export function untilStep(asker: Asker, count: number): Promise<void> {
  const wanted = decoded(asker) + count;
  return new Promise((resolve) => {
    const look = () => {
      if (decoded(asker) >= wanted) resolve();
    };
    told = look;
    look();
  });
}

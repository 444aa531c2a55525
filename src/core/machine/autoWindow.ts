// Chooses a model's window where the user set none: the largest of four that it was trained for, that leaves memory to others, and that this
// machine reads in a time one waits for.
import { type MemoryRequest, type ModelMemory, type ReadingPace, type WindowLimit, wholePlan } from './memoryPlan.ts';

/** Tokens. The first is taken whatever it costs, unless the model was trained for less: below it a conversation holds little. */
export const autoWindows = [8192, 16_384, 32_768, 65_536] as const;
export const leastAuto = autoWindows[0];

/** Most seconds for reading a window whole. About half of one is decoded again while idle, in the minute that the settings gives by default. */
const longest = 120;
/** Share of main memory, whoever uses it now, that a model may take: what is free at the moment would make another window of each start. */
const ramShare = 0.5;
/** Share of the GPU's free memory. */
const gpuShare = 0.9;

/** The machine, the model and the wish, as far as the window depends on them. */
export interface WindowRequest extends Omit<MemoryRequest, 'window'> {
  /** The training length in tokens; null where the header does not say. */
  readonly trained: number | null;
  /** Main memory of the machine, in bytes. */
  readonly total: number;
  /** Bytes of the GPU's memory that are main memory too. */
  readonly shared: number;
  /** A pace that nobody knows is null, and sets no limit. */
  readonly pace: ReadingPace | null;
}

export interface ChosenWindow {
  readonly window: number;
  readonly limit: WindowLimit;
}

/** `modelAt`: sizes with each of the windows, since buffers grow with them. */
export function chooseWindow(modelAt: (window: number) => ModelMemory, request: WindowRequest): ChosenWindow {
  const trained = request.trained ?? leastAuto;
  let window: number = Math.min(leastAuto, trained);
  for (const next of autoWindows.filter((one) => one > window)) {
    if (next > trained) return { window, limit: { is: 'trained' } };
    const limit = memoryLimit(modelAt(next), next, request) ?? paceLimit(next, request.pace);
    if (limit !== null) return { window, limit };
    window = next;
  }
  return { window, limit: { is: window > leastAuto ? 'largest' : 'trained' } };
}

/** All conversations that the user wants in memory come before a larger window, and the context for tests does too. */
function memoryLimit(model: ModelMemory, next: number, request: WindowRequest): WindowLimit | null {
  const { free, allowed, total, shared } = request;
  const { needed, repacked } = wholePlan(model, { ...request, window: next });
  const kept = needed.ram - repacked;
  const isFree = needed.ram <= free.ram && needed.gpu <= gpuShare * free.gpu;
  const leavesEnough = kept + Math.min(needed.gpu, shared) <= ramShare * total;
  const isAllowed = kept <= (allowed ?? kept);
  return isFree && leavesEnough && isAllowed ? null : { is: 'memory', next, needed };
}

function paceLimit(next: number, pace: ReadingPace | null): WindowLimit | null {
  if (pace === null) return null;
  const seconds = secondsToRead(next, pace);
  return seconds <= longest ? null : { is: 'pace', next, seconds, pace };
}

/** On average a token has half of the prompt before it. */
export function secondsToRead(tokens: number, { tokensPerSecond, attention }: ReadingPace): number {
  return (tokens * (1 + (attention * tokens) / 2)) / tokensPerSecond;
}

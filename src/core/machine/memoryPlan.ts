// Plans a model's memory before it is loaded: the window that fits, and how many conversations keep their slots.

import { type Asker, allAskers, needsBeside, needsPassing } from './askers.ts';

/** Bytes of main memory, and of the GPU's own. */
export interface Bytes {
  readonly ram: number;
  readonly gpu: number;
}

/** Sizes from the library's estimators, which leave out the repacked copies of weights. */
export interface ModelMemory {
  readonly weights: Bytes;
  /** Copies of weights in the layout that this processor likes. The system can take the file's own pages back. */
  readonly repacked: number;
  /** Compute buffers, for any number of slots. */
  readonly compute: Bytes;
  /** A slot's KV cache takes `fixed` + `perToken` x window. */
  readonly slot: { readonly fixed: Bytes; readonly perToken: Bytes };
  /** Bytes of one checkpoint; 0 for models that go back to any token without. */
  readonly checkpoint: number;
  readonly kinds: LayerKinds;
  /** The context that is made for a while for those of the table who have no slot. */
  readonly passing: Bytes;
  /** The context for text at the caret; nothing where the model cannot fill in the middle. */
  readonly beside: Bytes;
}

/** Shares of the sizes, in bytes of main memory and GPU together. Attention to all tokens takes what is left. */
export interface LayerKinds {
  /** A share of the weights: a token needs a few of them only. */
  readonly experts: number;
  /** The running state of a slot. */
  readonly recurrent: number;
  /** Layers that see a window of tokens: of a slot's cache `fixed` + `perToken` x window. */
  readonly windowed: { readonly fixed: number; readonly perToken: number };
}

export interface MemoryRequest {
  /** Tokens per slot. */
  readonly window: number;
  /** Slots that one conversation needs: one for each generating node. */
  readonly slots: number;
  /** Conversations whose slots stay in memory, if they fit. */
  readonly conversations: number;
  /** Memory that happens to be free. */
  readonly free: Bytes;
  /** Most main memory that the user allows, in bytes; null for no limit. */
  readonly allowed: number | null;
  /** Who will ask; those of the editor, if not said. */
  readonly askers?: readonly Asker[];
}

/** How fast prompts are read. */
export interface ReadingPace {
  /** Tokens of a short prompt. */
  readonly tokensPerSecond: number;
  /** True where it was tested with this model, and not estimated from its size. */
  readonly measured: boolean;
  /** Cost of attention to one token before, as a share of a token's cost in a short prompt. */
  readonly attention: number;
}

/** Why a window that was chosen is not larger; `next` is the one that was not taken. */
export type WindowLimit =
  | { readonly is: 'trained' | 'largest' }
  | { readonly is: 'memory'; readonly next: number; readonly needed: Bytes }
  | { readonly is: 'pace'; readonly next: number; readonly seconds: number; readonly pace: ReadingPace };

export interface MemoryPlan {
  /** Tokens per slot. Less than wanted only to stay within a budget that the user gave. */
  readonly window: number;
  readonly conversations: number;
  /** Slots in all. */
  readonly slots: number;
  readonly wanted: MemoryRequest;
  /** Bytes in main memory and on the GPU together. */
  readonly weights: number;
  readonly repacked: number;
  readonly compute: number;
  /** KV cache of all slots, in bytes. */
  readonly kv: number;
  /** Bytes that one more token of window adds to `kv`. */
  readonly kvPerToken: number;
  /** `experts` is of `weights`, the others are all of `kv`. */
  readonly kinds: Readonly<Record<'experts' | 'attention' | 'recurrent' | 'windowed', number>>;
  /** Layers that see a window keep no more than that, so slots go back to checkpoints. */
  readonly isWindowed: boolean;
  /** Bytes of one, and how many of them each slot keeps at most; none for models that go back to any token. */
  readonly checkpoints: { readonly each: number; readonly most: number };
  /** A context for a while, beside the slots; null where nobody asks for one, or the memory is too short. */
  readonly passing: number | null;
  /** The context for text at the caret, made when it is first asked for; null where the model cannot, or the memory is too short. */
  readonly beside: number | null;
  /** All of these. */
  readonly needed: Bytes;
  /** Why the window is this one, where the user set none. */
  readonly limit?: WindowLimit;
}

/** A smaller window holds no conversation: head, question, a tool result and an answer. */
export const leastWindow = 2048;
const step = 256;
/** In each slot: behind the head, behind the summary, and where the turn began. */
export const leastCheckpoints = 3;

/** Main memory for the smallest window, in bytes, without the copies of weights that can be given back. */
export function leastMemory(model: ModelMemory, { window, slots }: MemoryRequest): number {
  return base(model, Math.min(window, leastWindow), slots).ram;
}

/** Returns null when not even the smallest window stays within the user's budget. */
export function planMemory(model: ModelMemory, wanted: MemoryRequest): MemoryPlan | null {
  const window = windowWithin(model, wanted);
  if (window === null) return null;
  const { free, allowed, askers = allAskers } = wanted;
  const ram = Math.min(free.ram, allowed ?? free.ram);
  const fits = ({ needed }: MemoryPlan) => needed.ram <= ram && needed.gpu <= free.gpu;
  const without = (conversations: number) => planned(model, wanted, window, conversations);
  const plans = (conversations: number) => {
    const bare = without(conversations);
    const tests = needsPassing(askers) ? [withPassing(bare, model), bare] : [bare];
    return [...(needsBeside(askers) ? [withBeside(tests[0] ?? bare, model)] : []), ...tests];
  };
  // Free memory decides only about comforts: a window that changed with it could not be relied on. The lowest ranks go first.
  for (let conversations = wanted.conversations; conversations > 0; conversations--) {
    const plan = plans(conversations).find(fits);
    if (plan !== undefined) return plan;
  }
  return without(1);
}

/** With all that is wanted, whether it fits or not. */
export function wholePlan(model: ModelMemory, wanted: MemoryRequest): MemoryPlan {
  const plan = planned(model, wanted, wanted.window, wanted.conversations);
  const askers = wanted.askers ?? allAskers;
  const tested = needsPassing(askers) ? withPassing(plan, model) : plan;
  return needsBeside(askers) ? withBeside(tested, model) : tested;
}

function withBeside(plan: MemoryPlan, { beside }: ModelMemory): MemoryPlan {
  return whole(beside) === 0 ? plan : { ...plan, beside: whole(beside), needed: sum(plan.needed, beside) };
}

function withPassing(plan: MemoryPlan, { passing }: ModelMemory): MemoryPlan {
  return { ...plan, passing: whole(passing), needed: sum(plan.needed, passing) };
}

/** The KV cache of as many slots with another window. */
export function kvAt({ kv, kvPerToken, window }: MemoryPlan, wanted: number): number {
  return kv + kvPerToken * (wanted - window);
}

function windowWithin(model: ModelMemory, { window, slots, allowed }: MemoryRequest): number | null {
  const fits = (tokens: number) => allowed === null || base(model, tokens, slots).ram <= allowed;
  if (fits(window)) return window;
  for (let tokens = Math.floor((window - 1) / step) * step; tokens >= leastWindow; tokens -= step)
    if (fits(tokens)) return tokens;
  return null;
}

function planned(model: ModelMemory, wanted: MemoryRequest, window: number, conversations: number): MemoryPlan {
  const slots = wanted.slots * conversations;
  const { weights, repacked, compute, checkpoint: each } = model;
  return {
    window,
    conversations,
    slots,
    wanted,
    weights: whole(weights),
    repacked,
    compute: whole(compute),
    kv: whole(kvOf(model, window, slots)),
    kvPerToken: whole(model.slot.perToken) * slots,
    kinds: kindsOf(model, window, slots),
    isWindowed: model.kinds.windowed.fixed > 0,
    checkpoints: { each, most: each === 0 ? 0 : leastCheckpoints },
    passing: null,
    beside: null,
    needed: sum(base(model, window, slots), { ram: repacked, gpu: 0 }),
  };
}

/** Memory that cannot be given back. */
function base(model: ModelMemory, window: number, slots: number): Bytes {
  const checkpoints = { ram: model.checkpoint * copies(leastCheckpoints, slots), gpu: 0 };
  return sum(model.weights, model.compute, kvOf(model, window, slots), checkpoints);
}

/** A new one is taken before another goes. */
function copies(most: number, slots: number): number {
  return most * slots + 1;
}

function kindsOf(model: ModelMemory, window: number, slots: number): MemoryPlan['kinds'] {
  const { experts, recurrent, windowed: own } = model.kinds;
  const windowed = own.fixed + own.perToken * window;
  const attention = Math.max(0, whole(kvOf(model, window, 1)) - recurrent - windowed);
  return { experts, attention: attention * slots, recurrent: recurrent * slots, windowed: windowed * slots };
}

function kvOf({ slot }: ModelMemory, window: number, slots: number): Bytes {
  return times(sum(slot.fixed, times(slot.perToken, window)), slots);
}

function sum(...all: readonly Bytes[]): Bytes {
  return all.reduce((a, b) => ({ ram: a.ram + b.ram, gpu: a.gpu + b.gpu }));
}

function times({ ram, gpu }: Bytes, factor: number): Bytes {
  return { ram: ram * factor, gpu: gpu * factor };
}

function whole({ ram, gpu }: Bytes): number {
  return ram + gpu;
}

/** A model that takes more of what is there leaves too little for the editor and its language servers. */
export const comfortableShare = 0.75;

export function fitsComfortably({ needed, repacked, wanted: { free } }: MemoryPlan): boolean {
  return needed.ram - repacked <= comfortableShare * free.ram && needed.gpu <= free.gpu;
}

/** A share of the main memory that is left, and could be used comfortably. */
const checkpointShare = 0.25;

/** Gives each slot as many checkpoints as the memory has room for, and as are of `use`. */
export function withCheckpoints(plan: MemoryPlan, use: number): MemoryPlan {
  const { needed, repacked, slots, checkpoints, wanted } = plan;
  const { each, most: least } = checkpoints;
  if (each === 0) return plan;
  const ram = Math.min(wanted.free.ram, wanted.allowed ?? wanted.free.ram);
  const left = Math.min(comfortableShare * ram - needed.ram + repacked, ram - needed.ram);
  const more = Math.max(0, Math.min(use - least, Math.floor((checkpointShare * left) / (each * slots))));
  const checkpointsNow = { each, most: least + more };
  return { ...plan, checkpoints: checkpointsNow, needed: sum(needed, { ram: more * each * slots, gpu: 0 }) };
}

export function statesBytes({ checkpoints: { each, most }, slots }: MemoryPlan): number {
  return each === 0 ? 0 : each * copies(most, slots);
}

/** A share of the machine's main memory. */
const fullCacheShare = 1 / 16;

/**
 * The better of two plans that differ in the cache of layers that see a window. A cache of full size erases and goes back to any token,
 * for which it may take a share of the memory, but nothing that was wanted: no window, no conversation, no context for tests, no place on the GPU.
 */
export function chooseCache(full: MemoryPlan | null, windowed: MemoryPlan | null, total: number): MemoryPlan | null {
  if (full === null || windowed === null) return full ?? windowed;
  const { free } = full.wanted;
  const isThere = full.needed.ram - full.repacked <= free.ram && full.needed.gpu <= free.gpu;
  const isAll =
    full.window >= windowed.window &&
    full.conversations >= windowed.conversations &&
    (full.passing !== null || windowed.passing === null);
  const isCheap = whole(full.needed) - whole(windowed.needed) <= fullCacheShare * total;
  return isThere && isAll && isCheap ? full : windowed;
}

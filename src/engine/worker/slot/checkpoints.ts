// Checkpoints of a slot whose model cannot go back to any token: where they stand, so that what is likely to change is decoded
// again from just before it.
import type { LlamaContextSequence } from 'node-llama-cpp';
import type { Image } from '../../../core/kv/kvImage.ts';
import { type Layer, stability } from '../../../core/prompt/prompt.ts';

/**
 * For each slot. Past these the library lets go of the oldest checkpoint, which is the one behind the pinned head, where every
 * dropped turn leads back to. So the others keep as far apart as it takes to stay within.
 */
export const checkpointLimits = { max: 512, interval: false, maxMemory: 512 * 1024 * 1024 } as const;

/** Tokens that are decoded about as fast as a checkpoint is taken. */
const least = 64;

type Stability = (typeof stability)[Layer];

/** Token positions where a prompt may part from the next one. */
export interface Boundaries {
  /** Ends of the pinned head and of the summary behind it: dropped turns and compactions lead back to these. */
  readonly firm: readonly number[];
  /** Ends of segments, in order; what only this prompt has is passed over. */
  readonly ends: readonly number[];
}

export function boundariesOf({ pieces }: Image): Boundaries {
  const firm: number[] = [];
  const ends: number[] = [];
  let at = 0;
  let before: Stability = 'frozen';
  for (const { of, tokens } of pieces) {
    const now: Stability = of === null ? before : stability[of.layer];
    if (now !== before && before !== 'appended' && at > 0) firm.push(at);
    if (before !== 'appended') before = now;
    at += tokens.length;
    if (of !== null && now !== 'passing') ends.push(at);
  }
  return { firm, ends };
}

/**
 * The next position behind `at` for a checkpoint, if there is one. Of ends that are too close to each other the later one
 * counts: the end of a prompt changes more often than its middle.
 */
export function nextStop({ firm, ends }: Boundaries, at: number, last: number, apart: number): number | null {
  const wanted = Number.isFinite(apart) ? firm : firm.slice(0, 1);
  const before = wanted.find((position) => position > at);
  let stop: number | null = before ?? null;
  for (const end of ends.toReversed()) {
    if (end <= at || end < last + apart) break;
    if (stop === null || end <= stop - apart) stop = end;
  }
  return stop;
}

/** How far apart checkpoints of this size keep, so that all of a full window fit, two firm ones included. */
export function distance(bytes: number, window: number): number {
  const fitting = Math.min(checkpointLimits.max, Math.floor(checkpointLimits.maxMemory / Math.max(1, bytes)));
  return fitting < 3 ? Number.POSITIVE_INFINITY : Math.max(least, Math.ceil(window / (fitting - 2)));
}

/** Most bytes that one slot's checkpoints take, each of about the size of the running state. */
export function checkpointBytes(state: number, window: number): number {
  const count = Math.min(checkpointLimits.max, Math.ceil(window / least) + 2);
  return Math.min(checkpointLimits.maxMemory, count * state);
}

export class Checkpoints {
  private readonly sequence: LlamaContextSequence;
  /** Bytes of the latest checkpoint. */
  private bytes = 0;
  /** Token positions of the checkpoints, in order. The library tells the last one only. */
  private readonly positions: number[] = [];

  constructor(sequence: LlamaContextSequence) {
    this.sequence = sequence;
  }

  next(boundaries: Boundaries, at: number): number | null {
    const { sequence } = this;
    // The library knows a checkpoint by its last token.
    const last = sequence.checkpointsMemoryUsage === 0 ? 0 : sequence.lastCheckpointIndex + 1;
    return nextStop(boundaries, at, last, distance(this.bytes, sequence.contextSize));
  }

  async take(): Promise<void> {
    const { sequence } = this;
    const before = sequence.checkpointsMemoryUsage;
    await sequence.takeCheckpoint();
    const more = sequence.checkpointsMemoryUsage - before;
    if (more > 0) this.bytes = more;
    const at = sequence.nextTokenIndex;
    if (sequence.lastCheckpointIndex === at - 1 && this.positions.at(-1) !== at) this.positions.push(at);
  }

  /** The last one up to a position, 0 where there is none. Those behind it are let go of, as the library does when it goes back. */
  back(position: number): number {
    const { positions } = this;
    while ((positions.at(-1) ?? 0) > position) positions.pop();
    return positions.at(-1) ?? 0;
  }
}

// Checkpoints of a slot whose model cannot go back to any token: where they stand, so that what is likely to change is decoded
// again from just before it.
import type { LlamaContextSequence } from 'node-llama-cpp';
import type { Image } from '../../../core/kv/kvImage.ts';
import { type Layer, stability } from '../../../core/prompt/prompt.ts';
import type { Stops } from './decode.ts';

/** The library lets go of none by itself: which one goes is decided here. */
export const checkpointLimits = { max: 1, interval: false, maxMemory: Number.POSITIVE_INFINITY } as const;

/** Tokens that are decoded about as fast as a checkpoint is taken. */
const least = 64;

/** In a window of so many tokens no more of them find a place. */
export function usefulCheckpoints(window: number): number {
  return Math.ceil(window / least) + 2;
}

type Stability = (typeof stability)[Layer];

/** Token positions where a prompt may part from the next one. */
export interface Boundaries {
  /** Ends of the pinned head, of the summary behind it, and of the last question: dropped turns, compactions and withheld calls lead there. */
  readonly firm: readonly number[];
  /** Ends of segments, in order; what only this prompt has is passed over. */
  readonly ends: readonly number[];
}

export function boundariesOf({ pieces }: Image): Boundaries {
  const firm: number[] = [];
  const ends: number[] = [];
  let at = 0;
  let before: Stability = 'frozen';
  let question: number | null = null;
  const steps = pieces.findIndex(({ of }) => of?.layer === 'steps');
  for (const [i, { of, tokens }] of pieces.entries()) {
    const now: Stability = of === null ? before : stability[of.layer];
    if (now !== before && before !== 'appended' && at > 0) firm.push(at);
    if (before !== 'appended') before = now;
    at += tokens.length;
    if (of !== null && now !== 'passing') ends.push(at);
    if (of?.layer === 'turn' && (steps < 0 || i < steps)) question = at;
  }
  return { firm: question === null ? firm : [...firm, question], ends };
}

/**
 * Positions where checkpoints are to stand when a prompt has been decoded from `at` on, of those that stand and of its own ends. Of ends
 * that are too close to each other the later one counts: the end of a prompt changes more often than its middle.
 */
export function checkpointPlaces(
  { firm, ends }: Boundaries,
  { at, kept, most }: { readonly at: number; readonly kept: readonly number[]; readonly most: number },
): readonly number[] {
  const wanted: number[] = [];
  for (const end of ends.toReversed()) {
    if (end <= at || end < (kept.at(-1) ?? 0) + least) break;
    const isFree = firm.every((position) => Math.abs(position - end) >= least);
    if (isFree && end <= (wanted.at(-1) ?? Number.POSITIVE_INFINITY) - least) wanted.push(end);
  }
  const places = [...kept];
  for (const position of [...wanted, ...firm.filter((one) => one > at)].toSorted((a, b) => a - b)) {
    places.push(position);
    if (places.length > most) places.splice(cheapest(places, firm), 1);
  }
  return places;
}

/**
 * The one whose loss costs least: the tokens back to the one before it, as often as a prompt parts between it and the next one. Prompts
 * part as often between 100 and 200 tokens before their end as between 1,000 and 2,000.
 */
function cheapest(places: readonly number[], firm: readonly number[]): number {
  const last = places.at(-1) ?? 0;
  const cost = places.map((place, i) => {
    const next = places[i + 1];
    if (firm.includes(place)) return Number.POSITIVE_INFINITY;
    if (next === undefined) return Number.MAX_VALUE;
    return (place - (places[i - 1] ?? 0)) * Math.log((last - place + least) / (last - next + least));
  });
  return cost.indexOf(Math.min(...cost));
}

/** Not in the library's types (3.21.1): a checkpoint takes the place of the one with the same name. */
interface Naming {
  _takeNamedCheckpoint(name: string, most: 1): Promise<void>;
}

export class Checkpoints {
  private readonly sequence: LlamaContextSequence & Naming;
  private readonly most: number;
  /** Token positions of the checkpoints, in order. The library tells the last one only. */
  private readonly kept: { readonly at: number; readonly name: string }[] = [];

  constructor(sequence: LlamaContextSequence, most: number) {
    this.sequence = sequence as LlamaContextSequence & Naming;
    this.most = most;
  }

  stops(boundaries: Boundaries): Stops {
    const { sequence, most } = this;
    const kept = this.kept.map(({ at }) => at);
    const places = checkpointPlaces(boundaries, { at: sequence.nextTokenIndex, kept, most });
    return {
      next: (at) => places.find((place) => place > at) ?? null,
      reached: () => this.take(places),
    };
  }

  /** The last one up to a position, 0 where there is none. Those behind it are let go of, as the library does when it goes back. */
  back(position: number): number {
    const { kept } = this;
    while ((kept.at(-1)?.at ?? 0) > position) kept.pop();
    return kept.at(-1)?.at ?? 0;
  }

  /** In place of one that is not among `places`, if there are as many as may be. */
  private async take(places: readonly number[]): Promise<void> {
    const { sequence, kept, most } = this;
    const name = kept.length < most ? this.freeName() : this.dropped(places);
    if (name === undefined) return;
    await sequence._takeNamedCheckpoint(name, 1);
    const at = sequence.nextTokenIndex;
    // The library knows a checkpoint by its last token.
    if (sequence.lastCheckpointIndex === at - 1) kept.push({ at, name });
  }

  private freeName(): string | undefined {
    const taken = new Set(this.kept.map(({ name }) => name));
    return Array.from({ length: this.most }, (_, i) => `${i}`).find((name) => !taken.has(name));
  }

  private dropped(places: readonly number[]): string | undefined {
    const { kept } = this;
    const found = kept.findIndex(({ at }) => !places.includes(at));
    return found < 0 ? undefined : kept.splice(found, 1)[0]?.name;
  }
}

// The line of those who ask one engine: the table says who comes first. What is asked for one slot runs in its order, and ranks never run at once.
import { type Asker, givesWay, outranks } from '../core/machine/askers.ts';

interface Place {
  /** The asker; null for a copy of a slot's state, which decodes nothing and has no rank. */
  readonly asker: Asker | null;
  readonly slot: object;
  readonly signal: AbortSignal;
  readonly giveWay: () => void;
  readonly enter: () => void;
  isRunning: boolean;
}

/** Milliseconds. */
const typingPause = 2000;

const never = new AbortController().signal;

export class AskingLine {
  /** In the order in which they asked. */
  private places: readonly Place[] = [];
  private typed = Number.NEGATIVE_INFINITY;

  /** Whether text at the caret was asked for a moment ago: the next request must not wait for a long chunk. */
  get isTyping(): boolean {
    return performance.now() - this.typed < typingPause;
  }

  /** Runs it when no other rank is at work. Whoever gives way to it ends at its next chunk; one that ends before its turn runs with a signal that has fired. */
  ask<T>(asker: Asker, slot: object, asked: AbortSignal, job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (asker === 'completion') this.typed = performance.now();
    this.giveWay(asker);
    const ending = new AbortController();
    const signal = AbortSignal.any([asked, ending.signal]);
    return this.inLine({ asker, slot, signal, giveWay: () => ending.abort() }, () => job(signal));
  }

  /** Copies what a slot holds, or brings it there, when the slot is free. */
  copy<T>(slot: object, job: () => Promise<T>): Promise<T> {
    return this.inLine({ asker: null, slot, signal: never, giveWay: () => undefined }, job);
  }

  /** Ends those who give way to it. */
  giveWay(coming: Asker): void {
    for (const { asker, giveWay } of this.places) if (asker !== null && givesWay(asker, coming)) giveWay();
  }

  /** Whether somebody waits for this slot, or has it. */
  isAwaited(slot: object): boolean {
    return this.places.some((one) => one.slot === slot && one.asker !== null && outranks(one.asker, 'warm'));
  }

  private async inLine<T>(one: Omit<Place, 'enter' | 'isRunning'>, job: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const place: Place = { ...one, enter: resolve, isRunning: false };
    const look = () => this.look();
    one.signal.addEventListener('abort', look);
    this.places = [...this.places, place];
    look();
    try {
      await promise;
      return await job();
    } finally {
      one.signal.removeEventListener('abort', look);
      this.places = this.places.filter((other) => other !== place);
      look();
    }
  }

  private look(): void {
    for (const place of this.places) {
      if (place.isRunning || !this.mayRun(place)) continue;
      place.isRunning = true;
      place.enter();
    }
  }

  private mayRun(place: Place): boolean {
    const { asker, slot, signal } = place;
    const before = this.places.slice(0, this.places.indexOf(place));
    if (before.some((other) => other.slot === slot)) return false;
    // Such a one decodes nothing.
    if (asker === null || signal.aborted) return true;
    return !this.places.some((other) => {
      if (other.asker === null) return false;
      // A lower rank that still runs is about to end.
      if (other.isRunning) return outranks(other.asker, asker) || outranks(asker, other.asker);
      return !other.signal.aborted && outranks(other.asker, asker);
    });
  }
}

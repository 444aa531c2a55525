// Watches over work under a lease: renews it while there is progress, and gives the work up when there is none or it is lost.
import type { Clock } from '../ports/clock.ts';

export class Watch {
  private readonly controller = new AbortController();
  private readonly renew: () => boolean;
  private still = 0;
  private why: string | null = null;
  readonly stop: () => void;

  /** `renew` says whether the lease is still held. Looks three times in `ttl` milliseconds, until it is stopped. */
  constructor(clock: Pick<Clock, 'every'>, ttl: number, renew: () => boolean) {
    this.renew = renew;
    this.stop = clock.every(ttl / 3, () => this.look());
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the work was given up, in words; null when it was not. */
  get problem(): string | null {
    return this.why;
  }

  progress(): void {
    this.still = 0;
  }

  private look(): void {
    this.still += 1;
    if (this.still > 3) this.give('the summariser made no progress in time');
    else if (!this.renew()) this.give('the lease was lost to another window');
  }

  /** Gives the work up; the first reason counts. */
  give(why: string): void {
    this.why ??= why;
    this.stop();
    this.controller.abort();
  }
}

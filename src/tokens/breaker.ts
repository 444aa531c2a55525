// The circuit breaker: after failures in a row it asks no more for a while, then tries once, and closes when that succeeds.

export type BreakerState = 'closed' | 'open' | 'trial';

/** Leave for one attempt, to be handed back with how it went. */
export type Pass = number;

const failuresToOpen = 3;
const firstWait = 30_000;
const longestWait = 300_000;

export class Breaker {
  private readonly now: () => number;
  private current: BreakerState = 'closed';
  private failures = 0;
  private wait = firstWait;
  private retryFrom = 0;
  /** Grows with every change of state: an attempt that began in an earlier state says nothing about this one. */
  private period: Pass = 0;

  /** `now` gives the milliseconds of a clock that is never set back. */
  constructor(now: () => number) {
    this.now = now;
  }

  get state(): BreakerState {
    return this.current;
  }

  /** When the next trial may begin, by the clock given; null unless open. */
  get retryAt(): number | null {
    return this.current === 'open' ? this.retryFrom : null;
  }

  /** Leave to try now, or null. While open nothing is let through before `retryAt`, and then one trial at a time. */
  begin(): Pass | null {
    if (this.current === 'trial') return null;
    if (this.current === 'open') {
      if (this.now() < this.retryFrom) return null;
      this.enter('trial');
    }
    return this.period;
  }

  succeed(pass: Pass): void {
    if (pass !== this.period) return;
    this.failures = 0;
    if (this.current !== 'trial') return;
    this.wait = firstWait;
    this.enter('closed');
  }

  fail(pass: Pass): void {
    if (pass !== this.period) return;
    if (this.current === 'trial') {
      this.wait = Math.min(this.wait * 2, longestWait);
      this.open();
      return;
    }
    this.failures += 1;
    if (this.failures >= failuresToOpen) this.open();
  }

  /** The attempt showed nothing: a trial may be made again at once. */
  release(pass: Pass): void {
    if (pass === this.period && this.current === 'trial') this.enter('open');
  }

  private open(): void {
    this.failures = 0;
    this.retryFrom = this.now() + this.wait;
    this.enter('open');
  }

  private enter(state: BreakerState): void {
    this.current = state;
    this.period += 1;
  }
}

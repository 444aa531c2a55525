// The machine's place for one model, and which window has it. A window that dies gives it up at once, one that hangs when its lease expires.
import type { Leases } from '../../core/stored/storedSession.ts';
import type { Clock } from '../ports/clock.ts';
import { type Lease, leaseOf } from '../ports/lease.ts';

/**
 * Milliseconds, renewed three times as often. Long enough for a busy moment; short enough that after a crash of the whole machine
 * a process that got the dead window's id does not stand in the way for long.
 */
const ttl = 120_000;

export class OneModel {
  private readonly lease: Lease;
  private readonly ports: Pick<Clock, 'every'>;
  private readonly wanted: () => boolean;
  /** Users of the place in this window: each engine has a model of its own. */
  private readonly users = new Set<object>();
  private also = false;
  private gone = false;
  private end: () => void = () => undefined;

  /** `wanted`: whether windows share one place. Where `leases` is null nothing can be stored, and each window has its own. */
  constructor(
    leases: Leases | null,
    ports: Pick<Clock, 'now' | 'every'> & { readonly holder: string },
    wanted: () => boolean,
  ) {
    this.lease = leaseOf(leases, ports.holder, ports, 'model', ttl);
    this.ports = ports;
    this.wanted = wanted;
  }

  /** Makes the place this window's, or keeps it. False where another window has it. */
  take(user: object): boolean {
    if (!this.free()) return false;
    this.users.add(user);
    this.end();
    this.gone = false;
    this.end = this.ports.every(ttl / 3, () => {
      this.gone = !this.free();
    });
    return true;
  }

  /** Another window got it while this one had a model, for instance after a long sleep. */
  get lost(): boolean {
    return this.gone;
  }

  /** The user wants a model here as well, until the window closes. */
  share(): void {
    this.also = true;
  }

  /** `user`: it has no model any more; without one, nothing in this window has. */
  release(user?: object): void {
    if (user === undefined) this.users.clear();
    else if (!this.users.delete(user)) return;
    if (this.users.size > 0) return;
    this.end();
    this.gone = false;
    this.lease.release();
  }

  /** Taken also where it need not be: whoever has the first model should have the place once it counts again. */
  private free(): boolean {
    return this.lease.take() || this.also || !this.wanted();
  }
}

// Which window a session is open in: one at a time, so that two never append to the same conversation.
import type { Leases } from '../../core/stored/storedSession.ts';
import type { Clock } from '../ports/clock.ts';
import { type Lease, leaseOf } from '../ports/lease.ts';

/** Milliseconds. A window that died loses its sessions at once; this is for one that hangs. */
const ttl = 60_000;

export class Ownership {
  private readonly leases: Leases | null;
  private readonly holder: string;
  private readonly clock: Clock;
  private readonly lost: (session: string) => void;
  private owned: { readonly session: string; readonly lease: Lease } | null = null;
  private end: () => void = () => undefined;

  /** `lost` is called when another window has it, for instance after a long sleep. */
  constructor(leases: Leases | null, holder: string, clock: Clock, lost: (session: string) => void) {
    this.leases = leases;
    this.holder = holder;
    this.clock = clock;
    this.lost = lost;
  }

  /** Makes the session this window's, and lets the former one go. False when it is open in another window, which loses it only where this one `seizes` it. */
  take(session: string, seizes = false): boolean {
    const lease = this.leaseOn(session);
    if (seizes) lease.seize();
    else if (!lease.take()) return false;
    if (this.owned?.session === session) return true;
    this.release();
    this.owned = { session, lease };
    this.end = this.clock.every(ttl / 3, () => {
      if (lease.take()) return;
      this.release();
      this.lost(session);
    });
    return true;
  }

  /** Whether no other window has it. */
  isFree(session: string): boolean {
    return !this.leaseOn(session).isTaken();
  }

  release(): void {
    this.end();
    this.owned?.lease.release();
    this.owned = null;
  }

  private leaseOn(session: string): Lease {
    return leaseOf(this.leases, this.holder, this.clock, `session:${session}`, ttl);
  }
}

// Which window a session is open in: one at a time, so that two never append to the same conversation.
import type { Leases } from '../core/storedSession.ts';
import type { Surroundings } from './surroundings.ts';

/** Milliseconds. A window that died loses its sessions at once; this is for one that hangs. */
const ttl = 60_000;

export class Ownership {
  private readonly leases: Leases | null;
  private readonly around: Pick<Surroundings, 'holder' | 'now' | 'every'>;
  private readonly lost: () => void;
  private owned: string | null = null;
  private end: () => void = () => undefined;

  /** `lost` is called when another window has it, for instance after a long sleep. */
  constructor(leases: Leases | null, around: Pick<Surroundings, 'holder' | 'now' | 'every'>, lost: () => void) {
    this.leases = leases;
    this.around = around;
    this.lost = lost;
  }

  /** Makes the session this window's, and lets the former one go. False when it is open in another window. */
  take(session: string): boolean {
    if (!this.acquire(session)) return false;
    if (this.owned !== session) this.release();
    this.owned = session;
    this.end = this.around.every(ttl / 3, () => {
      if (this.acquire(session)) return;
      this.end();
      this.lost();
    });
    return true;
  }

  release(): void {
    this.end();
    try {
      if (this.owned !== null) this.leases?.release(`session:${this.owned}`, this.around.holder);
    } catch {
      // What cannot be given back runs out by itself.
    }
    this.owned = null;
  }

  private acquire(session: string): boolean {
    try {
      return this.leases?.acquire(`session:${session}`, this.around.holder, this.around.now().getTime(), ttl) ?? true;
    } catch {
      // Where nothing can be stored, nothing can clash.
      return true;
    }
  }
}

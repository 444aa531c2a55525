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
    this.end();
    if (this.owned !== session) this.release();
    this.owned = session;
    this.end = this.around.every(ttl / 3, () => {
      if (this.acquire(session)) return;
      this.end();
      this.lost();
    });
    return true;
  }

  /** Whether no other window has it. */
  isFree(session: string): boolean {
    if (session === this.owned) return true;
    const free = this.acquire(session);
    if (free) this.letGo(session);
    return free;
  }

  release(): void {
    this.end();
    if (this.owned !== null) this.letGo(this.owned);
    this.owned = null;
  }

  private letGo(session: string): void {
    try {
      this.leases?.release(`session:${session}`, this.around.holder);
    } catch {
      // What cannot be given back runs out by itself.
    }
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

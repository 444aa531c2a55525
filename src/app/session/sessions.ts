// The sessions of a chat: begun anew, or resumed from the store, each open in one window only.

import { placeText } from '../../core/prompt/systemText.ts';
import type { Journal, Leases } from '../../core/stored/storedSession.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import { type Lease, leaseOf } from '../ports/lease.ts';
import type { Storage } from '../ports/storage.ts';
import { guarded, resumeSession, type Say, type Session, startSession } from './session.ts';

export const notThere = 'It no longer exists.';
const openElsewhere =
  'This conversation is open in another window, or beside. If that window is gone, open it here from the list of conversations.';

/**
 * Who of a window writes to a session: its latest opening, and nobody once it was deleted or another window has it. A turn may
 * still be ending in an earlier one, also of the other conversation.
 */
export type Writers = Map<string, symbol>;

type SessionPorts = Pick<ConversationPorts, 'holder' | 'clock' | 'project'>;

export class Sessions {
  private readonly storage: Storage | null;
  private readonly ports: SessionPorts;
  private readonly say: Say;
  private complaining = false;
  /** The session that was given out last. */
  private open: Session | null = null;
  private readonly ownership: Ownership;
  private readonly writers: Writers;

  /** `lost` is called with words when another window has the open session. */
  constructor(storage: Storage | null, ports: SessionPorts, writers: Writers, say: Say, lost: (words: string) => void) {
    this.writers = writers;
    this.storage = storage;
    this.ports = ports;
    this.say = (words) => {
      if (words === '' && !this.complaining) return;
      this.complaining = words !== '';
      say(words);
    };
    this.ownership = new Ownership(storage?.leases ?? null, ports.holder, ports.clock, (session) => {
      this.writers.delete(session);
      lost(openElsewhere);
    });
  }

  /** The same for the same folders in any order. */
  get workspace(): string {
    return this.ports.project
      .folders()
      .map(({ path }) => path)
      .toSorted()
      .join('\n');
  }

  /** An empty session, stored with its first item. */
  fresh(): Session {
    const { project, clock } = this.ports;
    const system = placeText(project.folders().map(({ name }) => name));
    const row = { id: clock.newId(), workspace: this.workspace, system, created: clock.now().getTime() };
    this.ownership.take(row.id);
    return this.give(startSession(this.journalOf(row.id), row, this.say));
  }

  /** Opens the session. The one before tries again to store what it could not, since it is read from the store when its user comes back. */
  private give(session: Session): Session {
    this.open?.flush();
    this.open = session;
    return session;
  }

  /** The workspace's latest session; null where there is none, words where another window has it. */
  latest(): Session | string | null {
    if (this.ports.project.folders().length === 0) return null;
    const stored = this.read((sessions) => sessions.latestSession(this.workspace));
    return stored === null ? null : this.resume(stored.id);
  }

  /** Deletes a stored session with all its traces. Words when another window has it. Throws where the store fails. */
  delete(id: string): string | null {
    if (!this.ownership.isFree(id)) return openElsewhere;
    this.storage?.sessions.delete(id);
    this.writers.delete(id);
    return null;
  }

  /** A stored session by its id; words when it cannot be gone on with. `seizes`: another window that has it loses it. */
  stored(id: string, seizes: boolean): Session | string {
    return this.read((sessions) => sessions.has(id)) === true ? this.resume(id, seizes) : notThere;
  }

  /** Whether another window has it. */
  isElsewhere(id: string): boolean {
    return !this.ownership.isFree(id);
  }

  /** The window closes: what it has is free for others. */
  release(): void {
    this.open?.flush();
    this.ownership.release();
  }

  /** Read once it is this window's: until then another one may write to it. */
  private resume(id: string, seizes = false): Session | string {
    if (!this.ownership.take(id, seizes)) return openElsewhere;
    const stored = this.read((sessions) => sessions.session(id));
    if (stored === null) {
      // The one that is open stays this window's.
      if (this.open !== null) this.ownership.take(this.open.id);
      return notThere;
    }
    return this.give(resumeSession(this.journalOf(stored.id), stored, () => this.ports.clock.newId(), this.say));
  }

  private journalOf(session: string): () => Journal | null {
    const writer = Symbol(session);
    this.writers.set(session, writer);
    const isWriter = () => this.writers.get(session) === writer && this.ownership.isFree(session);
    return () => (isWriter() ? (this.storage?.sessions ?? null) : null);
  }

  /** Returns the stored reports of a session's turns; none where they cannot be read. */
  reports(session: string): readonly object[] {
    return this.read((sessions) => sessions.reports(session)) ?? [];
  }

  private read<T>(look: (sessions: Storage['sessions']) => T | null): T | null {
    const { storage } = this;
    return storage === null ? null : (guarded(this.say, () => look(storage.sessions)) ?? null);
  }
}

// Which window a session is open in: one at a time, so that two never append to the same conversation.

/** Milliseconds. A window that died loses its sessions at once; this is for one that hangs. */
const ttl = 60_000;

class Ownership {
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

// Where a chat gets its sessions from: begun anew, or gone on with as they are stored, each open in one window only.
import { emptyDialog } from '../core/dialog.ts';
import type { StoredSession } from '../core/storedSession.ts';
import { systemText } from '../core/systemText.ts';
import { Ownership } from './ownership.ts';
import { guarded, resumeSession, type Say, type Session, startSession } from './session.ts';
import type { Storage } from './storage.ts';
import type { Surroundings } from './surroundings.ts';

const openElsewhere = 'This conversation is open in another window.';

export class Sessions {
  private readonly storage: Storage | null;
  private readonly around: Surroundings;
  private readonly say: Say;
  private readonly ownership: Ownership;

  constructor(storage: Storage | null, around: Surroundings, say: Say) {
    this.storage = storage;
    this.around = around;
    this.say = say;
    this.ownership = new Ownership(storage?.leases ?? null, around, () => say(openElsewhere));
  }

  /** The same for the same folders in any order. */
  get workspace(): string {
    return this.around
      .folders()
      .map(({ path }) => path)
      .toSorted()
      .join('\n');
  }

  /** An empty session, stored with its first item. */
  fresh(): Session {
    const { folders, now, newId } = this.around;
    const names = folders().map(({ name }) => name);
    const system = systemText({ folders: names, date: now().toISOString().slice(0, 10) });
    const row = { id: newId(), workspace: this.workspace, system, created: now().getTime() };
    const state = { dialog: emptyDialog, held: [] };
    this.ownership.take(row.id);
    return startSession(this.storage?.sessions ?? null, row, state, this.say);
  }

  /** The workspace's latest session; null where there is none, words where another window has it. */
  latest(): Session | string | null {
    if (this.around.folders().length === 0) return null;
    const stored = this.read((sessions) => sessions.latestSession(this.workspace));
    return stored === null ? null : this.resume(stored);
  }

  /** Deletes a stored session with all its traces. Words when another window has it. Throws where the store fails. */
  delete(id: string): string | null {
    if (!this.ownership.isFree(id)) return openElsewhere;
    this.storage?.sessions.delete(id);
    return null;
  }

  /** A stored session by its id; words when it cannot be gone on with. */
  stored(id: string): Session | string {
    const stored = this.read((sessions) => sessions.session(id));
    return stored === null ? 'It is not there any more.' : this.resume(stored);
  }

  /** The window closes: what it has is free for others. */
  release(): void {
    this.ownership.release();
  }

  private resume(stored: StoredSession): Session | string {
    if (!this.ownership.take(stored.id)) return openElsewhere;
    return resumeSession(this.storage?.sessions ?? null, stored, this.around.newId, this.say);
  }

  private read(look: (sessions: Storage['sessions']) => StoredSession | null): StoredSession | null {
    const { storage } = this;
    return storage === null ? null : (guarded(this.say, () => look(storage.sessions)) ?? null);
  }
}

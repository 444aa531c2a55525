// Keeps what the slots hold on disk, so that a reopened window or another session goes on from it instead of decoding its prompt
// again. The engine decides whether storing pays; this decides when, for whom, and what has to go.

import type { Engine, SlotStates } from '../../core/engine/engine.ts';
import { type ModelInfo, modelLabel } from '../../core/engine/modelInfo.ts';
import type { LoadSnapshotParams, SnapshotLoaded } from '../../core/engine/slotState.ts';
import type { Fault } from '../../core/faults/fault.ts';
import { faultOf } from '../../core/faults/faults.ts';
import type { CacheReuse } from '../../core/model/model.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import type { Journal } from '../../core/stored/storedSession.ts';
import type { SlotView } from '../../protocol/slotView.ts';
import type { ChatSettings } from '../ports/chatSettings.ts';
import type { Clock } from '../ports/clock.ts';
import type { SnapshotFiles } from '../ports/snapshotFiles.ts';
import type { Session } from '../session/session.ts';
import { type SlotLease, Slots } from './slots.ts';

/** Decoding a prompt again that takes no longer is not worth a file. */
const worthMilliseconds = 5000;
/** Milliseconds of prefill that storing the KV state of a head must save: short, because each new conversation saves them. */
const headMilliseconds = 500;
/** Begins the name of a head where a session's id stands. */
const headMark = 'head ';
/** Milliseconds of prefill that copying the KV state of another slot must save: its file is still in the memory of the system. */
const copyMilliseconds = 1000;
const idleMilliseconds = 120_000;

/** Files, and the engine's way to write and read them. */
type Stored = SnapshotFiles & { readonly states: SlotStates };

/** A slot that is ready to be filled for a session. */
interface ReadySlot {
  readonly slot: number;
  /** The state that came into it; null where there was nothing to load. */
  readonly loaded: SnapshotLoaded | null;
}

type Sessions = Pick<Journal, 'has'>;

/** The place on this machine where states of slots are stored. */
export interface SnapshotPorts {
  readonly settings: () => Pick<ChatSettings, 'snapshotBytes'>;
  readonly clock: Pick<Clock, 'every'>;
  /** The folder of stored states; null where none are stored. */
  readonly snapshotFiles: SnapshotFiles | null;
}

export class Snapshots {
  private readonly engine: Engine;
  private readonly ports: SnapshotPorts;
  readonly slots: Slots;
  private readonly sessions: Sessions | null;
  private readonly loaded: () => ModelInfo | null;
  private readonly changed: () => void;
  private readonly gone = new Set<string>();
  private readonly saving = new Set<Promise<unknown>>();
  private endTimer: () => void = () => undefined;

  /** `changed` is called when something was stored, or a slot given. `sessions`: those that are stored; null where none is, and then nothing of them is kept here either. */
  constructor(
    engine: Engine,
    ports: SnapshotPorts,
    loaded: () => ModelInfo | null,
    sessions: Sessions | null,
    changed: () => void,
  ) {
    this.engine = engine;
    this.ports = ports;
    this.changed = changed;
    this.loaded = loaded;
    this.slots = new Slots(loaded);
    this.sessions = sessions;
  }

  /**
   * Called before a slot is filled for a session's node: finds it one, and brings in what was stored for it, or what another slot
   * has in common with this prompt, if that spares anything. Rejects only when the engine ends.
   */
  async bring(session: Session, node: number, prompt: Prompt, reuse: CacheReuse): Promise<ReadySlot> {
    const isNew = this.slots.of(session, node) === null;
    const lease = this.slots.take(session, node);
    if (isNew) this.changed();
    const { slot, loading } = lease;
    const files = this.files();
    if (files === null || reuse === 'none') {
      // A lease without `loading` is not stored, so what fills the slot now stays off the disk.
      lease.loading = null;
      return { slot, loaded: null };
    }
    if (loading === null) {
      const path = files.path(this.headOf(session) ?? session.id, node);
      lease.loading = this.load(files, { slot, path, prompt, reuse, worthMilliseconds: copyMilliseconds });
      return { slot, loaded: await lease.loading };
    }
    // A message does not overtake what spares it the decoding.
    await loading;
    return { slot, loaded: null };
  }

  private async load(files: Stored, params: LoadSnapshotParams): Promise<SnapshotLoaded | null> {
    try {
      return await files.states.load(params);
    } catch (error) {
      const { kind }: Fault = faultOf(error);
      // The file may be what ended the process, so the next one goes on without it.
      if (kind === 'engineCrashed') await files.remove(params.path);
      if (kind === 'engineCrashed' || kind === 'engineStopped') throw error;
      return null;
    }
  }

  /**
   * Stores what the slot of a conversation without a message holds, so many tokens: the head of the prompt, with which the next
   * new one of this folder begins. Never rejects.
   */
  async keepHead(session: Session, node: number, tokens: number): Promise<void> {
    const files = this.files();
    const head = this.headOf(session);
    const lease = this.slots.of(session, node);
    if (files === null || head === null || lease === null || lease.loading === null) return;
    if (session.state.dialog.path.length > 0) return;
    const maxBytes = this.ports.settings().snapshotBytes;
    const saving = { slot: lease.slot, path: files.path(head, node), session: head, tokens };
    const saved = files.states.save({ ...saving, worthMilliseconds: headMilliseconds, maxBytes });
    await this.pending(saved.then(() => this.evict(files)));
  }

  /** Names the head with which all new conversations of a folder begin; null for one that has an answer, and without a model. */
  private headOf({ workspace, state }: Session): string | null {
    const info = this.loaded();
    const isNew = state.dialog.path.every(({ origin }) => origin !== 'assistant');
    return info === null || !isNew ? null : `${headMark}${info.fingerprint} ${workspace}`;
  }

  /** Stores what the slots hold: the session is left, the view hidden, nobody does anything, or the window closes. Never rejects. */
  async keep(): Promise<void> {
    this.endTimer();
    const files = this.files();
    if (files === null) return;
    const wanted = this.slots.all.filter(
      // A conversation without a message is not stored itself.
      ({ loading, session: { state, id } }) => loading !== null && state.dialog.path.length > 0 && !this.gone.has(id),
    );
    await this.pending(this.store(files, wanted.toReversed()));
    this.changed();
  }

  /** The one that was used last comes first: where there is no space for all, the others are left out. */
  private async store(files: Stored, leases: readonly SlotLease[]): Promise<void> {
    let maxBytes = this.ports.settings().snapshotBytes;
    for (const { slot, node, session } of leases) {
      // The session may have lost its slot while another one was stored.
      if (this.slots.of(session, node)?.slot !== slot || maxBytes <= 0) continue;
      const { id } = session;
      const path = files.path(id, node);
      const saving = { slot, path, session: id, worthMilliseconds, maxBytes };
      const { saved } = await files.states.save(saving);
      // Another window may have deleted it.
      if (saved && !this.isKept(id)) {
        this.slots.leave(id);
        await files.removeSession(id);
      } else if (saved) await this.evict(files);
      const kept = await files.list();
      maxBytes -= kept.find((file) => file.path === path)?.bytes ?? 0;
    }
  }

  /** The slots as they are shown. Never rejects. */
  async view({ id }: Session): Promise<readonly SlotView[]> {
    const files = this.files();
    const kept = files === null ? [] : await files.list().catch(() => []);
    const paths = new Set(kept.map(({ path }) => path));
    const info = this.loaded();
    return this.slots.all.map((lease) => {
      const stored = files !== null && paths.has(files.path(lease.session.id, lease.node));
      return slotView(lease, info, { open: lease.session.id === id, stored });
    });
  }

  /** Nobody does anything from now on. */
  rest(): void {
    this.endTimer();
    if (this.files() !== null) this.endTimer = this.ports.clock.every(idleMilliseconds, () => void this.keep());
  }

  /** Somebody does something. */
  wake(): void {
    this.endTimer();
  }

  /** A session was deleted: so is what was stored of it, or is being stored now. Never rejects. */
  async forget(session: string): Promise<void> {
    this.gone.add(session);
    this.slots.leave(session);
    const { snapshotFiles: files } = this.ports;
    await files?.removeSession(session).catch(() => undefined);
    await Promise.allSettled([...this.saving]);
    await files?.removeSession(session).catch(() => undefined);
  }

  /** Deletes what is of no session any more, what is too much, and all where none may be kept. Never rejects. */
  async tidy(): Promise<void> {
    const { snapshotFiles: files } = this.ports;
    if (files === null) return;
    await Promise.allSettled([...this.saving]);
    // A server stores none, but those of this machine's model are wanted again.
    const none = !this.isWanted;
    const kept = await files.list().catch(() => []);
    for (const { session, path } of kept) if (none || !this.isKept(session)) await files.remove(path);
    await this.evict(files).catch(() => undefined);
  }

  /** Returns null where no states are stored: without a folder for them, unwanted, or not offered by this engine. */
  private files(): Stored | null {
    const { snapshotFiles } = this.ports;
    const { states } = this.engine;
    return this.isWanted && snapshotFiles !== null && states !== null ? { ...snapshotFiles, states } : null;
  }

  private get isWanted(): boolean {
    return this.sessions !== null && this.ports.settings().snapshotBytes > 0;
  }

  private isKept(session: string): boolean {
    // A head belongs to no session, and goes only when there is no space for it.
    if (session.startsWith(headMark)) return true;
    try {
      return this.sessions?.has(session) === true;
    } catch {
      // A store that cannot be read says nothing about it.
      return true;
    }
  }

  private async evict(files: SnapshotFiles): Promise<void> {
    const latest = (await files.list()).toSorted((a, b) => b.used - a.used);
    let left = this.ports.settings().snapshotBytes;
    for (const { path, bytes } of latest) {
      left -= bytes;
      if (left < 0) await files.remove(path);
    }
  }

  private async pending(job: Promise<void>): Promise<void> {
    const all = Promise.allSettled([job]);
    this.saving.add(all);
    await all;
    this.saving.delete(all);
  }
}

// A slot as it is shown: whose it is, what it holds and what it takes.
function slotView(
  { slot, session, node, tokens }: SlotLease,
  info: ModelInfo | null,
  { open, stored }: Pick<SlotView, 'open' | 'stored'>,
): SlotView {
  const first = session.state.dialog.path.find(({ origin }) => origin === 'user');
  const title = first?.origin === 'user' ? first.text.replace(/\s+/g, ' ').trim().slice(0, 80) : '';
  const { memory = null, contextSize = 0, server } = info ?? {};
  const model = info === null ? '' : modelLabel(info);
  const bytes = memory === null ? null : Math.round(memory.kv / memory.slots);
  const elsewhere = server !== undefined;
  return { model, elsewhere, slot, title, open, node, tokens, window: contextSize, bytes, stored };
}

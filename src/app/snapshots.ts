// Keeps what the slots hold on disk, so that a reopened window or another session goes on from it instead of decoding its prompt
// again. The engine decides whether storing pays; this decides when, for whom, and what has to go.
import { type Fault, faultOf } from '../core/faults.ts';
import type { CacheReuse, Model } from '../core/model.ts';
import type { Prompt } from '../core/prompt.ts';
import type { Journal } from '../core/storedSession.ts';
import type { ModelInfo, Sampling, SnapshotLoaded } from '../protocol/engine.ts';
import type { Engine } from './modelLife.ts';
import type { Session } from './session.ts';
import type { Surroundings } from './surroundings.ts';

/** One that is there. */
export interface KeptSnapshot {
  readonly session: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was stored or loaded last, Unix milliseconds. */
  readonly used: number;
}

/** The folder of all windows' snapshots. What cannot be deleted now stays; the engine looks at everything before it loads it. */
export interface SnapshotFiles {
  /** Where the state of a session's slot is kept. Says nothing about either. */
  path(session: string, slot: number): string;
  /** Those that are whole by their looks; what was left by a process that died goes. */
  list(): Promise<readonly KeptSnapshot[]>;
  remove(path: string): Promise<void>;
  /** All of a session. */
  removeSession(session: string): Promise<void>;
}

/** Decoding a prompt again that takes no longer is not worth a file. */
const worthMilliseconds = 5000;
const idleMilliseconds = 120_000;

interface Owner {
  readonly session: Session;
  /** What was stored for it is in the slot, as far as it serves. */
  readonly brought: Promise<SnapshotLoaded | null>;
}

type Sessions = Pick<Journal, 'session'>;
type Around = Pick<Surroundings, 'settings' | 'every' | 'snapshotFiles'>;

export class Snapshots {
  private readonly engine: Engine;
  private readonly around: Around;
  private readonly loaded: () => ModelInfo | null;
  private readonly sessions: Sessions | null;
  /** By slot, in the model that is loaded. */
  private held = new Map<number, Owner>();
  private info: ModelInfo | null = null;
  private readonly gone = new Set<string>();
  private readonly saving = new Set<Promise<unknown>>();
  private endTimer: () => void = () => undefined;

  /** `sessions`: those that are stored; null where none is, and then nothing of them is kept here either. */
  constructor(engine: Engine, around: Around, loaded: () => ModelInfo | null, sessions: Sessions | null) {
    this.engine = engine;
    this.around = around;
    this.loaded = loaded;
    this.sessions = sessions;
  }

  /** A slot as a session's model: it goes on from what was stored, also where a message comes before idle work. */
  model(session: Session, slot: number, sampling: Sampling): Model {
    const model = this.engine.model(slot, sampling);
    return {
      measure: (prompt) => model.measure(prompt),
      generate: async (request, onText, signal) => {
        await this.bring(session, slot, request.prompt, request.reuse);
        return model.generate(request, onText, signal);
      },
    };
  }

  /**
   * Called before a slot is filled for a session: brings in what was stored for it, if it spares anything of this prompt. Null
   * where there was nothing to do. Rejects only when the engine ends.
   */
  async bring(session: Session, slot: number, prompt: Prompt, reuse: CacheReuse): Promise<SnapshotLoaded | null> {
    const files = this.files();
    const owners = this.owners();
    const owner = owners.get(slot);
    if (files === null || reuse === 'none') {
      // Filled by somebody who is not kept.
      owners.delete(slot);
      return null;
    }
    if (owner?.session === session) {
      // A message does not overtake what spares it the decoding.
      await owner.brought;
      return null;
    }
    const brought = this.load(files, session, slot, prompt, reuse);
    owners.set(slot, { session, brought });
    return brought;
  }

  private async load(
    files: SnapshotFiles,
    { id }: Session,
    slot: number,
    prompt: Prompt,
    reuse: CacheReuse,
  ): Promise<SnapshotLoaded | null> {
    const path = files.path(id, slot);
    try {
      return await this.engine.request('loadSnapshot', { slot, path, prompt, reuse });
    } catch (error) {
      const { kind }: Fault = faultOf(error);
      // It may be the file that ended the process: the next one goes on without.
      if (kind === 'engineCrashed') await files.remove(path);
      if (kind === 'engineCrashed' || kind === 'engineStopped') throw error;
      return null;
    }
  }

  /** Stores what the slots hold: the session is left, the view hidden, nobody does anything, or the window closes. Never rejects. */
  async keep(): Promise<void> {
    this.endTimer();
    const files = this.files();
    if (files === null || this.loaded() === null) return;
    const maxBytes = this.around.settings().snapshotBytes;
    const owned = [...this.owners()].map(([slot, { session }]) => ({ slot, session }));
    // A conversation without a message is not stored itself.
    const wanted = owned.filter(({ session: { id, state } }) => state.dialog.path.length > 0 && !this.gone.has(id));
    await this.pending(
      ...wanted.map(async ({ slot, session: { id } }) => {
        const path = files.path(id, slot);
        const saving = { slot, path, session: id, worthMilliseconds, maxBytes };
        const { saved } = await this.engine.request('saveSnapshot', saving);
        if (saved) await this.evict(files);
      }),
    );
  }

  /** Nobody does anything from now on. */
  rest(): void {
    this.endTimer();
    if (this.files() !== null) this.endTimer = this.around.every(idleMilliseconds, () => void this.keep());
  }

  /** Somebody does something. */
  wake(): void {
    this.endTimer();
  }

  /** A session was deleted: so is what was stored of it, or is being stored now. Never rejects. */
  async forget(session: string): Promise<void> {
    this.gone.add(session);
    const { snapshotFiles: files } = this.around;
    await files?.removeSession(session).catch(() => undefined);
    await Promise.allSettled([...this.saving]);
    await files?.removeSession(session).catch(() => undefined);
  }

  /** Deletes what is of no session any more, what is too much, and all where none may be kept. Never rejects. */
  async tidy(): Promise<void> {
    const { snapshotFiles: files } = this.around;
    if (files === null) return;
    await Promise.allSettled([...this.saving]);
    const none = this.files() === null;
    const kept = await files.list().catch(() => []);
    for (const { session, path } of kept) if (none || !this.isKept(session)) await files.remove(path);
    await this.evict(files).catch(() => undefined);
  }

  /** Where they are kept; null where none are. */
  private files(): SnapshotFiles | null {
    const { snapshotFiles } = this.around;
    return this.sessions === null || this.around.settings().snapshotBytes <= 0 ? null : snapshotFiles;
  }

  /** A model that was loaded anew has empty slots. */
  private owners(): Map<number, Owner> {
    const info = this.loaded();
    if (info !== this.info) this.held = new Map();
    this.info = info;
    return this.held;
  }

  private isKept(session: string): boolean {
    try {
      return this.sessions?.session(session) != null;
    } catch {
      // A store that cannot be read says nothing about it.
      return true;
    }
  }

  private async evict(files: SnapshotFiles): Promise<void> {
    const latest = (await files.list()).toSorted((a, b) => b.used - a.used);
    let left = this.around.settings().snapshotBytes;
    for (const { path, bytes } of latest) {
      left -= bytes;
      if (left < 0) await files.remove(path);
    }
  }

  private async pending(...jobs: readonly Promise<void>[]): Promise<void> {
    const all = Promise.allSettled(jobs);
    this.saving.add(all);
    await all;
    this.saving.delete(all);
  }
}

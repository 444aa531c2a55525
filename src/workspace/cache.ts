// The bundle cache: makes the workspace bundle once, again when its files change or it is old, and tells who listens.

import { type Disposable, Emitter } from '../core/emitter.ts';
import type { Bundle } from '../core/prompt/bundle.ts';

export interface CachePorts {
  readonly create: () => Promise<Bundle>;
  /** Hands over changed files by their absolute paths; null where nothing can be watched. */
  readonly watch: ((changed: (path: string) => void) => Disposable) | null;
  /** Whether a change of the file may change the bundle. */
  readonly relevant: (path: string) => boolean;
  /** Milliseconds. */
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => Disposable;
}

export interface CacheSettings {
  /** How long no further change must come before the bundle is made again; no longer than 5 s in all. */
  readonly debounceMilliseconds: number;
  /** 0: it never gets too old. */
  readonly maxAgeSeconds: number;
  /** When off, every `get` makes the bundle, and nothing is watched. */
  readonly enabled: boolean;
}

export interface CacheStats {
  /** Gets that found a fresh bundle, or one that was being made. */
  readonly hits: number;
  /** Gets that had to make one. */
  readonly misses: number;
  /** Bursts of changes that made the bundle stale. */
  readonly invalidations: number;
}

/** A bundle on its way. `at` is when its making began, since later changes may not be in it. */
interface Creation {
  readonly at: number;
  readonly result: Promise<Bundle>;
}

const longestWait = 5000;

export class BundleCache {
  private readonly ports: CachePorts;
  private readonly changes = new Emitter<Bundle>();
  private settings: CacheSettings;
  private counts = { hits: 0, misses: 0, invalidations: 0 };
  /** The last one begun, until it fails or a change makes it stale. */
  private current: Creation | undefined;
  /** The last one begun of all; one that was begun before it says nothing any more when it ends. */
  private latest: Creation | undefined;
  private known: Bundle | undefined;
  private watching: Disposable | undefined;
  private burst: { readonly since: number; timer: Disposable } | undefined;
  private disposed = false;

  constructor(ports: CachePorts, settings: CacheSettings) {
    this.ports = ports;
    this.settings = settings;
    this.watch();
  }

  get stats(): CacheStats {
    return { ...this.counts };
  }

  /** The bundle, from the cache while it is fresh. Rejects where it could not be made. */
  get(): Promise<Bundle> {
    if (this.disposed) return Promise.reject(new Error('The bundle cache is closed'));
    if (this.settings.enabled && this.current !== undefined && this.isYoung(this.current)) {
      this.counts.hits += 1;
      return this.current.result;
    }
    this.counts.misses += 1;
    return this.create().result;
  }

  /** Whether the files of the newest bundle that is known are others than those that were frozen into a prompt. */
  stale(frozen: Bundle): boolean {
    const { known } = this;
    if (known?.files !== undefined && frozen.files !== undefined) return known.files !== frozen.files;
    return known !== undefined && known.key !== frozen.key;
  }

  /** Tells of every bundle that differs from the one known before. */
  subscribe(listener: (bundle: Bundle) => void): Disposable {
    return this.changes.subscribe(listener);
  }

  configure(settings: CacheSettings): void {
    if (this.disposed) return;
    const before = this.settings;
    this.settings = settings;
    if (settings.enabled === before.enabled) return;
    // A bundle that was made while nothing was watched may be out of date already.
    this.stop();
    this.watch();
  }

  /** Makes the bundle again in the background, if one was ever asked for: what it is made of has changed. */
  invalidate(): void {
    this.burst?.timer.dispose();
    this.burst = undefined;
    if (this.disposed || !this.settings.enabled || this.latest === undefined) return;
    this.counts.invalidations += 1;
    // The next get tries again, and tells of a failure.
    this.create().result.catch(() => undefined);
  }

  dispose(): void {
    this.disposed = true;
    this.stop();
    this.changes.dispose();
  }

  private isYoung({ at }: Creation): boolean {
    const { maxAgeSeconds } = this.settings;
    const age = this.ports.now() - at;
    // A clock that was set back says nothing about the age.
    return maxAgeSeconds === 0 || (age >= 0 && age < maxAgeSeconds * 1000);
  }

  private create(): Creation {
    const creation: Creation = { at: this.ports.now(), result: this.ports.create() };
    this.current = creation;
    this.latest = creation;
    creation.result.then(
      (bundle) => this.learn(creation, bundle),
      () => {
        if (this.current === creation) this.current = undefined;
      },
    );
    return creation;
  }

  private learn(creation: Creation, bundle: Bundle): void {
    if (this.disposed || this.latest !== creation) return;
    const differs = this.known !== undefined && this.known.key !== bundle.key;
    this.known = bundle;
    if (differs) this.changes.emit(bundle);
  }

  private watch(): void {
    if (!this.settings.enabled || this.ports.watch === null) return;
    this.watching = this.ports.watch((path) => {
      if (this.watching !== undefined && this.ports.relevant(path)) this.wait();
    });
  }

  private stop(): void {
    this.burst?.timer.dispose();
    this.burst = undefined;
    this.watching?.dispose();
    this.watching = undefined;
    this.current = undefined;
  }

  /** Waits for the end of a burst of changes: each one starts the wait anew, as long as it does not take too long. */
  private wait(): void {
    const now = this.ports.now();
    const since = this.burst?.since ?? now;
    this.burst?.timer.dispose();
    const most = Math.max(0, since + longestWait - now);
    const milliseconds = Math.min(this.settings.debounceMilliseconds, most);
    this.burst = { since, timer: this.ports.later(() => this.invalidate(), milliseconds) };
  }
}

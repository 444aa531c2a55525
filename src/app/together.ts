// What the conversations that are open in a window share: the slots with what is kept of them on disk, and the floor.

import { Floor } from './floor.ts';
import type { Engine, ModelLife } from './modelLife.ts';
import type { Writers } from './sessions.ts';
import { Snapshots } from './snapshots.ts';
import type { Storage } from './storage.ts';
import type { Surroundings } from './surroundings.ts';

export interface Together {
  readonly snapshots: Snapshots;
  readonly floor: Floor;
  readonly writers: Writers;
  /** Calls back when a slot was stored or given, until the returned function is called. */
  listen(changed: () => void): () => void;
}

export function createTogether(
  engine: Engine,
  life: Pick<ModelLife, 'loaded'>,
  storage: Storage | null,
  around: Surroundings,
): Together {
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const snapshots = new Snapshots(engine, around, () => life.loaded, storage?.sessions ?? null, changed);
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { snapshots, floor: new Floor(), writers: new Map(), listen };
}

// What the conversations that are open in a window share: the slots with what is kept of them on disk, and the floor.

import { Emitter } from '../../core/emitter.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelLife } from '../model/modelLife.ts';
import type { Storage } from '../ports/storage.ts';
import type { Surroundings } from '../ports/surroundings.ts';
import type { Writers } from '../session/sessions.ts';
import { Floor } from './floor.ts';
import { Snapshots } from './snapshots.ts';

export interface Together {
  readonly snapshots: Snapshots;
  readonly floor: Floor;
  readonly writers: Writers;
  /** A slot was stored or given. */
  readonly slotsChanged: Pick<Emitter<void>, 'subscribe'>;
}

export function createTogether(
  engine: Engine,
  life: Pick<ModelLife, 'loaded'>,
  storage: Storage | null,
  around: Surroundings,
): Together {
  const slotsChanged = new Emitter<void>();
  const changed = () => slotsChanged.emit();
  const snapshots = new Snapshots(engine, around, () => life.loaded, storage?.sessions ?? null, changed);
  return { snapshots, floor: new Floor(), writers: new Map(), slotsChanged };
}

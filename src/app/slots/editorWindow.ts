// What the conversations that are open in a window share: the slots with what is kept of them on disk, and the floor.

import { Emitter } from '../../core/emitter.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelLife } from '../model/modelLife.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Storage } from '../ports/storage.ts';
import type { Writers } from '../session/sessions.ts';
import { Scheduler } from './scheduler.ts';
import { Snapshots } from './snapshots.ts';

export interface EditorWindow {
  readonly snapshots: Snapshots;
  readonly scheduler: Scheduler;
  readonly writers: Writers;
  /** A slot was stored or given. */
  readonly slotsChanged: Pick<Emitter<void>, 'subscribe'>;
}

export function createEditorWindow(
  engine: Engine,
  life: Pick<ModelLife, 'loaded'>,
  storage: Storage | null,
  ports: ConversationPorts,
): EditorWindow {
  const slotsChanged = new Emitter<void>();
  const changed = () => slotsChanged.emit();
  const snapshots = new Snapshots(engine, ports, () => life.loaded, storage?.sessions ?? null, changed);
  return { snapshots, scheduler: new Scheduler(), writers: new Map(), slotsChanged };
}

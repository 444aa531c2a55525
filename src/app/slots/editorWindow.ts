// What the conversations that are open in a window share: its engines with their slots and what is kept of them on disk, and the scheduler.

import { Emitter } from '../../core/emitter.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelLife } from '../model/modelLife.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Storage } from '../ports/storage.ts';
import type { Writers } from '../session/sessions.ts';
import { Scheduler } from './scheduler.ts';
import { Snapshots } from './snapshots.ts';
import { type OtherEngines, WindowEngines } from './windowEngines.ts';

export interface EditorWindow {
  readonly engines: WindowEngines;
  readonly scheduler: Scheduler;
  readonly writers: Writers;
  /** A slot was stored or given. */
  readonly slotsChanged: Pick<Emitter<void>, 'subscribe'>;
}

/** `others`: null where one engine runs all agents. */
export function createEditorWindow(
  engine: Engine,
  life: ModelLife,
  storage: Storage | null,
  ports: ConversationPorts,
  others: OtherEngines | null = null,
): EditorWindow {
  const slotsChanged = new Emitter<void>();
  const changed = () => slotsChanged.emit();
  const sessions = storage?.sessions ?? null;
  const engines = new WindowEngines(
    { engine, life },
    others,
    (of) => new Snapshots(of.engine, ports, () => of.life.loaded, sessions, changed),
  );
  return { engines, scheduler: new Scheduler(), writers: new Map(), slotsChanged };
}

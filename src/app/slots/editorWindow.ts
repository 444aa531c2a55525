// What the conversations that are open in a window share: its engines with their slots and what is kept of them on disk, the scheduler, and
// whether the battery is saved.

import { Emitter } from '../../core/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage.ts';
import type { Writers } from '../session/sessions.ts';
import { type ReadPower, Saver } from './saver.ts';
import { Scheduler } from './scheduler.ts';
import { type SnapshotPorts, Snapshots } from './snapshots.ts';
import { type ModelSources, type WindowEngine, WindowEngines } from './windowEngines.ts';

export interface EditorWindow {
  readonly engines: WindowEngines;
  readonly scheduler: Scheduler;
  readonly writers: Writers;
  readonly saver: Saver;
  /** A slot was stored or given. */
  readonly slotsChanged: Pick<Emitter<void>, 'subscribe'>;
}

/** The machine of a window. */
export interface MachinePorts extends SnapshotPorts {
  readonly clock: Clock;
  readonly power: ReadPower;
}

export function createEditorWindow(
  main: Omit<WindowEngine, 'snapshots'>,
  models: ModelSources,
  storage: Storage | null,
  machine: MachinePorts,
): EditorWindow {
  const slotsChanged = new Emitter<void>();
  const changed = () => slotsChanged.emit();
  const sessions = storage?.sessions ?? null;
  const engines = new WindowEngines(
    main,
    models,
    (of) => new Snapshots(of.engine, machine, () => of.life.loaded, sessions, changed),
  );
  const saver = new Saver(machine.power, machine.clock);
  return { engines, scheduler: new Scheduler(), writers: new Map(), saver, slotsChanged };
}

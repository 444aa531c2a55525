// A window over a real store whose slots are stored in a folder that is only a map.
import type { KeptSnapshot, SnapshotFiles } from '../../../src/app/ports/snapshotFiles.ts';
import type { Storage } from '../../../src/app/ports/storage.ts';
import type { LoadSnapshotParams, SaveSnapshotParams } from '../../../src/core/engine/slotState.ts';
import { openedOn } from './storeScene.ts';

export interface Folder extends SnapshotFiles {
  readonly kept: Map<string, KeptSnapshot>;
}

export function emptyFolder(): Folder {
  const kept = new Map<string, KeptSnapshot>();
  return {
    kept,
    path: (session, slot) => `${session}/${slot}`,
    list: async () => [...kept.values()],
    remove: async (path) => void kept.delete(path),
    removeSession: async (session) => {
      for (const path of [...kept.keys()]) if (path.startsWith(`${session}/`)) kept.delete(path);
    },
  };
}

let clock = 0;

/** A window whose engine stores as it is asked to, and whose timers run when told. */
export function windowOn(storage: Storage, folder: Folder) {
  const window = openedOn(storage);
  const { engine, ports } = window;
  const saves: SaveSnapshotParams[] = [];
  const loads: LoadSnapshotParams[] = [];
  const timers = new Map<() => void, number>();
  ports.snapshotFiles = folder;
  Object.assign(ports, {
    every: (milliseconds: number, run: () => void) => {
      timers.set(run, milliseconds);
      return () => timers.delete(run);
    },
  });
  engine.snapshots = {
    save: (params) => {
      saves.push(params);
      const { path, session } = params;
      folder.kept.set(path, { session, path, bytes: 1000, used: ++clock });
      return { saved: true, tokens: 6012, bytes: 1000, milliseconds: 30, slotMilliseconds: 10 };
    },
    load: (params) => {
      loads.push(params);
      const { path } = params;
      const pace = { tokens: 6012, milliseconds: 20_000 };
      return folder.kept.has(path)
        ? { loaded: true, from: 'disk', tokens: 6012, bytes: 1000, milliseconds: 210, pace }
        : { loaded: false, reason: 'there is none', deleted: false };
    },
  };
  /** Lets so much time pass at once. */
  const pass = async (milliseconds: number) => {
    for (const [run, each] of [...timers]) if (each === milliseconds) run();
    await settled();
  };
  return { ...window, saves, loads, timers, pass };
}

export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

// Keeps what code blocks changed for as long as the window is open, where nothing can be stored. An agent changes nothing there.
import { FaultError } from '../../core/faults/faults.ts';
import type { ChangedFile, FileSnapshots } from '../../core/stored/fileSnapshots.ts';
import { sha256Of } from '../../tools/files/hash.ts';

export function memorySnapshots(): FileSnapshots {
  const rows = new Map<string, ChangedFile>();
  const contents = new Map<string, Uint8Array>();
  const refuse = () => {
    throw new FaultError({ kind: 'storeUnavailable', reason: 'nothing is stored here' });
  };
  return {
    begin: refuse,
    settle: refuse,
    of: () => [],
    ofFile: () => [],
    file: (file) => rows.get(file) ?? null,
    files: (session) => [...rows.values()].filter((row) => row.session === session),
    put: (row, given = []) => {
      rows.set(row.file, row);
      for (const bytes of given) if (bytes !== null) contents.set(sha256Of(bytes), bytes);
    },
    folders: () => new Set([...rows.values()].flatMap(({ folders = [] }) => folders)),
    content: (hash) => contents.get(hash) ?? null,
    trim: () => {
      for (const { file, base, now } of rows.values()) if (base === now) rows.delete(file);
      if (rows.size === 0) contents.clear();
    },
    size: () => ({ bytes: 0, snapshots: 0, oldest: null }),
  };
}

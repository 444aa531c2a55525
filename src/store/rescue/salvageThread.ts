// The thread that reads what a damaged file still holds: torn pages may take seconds, and the host answers meanwhile.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../open.ts';
import { type Salvaged, type SalvageParams, salvage, type TakenBack } from './salvage.ts';
import { owed } from './salvaging.ts';

/** Milliseconds it waits for a window's writes. Its own are of one session each, and no window waits long for them. */
const patience = 10_000;

async function run({ from, into }: SalvageParams): Promise<Salvaged> {
  const connection = await openConnection(into, patience);
  try {
    return salvage(from, connection, takenIn(`${from}${owed}`));
  } finally {
    connection.close();
  }
}

/** Keeps what came back in the note, with a line for each key. */
function takenIn(note: string): TakenBack {
  const known = new Set(existsSync(note) ? readFileSync(note, 'utf8').split('\n') : []);
  const add = (key: string) => {
    known.add(key);
    appendFileSync(note, `${key}\n`, { mode: 0o600 });
  };
  return { has: (key) => known.has(key), add };
}

void run(workerData as SalvageParams).then((salvaged) => parentPort?.postMessage(salvaged));

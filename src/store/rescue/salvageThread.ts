// The thread that reads what a damaged file still holds: torn pages may take seconds, and the host answers meanwhile.
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../open.ts';
import { type Salvaged, salvage } from './salvage.ts';

export interface SalvageParams {
  /** The damaged file. */
  readonly from: string;
  /** The database in use, which a window writes to as well. */
  readonly into: string;
}

/** Milliseconds it waits for a window's writes. Its own are of one session each, and no window waits long for them. */
const patience = 10_000;

async function run({ from, into }: SalvageParams): Promise<Salvaged> {
  const connection = await openConnection(into, patience);
  try {
    return salvage(from, connection);
  } finally {
    connection.close();
  }
}

void run(workerData as SalvageParams).then((salvaged) => parentPort?.postMessage(salvaged));

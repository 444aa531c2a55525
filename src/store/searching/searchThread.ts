// The thread that looks through all conversations: that takes half a second with thousands, and the host answers meanwhile.
import { parentPort, workerData } from 'node:worker_threads';
import type { Fault } from '../../core/faults/fault.ts';
import { faultOf } from '../../core/faults/faults.ts';
import type { Searched } from '../../core/stored/storedSession.ts';
import { openBeside } from '../open.ts';
import { search } from '../search.ts';
import type { SearchParams } from './searcher.ts';

async function run({ path, workspace, words, limit }: SearchParams): Promise<Searched | Fault> {
  try {
    const connection = await openBeside(path);
    try {
      return connection.read(() => search(connection, workspace, words, limit));
    } finally {
      connection.close();
    }
  } catch (error) {
    return faultOf(error);
  }
}

void run(workerData as SearchParams).then((found) => parentPort?.postMessage(found));

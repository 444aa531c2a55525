// Where the programs of the soak are.
import { join } from 'node:path';

export const workerScript = join(import.meta.dirname, '../../src/engine/worker/main.ts');
export const hostScript = join(import.meta.dirname, 'host.ts');

// Paths of the scripts that the soak runs as processes.
import { join } from 'node:path';

export const workerScript = join(import.meta.dirname, '../../src/engine/worker/main.ts');
export const hostScript = join(import.meta.dirname, 'host.ts');

// The file in which a whole run of `npm test` notes how long it took.
import { join } from 'node:path';
import { projectRoot } from './program.ts';

export const minutesFile = join(projectRoot, 'out', 'tests.json');

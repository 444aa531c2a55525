// Indexes a folder once, to be killed meanwhile: `node test/finding/indexOnce.ts FOLDER DATABASE`.
import { defaultLimits } from '../../src/finding/build.ts';
import { Finder } from '../../src/finding/finder.ts';
import { grammars } from './scene.ts';

const [folder = '', database = ''] = process.argv.slice(2);
const ports = { grammars, now: () => performance.now(), gate: async () => undefined, progress: () => undefined };
const finder = new Finder(
  database,
  { roots: [{ name: 'folder', path: folder, real: folder }], exclude: [] },
  defaultLimits,
  ports,
);
await finder.refresh(new AbortController().signal);
finder.close();

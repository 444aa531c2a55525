// Opens the index of a folder for the command line: the thread runs from source, the database is kept between two calls.
import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultLimits } from '../../src/finding/build.ts';
import { FindingClient } from '../../src/finding/client.ts';
import type { FolderFinding } from './folderProject.ts';

export const grammarsFolder = fileURLToPath(
  new URL('../../node_modules/@vscode/tree-sitter-wasm/wasm', import.meta.url),
);

/** A folder of ours for what the command line keeps between two calls. */
export function cacheFolder(name: string): string {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tidemark', name);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  return cache;
}

/** Returns the file in which the index of a folder is kept between two calls. */
export function indexOf(workspace: string): string {
  return join(
    cacheFolder('index'),
    `${createHash('sha256').update(realpathSync(workspace)).digest('hex').slice(0, 24)}.db`,
  );
}

export function openFinding(workspace: string, file: string): FindingClient {
  const real = realpathSync(workspace);
  const roots = [{ name: basename(real), path: workspace, real }];
  const script = new URL('../../src/finding/worker/main.ts', import.meta.url);
  return new FindingClient(
    script,
    { file, roots, exclude: [], limits: defaultLimits, grammars: grammarsFolder },
    () => undefined,
  );
}

/** Files of the map: more than fit, so that exact counts decide. */
const mostMapped = 200;

/** Passages and the map, from an index. */
export function foundBy(finding: Pick<FindingClient, 'request'>): FolderFinding {
  return {
    find: (query, signal) => finding.request('find', query, signal),
    named: (text) => finding.request('named', { text }),
    failing: async (output) => {
      // Nobody watches the files: what a fix changed is read anew.
      await finding.request('refresh', null);
      return finding.request('failing', { output });
    },
    map: () => finding.request('map', { most: mostMapped }),
  };
}

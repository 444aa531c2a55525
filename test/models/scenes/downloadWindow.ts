// A window of its own that fetches one file: `node downloadWindow.ts URL FOLDER`. Prints each new state, and at the end `done`.

import { fetchFiles } from '../../../src/models/fetchFiles.ts';
import { createDownloadPorts } from '../../../src/models/ports.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const name = url.split('/').at(-1) ?? '';
let last = '';
const say = (state: string) => {
  if (state !== last) process.stdout.write(`${state}\n`);
  last = state;
};
const files = [{ url, name, bytes: null, sha256: null }];
await fetchFiles(files, folder, createDownloadPorts(), ({ state }) => say(state), new AbortController().signal);
say('done');

// Several windows that open the index of one folder at the same moment, when there is none yet: each of them gets it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { temporary } from '../temporary.ts';

const schema = new URL('../../src/finding/db/schema.ts', import.meta.url).href;
const opens = `
  const { parentPort } = require('node:worker_threads');
  import(${JSON.stringify(schema)}).then(({ openDatabase }) => {
    parentPort.on('message', (file) => {
      try {
        openDatabase(file, () => { throw new Error('it would be made anew'); }).close();
        parentPort.postMessage('');
      } catch (error) {
        parentPort.postMessage(error.message);
      }
    });
    parentPort.postMessage('ready');
  });
`;
const next = (worker: Worker) => new Promise<string>((resolve) => worker.once('message', resolve));

test('an index that three open at once is there for each of them', async (t) => {
  const windows = [1, 2, 3].map(() => new Worker(opens, { eval: true }));
  t.after(() => Promise.all(windows.map((one) => one.terminate())));
  await Promise.all(windows.map(next));
  const folder = temporary('tidemark-together-');
  for (let i = 0; i < 60; i++) {
    const said = windows.map(next);
    for (const one of windows) one.postMessage(join(folder, `${i}.db`));
    assert.deepEqual(await Promise.all(said), ['', '', '']);
  }
});

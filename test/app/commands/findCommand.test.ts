// `/find`: what would be found, and what the index leaves out with its reason.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCompacting } from '../scenes/scene.ts';

test('/find left-out lists what the index has nothing of, by its reasons', async () => {
  const scene = openCompacting();
  assert.match(await scene.ask('/find left-out'), /leaves out no file/);
  const locks = Array.from({ length: 130 }, (_, at) => ({ path: `p${at}/go.sum`, reason: 'a lock file' }));
  scene.editor.leftOut = { files: [{ path: 'src/a_b.bin', reason: 'no text' }, ...locks], over: 3 };
  const said = await scene.ask('/find left-out');
  assert.match(said, /^\*\*130 files: a lock file\*\*\n\n- p0\/go\.sum\n/);
  assert.match(said, /- and 30 more\n\n\*\*1 file: no text\*\*\n\n- src\/a\\?_b\.bin\n\n3 files beyond/);
  assert.match(said, /`files\.exclude`/);
});

test('where nothing is found, /find says that files are left out', async () => {
  const scene = openCompacting();
  assert.equal(await scene.ask('/find tides'), 'Nothing was found.');
  scene.editor.leftOut = { files: [{ path: 'a.png', reason: 'no text' }], over: 0 };
  assert.match(await scene.ask('/find tides'), /leaves out 1 file: `\/find left-out`/);
});

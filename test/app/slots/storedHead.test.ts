// The head of the prompt is stored for the next new conversation of a folder.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyFolder, settled, windowOn } from '../scenes/snapshotScene.ts';
import { storeFor } from '../scenes/storeScene.ts';

test('a new conversation begins with the head that an earlier one stored, also in another window and before idle work', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const first = windowOn(store, folder);
  await first.chat.open();
  assert.deepEqual([...folder.kept.keys()], ['head f1 /a/0']);
  await first.chat.send('First.');
  first.chat.newSession();
  await settled();
  await first.chat.snapshots.tidy();
  first.chat.dispose();
  assert.ok(folder.kept.has('head f1 /a/0'), 'no session has it, and it stays');
  const second = windowOn(store, folder);
  second.chat.newSession();
  await second.chat.send('A new one.');
  assert.equal(second.loads[0]?.path, 'head f1 /a/0');
  assert.ok(second.engine.log.indexOf('loadSnapshot') < second.engine.log.indexOf('generate'));
});

// The head of the prompt is stored for the next new conversation of a folder.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyFolder } from '../scenes/memory.ts';
import { openCompacting } from '../scenes/scene.ts';
import { storeFor } from '../scenes/storeScene.ts';
import { settled } from '../scenes/waiting.ts';

test('a new conversation begins with the head that an earlier one stored, also in another window and before idle work', async (context) => {
  const [store, folder] = [await storeFor(context), emptyFolder()];
  const first = openCompacting({ storage: store, folder });
  await first.ready();
  assert.deepEqual([...folder.kept.keys()], ['head f1 /a/0']);
  await first.say('First.');
  first.newConversation();
  await settled();
  await first.tidySlots();
  first.dispose();
  assert.ok(folder.kept.has('head f1 /a/0'), 'no session has it, and it stays');
  const second = openCompacting({ storage: store, folder });
  second.newConversation();
  await second.say('A new one.');
  assert.equal(second.loads[0]?.path, 'head f1 /a/0');
  assert.ok(second.engine.asked.indexOf('loadSnapshot') < second.engine.asked.indexOf('generate'));
});

// The tools of a conversation: frozen with its head, so that what comes and goes in the window does not break the prefix; and what a
// model that was trained for Tidemark sees of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelAgent, trainedTools } from '../../../src/core/agent/modelAgent.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { createTools } from '../../../src/tools/index.ts';
import { openScene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';

const named = (name: string, description = `Says ${name}.`): Tool => ({
  schema: { name, description, parameters: { type: 'object', properties: {}, required: [] } },
  effect: 'read',
  run: async () => ({ ok: true, head: `${name}:`, body: 'said' }),
});

/** A chat whose window has these tools, and the tools of the prompts that the model got. */
function withTools(says: Say[], tools: Tool[]) {
  const scene = openScene(says);
  scene.editor.tools = tools;
  const offered = () => scene.prompt()?.tools.map(({ name, description }) => `${name}: ${description}`);
  return { ...scene, tools, offered };
}

test('a tool that comes later, and another word in a description, wait for the next conversation', async () => {
  const scene = withTools(['one', 'two', 'three'], [named('look')]);
  await scene.say('first');
  assert.deepEqual(scene.offered(), ['look: Says look.']);
  scene.tools.splice(0, 1, named('look', 'Looks harder.'), named('ask'));
  await scene.say('second');
  assert.deepEqual(scene.offered(), ['look: Says look.']);
  scene.newConversation();
  await scene.say('third');
  assert.deepEqual(scene.offered(), ['ask: Says ask.', 'look: Looks harder.']);
});

test('the user who refreshes the head gets the tools of now', async () => {
  const scene = withTools(['one', 'two'], [named('look')]);
  await scene.say('first');
  scene.tools.push(named('ask'));
  await scene.refresh();
  await scene.say('second');
  assert.deepEqual(scene.offered(), ['ask: Says ask.', 'look: Says look.']);
});

test('a tool that went stays in the prompt, and a call of it is told so', async () => {
  const scene = withTools(['one', { call: 'look', arguments: {} }, 'two'], [named('look'), named('ask')]);
  await scene.say('first');
  scene.tools.shift();
  await scene.say('second');
  assert.deepEqual(scene.offered(), ['ask: Says ask.', 'look: Says look.']);
  assert.match(scene.entries('step')[0]?.head ?? '', /look is not there any more/);
});

test('what the user switches off goes with the next message', async () => {
  const scene = withTools(['one', 'two'], [named('look'), named('ask')]);
  await scene.say('first');
  scene.settings.toolsOff = ['ask'];
  await scene.say('second');
  assert.deepEqual(scene.offered(), ['look: Says look.']);
});

test('the pocket model sees the tools that it was trained with, in the words of then, whatever else there is', async () => {
  const own = modelAgent('pocket');
  assert.ok(own !== null);
  const scene = withTools(['one'], [named('edit_file'), named('list_files', 'Lists all that there is.')]);
  scene.engine.info = { ...scene.engine.info, name: 'pocket' };
  await scene.say('first');
  assert.deepEqual(scene.offered(), ['list_files: List the files and folders in a folder of the workspace.']);
});

test('what the pocket model may write is what the tools of this version take', () => {
  const now = createTools({ folders: [], diagnostics: async () => [] } as unknown as Parameters<typeof createTools>[0]);
  const own = modelAgent('pocket');
  assert.ok(own !== null);
  assert.equal(trainedTools(own, now).length, own.tools.length);
  for (const { name, parameters } of own.tools) {
    const live = now.find(({ schema }) => schema.name === name)?.schema.parameters;
    for (const key of Object.keys(parameters.properties))
      assert.equal(live?.properties[key]?.type, parameters.properties[key]?.type);
    for (const key of live?.required ?? []) assert.ok(parameters.required.includes(key));
  }
});

// The tools of a conversation: frozen with its head, so that what comes and goes in the window does not break the prefix; and what a
// model that was trained for Tidemark sees of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelAgent, trainedTools } from '../../../src/core/agent/modelAgent.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { createTools } from '../../../src/tools/index.ts';
import { openChat } from '../scenes/openChat.ts';
import type { Say } from '../scenes/scriptedModel.ts';

const named = (name: string, description = `Says ${name}.`): Tool => ({
  schema: { name, description, parameters: { type: 'object', properties: {}, required: [] } },
  effect: 'read',
  run: async () => ({ ok: true, head: `${name}:`, body: 'said' }),
});

/** A chat whose window has these tools, and the tools of the prompts that the model got. */
function withTools(script: Say[], tools: Tool[]) {
  const opened = openChat(script);
  Object.assign(opened.ports, { tools: () => [...tools] });
  const offered = () =>
    opened.chat.sending.sent?.prompt.tools.map(({ name, description }) => `${name}: ${description}`);
  return { ...opened, tools, offered };
}

test('a tool that comes later, and another word in a description, wait for the next conversation', async () => {
  const { chat, tools, offered } = withTools(['one', 'two', 'three'], [named('look')]);
  await chat.send('first');
  assert.deepEqual(offered(), ['look: Says look.']);
  tools.splice(0, 1, named('look', 'Looks harder.'), named('ask'));
  await chat.send('second');
  assert.deepEqual(offered(), ['look: Says look.']);
  chat.newSession();
  await chat.send('third');
  assert.deepEqual(offered(), ['ask: Says ask.', 'look: Looks harder.']);
});

test('the user who refreshes the head gets the tools of now', async () => {
  const { chat, tools, offered } = withTools(['one', 'two'], [named('look')]);
  await chat.send('first');
  tools.push(named('ask'));
  await chat.refreshWorkspace();
  await chat.send('second');
  assert.deepEqual(offered(), ['ask: Says ask.', 'look: Says look.']);
});

test('a tool that went stays in the prompt, and a call of it is told so', async () => {
  const { chat, tools, offered } = withTools(
    ['one', { call: 'look', arguments: {} }, 'two'],
    [named('look'), named('ask')],
  );
  await chat.send('first');
  tools.shift();
  await chat.send('second');
  assert.deepEqual(offered(), ['ask: Says ask.', 'look: Says look.']);
  const step = chat.snapshot.entries.find(({ kind }) => kind === 'step');
  assert.match((step?.kind === 'step' && step.head) || '', /look is not there any more/);
});

test('what the user switches off goes with the next message', async () => {
  const { chat, settings, offered } = withTools(['one', 'two'], [named('look'), named('ask')]);
  await chat.send('first');
  settings.toolsOff = ['ask'];
  await chat.send('second');
  assert.deepEqual(offered(), ['look: Says look.']);
});

test('the pocket model sees the tools that it was trained with, in the words of then, whatever else there is', async () => {
  const own = modelAgent('pocket');
  assert.ok(own !== null);
  const { chat, engine, offered } = withTools(
    ['one'],
    [named('edit_file'), named('list_files', 'Lists all that there is.')],
  );
  engine.info = { ...engine.info, name: 'pocket' };
  await chat.send('first');
  assert.deepEqual(offered(), ['list_files: List the files and folders in a folder of the workspace.']);
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

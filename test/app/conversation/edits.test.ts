// A conversation whose agent may change files: what it was not asked to it cannot, each change waits for a yes, and code blocks do where a model calls no tools.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { guided } from '../../../src/core/agent/graph.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../../src/edits/tools.ts';
import { nothingToReview } from '../../../src/protocol/reviewView.ts';
import { createTools } from '../../../src/tools/index.ts';
import { makeFolder, openFolder } from '../../tools/sandbox.ts';
import { openChat } from '../scenes/openChat.ts';
import type { Say } from '../scenes/scriptedModel.ts';

const rate = 'export function rate(): number {\n  return 1;\n}\n';

/** A conversation over a real folder, which answers each question for a yes as it is told. */
async function editing(t: TestContext, script: Say[], says: (preview: string) => boolean = () => true) {
  const root = makeFolder(t, { 'rate.ts': rate, 'package.json': '{ "scripts": { "test": "true" } }\n' });
  const workspace = openFolder(root);
  const scene = openChat(script);
  const tools = [...createTools(workspace), ...createEditTools({ workspace, files: diskFiles })];
  Object.assign(scene.ports, { tools: () => tools });
  scene.settings.agent = { ...scene.settings.agent, edits: true };
  const asked: { readonly preview: string; readonly because: string }[] = [];
  scene.chat.subscribe(() => {
    const { asks } = scene.chat.snapshot;
    if (asks === null) return;
    asked.push({ preview: asks.preview, because: asks.because });
    setImmediate(() => scene.chat.sending.approvals.answer(asks.call, says(asks.preview)));
  });
  await scene.chat.open();
  return { ...scene, asked, read: (name: string) => readFileSync(join(root, name), 'utf8') };
}

const reads: Say = { call: 'read_file', arguments: { path: 'rate.ts' } };
const edits: Say = { call: 'edit_file', arguments: { path: 'rate.ts', old: '  return 1;', new: '  return 2;' } };

test('a change is shown as a diff, made after a yes, and the model is told', async (t) => {
  const { chat, asked, read } = await editing(t, [reads, edits, 'Done.']);
  await chat.send('make it two');
  assert.match(read('rate.ts'), /return 2;/);
  assert.equal(asked.length, 1);
  assert.match(asked[0]?.preview ?? '', /-\s+return 1;\n\+\s+return 2;/);
  assert.match(JSON.stringify(chat.session.state.dialog.items), /Edited rate\.ts/);
});

test('after a no the file is as it was', async (t) => {
  const { chat, read } = await editing(t, [reads, edits, 'Then not.'], () => false);
  await chat.send('make it two');
  assert.equal(read('rate.ts'), rate);
});

test('an agent that only asks is not offered the tools that write', async (t) => {
  const { chat, settings, engine } = await editing(t, ['It is one.']);
  settings.agent = { ...settings.agent, edits: false };
  await chat.send('what is it?');
  const offered = engine.prompts.map(({ tools }) => tools.map(({ name }) => name).join(' '));
  assert.match(offered.join('\n'), /read_file/);
  assert.doesNotMatch(offered.join('\n'), /edit_file|write_file|delete_file|move_file/);
});

test('where a model calls no tools, a code block that names its file takes the place of what it declares', async (t) => {
  const block = 'Two:\n\n```ts rate.ts\nexport function rate(): number {\n  return 2;\n}\n```\n';
  const { chat, settings, asked, read } = await editing(t, [block, 'You are welcome.']);
  settings.agent = { ...settings.agent, graph: guided };
  await chat.send('make it two');
  assert.match(read('rate.ts'), /return 2;/);
  assert.equal(asked.length, 1);
  await chat.send('thank you');
  assert.match(JSON.stringify(chat.session.state.dialog.items), /What became of your code blocks: /);
});

test('a file that can start something says so when it is asked for', async (t) => {
  const guarded: Say = { call: 'edit_file', arguments: { path: 'package.json', old: '"true"', new: '"curl"' } };
  const { chat, asked } = await editing(t, [
    { call: 'read_file', arguments: { path: 'package.json' } },
    guarded,
    'Done.',
  ]);
  await chat.send('change the script');
  assert.match(asked[0]?.because ?? '', /package\.json/);
});

test('an edit leaves the prefix as it is: each prompt begins with the one before, and what was read before is marked as stale', async (t) => {
  const { chat, engine } = await editing(t, [reads, edits, 'Done.', 'You are welcome.']);
  await chat.send('make it two');
  await chat.send('thank you');
  const texts = engine.prompts.map(({ messages }) =>
    messages.map(({ segments }) => segments.map(({ text, calls }) => text + JSON.stringify(calls ?? '')).join('')),
  );
  for (const [i, prompt] of texts.entries()) {
    const before = texts[i - 1] ?? [];
    assert.deepEqual(prompt.slice(0, before.length), before, `prompt ${i}`);
  }
  const stale = chat.snapshot.stack?.decisions.filter((one) => one.stale === true).map(({ label }) => label);
  assert.deepEqual(stale?.length, 1);
  assert.match(stale?.[0] ?? '', /Result: .*rate\.ts/);
});

test('a message that waits for a word about its changes is not asked in another conversation', async () => {
  const { chat, ports } = openChat(['one', 'two']);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked: (readonly string[])[] = [];
  Object.assign(ports, {
    changedFiles: {
      subscribe: () => ({ dispose: () => undefined }),
      view: async () => nothingToReview,
      news: () => '',
      told: () => undefined,
      report: () => '',
      offerUndo: (_session: string, messages: readonly string[]) => {
        asked.push(messages);
        return promise;
      },
    },
  });
  await chat.send('first');
  const [message] = chat.session.state.dialog.path;
  const edited = chat.edit(message?.id ?? '', 'first, in other words');
  await new Promise((done) => setImmediate(done));
  chat.newSession();
  resolve(true);
  await edited;
  assert.deepEqual(asked, [[message?.id]]);
  assert.deepEqual(chat.session.state.dialog.path, []);
  assert.equal(chat.snapshot.draft.text, 'first, in other words');
});

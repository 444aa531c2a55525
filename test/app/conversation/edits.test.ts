// A conversation whose agent may change files: what it was not asked to it cannot, each change waits for a yes, and code blocks do where a model calls no tools.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { guided } from '../../../src/core/agent/graph.ts';
import { nothingNamed } from '../../../src/core/agent/intent.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../../src/edits/tools.ts';
import { nothingToReview } from '../../../src/protocol/reviewView.ts';
import { createTools } from '../../../src/tools/index.ts';
import { makeFolder, openFolder } from '../../tools/sandbox.ts';
import { openScene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';
import { tick, until } from '../scenes/waiting.ts';

const rate = 'export function rate(): number {\n  return 1;\n}\n';

/** A conversation over a real folder, which answers each question for a yes as it is told. */
async function editing(t: TestContext, script: Say[], says: (preview: string) => boolean = () => true) {
  const root = makeFolder(t, { 'rate.ts': rate, 'package.json': '{ "scripts": { "test": "true" } }\n' });
  const workspace = openFolder(root);
  const scene = openScene(script);
  scene.editor.tools = [...createTools(workspace), ...createEditTools({ workspace, files: diskFiles })];
  scene.agent({ edits: true });
  const asked: { readonly preview: string; readonly because: string }[] = [];
  scene.hear(() => {
    const { asks } = scene.shown();
    if (asks === null) return;
    asked.push({ preview: asks.preview, because: asks.because });
    setImmediate(() => scene.allow(asks.call, says(asks.preview)));
  });
  await scene.ready();
  return { ...scene, asked, read: (name: string) => readFileSync(join(root, name), 'utf8') };
}

const reads: Say = { call: 'read_file', arguments: { path: 'rate.ts' } };
const edits: Say = { call: 'edit_file', arguments: { path: 'rate.ts', old: '  return 1;', new: '  return 2;' } };

test('a change is shown as a diff, made after a yes, and the model is told', async (t) => {
  const scene = await editing(t, [reads, edits, 'Done.']);
  await scene.say('make it two');
  assert.match(scene.read('rate.ts'), /return 2;/);
  assert.equal(scene.asked.length, 1);
  assert.match(scene.asked[0]?.preview ?? '', /-\s+return 1;\n\+\s+return 2;/);
  assert.match(JSON.stringify(scene.state().dialog.items), /Edited rate\.ts/);
});

test('after a no the file is as it was', async (t) => {
  const scene = await editing(t, [reads, edits, 'Then not.'], () => false);
  await scene.say('make it two');
  assert.equal(scene.read('rate.ts'), rate);
});

test('an agent that only asks is not offered the tools that write', async (t) => {
  const scene = await editing(t, ['It is one.']);
  scene.agent({ edits: false });
  await scene.say('what is it?');
  const offered = scene.prompts.map(({ tools }) => tools.map(({ name }) => name).join(' '));
  assert.match(offered.join('\n'), /read_file/);
  assert.doesNotMatch(offered.join('\n'), /edit_file|write_file|delete_file|move_file/);
});

test('where a model calls no tools, a code block that names its file takes the place of what it declares', async (t) => {
  const block = 'Two:\n\n```ts rate.ts\nexport function rate(): number {\n  return 2;\n}\n```\n';
  const scene = await editing(t, [block, 'You are welcome.']);
  scene.agent({ graph: guided });
  await scene.say('make it two');
  assert.match(scene.read('rate.ts'), /return 2;/);
  assert.equal(scene.asked.length, 1);
  await scene.say('thank you');
  assert.match(JSON.stringify(scene.state().dialog.items), /What became of your code blocks: /);
});

test('what became of the blocks is still told when the conversation is opened again before the next message', async (t) => {
  const block = '```ts rate.ts\nexport function rate(): number {\n  return 2;\n}\n```\n';
  const scene = await editing(t, [block], () => false);
  scene.agent({ graph: guided });
  await scene.say('make it two');
  const [id, told] = [scene.id(), scene.told()];
  assert.equal(told, '- **Not made.** You did not allow it (rate.ts).');
  scene.newConversation();
  scene.openConversation(id);
  assert.match(scene.told(), /the user did not allow it/);
  assert.equal(scene.kinds().filter((kind) => kind === 'info').length, 1);
});

test('each further file that the message names follows by a turn of its own, once the one before is changed', async (t) => {
  const block = (path: string, code: string) => `\`\`\`ts ${path}\n${code}\n\`\`\`\n`;
  const code = 'export function rate(): number {\n  return 2;\n}';
  const scene = await editing(t, [block('rate.ts', code), 'Nothing to do.']);
  scene.editor.named = { ...nothingNamed, files: ['rate.ts', 'package.json'] };
  scene.agent({ graph: guided, retrieval: defaultRetrieval });
  await scene.say('make rate two in rate.ts and package.json');
  await until(() => scene.prompts.length === 2);
  assert.match(scene.read('rate.ts'), /return 2;/);
  const asked = scene.shown().entries.flatMap((entry) => (entry.kind === 'user' ? [entry] : []));
  assert.deepEqual(
    asked.map(({ text, intent }) => [text, intent?.files]),
    [
      ['make rate two in rate.ts and package.json', ['rate.ts', 'package.json']],
      ['Now package.json: make rate two in rate.ts and package.json', ['package.json']],
    ],
  );
});

test('an answer that changes another file than its turn is for ends the turns that follow', async (t) => {
  const block = '```ts rate.ts\nexport function rate(): number {\n  return 2;\n}\n```\n';
  const scene = await editing(t, [block, block, block, block]);
  scene.editor.named = { ...nothingNamed, files: ['package.json', 'rate.ts', 'other.ts'] };
  scene.agent({ graph: guided, retrieval: defaultRetrieval });
  await scene.say('make rate two everywhere');
  await until(() => !scene.shown().running && scene.shown().queue.length === 0);
  assert.equal(scene.prompts.length, 2);
});

test('an edit that is not made is told to the user without the words of tools', async (t) => {
  const block = '```ts rate.ts\n<<<<<<< SEARCH\n  return 7;\n=======\n  return 2;\n>>>>>>> REPLACE\n```\n';
  const scene = await editing(t, [block]);
  scene.agent({ graph: guided });
  await scene.say('make it two');
  assert.match(scene.told(), /^- \*\*Not made\.\*\* The text to replace is not in rate\.ts\./);
});

test('the note about refused blocks has the lines that it speaks of, and no words of tools', async (t) => {
  const block = (line: string) =>
    `\`\`\`ts rate.ts\n<<<<<<< SEARCH\n  return ${line};\n=======\n  return 2;\n>>>>>>> REPLACE\n\`\`\`\n`;
  const scene = await editing(t, [block('7'), 'You are welcome.']);
  scene.agent({ graph: guided });
  await scene.say('make it two');
  await scene.say('thank you');
  const items = scene.state().dialog.items;
  const note = items.find((item) => item.origin === 'attachment' && item.head.startsWith('What became'));
  assert.ok(note?.origin === 'attachment');
  assert.equal(note.head, 'What became of your code blocks: The text to replace is not in rate.ts.');
  assert.match(note.body, /The lines most like it are:\n(?:\d+: .*\n)*\d+: .*return 1;/);
});

test('a file that can start something says so when it is asked for', async (t) => {
  const guarded: Say = { call: 'edit_file', arguments: { path: 'package.json', old: '"true"', new: '"curl"' } };
  const scene = await editing(t, [{ call: 'read_file', arguments: { path: 'package.json' } }, guarded, 'Done.']);
  await scene.say('change the script');
  assert.match(scene.asked[0]?.because ?? '', /package\.json/);
});

test('an edit leaves the prefix as it is: each prompt begins with the one before, and what was read before is marked as stale', async (t) => {
  const scene = await editing(t, [reads, edits, 'Done.', 'You are welcome.']);
  await scene.say('make it two');
  await scene.say('thank you');
  const texts = scene.prompts.map(({ messages }) =>
    messages.map(({ segments }) => segments.map(({ text, calls }) => text + JSON.stringify(calls ?? '')).join('')),
  );
  for (const [i, prompt] of texts.entries()) {
    const before = texts[i - 1] ?? [];
    assert.deepEqual(prompt.slice(0, before.length), before, `prompt ${i}`);
  }
  const stale = scene
    .shown()
    .stack?.decisions.filter((one) => one.stale === true)
    .map(({ label }) => label);
  assert.deepEqual(stale?.length, 1);
  assert.match(stale?.[0] ?? '', /Result: .*rate\.ts/);
});

test('a message that waits for a word about its changes is not asked in another conversation', async () => {
  const scene = openScene(['one', 'two']);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked: (readonly string[])[] = [];
  scene.editor.changedFiles = {
    subscribe: () => ({ dispose: () => undefined }),
    view: async () => nothingToReview,
    news: () => '',
    told: () => undefined,
    report: () => '',
    undo: async () => [],
    offerUndo: (_, messages) => {
      asked.push(messages);
      return promise;
    },
  };
  await scene.say('first');
  const message = scene.message(0);
  const edited = scene.edit(message, 'first, in other words');
  await tick();
  scene.newConversation();
  resolve(true);
  await edited;
  assert.deepEqual(asked, [[message]]);
  assert.deepEqual(scene.said(), []);
  assert.equal(scene.shown().draft.text, 'first, in other words');
});

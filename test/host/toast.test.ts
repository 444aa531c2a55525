// The editor makes links of words in its messages; what a model or a folder wrote must not become one that runs a command.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { editor } from './fakeVscode.ts';

const { plainWords } = await import('../../src/host/system/toast.ts');
const { openPlace } = await import('../../src/host/editor/openPlace.ts');
const { showProblem } = await import('../../src/host/handlers/receive.ts');

/** The pattern by which the editor finds links in a message. Source: `parseLinkedText` of VS Code's base/common/linkedText.ts. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const attacks = [
  '[Open](command:workbench.action.terminal.new)',
  'a [b](https://attack.invalid/?q=1 "t") c',
  '[x](file:///etc/passwd)',
];

test('no attack is a link any more, and words without one stay as they are', () => {
  for (const words of attacks) {
    assert.match(words, link);
    assert.doesNotMatch(plainWords(words), link);
  }
  assert.equal(plainWords('list[0] (of 3) is wrong.'), 'list[0] (of 3) is wrong.');
});

test('a path that a model wrote and an error that quotes it make no link', async () => {
  editor.warned.length = 0;
  const workspace = { folders: [], unsaved: () => [] };
  for (const words of attacks) {
    await openPlace(workspace, words, 1);
    showProblem(new Error(words));
  }
  assert.equal(editor.warned.length, 2 * attacks.length);
  for (const words of editor.warned) assert.doesNotMatch(words, link);
});

test('no other file shows messages of the editor', () => {
  const root = new URL('../../src/', import.meta.url);
  const showing = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /\bshow(Warning|Error|Information)Message\b/.test(readFileSync(new URL(file, root), 'utf8')));
  assert.deepEqual(showing, ['host/system/toast.ts']);
});

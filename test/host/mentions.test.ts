// The editor's mentions: what they stand for in a trusted workspace, and that there is nothing in one that is not.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { mentionsIn } from '../../src/app/turn/mentions.ts';
import type { Workspace } from '../../src/tools/files/workspace.ts';
import { temporary } from '../temporary.ts';
import { editor } from './fakeVscode.ts';

const { createMentions } = await import('../../src/host/mentions/mentions.ts');

const { signal } = new AbortController();

async function opened() {
  const path = temporary('tidemark-mentions-');
  const code = 'const z = 1;\n\nexport function readTide(): number {\n  return z;\n}\n\nconst y = 2;\n';
  await writeFile(join(path, 'tide.ts'), code);
  await mkdir(join(path, '.tidemark', 'prompts'), { recursive: true });
  await writeFile(join(path, '.tidemark', 'prompts', 'tide.md'), 'Mind the tide.');
  const problem = { path: join(path, 'tide.ts'), line: 1, column: 7, severity: 'error', message: 'Bad.' } as const;
  const workspace: Workspace = {
    folders: [{ name: 'a', path }],
    unsaved: () => [],
    diagnostics: async () => [problem],
    symbols: async () => [],
  };
  const mentions = createMentions(workspace);
  const resolve = async (word: string) => {
    const [one] = mentionsIn(word);
    assert.ok(one !== undefined);
    return mentions.resolve(one, signal);
  };
  return { path, mentions, resolve };
}

const words = ['@file:tide.ts', '@folder:.', '@symbol:readTide', '@selection', '@problems', '@terminal'];

test('each kind stands for its text, or says in words why there is none', async () => {
  editor.isTrusted = true;
  const { mentions, resolve } = await opened();
  const found = await Promise.all(words.map(resolve));
  assert.deepEqual(
    found.map(({ ok, head }) => [ok, head]),
    [
      [true, 'tide.ts (7 lines)'],
      [true, './ (2 files, and how they begin)'],
      [true, 'readTide in tide.ts (lines 3-5)'],
      [false, 'No editor is open: open a file and select some lines.'],
      [true, '1 problem in the workspace:'],
      [false, 'No terminal output yet (needs shell integration).'],
    ],
  );
  assert.equal(found[2]?.body, 'export function readTide(): number {\n  return z;\n}');
  mentions.dispose();
});

test('in a workspace that is not trusted there is nothing: no text, no name, no prompt', async () => {
  const { path, mentions, resolve } = await opened();
  editor.isTrusted = false;
  for (const word of words) {
    const { ok, head, body } = await resolve(word);
    assert.deepEqual([ok, body], [false, ''], word);
    assert.match(head, /Restricted Mode/);
  }
  assert.deepEqual(await mentions.names('file', ''), []);
  assert.deepEqual(await mentions.promptFiles(), []);
  assert.equal(await mentions.placed(join(path, 'tide.ts')), null);
  editor.isTrusted = true;
  assert.deepEqual(await mentions.promptFiles(), [{ name: 'tide', text: 'Mind the tide.' }]);
});

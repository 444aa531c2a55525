// Changes at once: what there is no reason to ask for is made, and all else of an answer is one question with a line for each file.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { guided } from '../../../src/core/agent/graph.ts';
import { renderCalls } from '../../../src/core/calls/render.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { createEditTools } from '../../../src/edits/tools.ts';
import { createTools } from '../../../src/tools/index.ts';
import { makeFolder, openFolder } from '../../tools/sandbox.ts';
import { openScene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';

const rate = 'export function rate(): number {\n  return 1;\n}\n';

async function atOnce(t: TestContext, script: Say[], allowed: boolean, blocks = false) {
  const root = makeFolder(t, { 'src/rate.ts': rate, 'docs/guide.md': '# Guide\n', 'package.json': '{}\n' });
  const workspace = openFolder(root);
  const scene = openScene(script);
  scene.editor.tools = [...createTools(workspace), ...createEditTools({ workspace, files: diskFiles })];
  scene.agent({ edits: true, ...(blocks ? { graph: guided } : {}) });
  const asked: { readonly calls: number; readonly because: string }[] = [];
  scene.hear(() => {
    const { asks } = scene.shown();
    if (asks === null) return;
    asked.push({ calls: asks.calls, because: asks.because });
    setImmediate(() => scene.allow(asks.call, allowed));
  });
  await scene.ready();
  await scene.chooseAgent('edit', true);
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);
  return { scene, asked, read };
}

type Call = readonly [name: string, given: Readonly<Record<string, string>>];
const reads: Say = { call: 'read_file', arguments: { path: 'src/rate.ts' } };
const edit: Call = ['edit_file', { path: 'src/rate.ts', old: '  return 1;', new: '  return 2;' }];
const create = (path: string): Call => ['write_file', { path, content: 'x\n' }];

/** Calls of one answer. */
const together = (...calls: readonly Call[]): Say =>
  renderCalls(
    hermes,
    '',
    calls.map(([name, given], i) => ({ id: String(i), name, arguments: given })),
  )
    .map(({ text }) => text)
    .join('');

const risky = [create('kit/HEAD'), create('kit/config'), create('.vscode/tasks.json'), create('docs/new.md')] as const;
const reasons = [
  'kit/HEAD: it makes its folder a repository of Git, or is a part of one',
  'kit/config: its folder is new',
  '.vscode/tasks.json: what stands in .vscode is run or obeyed',
  'docs/new.md: nothing in its folder was read in this conversation',
].join('\n');

test('a file whose folder was read is changed without a question', async (t) => {
  const { scene, asked, read } = await atOnce(t, [reads, together(edit, create('src/new.ts')), 'Done.'], true);
  await scene.say('make it two');
  assert.deepEqual(asked, []);
  assert.match(read('src/rate.ts') ?? '', /return 2/);
  assert.equal(read('src/new.ts'), 'x\n');
});

test('a look between two edits of a file sees the first alone, and the second takes what that left for known', async (t) => {
  const again: Call = ['edit_file', { path: 'src/rate.ts', old: '  return 2;', new: '  return 3;' }];
  const look: Call = ['read_file', { path: 'src/rate.ts' }];
  const { scene, read } = await atOnce(t, [reads, together(edit, look, again), 'Done.'], true);
  await scene.say('make it three');
  const shown = scene.state().dialog.items.filter((item) => item.origin === 'result' && item.tool === 'read_file');
  assert.deepEqual(
    shown.map((item) => /return \d/.exec(item.origin === 'result' ? item.body : '')?.[0]),
    ['return 1', 'return 2'],
  );
  assert.match(read('src/rate.ts') ?? '', /return 3/);
});

for (const allowed of [true, false])
  test(`all else of an answer is one question first, and after a ${allowed ? 'yes' : 'no'} ${allowed ? 'all of it is made' : 'nothing of it is made, and the rest is asked'}`, async (t) => {
    const { scene, asked, read } = await atOnce(t, [reads, together(edit, ...risky), 'Done.'], allowed);
    await scene.say('make it two');
    const rest = { calls: 1, because: 'you did not allow another change of this answer' };
    assert.deepEqual(asked, [{ calls: 4, because: reasons }, ...(allowed ? [] : [rest])]);
    assert.match(read('src/rate.ts') ?? '', allowed ? /return 2/ : /return 1/);
    for (const [, { path = '' }] of risky) assert.equal(read(path), allowed ? 'x\n' : null, path);
    const refused = scene
      .state()
      .dialog.items.filter((item) => item.origin === 'result' && /did not allow/.test(item.head));
    assert.equal(refused.length, allowed ? 0 : 5);
  });

test('what may lose something is refused by itself, and takes nothing with it', async (t) => {
  const cut: Call = [
    'edit_file',
    { path: 'src/rate.ts', old: '  return 1;', new: '  // ... existing code ...\n  return 2;' },
  ];
  const { scene, asked, read } = await atOnce(
    t,
    [reads, together(cut, create('docs/a.md'), create('docs/b.md')), 'Done.'],
    true,
  );
  await scene.say('make it two');
  assert.deepEqual(
    asked.map(({ calls }) => calls),
    [2],
  );
  assert.equal(read('docs/b.md'), 'x\n');
});

test('code blocks are asked for in the same way', async (t) => {
  const answer = ['docs/a.md', 'docs/b.md'].map((path) => `\`\`\`md ${path}\n# New\n\`\`\`\n`).join('\nAnd:\n\n');
  const { scene, asked, read } = await atOnce(t, [answer], true, true);
  await scene.say('write two');
  assert.equal(asked.length, 1);
  assert.match(asked[0]?.because ?? '', /^docs\/a\.md: nothing .*\ndocs\/b\.md: nothing /);
  assert.equal(read('docs/b.md'), '# New\n');
});

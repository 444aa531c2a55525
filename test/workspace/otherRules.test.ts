// Rules that were written for other assistants, where the folder has none of its own.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultFiles, mayChangeBundle } from '../../src/workspace/bundle.ts';
import { makeFolder, openFolder } from '../tools/sandbox.ts';
import { bundleOf, namesOf } from './scene.ts';

test('where there is no AGENTS.md, the rules of the first other assistant that has some take its place', async (t) => {
  const others = {
    '.roo/rules/b.md': 'rule b',
    '.roo/rules/a.md': 'rule a',
    '.roo/rules/c.txt': 'no rule',
    '.continue/rules/z.md': 'of another assistant',
  };
  const without = openFolder(makeFolder(t, { ...others, 'README.md': 'Text.' }));
  assert.deepEqual(namesOf(await bundleOf(without)), ['.roo/rules/a.md', '.roo/rules/b.md', 'README.md']);
  assert.ok(
    mayChangeBundle(
      without,
      { files: defaultFiles, overview: false },
      join(without.folders[0]?.path ?? '', '.roo/rules/new.md'),
    ),
  );
  const file = openFolder(makeFolder(t, { ...others, '.clinerules': 'one file of rules' }));
  assert.deepEqual(namesOf(await bundleOf(file)), ['.clinerules']);
  const own = openFolder(makeFolder(t, { ...others, 'AGENTS.md': 'for all' }));
  assert.deepEqual(namesOf(await bundleOf(own)), ['AGENTS.md']);
});

// The table of settings: values with parts are checked as deep as they go.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemIn } from '../../../src/settings/schemaProblem.ts';
import { settingProblem, settingTable } from '../../../src/settings/settingTable.ts';
import { createTools } from '../../../src/tools/index.ts';

test('a list is checked item by item', () => {
  const files = settingTable['workspace.files'];
  assert.equal(settingProblem(files, ['AGENTS.md', 'docs/*.md']), null);
  assert.equal(settingProblem(files, 'AGENTS.md'), 'it must be array');
  assert.equal(settingProblem(files, ['AGENTS.md', 3]), '1 must be string');
});

test('a name with a slash or a tilde is said as it is written', () => {
  const names = { type: 'object', additionalProperties: { type: 'string' } };
  assert.equal(problemIn(names, { 'a/b~c': 1 }), 'a/b~c must be string');
});

test('the tools that can be left out are those there are', () => {
  const workspace = { folders: [], unsaved: () => [], diagnostics: async () => [] };
  const names = createTools(workspace).map(({ schema }) => schema.name);
  // The chat itself has one that looks into compacted turns.
  assert.deepEqual((settingTable['tools.off'].items as { enum?: unknown }).enum, [...names, 'recall'].toSorted());
});

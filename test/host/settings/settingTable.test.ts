// The table of settings: values with parts are checked as deep as they go, and the agents' ranges are those of the settings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { agentsSchema } from '../../../src/host/settings/agentsSchema.ts';
import { problemIn } from '../../../src/host/settings/schemaProblem.ts';
import { settingProblem, settingTable } from '../../../src/host/settings/settingTable.ts';
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

/** The setting of a part of the policy. */
function nameOf(key: string): string {
  if (key === 'reserve') return 'generation.reserve';
  return key === 'tailShare' ? 'compaction.tailShare' : `context.${key}`;
}

test('an agent may say every part of the policy, in the range its setting has', () => {
  const context = agentsSchema.properties.context.properties;
  assert.deepEqual(Object.keys(context).toSorted(), Object.keys(defaultPolicy).toSorted());
  for (const [key, { type: _, ...range }] of Object.entries(context)) {
    const name = nameOf(key);
    const setting: Record<string, unknown> = { ...settingTable[name as keyof typeof settingTable] };
    for (const [word, limit] of Object.entries(range)) assert.deepEqual(setting[word], limit, `${key} ${word}`);
  }
});

test('an agent may name exactly the tools there are', () => {
  const workspace = { folders: [], unsaved: () => [], diagnostics: async () => [] };
  const names = createTools(workspace).map(({ schema }) => schema.name);
  // The chat itself has one that looks into compacted turns.
  assert.deepEqual(agentsSchema.properties.tools.items.enum, [...names, 'recall'].toSorted());
});

test('the defaults of the settings are the policy that the command line uses', () => {
  for (const [key, value] of Object.entries(defaultPolicy)) {
    const name = nameOf(key);
    assert.equal(settingTable[name as keyof typeof settingTable].default, value, name);
  }
});

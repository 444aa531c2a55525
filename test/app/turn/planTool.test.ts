// The plan that a model keeps: part of the dialog and of no prompt but its own, there only where files may be changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnfinished, planOf, readPlan } from '../../../src/core/dialog/plan.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { acting } from '../../core/scenes/acting.ts';
import { textOf } from '../scenes/judge.ts';
import { openCompacting } from '../scenes/scene.ts';

const write = acting({
  schema: { name: 'write_file', description: '', parameters: { type: 'object', properties: {}, required: [] } },
  effect: 'write',
  run: async () => ({ ok: true, head: 'Written.', body: '' }),
});

function planning({ edits = true, tools = [write] }: { edits?: boolean; tools?: readonly Tool[] } = {}) {
  const scene = openCompacting();
  scene.editor.tools = [...tools];
  scene.agent({ edits });
  return { ...scene, offered: () => scene.prompt()?.tools.map(({ name }) => name) };
}

const steps = (...states: readonly string[]) => ({
  steps: states.map((state, i) => ({ text: `Step ${i + 1}`, state })),
});

test('the tool is there where the agent may change files and has the tools for it', async () => {
  for (const [how, names] of [
    [{}, ['update_plan', 'write_file']],
    [{ edits: false }, []],
    [{ tools: [] }, []],
  ] as const) {
    const scene = planning(how);
    scene.script.push('Fine.');
    await scene.say('Go.');
    assert.deepEqual(scene.offered(), names);
  }
});

test('the steps of the latest call are the plan, and the model is told where it stands', async () => {
  const scene = planning();
  const call = (...states: readonly string[]) => ({ call: 'update_plan', arguments: steps(...states) });
  scene.script.push(
    call('doing', 'open'),
    call('done', 'doing'),
    { call: 'update_plan', arguments: steps('later') },
    'Halfway.',
  );
  await scene.say('Two steps, please.');
  const heads = scene.said().flatMap((item) => (item.origin === 'result' ? [item.head] : []));
  assert.deepEqual(heads, [
    'Plan: 0 of 2 done. Next: Step 1',
    'Plan: 1 of 2 done. Next: Step 2',
    'The state of step 1 must be one of: open, doing, done.',
  ]);
  assert.deepEqual(planOf(scene.said())?.steps, [
    { text: 'Step 1', state: 'done' },
    { text: 'Step 2', state: 'doing' },
  ]);
});

test('another branch has no plan of this one', async () => {
  const scene = planning();
  scene.script.push({ call: 'update_plan', arguments: steps('open') }, 'Begun.', 'Other.');
  await scene.say('Plan it.');
  assert.notEqual(planOf(scene.said()), null);
  await scene.regenerate();
  assert.equal(planOf(scene.said()), null);
});

test('an unfinished plan that was compacted away comes once with the next message, and one that stands does not', async () => {
  const scene = planning();
  scene.script.push({ call: 'update_plan', arguments: steps('done', 'doing') }, 'Begun.');
  await scene.say('Plan it.');
  await scene.talk();
  assert.equal(scene.state().compactions[0]?.outcome, 'ok');
  assert.ok(
    scene.prompts.every((prompt) => !textOf(prompt).includes('Your plan so far')),
    'as long as it stands',
  );
  scene.script.push('Going on.', 'Yes.');
  await scene.say('Go on.');
  assert.match(scene.sent(), /Your plan so far: 1 of 2 done\. Next: Step 2\n+- done: Step 1\n- doing: Step 2$/);
  await scene.say('And?');
  assert.equal(scene.sent().split('Your plan so far').length, 2);
});

test('a finished plan that was compacted away is over', async () => {
  const scene = planning();
  scene.script.push({ call: 'update_plan', arguments: steps('done', 'done') }, 'Done.');
  await scene.say('Plan it.');
  await scene.talk();
  assert.equal(scene.state().compactions[0]?.outcome, 'ok');
  await scene.say('Go on.');
  assert.doesNotMatch(scene.sent(), /Your plan so far/);
});

test('a plan is read as small models write it, and what is wrong with it is said', () => {
  assert.deepEqual(readPlan({ steps: ['a\n b', { text: 'c' }] }), [
    { text: 'a b', state: 'open' },
    { text: 'c', state: 'open' },
  ]);
  assert.equal(isUnfinished([]), false);
  for (const [args, problem] of [
    [{}, /needs "steps"/],
    [{ steps: [null] }, /Step 1 of the plan needs a text/],
    [{ steps: [{ text: ' ' }] }, /Step 1/],
    [{ steps: [{ text: 'a', state: 'blocked' }] }, /one of: open, doing, done/],
    [{ steps: Array.from({ length: 21 }, () => 'a') }, /21 steps; it may have 20/],
  ] as const)
    assert.match(String(readPlan(args)), problem);
});

// The plan that a model keeps: part of the dialog and of no prompt but its own, there only where files may be changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planAgain } from '../../../src/app/turn/planTool.ts';
import { isUnfinished, planOf, readPlan } from '../../../src/core/dialog/plan.ts';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { conversation, opened, textOf } from '../scenes/foldScene.ts';

const write: Tool = {
  schema: { name: 'write_file', description: '', parameters: { type: 'object', properties: {}, required: [] } },
  effect: 'write',
  run: async () => ({ ok: true, head: 'Written.', body: '' }),
};

function planning({ edits = true, tools = [write] }: { edits?: boolean; tools?: readonly Tool[] } = {}) {
  const parts = opened();
  Object.assign(parts.ports, { tools: () => [...tools] });
  parts.settings.agent = { ...parts.settings.agent, edits };
  return { ...parts, offered: () => parts.engine.prompts.at(-1)?.tools.map(({ name }) => name) };
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
    const { chat, script, offered } = planning(how);
    script.push('Fine.');
    await chat.send('Go.');
    assert.deepEqual(offered(), names);
  }
});

test('the steps of the latest call are the plan, and the model is told where it stands', async () => {
  const { chat, script } = planning();
  const call = (...states: readonly string[]) => ({ call: 'update_plan', arguments: steps(...states) });
  script.push(
    call('doing', 'open'),
    call('done', 'doing'),
    { call: 'update_plan', arguments: steps('later') },
    'Halfway.',
  );
  await chat.send('Two steps, please.');
  const { path } = chat.session.state.dialog;
  const heads = path.flatMap((item) => (item.origin === 'result' ? [item.head] : []));
  assert.deepEqual(heads, [
    'Plan: 0 of 2 done. Next: Step 1',
    'Plan: 1 of 2 done. Next: Step 2',
    'The state of step 1 must be one of: open, doing, done.',
  ]);
  assert.deepEqual(planOf(path)?.steps, [
    { text: 'Step 1', state: 'done' },
    { text: 'Step 2', state: 'doing' },
  ]);
});

test('another branch has no plan of this one', async () => {
  const { chat, script } = planning();
  script.push({ call: 'update_plan', arguments: steps('open') }, 'Begun.', 'Other.');
  await chat.send('Plan it.');
  assert.notEqual(planOf(chat.session.state.dialog.path), null);
  await chat.sending.regenerate();
  assert.equal(planOf(chat.session.state.dialog.path), null);
});

test('an unfinished plan that was compacted away comes once with the next message, and one that stands does not', async () => {
  const parts = planning();
  const { chat, script, engine } = parts;
  script.push({ call: 'update_plan', arguments: steps('done', 'doing') }, 'Begun.');
  await chat.send('Plan it.');
  assert.equal(planAgain(chat.session.state), null);
  await conversation(parts);
  assert.equal(chat.session.state.folds[0]?.outcome, 'ok');
  const again = planAgain(chat.session.state);
  assert.deepEqual(again, {
    head: 'Your plan so far: 1 of 2 done. Next: Step 2',
    body: '- done: Step 1\n- doing: Step 2',
  });
  script.push('Going on.', 'Yes.');
  await chat.send('Go on.');
  await chat.send('And?');
  assert.equal(textOf(engine.prompts.at(-1)).split('Your plan so far').length, 2);
});

test('a finished plan that was compacted away is over', async () => {
  const parts = planning();
  parts.script.push({ call: 'update_plan', arguments: steps('done', 'done') }, 'Done.');
  await parts.chat.send('Plan it.');
  await conversation(parts);
  assert.equal(parts.chat.session.state.folds[0]?.outcome, 'ok');
  assert.equal(planAgain(parts.chat.session.state), null);
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

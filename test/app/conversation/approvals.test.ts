// A call that changes something waits for the user: the view says so, others go on meanwhile, and every way out of the wait ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acting } from '../../core/scenes/acting.ts';
import { openTwo, type Scene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';
import { soon, until } from '../scenes/waiting.ts';

/** Two conversations of a window with a tool that writes, and what it wrote. */
async function writing(says: Say[]) {
  const wrote: string[] = [];
  const write = acting({
    schema: {
      name: 'write',
      description: 'Writes.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
    effect: 'write',
    deed: ({ path }) => ({ shown: `Changes \`${path}\`.` }),
    run: async ({ path }) => {
      wrote.push(String(path));
      return { ok: true, head: `Wrote ${path}.`, body: '', changed: [String(path)] };
    },
  });
  const { one, other } = await openTwo(says);
  one.editor.tools = [write];
  one.agent({ edits: true });
  return { one, other, wrote };
}

/** Until the conversation asks. */
async function asked(scene: Scene) {
  await until(() => scene.shown().asks !== null);
  return scene.shown().asks ?? assert.fail();
}

const call = { call: 'write', arguments: { path: 'a.ts' } };

test('the view shows what is asked, a yes lets it run, and the turn goes on', async () => {
  const { one, wrote } = await writing([call, 'Done.']);
  const turn = one.say('write it');
  const asks = await asked(one);
  assert.deepEqual(asks, {
    call: asks.call,
    calls: 1,
    tool: 'write',
    input: '{"path": "a.ts"}',
    effect: 'write',
    preview: 'Changes `a.ts`.',
    because: '',
    lasting: [],
  });
  assert.deepEqual(wrote, []);
  one.allow(asks.call, true);
  await turn;
  assert.deepEqual([wrote, one.shown().asks], [['a.ts'], null]);
  assert.deepEqual(one.kinds(), ['user', 'step', 'answer']);
  assert.equal(one.shown().turns.at(-1)?.end, 'done');
});

test('a no is told to the model, which answers', async () => {
  const { one, wrote } = await writing([call, 'Then not.']);
  const turn = one.say('write it');
  one.allow((await asked(one)).call, false);
  await turn;
  assert.equal(one.entries('step')[0]?.head, 'Not done: the user did not allow it.');
  assert.deepEqual(wrote, []);
});

test('while one conversation waits for the user, the other asks the model, and a yes waits for it in turn', async () => {
  const { one, other, wrote } = await writing([call, 'The other answers.', 'Done.']);
  const turn = one.say('write it');
  const { call: waiting } = await asked(one);
  await other.say('and you?');
  assert.deepEqual(other.kinds(), ['user', 'answer']);
  assert.equal(one.shown().running, true);
  one.allow(waiting, true);
  await turn;
  assert.deepEqual(wrote, ['a.ts']);
  assert.deepEqual([one.answers().at(-1), other.answers().at(-1)], ['Done.', 'The other answers.']);
});

test('stopping, leaving and closing each end the question, nothing runs, and the other can ask the model', async () => {
  const ways: readonly ((scene: Scene) => unknown)[] = [
    (scene) => scene.stop(),
    (scene) => scene.newConversation(),
    (scene) => void scene.ending()(),
    (scene) => void scene.close(),
  ];
  for (const way of ways) {
    const { one, other, wrote } = await writing([call, 'The other answers.']);
    const turn = one.say('write it');
    await asked(one);
    way(one);
    await turn;
    assert.deepEqual([wrote, one.shown().asks], [[], null]);
    await other.say('and you?');
    assert.deepEqual(other.kinds(), ['user', 'answer']);
  }
});

test('an answer to a question that is not asked any more changes nothing', async () => {
  const { one, wrote } = await writing([call]);
  const turn = one.say('write it');
  const { call: waiting } = await asked(one);
  one.stop();
  await turn;
  one.allow(waiting, true);
  await soon();
  assert.deepEqual(wrote, []);
});

// A call that changes something waits for the user: the view says so, others go on meanwhile, and every way out of the wait ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '../../../src/core/dialog/tool.ts';
import { kinds } from '../scenes/openChat.ts';
import { soon, two } from '../scenes/twoScene.ts';

/** Two conversations of a window with a tool that writes, and what it wrote. */
async function writing(script: Parameters<typeof two>[0]) {
  const wrote: string[] = [];
  const write: Tool = {
    schema: {
      name: 'write',
      description: 'Writes.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
    effect: 'write',
    preview: async ({ path }) => `Changes \`${path}\`.`,
    run: async ({ path }) => {
      wrote.push(String(path));
      return { ok: true, head: `Wrote ${path}.`, body: '', changed: [String(path)] };
    },
  };
  const scene = await two(script, null, [write]);
  scene.settings.agent = { ...scene.settings.agent, edits: true };
  return { ...scene, wrote };
}

/** Until the conversation asks. */
async function asked(chat: Awaited<ReturnType<typeof two>>['one']) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hearing = chat.subscribe(() => chat.snapshot.asks !== null && resolve());
  if (chat.snapshot.asks === null) await promise;
  hearing.dispose();
  assert.ok(chat.snapshot.asks !== null);
  return chat.snapshot.asks;
}

const call = { call: 'write', arguments: { path: 'a.ts' } };

test('the view shows what is asked, a yes lets it run, and the turn goes on', async () => {
  const { one, wrote } = await writing([call, 'Done.']);
  const turn = one.send('write it');
  const asks = await asked(one);
  assert.deepEqual(asks, {
    call: asks.call,
    tool: 'write',
    input: '{"path": "a.ts"}',
    effect: 'write',
    preview: 'Changes `a.ts`.',
    because: '',
  });
  assert.deepEqual(wrote, []);
  one.sending.approvals.answer(asks.call, true);
  await turn;
  assert.deepEqual([wrote, one.snapshot.asks], [['a.ts'], null]);
  assert.deepEqual(kinds(one), ['user', 'step', 'answer']);
  assert.equal(one.snapshot.turns.at(-1)?.end, 'done');
});

test('a no is told to the model, which answers', async () => {
  const { one, wrote } = await writing([call, 'Then not.']);
  const turn = one.send('write it');
  one.sending.approvals.answer((await asked(one)).call, false);
  await turn;
  const step = one.snapshot.entries.find(({ kind }) => kind === 'step');
  assert.equal(step?.kind === 'step' && step.head, 'Not done: the user did not allow it.');
  assert.deepEqual(wrote, []);
});

test('while one conversation waits for the user, the other asks the model, and a yes waits for it in turn', async () => {
  const { one, other, wrote } = await writing([call, 'The other answers.', 'Done.']);
  const turn = one.send('write it');
  const { call: waiting } = await asked(one);
  await other.send('and you?');
  assert.deepEqual(kinds(other), ['user', 'answer']);
  assert.equal(one.snapshot.running, true);
  one.sending.approvals.answer(waiting, true);
  await turn;
  assert.deepEqual(wrote, ['a.ts']);
  const answers = [one, other].map(({ snapshot }) => snapshot.entries.findLast(({ kind }) => kind === 'answer'));
  assert.deepEqual(
    answers.map((entry) => entry?.kind === 'answer' && entry.text),
    ['Done.', 'The other answers.'],
  );
});

test('stopping, leaving and closing each end the question, nothing runs, and the other can ask the model', async () => {
  const ways: readonly ((chat: Awaited<ReturnType<typeof writing>>['one']) => unknown)[] = [
    (chat) => chat.cancel(),
    (chat) => chat.newSession(),
    (chat) => chat.sending.interrupt(),
    (chat) => void chat.close(),
  ];
  for (const way of ways) {
    const { one, other, wrote } = await writing([call, 'The other answers.']);
    const turn = one.send('write it');
    await asked(one);
    way(one);
    await turn;
    assert.deepEqual([wrote, one.snapshot.asks], [[], null]);
    await other.send('and you?');
    assert.deepEqual(kinds(other), ['user', 'answer']);
  }
});

test('an answer to a question that is not asked any more changes nothing', async () => {
  const { one, wrote } = await writing([call]);
  const turn = one.send('write it');
  const { call: waiting } = await asked(one);
  one.cancel();
  await turn;
  one.sending.approvals.answer(waiting, true);
  await soon();
  assert.deepEqual(wrote, []);
});

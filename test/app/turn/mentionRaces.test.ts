// Mentions that come late, or never, and tools that are switched off while a turn begins.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mention } from '../../../src/app/ports/mention.ts';
import type { Signal, ToolResult } from '../../../src/core/dialog/tool.ts';
import { gate, openChat } from '../scenes/openChat.ts';
import type { Say } from '../scenes/scriptedModel.ts';

function waiting(answers: Say[]) {
  const opened = openChat(answers);
  const asked: { readonly mention: Mention; readonly signal: Signal; readonly answer: (found: ToolResult) => void }[] =
    [];
  opened.ports.mentions = {
    ...opened.ports.mentions,
    resolve: (mention, signal) => new Promise((answer) => asked.push({ mention, signal, answer })),
  };
  const ask = async (count: number) => {
    while (asked.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...opened, asked, ask };
}

test('Stop does not wait for a mention that never comes', { timeout: 5000 }, async () => {
  const { chat, ask } = waiting(['One.']);
  const sent = chat.send('what is @symbol:tide');
  await ask(1);
  chat.cancel();
  await sent;
  assert.equal(chat.snapshot.running, false);
  assert.equal(chat.snapshot.draft.text, 'what is @symbol:tide');
  assert.deepEqual(chat.session.state.dialog.items, []);
});

test('what is looked up for words that the user changed since is given up', async () => {
  const { chat, asked, ask } = waiting([]);
  void chat.draft.written('@symbol:ti');
  await ask(1);
  const second = chat.draft.written('@symbol:tide');
  await ask(2);
  assert.deepEqual(
    asked.map(({ signal }) => signal.aborted),
    [true, false],
  );
  asked[1]?.answer({ ok: true, head: 'tide in a.ts', body: 'text' });
  await second;
  assert.deepEqual(
    chat.snapshot.mentions.map(({ title }) => title),
    ['tide in a.ts'],
  );
  void chat.draft.written('@symbol:tides');
  await ask(3);
  chat.draft.take();
  assert.equal(asked[2]?.signal.aborted, true);
});

test('a turn runs the tools that its prompt names, though one is switched off before it begins', async () => {
  const { chat, settings, asked, ask } = waiting([{ call: 'echo', arguments: { a: 1 } }, 'Done.']);
  const sent = chat.send('run @symbol:tide');
  await ask(1);
  settings.toolsOff = ['echo'];
  asked[0]?.answer({ ok: true, head: 'tide', body: '' });
  await sent;
  const step = chat.snapshot.entries.find(({ kind }) => kind === 'step');
  assert.ok(step?.kind === 'step');
  assert.deepEqual([step.state, step.head], ['ok', 'echo:']);
});

/** What the editor shows of the user's changing things: another text each time it is asked. */
function changing(answers: Say[]) {
  const opened = openChat(answers);
  let looked = 0;
  opened.ports.mentions = {
    ...opened.ports.mentions,
    resolve: async ({ word }) => ({ ok: true, head: `${word} as seen`, body: `look ${++looked}` }),
  };
  const given = () =>
    opened.chat.session.state.dialog.path.flatMap((item) =>
      item.origin === 'attachment' ? [`${item.head} ${item.body}`] : [],
    );
  return { ...opened, given, looks: () => looked };
}

for (const word of ['@selection', '@problems', '@terminal']) {
  test(`${word} of a waiting message is what it was when the message was written`, async () => {
    const { chat, given, looks } = changing(['One.', 'Two.']);
    const first = chat.send('first');
    await chat.send(`explain ${word}`);
    assert.equal(looks(), 1, 'it is looked at while the first answer is written');
    await first;
    assert.deepEqual(given(), [`${word} as seen look 1`]);
  });
}

test('a file of a waiting message is read when the message is sent', async () => {
  const { chat, given, looks } = changing(['One.', 'Two.']);
  const first = chat.send('first');
  await chat.send('explain @file:a.ts');
  assert.equal(looks(), 0);
  await first;
  assert.deepEqual(given(), ['@file:a.ts as seen look 1']);
});

test('the selection that a prompt stands for is the one of the moment it was called, also while the model loads', async () => {
  const { chat, engine, given, looks } = changing(['One.', 'Two.']);
  const { closed, open: load } = gate();
  engine.gate = closed;
  const sent = chat.send('/explain');
  const before = looks();
  assert.ok(before > 0);
  load();
  await sent;
  assert.equal(looks(), before, 'nothing is looked at again');
  assert.match(given()[0] ?? '', /^@selection as seen/);
});

test('a message that was taken back means what is there when it is sent again', async () => {
  const { chat, given } = changing(['One.', 'Two.']);
  const first = chat.send('first');
  await chat.send('explain @selection');
  chat.sending.unqueue(chat.snapshot.queue[0]?.id ?? 0);
  await first;
  await chat.send(chat.snapshot.draft.text);
  assert.deepEqual(given(), ['@selection as seen look 2']);
});

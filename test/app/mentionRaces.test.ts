// Mentions that come late, or never, and tools that are switched off while a turn begins.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mention } from '../../src/app/mentions.ts';
import type { Signal, ToolResult } from '../../src/core/tool.ts';
import { openChat } from './openChat.ts';
import type { Say } from './scriptedModel.ts';

function waiting(answers: Say[]) {
  const opened = openChat(answers);
  const asked: { readonly mention: Mention; readonly signal: Signal; readonly answer: (found: ToolResult) => void }[] =
    [];
  opened.around.mentions = {
    ...opened.around.mentions,
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

// An answer that its window or its process did not survive: what was on the screen stands there again and can be continued.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Chat } from '../../../src/app/conversation/chat.ts';
import { ending } from '../../../src/host/system/ending.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporary } from '../../temporary.ts';
import { openChat } from '../scenes/openChat.ts';

function fileFor(context: TestContext): string {
  const folder = temporary('tidemark-interrupted-');
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'tidemark.sqlite');
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
const lastText = (chat: Chat) => {
  const entry = chat.snapshot.entries.at(-1);
  return entry?.kind === 'answer' ? entry.text : '';
};

async function until(chat: Chat, characters: number): Promise<void> {
  while (lastText(chat).length < characters) await tick();
}

test('a window that closes while an answer is written keeps all of its words', async (context) => {
  const file = fileFor(context);
  const store = await openStore(file);
  const { chat } = openChat(['word '.repeat(400)], store);
  const sent = chat.send('Tell me about tides.');
  await until(chat, 600);
  const shown = lastText(chat);
  const engine = { close: async () => undefined };
  const end = ending({ chats: () => [chat], snapshots: chat.snapshots, engine, below: [() => store.close()] });
  // The editor calls the one, and disposes of the other at once.
  await Promise.all([end(), end()]);
  await sent;
  const again = openChat([], await openStore(file), undefined, 'next').chat;
  const [, answer] = again.snapshot.entries;
  assert.ok(answer?.kind === 'answer' && answer.text.startsWith(shown.trimEnd()));
  assert.equal(answer.end, 'interrupted');
});

test('a process that dies while it writes leaves the words of the last second, as interrupted', async (context) => {
  const file = fileFor(context);
  const store = await openStore(file);
  const { chat } = openChat(['word '.repeat(400)], store);
  const { now } = performance;
  let seconds = 0;
  context.mock.method(performance, 'now', () => now.call(performance) + seconds * 1000);
  const sent = chat.send('Tell me about tides.');
  await until(chat, 300);
  seconds = 2;
  const before = lastText(chat);
  await until(chat, before.length + 20);
  // As after a kill: another process opens the file, and finds that the first one is gone.
  const other = await openStore(file);
  other.leases.release(`session:${chat.session.id}`, '1:test');
  const again = openChat(['Go on.'], other, undefined, 'next').chat;
  const [, answer] = again.snapshot.entries;
  assert.ok(answer?.kind === 'answer' && answer.text.length >= before.length, JSON.stringify(answer));
  assert.equal(answer.end, 'interrupted');
  assert.equal(again.session.state.dialog.path.at(-1)?.origin, 'assistant');
  await again.send('Continue.');
  assert.equal(lastText(again), 'Go on.');
  chat.cancel();
  await sent;
  other.close();
  store.close();
});

test('words of an answer that was finished since count no more', async (context) => {
  const file = fileFor(context);
  const store = await openStore(file);
  const { chat } = openChat(['One answer, whole.', 'Two.'], store);
  await chat.send('first');
  await chat.send('second');
  chat.dispose();
  store.close();
  const again = openChat([], await openStore(file), undefined, 'next').chat;
  const answers = again.snapshot.entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.text] : []));
  assert.deepEqual(answers, ['One answer, whole.', 'Two.']);
});

// Answers to a message that was asked again, as the view shows them: each can be gone back to, and the conversation goes on from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../src/protocol/view.ts';
import { memoryJournal, openChat, type Stored } from '../scenes/openChat.ts';

type Answer = Extract<Entry, { kind: 'answer' }>;
const said = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.kind === 'user' || entry.kind === 'answer' ? [entry.text] : []));
const below = (entries: readonly Entry[]) =>
  entries
    .filter((entry): entry is Answer => entry.kind === 'answer')
    .map(({ branch }) => (branch === undefined ? '' : `${branch.at}/${branch.of}`));

async function asked() {
  const stored: Stored = { items: [], sessions: [] };
  const parts = openChat(['first', 'second', 'third', 'on from one', 'after'], memoryJournal(stored));
  await parts.chat.send('Which?');
  await parts.chat.sending.regenerate();
  await parts.chat.sending.regenerate();
  const { path } = parts.chat.session.state.dialog;
  return { ...parts, stored, message: path[0]?.id ?? '' };
}

test('an answer that was asked for three times is the third of three, and the others are one step away', async () => {
  const { chat, message } = await asked();
  assert.deepEqual([said(chat.snapshot.entries), below(chat.snapshot.entries)], [['Which?', 'third'], ['3/3']]);
  await chat.openBranch(message, 1);
  assert.deepEqual([said(chat.snapshot.entries), below(chat.snapshot.entries)], [['Which?', 'first'], ['1/3']]);
  await chat.openBranch(message, 2);
  assert.deepEqual(said(chat.snapshot.entries), ['Which?', 'second']);
  await chat.openBranch(message, 4);
  await chat.openBranch('nobody', 1);
  assert.deepEqual(said(chat.snapshot.entries), ['Which?', 'second']);
});

test('the conversation goes on from the branch that is shown, and coming back to it shows what was added', async () => {
  const { chat, message, engine } = await asked();
  await chat.openBranch(message, 1);
  await chat.send('And then?');
  const sent = JSON.stringify(engine.prompts.at(-1));
  assert.ok(sent.includes('first') && !sent.includes('third'));
  await chat.openBranch(message, 3);
  assert.deepEqual(said(chat.snapshot.entries), ['Which?', 'third']);
  await chat.openBranch(message, 1);
  assert.deepEqual(said(chat.snapshot.entries), ['Which?', 'first', 'And then?', 'on from one']);
  assert.deepEqual(below(chat.snapshot.entries), ['1/3', '']);
});

test('a window that comes back shows the branch that was shown', async () => {
  const { chat, message, stored } = await asked();
  await chat.openBranch(message, 2);
  const again = openChat([], memoryJournal(stored)).chat;
  again.resume();
  assert.deepEqual([said(again.snapshot.entries), below(again.snapshot.entries)], [['Which?', 'second'], ['2/3']]);
});

test('while an answer is written no other branch is opened', async () => {
  const { chat, message } = await asked();
  const running = chat.send('And then?');
  await chat.openBranch(message, 1);
  await running;
  assert.deepEqual(said(chat.snapshot.entries), ['Which?', 'third', 'And then?', 'on from one']);
});

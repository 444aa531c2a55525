// What the Context view asks: an item as sent and whole, the exact prompt in pieces, the compactions, the turns and the slots.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chat } from '../../../src/app/conversation/chat.ts';
import { storedTurns } from '../../../src/app/session/turnView.ts';
import { Inspector } from '../../../src/app/viewApi/inspector.ts';
import { constraint, conversation, opened } from '../scenes/foldScene.ts';
import { memoryJournal, openChat, type Stored } from '../scenes/openChat.ts';
import { soon } from '../scenes/twoScene.ts';

function inspected(...[script, journal]: Parameters<typeof openChat>) {
  const opened = openChat(script, journal);
  return { ...opened, inspector: new Inspector(opened.chat) };
}

const stack = (chat: Chat) => chat.snapshot.stack;

test('an item is shown as it is sent, and whole', async () => {
  const { chat, inspector } = inspected([{ call: 'echo', arguments: { a: 1 } }, 'It is there.']);
  await chat.send('where is it?');
  assert.deepEqual(await inspector.item(0), {
    label: 'You: where is it?',
    sent: 'Date: 1970-01-01.\n\nwhere is it?',
    raw: 'Date: 1970-01-01.\n\nwhere is it?',
  });
  const result = await inspector.item(2);
  assert.equal(result?.raw, 'echo:\n{"a":1}');
  await chat.send('/context evict 2');
  const cleared = await inspector.item(2);
  assert.deepEqual([cleared?.sent, cleared?.raw], ['echo:', 'echo:\n{"a":1}']);
  assert.equal(await inspector.item(99), null);
});

test('an item that went in a run has nothing in the prompt, and none is made to say so', async () => {
  const { chat, inspector, engine, settings } = inspected(['one', 'two', 'three']);
  await chat.send('first');
  await chat.send('second');
  settings.agent = { ...settings.agent, policy: { ...settings.agent.policy, messageCap: 3 } };
  await chat.send('third');
  assert.equal(stack(chat)?.decisions[0]?.state, 'trimmed');
  engine.log.length = 0;
  assert.deepEqual(await inspector.item(0), { label: 'You: first', sent: '', raw: 'first' });
  assert.deepEqual(engine.log, []);
});

test('the pieces of the exact prompt name their layers, and their tokens are all there are', async () => {
  const { chat, inspector } = inspected([{ call: 'echo', arguments: {} }, 'one']);
  await chat.send('first');
  const { total, pieces } = await inspector.prompt('next');
  assert.equal(total, stack(chat)?.total);
  assert.equal(
    pieces.reduce((sum, { tokens }) => sum + tokens, 0),
    total,
  );
  const named = new Set(pieces.map(({ layer }) => layer));
  for (const layer of ['system', 'tools', 'glue', 'history'] as const) assert.ok(named.has(layer), layer);
  const question = pieces.find(({ text }) => text.endsWith('first'));
  assert.equal(question?.role, 'user');
  assert.equal(question?.item, chat.session.state.dialog.path[0]?.id);
});

test('the prompt of the latest call stays as it was sent, and is that of the conversation that is open', async () => {
  const { chat, inspector } = inspected(['one', 'two']);
  await chat.send('first');
  await chat.send('second');
  const { pieces } = await inspector.prompt('sent');
  const texts = pieces.map(({ text }) => text);
  assert.ok(texts.includes('one') && texts.includes('second'));
  assert.equal(texts.includes('two'), false, 'its answer came after it');
  assert.ok((await inspector.prompt('next')).pieces.some(({ text }) => text === 'two'));
  chat.newSession();
  await assert.rejects(inspector.prompt('sent'), /Nothing of this conversation was sent/);
});

test('the exact prompt says what it needs where no model is loaded', async () => {
  const { inspector } = inspected([]);
  await assert.rejects(inspector.prompt('next'), /needs the model/);
});

test('the turns of a session are appended one by one, and a resumed session has those that were stored', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const first = inspected([{ call: 'echo', arguments: {} }, 'one', 'two'], memoryJournal(stored));
  await first.chat.send('first');
  await first.chat.send('second');
  const { turns } = first.chat.snapshot;
  assert.deepEqual(
    turns.map(({ turn, end, decoded, firstTokenMilliseconds }) => ({ turn, end, decoded, firstTokenMilliseconds })),
    [
      { turn: 1, end: 'done', decoded: 20, firstTokenMilliseconds: 1 },
      { turn: 2, end: 'done', decoded: 10, firstTokenMilliseconds: 1 },
    ],
  );
  assert.deepEqual(inspected([], memoryJournal(stored)).chat.snapshot.turns, turns);
  first.chat.newSession();
  assert.deepEqual(first.chat.snapshot.turns, []);
});

test('the slots say whose they are, what they hold, and whether a copy is on disk', async () => {
  const opened = inspected(['one', 'two'], memoryJournal({ items: [], sessions: [] }));
  const { chat, ports } = opened;
  const kept: { session: string; path: string; bytes: number; used: number }[] = [];
  ports.snapshotFiles = {
    path: (session, slot) => `${session}-${slot}`,
    list: async () => kept,
    remove: async () => undefined,
    removeSession: async () => undefined,
  };
  await chat.send('first');
  const { session } = chat.snapshot;
  const [slot] = chat.snapshot.slots;
  assert.deepEqual(slot, {
    model: 'scripted',
    elsewhere: false,
    slot: 0,
    title: 'first',
    open: true,
    node: 0,
    tokens: 10,
    window: 2048,
    bytes: null,
    stored: false,
  });
  kept.push({ session, path: `${session}-0`, bytes: 1, used: 1 });
  await chat.snapshots.keep();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(chat.snapshot.slots[0]?.stored, true);
});

test('a fold says what it stands for, what it saved, and whether it can be changed', async () => {
  const scene = opened();
  const inspector = new Inspector(scene.chat);
  await conversation(scene);
  const [fold] = inspector.folds();
  assert.ok(fold?.standing && !fold.undone && fold.before > fold.after);
  assert.match(
    fold.words,
    /^The conversation got long, so a summary replaced its older turns: [\d,]+ → [\d,]+ prompt tokens/,
  );
  assert.deepEqual(
    fold.entries.map(({ number }) => number),
    fold.entries.map((_, i) => i + 1),
  );
  assert.ok(fold.entries.some(({ text }) => text.includes(constraint)));
  const first = await inspector.item(fold.folded[0]?.at ?? -1);
  assert.match(first?.raw ?? '', /^Never touch the legacy folder/);
  await scene.chat.send('/compact edit 1 Another goal.');
  assert.equal(inspector.folds()[0]?.entries[0]?.text, 'Another goal.');
  assert.equal(inspector.folds()[0]?.edited, true);
  await scene.chat.send('/compact undo');
  assert.deepEqual([inspector.folds()[0]?.standing, inspector.folds()[0]?.undone], [false, true]);
});

test('a report never mixes two sessions', async () => {
  const { chat } = inspected(['one']);
  await chat.send('first');
  const report = chat.commands.exported();
  chat.newSession();
  await assert.rejects(report, /Another conversation was opened in the meantime/);
});

test('folds that build upon one another name each item once', async () => {
  const scene = opened();
  const inspector = new Inspector(scene.chat);
  await conversation(scene);
  await conversation(scene);
  const folds = inspector.folds().filter(({ folded }) => folded.length > 0);
  assert.ok(folds.length > 1);
  const places = folds.flatMap(({ folded }) => folded.map(({ at }) => at));
  assert.deepEqual(
    places,
    places.map((_, i) => i),
  );
});

test('a folded item comes back on demand', async () => {
  const scene = opened();
  await conversation(scene);
  assert.equal(scene.chat.snapshot.stack?.decisions[0]?.state, 'folded');
  const answer = await scene.chat.commands.answer('/context restore 0');
  assert.match(answer?.text ?? '', /^Restored with your next message/);
});

test('a tool that is switched off is not in the next prompt', async () => {
  const { chat, engine, settings } = inspected(['one', 'two']);
  await chat.send('first');
  assert.deepEqual(
    stack(chat)?.tools.map(({ name }) => name),
    ['echo'],
  );
  settings.toolsOff = ['echo'];
  await chat.open();
  assert.deepEqual(chat.snapshot.toolsOff, ['echo']);
  assert.deepEqual(stack(chat)?.tools, []);
  await chat.send('second');
  assert.deepEqual(engine.prompts.at(-1)?.tools, []);
  chat.newSession();
  assert.deepEqual(chat.snapshot.toolsOff, ['echo']);
});

test('the view says how far idle work is, until it is done or a message comes first', async () => {
  const { chat, engine } = inspected(['one', 'two']);
  await chat.send('first');
  const told = { done: 128, of: 400, decoded: 128, milliseconds: 10 };
  const { request } = engine;
  let tell: () => void = () => undefined;
  let go: () => void = () => undefined;
  engine.request = async (name, params, signal, hearing) => {
    if (name !== 'warm') return request(name, params, signal, hearing);
    tell = () => hearing?.prefilling?.(told);
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    return request(name, params, signal, hearing);
  };
  const opened = chat.open();
  await soon();
  tell();
  assert.deepEqual(chat.snapshot.warming, { done: 128, of: 400 });
  go();
  await opened;
  assert.equal(chat.snapshot.warming, null);
  void chat.open();
  await soon();
  tell();
  const late = tell;
  const sent = chat.send('second');
  assert.equal(chat.snapshot.warming, null);
  late();
  assert.equal(chat.snapshot.warming, null, 'a late notice says nothing about the turn');
  go();
  await soon();
  go();
  await sent;
});

test('reports that an import brought along are left out where they cannot be drawn', () => {
  const prefill = { reused: 1, shifted: 2, decoded: 3 };
  const call = { promptTokens: 6, firstTokenMilliseconds: 4, prefill };
  const good = { turn: 1, end: 'done', calls: [call] };
  const bad = [
    {},
    [],
    { ...good, calls: 'x' },
    { ...good, end: '<b>' },
    { ...good, calls: [{ ...call, prefill: null }] },
  ];
  const huge = { ...good, calls: [{ ...call, promptTokens: '6' }] };
  assert.deepEqual(storedTurns([...bad, huge, good]), [
    { turn: 1, end: 'done', prompt: 6, reused: 1, shifted: 2, decoded: 3, later: 0, firstTokenMilliseconds: 4 },
  ]);
});

test('a message that told the day was sent as it is: nothing was taken away from it', async () => {
  const { chat, inspector } = inspected(['one']);
  await chat.send('What is the tide?');
  const shown = await inspector.item(0);
  assert.match(shown?.sent ?? '', /^Date: /);
  assert.equal(shown?.raw, shown?.sent);
});

test('where a server does not tell the text of its prompts, the report is saved and shown without it', async () => {
  const scene = inspected(['One.']);
  const { chat, engine, opened } = scene;
  await chat.send('One?');
  Object.assign(engine, { spelling: null });
  const report = JSON.parse(await chat.commands.exported()) as { readonly prompt: string; readonly total: number };
  assert.deepEqual([report.prompt, report.total], ['', chat.snapshot.stack?.total]);
  await chat.command('/context export markdown');
  const text = opened.at(-1)?.text ?? '';
  assert.match(text, /^# Tidemark context report/);
  assert.doesNotMatch(text, /The exact prompt/);
});

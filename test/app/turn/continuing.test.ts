// The button Continue: the last answer goes on in its place, whatever cut it off, also after its window was closed.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Chat } from '../../../src/app/conversation/chat.ts';
import type { AssistantItem } from '../../../src/core/dialog/dialog.ts';
import type { Model } from '../../../src/core/model/model.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporary } from '../../temporary.ts';
import { kinds, memoryJournal, openChat, type Stored } from '../scenes/openChat.ts';
import type { Say } from '../scenes/scriptedModel.ts';

/** A chat whose engine gives back a message that it went on with as a whole. */
function open(script: Say[], ...rest: [journal?: Parameters<typeof openChat>[1], window?: string]) {
  const [journal = null, window = ''] = rest;
  const parts = openChat(script, journal, undefined, window);
  const { model } = parts.engine;
  const whole = (inner: Model): Model => ({
    ...inner,
    generate: async (request, ...others) => {
      const said = await inner.generate(request, ...others);
      const segment = request.prompt.continues === true ? segmentsOf(request.prompt).at(-1) : undefined;
      if (segment === undefined) return said;
      const ids = [...(segment.generated?.ids ?? [...segment.text].map(() => 1)), ...said.generated.ids];
      return { ...said, raw: segment.text + said.raw, generated: { ...said.generated, ids } };
    },
  });
  Object.assign(parts.engine, { model: (...given: Parameters<typeof model>) => whole(model(...given)) });
  return parts;
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
const answers = (chat: Chat) =>
  chat.snapshot.entries.flatMap((entry) => (entry.kind === 'answer' ? [[entry.text, entry.end] as const] : []));

function lastItem(chat: Chat): AssistantItem {
  const last = chat.session.state.dialog.path.at(-1);
  assert.ok(last?.origin === 'assistant');
  return last;
}

/** Sends a message and stops its answer behind some words. */
async function stopped(chat: Chat, characters = 40): Promise<string> {
  const sent = chat.send('Tell me about tides.');
  while ((answers(chat).at(-1)?.[0].length ?? 0) < characters) await tick();
  chat.cancel();
  await sent;
  return lastItem(chat).text;
}

function fileFor(context: TestContext): string {
  const folder = temporary('tidemark-continuing-');
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'tidemark.sqlite');
}

test('a stopped answer goes on in its own entry, and no message stands between', async () => {
  const { chat, engine } = open(['word '.repeat(400), 'and the rest.']);
  const former = await stopped(chat);
  await chat.sending.continueAnswer('Continue.');
  assert.deepEqual(kinds(chat), ['user', 'answer']);
  assert.deepEqual(answers(chat), [[`${former}and the rest.`, 'done']]);
  assert.equal(lastItem(chat).text, `${former}and the rest.`);
  assert.equal(engine.prompts.at(-1)?.continues, true);
  // The next message follows the whole answer.
  await chat.send('And?');
  const prompt = engine.prompts.at(-1);
  assert.ok(prompt !== undefined && prompt.continues === undefined);
  assert.deepEqual(
    segmentsOf(prompt)
      .flatMap(({ text, layer }) => (layer === 'history' ? [text] : []))
      .at(-1),
    `${former}and the rest.`,
  );
});

test('what stands in the entry only grows while it goes on', async () => {
  const { chat, deltas } = open(['word '.repeat(400), 'and the rest of the answer.']);
  const former = await stopped(chat);
  const from = deltas.length;
  await chat.sending.continueAnswer('Continue.');
  const texts = deltas.slice(from).flatMap((delta) => {
    if (delta.type === 'text') return [delta.text];
    if (delta.type === 'entry' && delta.entry.kind === 'answer') assert.ok(delta.entry.text.startsWith(former));
    return [];
  });
  assert.equal(texts.join(''), 'and the rest of the answer.');
});

test('after a crash the words that were kept go on, and the fault goes', async () => {
  const { chat } = open([{ crash: 'The tide comes' }, ' twice a day.']);
  await chat.send('When?');
  const fault = chat.snapshot.entries.at(-1);
  assert.ok(fault?.kind === 'fault' && fault.canContinue);
  await chat.sending.continueAnswer('Continue.');
  assert.deepEqual(kinds(chat), ['user', 'answer']);
  assert.deepEqual(answers(chat), [['The tide comes twice a day.', 'done']]);
});

test('a crash before the first word leaves nothing to go on with', async () => {
  const { chat, engine } = open([{ crash: '' }]);
  await chat.send('When?');
  const fault = chat.snapshot.entries.at(-1);
  assert.ok(fault?.kind === 'fault' && !fault.canContinue);
  const before = engine.prompts.length;
  await chat.sending.continueAnswer('Continue.');
  assert.equal(engine.prompts.length, before);
});

test('a continuation that fails before its first word leaves the answer as it stood, with its fault below', async () => {
  const { chat } = open(['word '.repeat(400), { crash: '' }]);
  const former = await stopped(chat);
  await chat.sending.continueAnswer('Continue.');
  assert.deepEqual(answers(chat), [[former, 'cancelled']]);
  const fault = chat.snapshot.entries.at(-1);
  assert.ok(fault?.kind === 'fault' && fault.canContinue);
  assert.equal(lastItem(chat).text, former);
});

test('an interrupted answer of a window that was closed goes on in the next one, and is stored as one', async (context) => {
  const file = fileFor(context);
  const store = await openStore(file);
  const first = open(['word '.repeat(400)], store);
  const sent = first.chat.send('Tell me about tides.');
  while ((answers(first.chat).at(-1)?.[0].length ?? 0) < 100) await tick();
  first.chat.sending.interrupt();
  await sent;
  first.chat.dispose();
  store.close();
  const second = await openStore(file);
  const again = open(['and the rest.'], second, 'next').chat;
  const [[former, end] = ['', '']] = answers(again);
  assert.equal(end, 'interrupted');
  await again.sending.continueAnswer('Continue.');
  assert.deepEqual(answers(again), [[`${former}and the rest.`, 'done']]);
  again.dispose();
  second.close();
  const third = await openStore(file);
  assert.deepEqual(answers(open([], third, 'last').chat), [[`${former}and the rest.`, 'done']]);
  third.close();
});

test('a process that dies while an answer goes on leaves all words: the former ones and those of the last second', async (context) => {
  const stored: Stored = { items: [], sessions: [] };
  const { chat } = open(['word '.repeat(400), 'more '.repeat(400)], memoryJournal(stored));
  const former = await stopped(chat);
  const { now } = performance;
  let seconds = 2;
  context.mock.method(performance, 'now', () => now.call(performance) + seconds++ * 1000);
  const going = chat.sending.continueAnswer('Continue.');
  while ((answers(chat).at(-1)?.[0].length ?? 0) < former.length + 60) await tick();
  // As after a kill: another process reads what is stored.
  const again = open([], memoryJournal({ ...stored, items: [...stored.items] }), 'next').chat;
  const [[text, end] = ['', '']] = answers(again);
  assert.ok(text.startsWith(`${former}more`), text);
  assert.equal(end, 'interrupted');
  assert.deepEqual(
    again.session.state.dialog.path.map(({ origin }) => origin),
    ['user', 'assistant'],
  );
  chat.cancel();
  await going;
});

test('a server that takes messages alone is asked by a message', async () => {
  const { chat, engine } = open(['word '.repeat(400), 'Where was I?']);
  engine.info = {
    ...engine.info,
    server: {
      host: 'h',
      isEncrypted: true,
      isLoopback: false,
      software: 'chat completions',
      grade: 'estimated',
      reasons: [],
      ownSlots: null,
    },
  };
  await stopped(chat);
  await chat.sending.continueAnswer('Please go on.');
  assert.deepEqual(kinds(chat), ['user', 'answer', 'user', 'answer']);
  assert.equal(engine.prompts.at(-1)?.continues, undefined);
});

test('an answer that is whole, or being written, is not continued; a pin stays with a continued one', async () => {
  const { chat, engine } = open(['Whole.', 'word '.repeat(400), 'rest']);
  await chat.send('One.');
  await chat.sending.continueAnswer('Continue.');
  assert.equal(engine.prompts.length, 1);
  await stopped(chat);
  chat.session.apply({ type: 'marked', item: lastItem(chat).id, as: 'pinned' });
  await Promise.all([chat.sending.continueAnswer('Continue.'), chat.sending.continueAnswer('Continue.')]);
  assert.equal(engine.prompts.length, 3);
  assert.ok(chat.session.state.marks.pinned.has(lastItem(chat).id));
});

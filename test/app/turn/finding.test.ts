// Finding in a conversation: what is asked of the index, what the user leaves out or pins, what the conversation holds already.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindQuery } from '../../../src/app/ports/finding.ts';
import { type Found, nothingFound, type Passage } from '../../../src/core/prompt/found.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { openChat } from '../scenes/openChat.ts';

const passage = (path: string, why = 'matches it'): Passage => ({
  kind: 'file',
  path,
  why,
  stretches: [{ from: 3, lines: [`in ${path}`] }],
});

function opened(script: Parameters<typeof openChat>[0], found: (query: FindQuery) => Found) {
  const scene = openChat(script);
  const asked: FindQuery[] = [];
  const find = async (query: FindQuery) => {
    asked.push(query);
    return found(query);
  };
  Object.assign(scene.ports, { finding: { embeds: false, find } });
  scene.settings.agent = { ...scene.settings.agent, retrieval: defaultRetrieval };
  const sent = () => JSON.stringify(scene.engine.prompts.at(-1)?.messages);
  return { ...scene, asked, sent };
}

const two = (): Found => ({ passages: [passage('a.ts'), passage('b.ts')], weak: '' });

test('a draft shows what it would bring, by words alone; the message asks by meaning too', async () => {
  const { chat, asked } = opened(['one'], two);
  await chat.draft.written('where is it?');
  assert.deepEqual(
    chat.snapshot.found.map(({ place, why }) => [place, why]),
    [
      ['a.ts:3-3', 'matches it'],
      ['b.ts:3-3', 'matches it'],
    ],
  );
  await chat.send('where is it?');
  assert.deepEqual(
    asked.map(({ meaning }) => meaning),
    [false, true],
  );
  assert.deepEqual(chat.snapshot.found, []);
});

test('what is left out of a draft is not sent, what is pinned stays pinned, and the next draft begins anew', async () => {
  const { chat, sent } = opened(['one', 'two'], two);
  await chat.draft.written('where is it?');
  await chat.draft.choose('a.ts:3-3', 'removed');
  assert.deepEqual(
    chat.snapshot.found.map(({ place }) => place),
    ['b.ts:3-3'],
  );
  await chat.draft.choose('b.ts:3-3', 'pinned');
  await chat.send('where is it?');
  assert.doesNotMatch(sent(), /in a\.ts/);
  assert.match(sent(), /in b\.ts/);
  const item = chat.session.state.dialog.path.find(({ origin }) => origin === 'attachment');
  assert.ok(chat.session.state.marks.pinned.has(item?.id ?? ''));
  await chat.draft.written('and now?');
  assert.ok(chat.snapshot.found.some(({ place }) => place === 'a.ts:3-3'));
});

test('what an answer cites is in the conversation, so it is not brought again; what it does not cite is', async () => {
  const { chat, engine, asked, sent } = opened(['It is in a.ts.', 'two'], two);
  engine.info = { ...engine.info, erases: true };
  await chat.send('where is it?');
  await chat.send('and then?');
  assert.deepEqual(asked.at(-1)?.last, ['a.ts', 'b.ts']);
  const user = chat.session.state.dialog.path.findLastIndex(({ origin }) => origin === 'user');
  const brought = chat.session.state.dialog.path
    .slice(user)
    .flatMap((item) => (item.origin === 'attachment' ? [item.found?.path] : []));
  assert.deepEqual(brought, ['b.ts']);
  assert.equal(sent().split('in a.ts').length, 3, 'once as it was found, once in the answer');
});

test('@folder asks below the folder, @codebase everywhere, and neither is among the words', async () => {
  const { chat, asked } = opened(['one', 'two'], () => nothingFound);
  await chat.send('what is in @folder:src about tides?');
  assert.equal(asked.at(-1)?.folder, 'src');
  await chat.send('@codebase where are tides?');
  assert.deepEqual([asked.at(-1)?.folder, asked.at(-1)?.text.trim()], ['', 'where are tides?']);
});

test('that it may not be what is meant is said to the user and to the model', async () => {
  const { chat, sent } = opened(['one'], () => ({ ...two(), weak: 'nothing in the folder has "graphql"' }));
  await chat.draft.written('where is graphql?');
  assert.match(chat.snapshot.foundWeak, /graphql/);
  await chat.send('where is graphql?');
  assert.match(sent(), /may not be what is meant: nothing in the folder has/);
});

test('/find shows what would be brought and sends nothing', async () => {
  const { chat, engine } = opened([], two);
  await chat.send('/find tides');
  const entry = chat.snapshot.entries.at(-1);
  assert.match(entry?.kind === 'info' ? entry.text : '', /2 passages, \d+ tokens[\s\S]*a\.ts:3-3[\s\S]*b\.ts:3-3/);
  assert.equal(engine.prompts.length, 0);
  await chat.send('/find');
  assert.equal(chat.snapshot.draft.text, '/find');
});

test('the pocket model, which was trained without, gets nothing', async () => {
  const { chat, engine, sent } = opened(['one'], two);
  engine.info = { ...engine.info, name: 'pocket' };
  await chat.send('where is it?');
  assert.doesNotMatch(sent(), /Found:/);
});

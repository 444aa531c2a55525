// Finding in a conversation: what is asked of the index, what the user leaves out or pins, what the conversation holds already.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, nothingFound, type Passage } from '../../../src/core/prompt/found.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { openScene, type Scene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';

const passage = (path: string, why = 'matches it'): Passage => ({
  kind: 'file',
  path,
  why,
  stretches: [{ from: 3, lines: [`in ${path}`] }],
});

type Query = Parameters<Scene['editor']['find']>[0];

function opened(says: Say[], found: (query: Query) => Found) {
  const scene = openScene(says);
  const asked: Query[] = [];
  scene.editor.find = async (query) => {
    asked.push(query);
    return found(query);
  };
  scene.agent({ retrieval: defaultRetrieval });
  return { ...scene, asked };
}

const two = (): Found => ({ passages: [passage('a.ts'), passage('b.ts')], weak: '' });

test('a draft shows what it would bring, by words alone; the message asks by meaning too', async () => {
  const scene = opened(['one'], two);
  await scene.write('where is it?');
  assert.deepEqual(
    scene.shown().found.map(({ place, why }) => [place, why]),
    [
      ['a.ts:3-3', 'matches it'],
      ['b.ts:3-3', 'matches it'],
    ],
  );
  await scene.say('where is it?');
  assert.deepEqual(
    scene.asked.map(({ meaning }) => meaning),
    [false, true],
  );
  assert.deepEqual(scene.shown().found, []);
});

test('what is left out of a draft is not sent, what is pinned stays pinned, and the next draft begins anew', async () => {
  const scene = opened(['one', 'two'], two);
  await scene.write('where is it?');
  await scene.choosePassage('a.ts:3-3', 'removed');
  assert.deepEqual(
    scene.shown().found.map(({ place }) => place),
    ['b.ts:3-3'],
  );
  await scene.choosePassage('b.ts:3-3', 'pinned');
  await scene.say('where is it?');
  assert.doesNotMatch(scene.sent(), /in a\.ts/);
  assert.match(scene.sent(), /in b\.ts/);
  const item = scene.said().find(({ origin }) => origin === 'attachment');
  assert.ok(scene.state().marks.pinned.has(item?.id ?? ''));
  await scene.write('and now?');
  assert.ok(scene.shown().found.some(({ place }) => place === 'a.ts:3-3'));
});

test('the places of what was found stand under its answer, and not under the next one', async () => {
  const scene = opened(['There.', 'Here.'], two);
  await scene.say('where is it?');
  const places = () => scene.shown().entries.findLast((one) => one.kind === 'answer')?.places;
  assert.deepEqual(places(), ['a.ts:3-3', 'b.ts:3-3']);
  scene.editor.find = async () => nothingFound;
  await scene.say('thank you');
  assert.equal(places(), undefined);
});

test('what was found stays for the follow-up, which is told of it, and is not brought again', async () => {
  const scene = opened(['There.', 'two'], two);
  scene.engine.info = { ...scene.engine.info, erases: true };
  await scene.say('where is it?');
  await scene.say('in which line?');
  const { last, message } = scene.asked.at(-1) ?? {};
  assert.deepEqual(last, ['a.ts', 'b.ts']);
  assert.deepEqual(
    message?.standing.map(({ path, from }) => `${path}:${from}`),
    ['a.ts:3', 'b.ts:3'],
  );
  for (const path of ['a.ts', 'b.ts']) assert.equal(scene.sent().split(`in ${path}`).length, 2, path);
});

test('@folder asks below the folder, @codebase everywhere, and neither is among the words', async () => {
  const scene = opened(['one', 'two'], () => nothingFound);
  await scene.say('what is in @folder:src about tides?');
  assert.equal(scene.asked.at(-1)?.folder, 'src');
  await scene.say('@codebase where are tides?');
  assert.deepEqual([scene.asked.at(-1)?.folder, scene.asked.at(-1)?.text.trim()], ['', 'where are tides?']);
  assert.deepEqual(
    scene.asked.map(({ message }) => message === undefined),
    [false, true],
  );
});

test('what stands in the prompt and has changed since is brought again, as it is now', async () => {
  const scene = opened(['There.', 'two'], two);
  scene.engine.info = { ...scene.engine.info, erases: true };
  await scene.say('where is it?');
  const now: Passage = { ...passage('a.ts'), stretches: [{ from: 3, lines: ['it is another line'] }] };
  scene.editor.find = async () => ({ passages: [now, passage('b.ts')], weak: '' });
  await scene.say('where is it now?');
  assert.match(scene.sent(), /it is another line/);
  assert.equal(scene.sent().split('in b.ts').length, 2, 'the other one stands there');
});

test('a draft that goes on with what stands in the prompt says so', async () => {
  const scene = opened(['one', 'two'], two);
  await scene.say('where is it?');
  scene.editor.find = async () => ({ ...nothingFound, goesOn: true });
  await scene.write('in which line?');
  assert.deepEqual([scene.shown().found, scene.shown().foundGoesOn], [[], true]);
  await scene.say('in which line?');
  assert.equal(scene.shown().foundGoesOn, false);
});

test('what may not be meant is shown with its reason, and goes with the message only where the user keeps it', async () => {
  const scene = opened(['one', 'two'], () => ({ ...two(), weak: 'no indexed file has "graphql"' }));
  await scene.write('where is graphql?');
  assert.match(scene.shown().foundWeak, /graphql/);
  assert.equal(scene.shown().found.length, 2);
  await scene.say('where is graphql?');
  assert.doesNotMatch(scene.sent(), /Found:/);
  await scene.write('where is graphql?');
  await scene.choosePassage('b.ts:3-3', 'pinned');
  await scene.say('where is graphql?');
  assert.match(scene.sent(), /Found: b\.ts/);
  assert.doesNotMatch(scene.sent(), /Found: a\.ts/);
});

test('/find shows what would be found and sends nothing', async () => {
  const scene = opened([], two);
  assert.match(await scene.ask('/find tides'), /2 passages, \d+ tokens[\s\S]*a\.ts:3-3[\s\S]*b\.ts:3-3/);
  assert.equal(scene.prompts.length, 0);
  await scene.say('/find');
  assert.equal(scene.shown().draft.text, '/find');
});

test('the pocket model, which was trained without, gets nothing', async () => {
  const scene = opened(['one'], two);
  scene.engine.info = { ...scene.engine.info, name: 'pocket' };
  await scene.say('where is it?');
  assert.doesNotMatch(scene.sent(), /Found:/);
});

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
const longPassage = (path: string, from: number, count: number): Passage => ({
  ...passage(path),
  stretches: [{ from, lines: lines(count) }],
});

test('what the user attached is told to the index, and no line of it is brought a second time', async () => {
  const scene = opened(['one', 'two'], () => ({
    passages: [longPassage('a.ts', 1, 9), longPassage('b.ts', 1, 2)],
    weak: '',
  }));
  scene.editor.resolve = async () => ({ ok: true, head: 'a.ts (lines 3-9, selected)', body: lines(7).join('\n') });
  await scene.write('What does this do? @selection');
  assert.deepEqual(scene.asked.at(-1)?.message, {
    pointed: [{ path: 'a.ts', from: 3, to: 9 }],
    standing: [],
    failing: [],
    edits: false,
    files: [],
  });
  assert.deepEqual(
    scene.shown().found.map(({ place }) => place),
    ['a.ts:1-2', 'b.ts:1-2'],
  );
  await scene.say('What does this do? @selection');
  assert.deepEqual(scene.asked.at(-1)?.message?.pointed, [{ path: 'a.ts', from: 3, to: 9 }]);
  await scene.say('And before that?');
  assert.deepEqual(scene.asked.at(-1)?.message?.pointed, [], 'it was given for the message before');
  const last = scene.said().slice(scene.said().findLastIndex(({ origin }) => origin === 'user'));
  const places = last.flatMap((item) => (item.origin === 'attachment' ? [item.head] : []));
  assert.ok(
    places.every((head) => !head.includes('a.ts:1-9')),
    `${places}`,
  );
});

test('a message that is sent without the folder brings nothing, and the next one does again', async () => {
  const scene = opened(['one', 'two'], two);
  await scene.write('where is it?');
  assert.equal(scene.shown().found.length, 2);
  await scene.sayAlone('where is it?');
  assert.doesNotMatch(scene.sent(), /Found:/);
  assert.deepEqual(scene.shown().found, []);
  await scene.say('and now?');
  assert.match(scene.sent(), /Found:/);
});

// Tests that a message which cannot be read any more, in a database that is sound, is left out and said, and the rest of its conversation opens.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/store.ts';
import { openScene } from '../app/scenes/scene.ts';
import { openRescued } from './rescuing.ts';
import { answer, fill, items, newPath, row, user } from './samples.ts';

/** A conversation of four turns, of which these words have a byte that no JSON may hold. */
async function damaged(t: TestContext, ...words: readonly string[]) {
  const path = newPath();
  const made = await openStore(path);
  made.sessions.createSession({ ...row, workspace: '/a' });
  for (let i = 0; i < 4; i++) {
    made.sessions.appendItem('s1', user(`q${i}`, i === 0 ? null : `a${i - 1}`, `question ${i}`));
    made.sessions.appendItem('s1', answer(`a${i}`, `q${i}`, `answer ${i}`));
  }
  made.close();
  damage(path, words);
  const { store, words: said } = await openRescued(path);
  t.after(() => store.close());
  assert.equal(said, '');
  return store;
}

function damage(path: string, all: readonly string[]): void {
  const bytes = readFileSync(path);
  for (const words of all) {
    const at = bytes.indexOf(words);
    assert.ok(at > 0, words);
    bytes[at] = 1;
  }
  writeFileSync(path, bytes);
}

const cases: readonly (readonly [string, readonly string[], readonly string[], number])[] = [
  ['the first message', ['question 0'], ['q1', 'a1', 'q2', 'a2', 'q3', 'a3'], 2],
  ['a message in the middle', ['question 2'], ['q0', 'a0', 'q1', 'a1', 'q3', 'a3'], 2],
  ['an answer in the middle', ['answer 1'], ['q0', 'a0', 'q2', 'a2', 'q3', 'a3'], 1],
  ['the last message', ['question 3'], ['q0', 'a0', 'q1', 'a1', 'q2', 'a2'], 2],
  ['the last answer', ['answer 3'], ['q0', 'a0', 'q1', 'a1', 'q2', 'a2', 'q3'], 1],
  ['two messages', ['question 1', 'answer 3'], ['q0', 'a0', 'q2', 'a2', 'q3'], 3],
];

for (const [what, words, path, leftOut] of cases)
  test(`where ${what} is damaged the rest opens, can be gone on with, carried out and searched`, async (t) => {
    const { sessions } = await damaged(t, ...words);
    const stored = sessions.latestSession('/a');
    assert.deepEqual([stored?.dialog.path.map(({ id }) => id), stored?.leftOut], [path, leftOut]);
    const head = path.at(-1) ?? null;
    sessions.appendItem('s1', user('next', head));
    assert.deepEqual(
      sessions.session('s1')?.dialog.path.map(({ id }) => id),
      [...path, 'next'],
    );
    const copy = sessions.importJson(sessions.exportJson('s1'), '/a', () => 'copy');
    assert.equal(sessions.session(copy)?.leftOut, undefined);
    assert.ok((await sessions.search('/a', 'question', 10)).hits.length >= 3);
    assert.equal(sessions.sessions('/a').length, 2);
  });

test('where nothing of a conversation can be read it opens empty', async (t) => {
  const all = [0, 1, 2, 3].flatMap((i) => [`question ${i}`, `answer ${i}`]);
  const stored = (await damaged(t, ...all)).sessions.session('s1');
  assert.deepEqual([stored?.dialog.items, stored?.dialog.head, stored?.leftOut], [[], null, 8]);
});

test('what is stored beside the messages may be damaged as well: marks, choices, reports, summaries, an answer that was begun', async (t) => {
  const path = newPath();
  const made = await openStore(path);
  fill(made);
  made.sessions.setUnfinished('s1', { parent: 'u2b', text: 'begun' });
  made.close();
  const database = new DatabaseSync(path);
  const torn = '{"torn';
  for (const column of ['marks', 'choices', 'restored', 'held'])
    database.prepare(`UPDATE session SET ${column} = ?`).run(torn);
  for (const table of ['report', 'fold', 'unfinished']) database.prepare(`UPDATE ${table} SET json = ?`).run(torn);
  database.close();
  const store = await openStore(path);
  t.after(() => store.close());
  const stored = store.sessions.session('s1');
  assert.deepEqual(stored?.dialog.items, items);
  assert.deepEqual([stored?.marks.pinned.size, stored?.choices.agent, stored?.restored], [0, null, []]);
  assert.deepEqual(
    [stored?.pruned, stored?.compactions, stored?.unfinished, stored?.leftOut],
    [[], [], null, undefined],
  );
  assert.deepEqual(store.sessions.reports('s1'), []);
});

test('an item that is another one by its own words counts as damaged', async (t) => {
  const store = await damaged(t);
  const database = new DatabaseSync(storePath(store));
  database.prepare("UPDATE item SET json = replace(json, '\"q2\"', '\"qX\"') WHERE id = 'q2'").run();
  database.close();
  const path = store.sessions.session('s1')?.dialog.path.map(({ id }) => id);
  assert.deepEqual(path, ['q0', 'a0', 'q1', 'a1', 'q3', 'a3']);
});

const storePath = (store: object) => (store as { readonly connection: { readonly path: string } }).connection.path;

test('the conversation says what was left out, and goes on', async (t) => {
  const store = await damaged(t, 'question 2');
  const scene = openScene(['Fine.'], { storage: store });
  scene.resume();
  const [first] = scene.entries('info');
  assert.match(
    `${first?.title} ${first?.text}`,
    /is damaged and was left out[\s\S]*2 entries of the stored conversation/,
  );
  await scene.say('And now?');
  assert.equal(scene.entries('answer').at(-1)?.text, 'Fine.');
});

// The list of sessions, their titles, and the search in them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore, type Store } from '../../src/store/store.ts';
import { answer, fill, newPath, row, user } from './samples.ts';

async function withStore(work: (sessions: Store['sessions'], store: Store) => unknown): Promise<void> {
  const store = await openStore(newPath());
  try {
    await work(store.sessions, store);
  } finally {
    store.close();
  }
}

/** A session of one message. */
function say(sessions: Store['sessions'], id: string, text: string, workspace = '/code/a'): void {
  sessions.createSession({ ...row, id, workspace });
  sessions.appendItem(id, user(`${id}-1`, null, text));
}

test('lists the sessions of a workspace that hold anything, the latest first', () =>
  withStore((sessions) => {
    const before = Date.now();
    for (const id of ['s1', 's2', 's3']) say(sessions, id, `message of ${id}`);
    say(sessions, 'elsewhere', 'x', '/other');
    sessions.createSession({ ...row, id: 'empty' });
    sessions.appendItem('s1', answer('s1-2', 's1-1'));
    const list = sessions.sessions('/code/a');
    assert.deepEqual(
      list.map(({ id, title, turns }) => [id, title, turns]),
      [
        ['s1', 'message of s1', 1],
        ['s3', 'message of s3', 1],
        ['s2', 'message of s2', 1],
      ],
    );
    for (const { written } of list) assert.ok(written >= before && written <= Date.now());
    assert.deepEqual(sessions.sessions('/nowhere'), []);
  }));

test('counts the turns of the conversation, not those of branches that an edit left', () =>
  withStore((sessions, store) => {
    fill(store);
    assert.equal(sessions.sessions('/code/a')[0]?.turns, 2);
    sessions.appendItem('s1', user('v1', null));
    assert.equal(sessions.sessions('/code/a')[0]?.turns, 1);
    sessions.appendItem('s1', user('v2', 'u2b'));
    assert.equal(sessions.sessions('/code/a')[0]?.turns, 3);
  }));

for (const [text, title] of [
  ['short', 'short'],
  [' two\n\tlines  here ', 'two lines here'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), `${'x'.repeat(59)}…`],
  [`${'x'.repeat(58)} more`, `${'x'.repeat(58)}…`],
  ['😀'.repeat(61), `${'😀'.repeat(59)}…`],
  ['', ''],
] as const) {
  test(`the title of a session that begins with ${JSON.stringify(text.slice(0, 70))} is one line of it`, () =>
    withStore((sessions) => {
      say(sessions, 's1', text);
      assert.equal(sessions.sessions('/code/a')[0]?.title, title);
    }));
}

test('a title of the user’s own wins, and an empty one goes back to the first message', () =>
  withStore((sessions) => {
    say(sessions, 's1', 'hello');
    sessions.appendItem('s1', user('s1-2', 's1-1', 'and more'));
    const title = () => sessions.sessions('/code/a')[0]?.title;
    assert.equal(title(), 'hello');
    sessions.rename('s1', ' My work ');
    assert.equal(title(), 'My work');
    assert.equal(sessions.session('s1')?.title, 'My work');
    sessions.rename('s1', '  ');
    assert.equal(title(), 'hello');
    assert.equal(sessions.session('s1')?.title, '');
  }));

test('finds the items in which all words stand, in any case of letters, the latest first', () =>
  withStore(async (sessions) => {
    say(sessions, 's1', 'the Ärger with trees');
    say(sessions, 's2', 'no trees');
    sessions.appendItem('s1', answer('s1-2', 's1-1', 'Trees: ÄRGER!'));
    say(sessions, 's3', 'ärger, trees', '/other');
    const { hits: found } = await sessions.search('/code/a', ' ärger \n TREES ', 9);
    assert.deepEqual(
      found.map(({ session, item, line }) => [session.id, item, line]),
      [
        ['s1', 's1-2', 'Trees: ÄRGER!'],
        ['s1', 's1-1', 'the Ärger with trees'],
      ],
    );
    assert.deepEqual(
      found[0]?.session,
      sessions.sessions('/code/a').find(({ id }) => id === 's1'),
    );
    assert.equal((await sessions.search('/code/a', 'trees', 2)).hits.length, 2);
    assert.deepEqual(
      (await sessions.search('/code/a', 'trees', 1)).hits.map(({ item }) => item),
      ['s1-2'],
    );
    for (const [words, limit] of [
      ['', 9],
      ['  ', 9],
      ['trees', 0],
      ['wood', 9],
    ] as const)
      assert.deepEqual(await sessions.search('/code/a', words, limit), { hits: [], sessions: [] });
  }));

test('what is searched for stands for itself: no letter of it is a pattern', () =>
  withStore(async (sessions) => {
    say(sessions, 'plain', 'a 100 xy z');
    for (const [id, text] of [
      ['percent', 'a 100%y'],
      ['line', 'a x_y'],
      ['slash', 'a \\y'],
      ['quote', `a 'q' "`],
      ['bracket', 'a [x]*?'],
    ] as const)
      say(sessions, id, text);
    for (const [words, id] of [
      ['100%', 'percent'],
      ['%', 'percent'],
      ['_', 'line'],
      ['x_y', 'line'],
      ['\\', 'slash'],
      ["'q'", 'quote'],
      ['[x]', 'bracket'],
      ['*', 'bracket'],
    ] as const) {
      const found = (await sessions.search('/code/a', words, 9)).hits.map(({ session }) => session.id);
      assert.deepEqual(found, [id], words);
    }
  }));

test('searches what users and the model said, and nothing else', () =>
  withStore(async (sessions, store) => {
    fill(store);
    const found = async (words: string) => (await sessions.search('/code/a', words, 9)).hits.map(({ item }) => item);
    assert.deepEqual(await found('measure'), ['a1', 'u1']);
    for (const words of ['const', 'read_file', 'I look', 'Answer now', 'text', 'user', 'parent']) {
      assert.deepEqual(await found(words), [], words);
    }
  }));

test('the line of a hit holds the first word and has at most 160 characters', () =>
  withStore(async (sessions) => {
    const long = (before: number, after: number) => `${'b'.repeat(before)} word ${'a'.repeat(after)}`;
    for (const [id, text] of [
      ['short', 'first line\n  the word \nlast'],
      ['start', long(0, 500)],
      ['middle', `other\n${long(300, 300)}\n${long(1, 1)}`],
      ['end', long(500, 0)],
      ['exact', long(77, 77)],
      ['faces', `${'😀'.repeat(200)} word ${'😀'.repeat(200)}`],
    ] as const)
      say(sessions, id, text);
    const last = await sessions.search('/code/a', 'word last', 9);
    const hits = new Map(last.hits.map(({ session, line }) => [session.id, line]));
    assert.deepEqual([...hits], [['short', 'the word']]);
    for (const { session, line } of (await sessions.search('/code/a', 'word', 9)).hits) {
      assert.match(line, /word/);
      assert.doesNotMatch(line, /\n|[\ud800-\udbff](?![\udc00-\udfff])/);
      assert.equal([...line].length, session.id === 'short' ? 8 : 160, session.id);
      assert.equal(line.startsWith('…'), !['short', 'start', 'exact'].includes(session.id), session.id);
      assert.equal(line.endsWith('…'), !['short', 'end', 'exact'].includes(session.id), session.id);
    }
  }));

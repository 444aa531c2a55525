// Sessions as documents: carried out whole, taken in whole or not at all.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { FaultError } from '../../src/core/faults/faults.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { refuses } from './refusal.ts';
import { fill, newPath, row, user } from './samples.ts';

/** A document as plain JSON that a test may change. */
type Document = Record<string, unknown> & { items: Record<string, unknown>[]; session: Record<string, unknown> };

async function withStore(work: (sessions: Store['sessions'], document: Document) => unknown): Promise<void> {
  const store = await openStore(newPath());
  fill(store);
  store.sessions.rename('s1', 'Mine');
  try {
    await work(store.sessions, JSON.parse(store.sessions.exportJson('s1')));
  } finally {
    store.close();
  }
}

test('an exported session is one readable document with all parts', () =>
  withStore((sessions, document) => {
    assert.deepEqual(Object.keys(document), [
      ...['format', 'version', 'session', 'head', 'items', 'marks', 'held', 'folds', 'reports'],
    ]);
    assert.deepEqual(document.session, { ...row, title: 'Mine' });
    assert.deepEqual([document.format, document.version, document.head], ['tidemark-session', 1, 'u2b']);
    assert.equal(document.items.length, 11);
    assert.deepEqual(document.reports, [
      { turn: 1, end: 'done', layers: [{ layer: 'system', tokens: 3 }] },
      { turn: 2, end: 'done', layers: [{ layer: 'system', tokens: 3 }] },
    ]);
    assert.match(sessions.exportJson('s1'), /^\{\n {2}"format": "tidemark-session",\n/);
    refuses(() => sessions.exportJson('nowhere'), /no longer there/);
  }));

test('token ids of a document are not taken over: special ones among them would act', () =>
  withStore((sessions, document) => {
    assert.ok(document.items.some(({ generated }) => generated !== undefined));
    const id = sessions.importJson(JSON.stringify(document), '/b', () => 'new');
    for (const item of sessions.session(id)?.dialog.items ?? []) assert.ok(!('generated' in item), item.id);
  }));

test('export, import and export again gives the same but for the id, the workspace and token ids', () =>
  withStore(async (sessions, document) => {
    for (const item of document.items) delete item.generated;
    const id = sessions.importJson(sessions.exportJson('s1'), '/code/b', () => 'new');
    assert.equal(id, 'new');
    const again = JSON.parse(sessions.exportJson('new'));
    assert.deepEqual(again, { ...document, session: { ...document.session, id: 'new', workspace: '/code/b' } });
    assert.equal(sessions.session('s1')?.workspace, '/code/a');
    const [summary] = sessions.sessions('/code/b');
    assert.deepEqual([summary?.title, summary?.turns], ['Mine', 2]);
    assert.equal(sessions.latestSession('/code/b')?.id, 'new');
    assert.equal((await sessions.search('/code/b', 'measures', 9)).hits.length, 1);
    sessions.appendItem('new', user('later', 'u2b'));
    assert.equal(sessions.sessions('/code/b')[0]?.turns, 3);
  }));

test('a session whose head is before its first item, and one without items, come back as they went', () =>
  withStore((sessions, document) => {
    for (const items of [document.items, []]) {
      const id = sessions.importJson(
        JSON.stringify({ ...document, head: null, items }),
        '/b',
        () => `n${items.length}`,
      );
      assert.equal(sessions.session(id)?.dialog.head, null);
      assert.equal(sessions.session(id)?.dialog.items.length, items.length);
    }
    assert.deepEqual(
      sessions.sessions('/b').map(({ id, turns }) => [id, turns]),
      [['n11', 0]],
    );
  }));

type Change = (document: Document) => unknown;
const at = (i: number, values: object): Change => {
  return (document) => Object.assign(document.items[i] ?? {}, values);
};

const wrong: readonly (readonly [string, Change | string, string])[] = [
  ['no JSON', 'hello', 'this is no JSON document, or only a part of one'],
  ['nothing', '', 'this is no JSON document, or only a part of one'],
  ['null', 'null', 'this is no Tidemark session'],
  ['a list', '[1]', 'this is no Tidemark session'],
  ['another document', '{"format":"other"}', 'this is no Tidemark session'],
  [
    'a newer version',
    (d) => Object.assign(d, { version: 2, items: 7 }),
    'it was exported by a newer Tidemark (version 2)',
  ],
  ['a wrong version', (d) => Object.assign(d, { version: 'one' }), 'version must be equal to constant'],
  ['no items', (d) => delete (d as Partial<Document>).items, "it must have required property 'items'"],
  ['a text that is none', at(0, { text: 7 }), 'items.0.text must be string'],
  [
    'an unknown origin',
    at(0, { origin: 'x' }),
    'items.0.origin must be equal to one of the allowed values: user, attachment, knowledge, assistant, call, result, note',
  ],
  ['a missing part', (d) => delete d.items[4]?.body, "items.4 must have required property 'body'"],
  [
    'an unknown end',
    at(7, { end: 'x' }),
    'items.7.end must be equal to one of the allowed values: done, length, cancelled, repeats, interrupted',
  ],
  ['an id that cannot be stored', at(0, { id: '\ud800' }), 'items.0.id must match pattern "^\\P{Cs}*$"'],
  ['an unknown parent', at(3, { parent: 'x' }), 'items.3.parent names an item that is not there before it'],
  ['a circle', at(0, { parent: 'u2' }), 'items.0.parent names an item that is not there before it'],
  ['an item below itself', at(8, { parent: 'u2' }), 'items.8.parent names an item that is not there before it'],
  ['an item twice', at(8, { id: 'a1' }), 'items.8.id is there twice'],
  ['a result of no call', at(5, { call: 'call-3' }), 'items.5.call names a call that is not above it'],
  ['a second result of a call', at(5, { call: 'call-1' }), 'items.5.call names a call that has a result already'],
  [
    'a call without a result',
    (d) => Object.assign(d, { items: d.items.map((one, i) => (i === 6 ? { ...one, parent: 'r1' } : one)) }),
    'items.6 stands behind the call call-2, which has no result',
  ],
  [
    'an id of a call used again',
    (d) => Object.assign(((d.items[3]?.calls ?? []) as object[])[1] ?? {}, { id: 'call-1' }),
    'items.3.calls uses the id call-1 again',
  ],
  ['an unknown head', (d) => Object.assign(d, { head: 'x' }), 'head names an item that is not there'],
  [
    'a compaction in a slot that is not there',
    (d) => Object.assign(d, { folds: [] }),
    'held.0.fold names a fold that is not there',
  ],
  [
    'a compaction before its own',
    (d) => (d.folds as object[]).reverse(),
    'folds.0.previous names a fold that is not there before it',
  ],
  [
    'a compaction twice',
    (d) => Object.assign((d.folds as object[])[1] ?? {}, { id: 'f1' }),
    'folds.1.id is there twice',
  ],
  [
    'runs that overlap',
    (d) => (d.held as { runs: object[] }[])[0]?.runs.push({ from: 7, to: 9, last: 'u2', tokens: 1, by: 'x' }),
    'held.0.runs.1 is empty or begins before the end of the run before it',
  ],
  [
    'a time that is none',
    (d) => Object.assign(d.session, { created: 1e300 }),
    'session.created must be <= 9007199254740991',
  ],
];

for (const [name, change, words] of wrong) {
  test(`a document with ${name} is refused in words, and nothing of it stays`, () =>
    withStore((sessions, document) => {
      if (typeof change !== 'string') change(document);
      const text = typeof change === 'string' ? change : JSON.stringify(document);
      assert.throws(
        () => sessions.importJson(text, '/b', () => 'new'),
        (error) => error instanceof Error && !(error instanceof FaultError) && error.message === words,
      );
      assert.equal(sessions.session('new'), null);
    }));
}

test('a document that ends too early is refused wherever it ends', () =>
  withStore((sessions) => {
    const text = sessions.exportJson('s1');
    for (let length = 0; length < text.length; length += 97) {
      assert.throws(() => sessions.importJson(text.slice(0, length), '/b', () => 'new'), /only a part of one/);
    }
    assert.deepEqual(sessions.sessions('/b'), []);
  }));

test('a document of more than 200 MB is refused before it is read', () =>
  withStore((sessions) => {
    const words = { message: 'it is too large: 201 MB, and at most 200 MB are taken in' };
    // Nobody has the words of one that was read.
    const text = Object.assign(Object(' '.repeat(200_000_001)), {
      toString: assert.fail,
      [Symbol.toPrimitive]: assert.fail,
    });
    assert.throws(() => sessions.importJson(text, '/b', () => 'new'), words);
  }));

test('an id that is taken is refused, and the session that has it stays as it was', () =>
  withStore((sessions) => {
    const before = sessions.exportJson('s1');
    refuses(() => sessions.importJson(before, '/b', () => 's1'), /UNIQUE/);
    assert.equal(sessions.exportJson('s1'), before);
  }));

test('a session of which a part cannot be stored is not taken in at all', async () => {
  const path = newPath();
  const store = await openStore(path);
  fill(store);
  const other = new DatabaseSync(path);
  other.exec(
    "CREATE TRIGGER stop BEFORE INSERT ON report WHEN new.session <> 's1' BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  refuses(() => store.sessions.importJson(store.sessions.exportJson('s1'), '/b', () => 'new'), /no/);
  assert.equal(store.sessions.session('new'), null);
  const { n } = other.prepare("SELECT count(*) AS n FROM item WHERE session = 'new'").get() ?? {};
  assert.equal(n, 0);
  other.close();
  store.close();
});

test('members nobody knows, nested deeper than SQLite reads, do not keep the sessions from being listed and searched', () =>
  withStore(async (sessions, document) => {
    const deep = `${'['.repeat(1500)}${']'.repeat(1500)}`;
    const text = JSON.stringify(document).replace('"origin":"user"', `"origin":"user","more":${deep}`);
    sessions.importJson(text, '/code/a', () => 'deep');
    assert.equal(sessions.session('deep')?.dialog.items.length, 11);
    assert.equal(sessions.sessions('/code/a').length, 2);
    assert.equal((await sessions.search('/code/a', 'measures', 9)).hits.length, 2);
  }));

/** Everything in a document that can be replaced, as the object that holds it and the key. */
function placesIn(value: unknown): readonly (readonly [Record<string, unknown>, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...placesIn(holder[key])]);
}

test('of 300 documents with something changed at random, each is taken in sound or refused in words', () =>
  withStore(async (sessions, document) => {
    const text = JSON.stringify(document);
    const known = [
      'u1',
      'u2',
      'a1',
      'r1',
      'n1',
      'words',
      '',
      'f1',
      'f2',
      'call-1',
      'user',
      'result',
      0,
      1,
      8,
      -1,
      1.5,
      null,
      true,
      [],
      {},
    ];
    const other = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...known) },
      fc.jsonValue({ maxDepth: 2 }),
      fc.constant(undefined),
    );
    const change = fc.tuple(fc.nat(), other);
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const broken = JSON.parse(text);
        for (const [n, value] of changes) {
          const places = placesIn(broken);
          const [holder, key] = places[n % places.length] ?? [];
          if (holder !== undefined && key !== undefined) holder[key] = value;
        }
        const id = `new-${taken + refused}`;
        try {
          sessions.importJson(JSON.stringify(broken), '/b', () => id);
          taken += 1;
        } catch (error) {
          assert.ok(error instanceof Error && !(error instanceof FaultError) && error.message !== '', String(error));
          refused += 1;
          assert.equal(sessions.session(id), null);
          return;
        }
        const once = sessions.exportJson(id);
        sessions.importJson(once, '/c', () => `${id}-again`);
        assert.ok(sessions.session(id)?.dialog.items.length === broken.items.length);
      }),
      { numRuns: 300 },
    );
    assert.ok(taken > 20 && refused > 100, `${taken} taken in, ${refused} refused`);
    assert.equal(sessions.sessions('/c').length, sessions.sessions('/b').length);
    await sessions.search('/b', 'x', 1000);
  }));

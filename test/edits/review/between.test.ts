// Turns, conversations and edits that come in between: nothing of anybody else is lost, and nothing is held up.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { keepBefore } from '../../../src/edits/review/keeper.ts';
import { Reviews } from '../../../src/edits/review/reviews.ts';
import { turnsThatChanged } from '../../../src/edits/review/standing.ts';
import { row, user } from '../../store/samples.ts';
import { create, replace, reviewing } from './reviewing.ts';

/** The messages from one on. */
const since = (number: number) => new Set(['m1', 'm2', 'm3'].slice(number - 1));
const text = 'one\ntwo\nthree\nfour\nfive\nsix\n';

test('words of the user between two turns are asked for when the first is taken back', async (t) => {
  const { turn, review, read, write, asked } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  write('a.ts', text.replace('one', 'ONE').replace('five', 'five by hand'));
  await turn('m2', replace('a.ts', 'two', 'TWO'));
  assert.deepEqual(await review.undoTurns('s1', since(1)), ['a.ts']);
  assert.match(read('a.ts') ?? '', /by hand/);
  assert.equal(asked.length, 1);
});

test('so is a later change of another conversation', async (t) => {
  const { turn, turnOf, review, read, at, asked, sessions } = await reviewing(t, { 'a.ts': text });
  sessions.createSession({ ...row, id: 's2' });
  sessions.appendItem('s2', user('n1', null));
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await review.keep(at('a.ts'), null);
  await turnOf('s2', 'n1', replace('a.ts', 'six', 'SIX'));
  await review.keep(at('a.ts'), null);
  assert.deepEqual(await review.undoTurns('s1', since(1)), ['a.ts']);
  assert.match(read('a.ts') ?? '', /SIX/);
  assert.equal(asked.length, 1);
});

test('what the user wrote into a change is asked for also after another edit beside it, in a new file too', async (t) => {
  const { turn, review, read, write, asked, at } = await reviewing(t, { 'a.ts': text });
  await turn('m1', create('n.ts', 'a\nb\nc\n'), replace('a.ts', 'two', 'TWO'));
  write('n.ts', 'a\nb\nc\nmine\nmine too\n');
  write('a.ts', text.replace('two', 'TWO and mine'));
  await turn('m2', replace('n.ts', 'a', 'A'), replace('a.ts', 'six', 'SIX'));
  for (const name of ['n.ts', 'a.ts']) assert.equal(await review.undo(at(name), null), false);
  assert.match(`${read('n.ts')}${read('a.ts')}`, /mine too[\s\S]*TWO and mine/);
  assert.equal(asked.length, 2);
});

test('what waited before a turn waits on when the turn is taken back', async (t) => {
  const { turn, review, at } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await turn('m2', replace('a.ts', 'two', 'TWO'));
  await review.undoTurns('s1', since(2));
  assert.equal((await review.standing(at('a.ts')))?.hunks.length, 1);
});

test('turns that were taken back one after the other come again together', async (t) => {
  const { turn, review, read, store } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await turn('m2', replace('a.ts', 'two', 'TWO'));
  const after = read('a.ts');
  await review.undoTurns('s1', since(2));
  await review.undoTurns('s1', since(1));
  await review.redoTurns('s1', since(1));
  assert.equal(read('a.ts'), after);
  assert.deepEqual(
    turnsThatChanged(store, 's1').map(({ undone }) => undone),
    [false, false],
  );
});

test('a turn comes again whole, also where a file of it was taken back before', async (t) => {
  const { turn, review, read, at } = await reviewing(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await turn('m1', replace('a.ts', 'one', 'ONE'), replace('b.ts', 'b', 'B'));
  await review.undo(at('a.ts'), null);
  await review.undoTurns('s1', since(1));
  await review.redoTurns('s1', since(1));
  assert.deepEqual([read('a.ts'), read('b.ts')], [text.replace('one', 'ONE'), 'B\n']);
});

test('a change that is no longer there is not another one', async (t) => {
  const { turn, review, read, at, keys } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'), replace('a.ts', 'six', 'SIX'), replace('a.ts', 'three', 'THREE'));
  const [, , third = ''] = await keys('a.ts');
  await review.undo(at('a.ts'), third);
  await review.undo(at('a.ts'), third);
  await review.keep(at('a.ts'), third);
  assert.equal(read('a.ts'), text.replace('one', 'ONE').replace('three', 'THREE'));
  assert.equal((await keys('a.ts')).length, 2);
});

test('the model is told that some was taken back where the rest was kept', async (t) => {
  const { turn, review, at, keys } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'), replace('a.ts', 'six', 'SIX'));
  await review.undo(at('a.ts'), (await keys('a.ts'))[0] ?? '');
  await review.keep(at('a.ts'), null);
  assert.equal(review.news('s1'), 'Since then the user kept some and undid some of your changes of a.ts.');
  review.told('s1');
  assert.equal(review.news('s1'), '');
});

test('a file that cannot be written is named, the others are taken back, and it can be kept', async (t) => {
  const { turn, review, at, read } = await reviewing(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await turn('m1', replace('a.ts', 'one', 'ONE'), replace('b.ts', 'b', 'B'));
  chmodSync(at('a.ts'), 0o444);
  const left = await review.undoTurns('s1', since(1));
  assert.match(left.join(), /^a\.ts \(a\.ts cannot be changed: it is read-only\.\)$/);
  assert.equal(read('b.ts'), 'b\n');
  await review.keep(at('a.ts'), null);
  assert.deepEqual(
    (await review.of('s1')).map(({ shown }) => shown),
    ['b.ts'],
  );
});

test('a question that waits holds nothing else up, and what comes meanwhile is seen', async (t) => {
  const { turn, review, write, read, at, says, asked } = await reviewing(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await turn('m1', replace('a.ts', 'one', 'ONE'), replace('b.ts', 'b', 'B'));
  write('a.ts', text.replace('one', 'ONE mine'));
  const { promise, resolve } = Promise.withResolvers<void>();
  says.before = () => promise;
  says.yes = true;
  const undone = review.undo(at('a.ts'), null);
  await review.keep(at('b.ts'), null);
  await turn('m2', replace('a.ts', 'six', 'SIX'));
  resolve();
  assert.equal(await undone, true);
  assert.equal(asked.length, 2, 'the file is another one by then');
  assert.equal(read('a.ts'), text);
});

test('while an edit is being written nothing else is decided about its files', async (t) => {
  const { review, ports, root, read, at, turn } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  const before = await diskFiles.read(at('a.ts'));
  assert.ok(before.is === 'text');
  const wanted = before.text.replace('six', 'SIX');
  const done = await review.keeperFor('s1')([{ real: at('a.ts'), shown: 'a.ts', before, after: wanted }], 'm2');
  const undone = review.undo(at('a.ts'), null);
  await review.of('s1');
  await ports.files.change([{ do: 'write', path: join(root, 'a.ts'), before: before.hash, text: wanted }]);
  await done();
  assert.equal(await undone, true);
  assert.equal(read('a.ts'), text);
});

test('after the conversation that changed a file last was deleted, the one before can still be taken back, with a question', async (t) => {
  const { turn, turnOf, review, read, sessions, says } = await reviewing(t, { 'a.ts': text });
  sessions.createSession({ ...row, id: 's2' });
  sessions.appendItem('s2', user('n1', null));
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await turnOf('s2', 'n1', replace('a.ts', 'six', 'SIX'));
  sessions.delete('s2');
  assert.deepEqual(await review.undoTurns('s1', since(1)), ['a.ts']);
  says.yes = true;
  assert.deepEqual(await review.undoTurns('s1', since(1)), []);
  assert.equal(read('a.ts'), text);
});

test('what waits for the user is not trimmed by size', async (t) => {
  const { turn, review, at, store } = await reviewing(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await turn('m2', replace('b.ts', 'b', 'B'));
  await review.keep(at('b.ts'), null);
  store.trim({ bytes: 1, since: 0 });
  assert.deepEqual(
    store.of('s1').map(({ message }) => message),
    ['m1'],
  );
  assert.equal((await review.standing(at('a.ts')))?.hunks.length, 1);
});

test('what waits for the user is not trimmed by age either', async (t) => {
  const { turn, review, at, read, store } = await reviewing(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await turn('m2', replace('b.ts', 'b', 'B'));
  await review.keep(at('b.ts'), null);
  store.trim({ bytes: 1e9, since: 1001 });
  assert.deepEqual(
    store.of('s1').map(({ message }) => message),
    ['m1'],
  );
  await review.undo(at('a.ts'), null);
  assert.equal(read('a.ts'), text);
});

test('after the store failed while turns were taken back, the next decision is heard of', async (t) => {
  const { turn, at, ports } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  let fails = false;
  const file = (path: string) => {
    if (fails) throw new Error('the disk is full');
    return ports.store.file(path);
  };
  const review = new Reviews({
    ...ports,
    store: { ...ports.store, file },
    agree: async () => true,
    failed: () => assert.fail(),
  });
  fails = true;
  assert.deepEqual(await review.undoTurns('s1', since(1)), [`${at('a.ts')} (the disk is full)`]);
  fails = false;
  let heard = 0;
  review.subscribe(() => {
    heard += 1;
  });
  await review.undo(at('a.ts'), null);
  assert.equal(heard, 1);
});

test('only the turns that are meant are taken back', async (t) => {
  const { turn, review, read } = await reviewing(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await turn('m2', replace('b.ts', 'b', 'B'));
  await review.undoTurns('s1', new Set(['m1']));
  assert.deepEqual([read('a.ts'), read('b.ts')], [text, 'B\n']);
});

test('a change that could not be made leaves no trace, and what was taken back can still be made again', async (t) => {
  const { turn, review, store, at, read, ports } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await review.undo(at('a.ts'), null);
  const before = await diskFiles.read(at('a.ts'));
  assert.ok(before.is === 'text');
  const staged = { real: at('a.ts'), shown: 'a.ts', before, after: 'other\n' };
  await (await keepBefore(ports, 's1', 'm2', [staged]))();
  assert.deepEqual(
    turnsThatChanged(store, 's1').map(({ message }) => message),
    ['m1'],
  );
  await review.redo(at('a.ts'));
  assert.equal(read('a.ts'), text.replace('one', 'ONE'));
});

test('words of the user between two edits of one turn are asked for, and a new file with them is not deleted', async (t) => {
  const { turn, review, read, write, asked } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'), create('n.ts', 'a\nb\nc\nd\n'));
  write('a.ts', `${read('a.ts')}mine\n`);
  write('n.ts', `${read('n.ts')}mine\n`);
  await turn('m1', replace('a.ts', 'three', 'THREE'), replace('n.ts', 'a', 'A'));
  assert.equal((await review.undoTurns('s1', since(1))).length, 2);
  assert.match(`${read('a.ts')}${read('n.ts')}`, /mine\n[\s\S]*mine\n/);
  assert.equal(asked.length, 2);
});

test('an edit that failed takes nothing over from the conversation whose change waits', async (t) => {
  const { turn, review, at, ports, sessions } = await reviewing(t, { 'a.ts': text });
  sessions.createSession({ ...row, id: 's2' });
  sessions.appendItem('s2', user('n1', null));
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  const before = await diskFiles.read(at('a.ts'));
  assert.ok(before.is === 'text');
  await (await keepBefore(ports, 's2', 'n1', [{ real: at('a.ts'), shown: 'a.ts', before, after: 'x\n' }]))();
  assert.equal((await review.of('s1')).length, 1);
  assert.equal((await review.of('s2')).length, 0);
});

test('what waited before a turn waits on also where the user wrote beside it, and the model is told of a part', async (t) => {
  const { turn, review, read, write, keys } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  write('a.ts', `${read('a.ts')}mine\n`);
  await turn('m2', replace('a.ts', 'four', 'FOUR'));
  await review.undoTurns('s1', since(2));
  assert.equal((await keys('a.ts')).length, 1);
  assert.match(read('a.ts') ?? '', /ONE[\s\S]*mine/);
  assert.equal(review.news('s1'), 'Since then the user undid some of your changes of a.ts.');
});

test('changes that were taken back one by one come again together', async (t) => {
  const { turn, review, read, at, keys } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'), replace('a.ts', 'six', 'SIX'));
  const after = read('a.ts');
  for (let i = 0; i < 2; i++) await review.undo(at('a.ts'), (await keys('a.ts'))[0] ?? '');
  assert.equal(read('a.ts'), text);
  await review.redo(at('a.ts'));
  assert.equal(read('a.ts'), after);
});

// Tests that changes can be looked at, kept, taken back and made again, and that what somebody else wrote is never lost.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { Reviews } from '../../../src/edits/review/reviews.ts';
import { turnsThatChanged } from '../../../src/edits/review/standing.ts';
import { create, replace, reviewing } from './reviewing.ts';

/** The messages from one on. */
const since = (number: number) => new Set(['m1', 'm2', 'm3'].slice(number - 1));
const text = 'one\ntwo\nthree\nfour\nfive\nsix\n';

test('a change waits, is taken back byte for byte, and made again', async (t) => {
  const { turn, review, at, read } = await reviewing(t, { 'a.ts': '\uFEFFone\r\ntwo\nthree' });
  await turn('m1', replace('a.ts', 'two', 'TWO'));
  const after = read('a.ts');
  const standing = await review.standing(at('a.ts'));
  assert.deepEqual(
    standing?.hunks.map(({ before, after: now }) => [before.lines, now.lines]),
    [[['two\n'], ['TWO\n']]],
  );
  assert.equal(await review.undo(at('a.ts'), null), true);
  assert.equal(read('a.ts'), '\uFEFFone\r\ntwo\nthree');
  assert.equal(await review.standing(at('a.ts')), null);
  assert.equal(await review.redo(at('a.ts')), true);
  assert.equal(read('a.ts'), after);
  assert.equal((await review.standing(at('a.ts')))?.hunks.length, 1);
});

test('one change of several is kept, another one taken back', async (t) => {
  const { turn, review, at, read, store, keys } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'), replace('a.ts', 'six', 'SIX'), replace('a.ts', 'three', 'THREE'));
  const file = at('a.ts');
  await review.keep(file, (await keys('a.ts'))[0] ?? '');
  assert.equal((await review.standing(file))?.hunks.length, 2);
  await review.undo(file, (await keys('a.ts'))[1] ?? '');
  assert.equal(read('a.ts'), 'ONE\ntwo\nTHREE\nfour\nfive\nsix\n');
  await review.undo(file, null);
  assert.equal(read('a.ts'), 'ONE\ntwo\nthree\nfour\nfive\nsix\n');
  assert.equal(await review.standing(file), null);
  assert.equal(store.file(file)?.news, 'both in part');
});

test('a kept change waits no more, and the next turn starts from it', async (t) => {
  const { turn, review, at, read } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await review.keep(at('a.ts'), null);
  assert.equal(await review.standing(at('a.ts')), null);
  await turn('m2', replace('a.ts', 'six', 'SIX'));
  await review.undo(at('a.ts'), null);
  assert.equal(read('a.ts'), text.replace('one', 'ONE'));
});

test('changes of two turns wait together', async (t) => {
  const { turn, review, at, read } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await turn('m2', replace('a.ts', 'six', 'SIX'));
  assert.equal((await review.standing(at('a.ts')))?.hunks.length, 2);
  await review.undo(at('a.ts'), null);
  assert.equal(read('a.ts'), text);
});

test('what the user wrote beside a change stays when it is taken back; what was written into it is asked for', async (t) => {
  const { turn, review, at, read, write, asked, says } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'two', 'TWO'));
  write('a.ts', 'one\nTWO\nthree\nfour\nfive\nmine\nsix\n');
  assert.equal((await review.standing(at('a.ts')))?.hunks.length, 1);
  assert.equal(await review.undo(at('a.ts'), null), true);
  assert.equal(read('a.ts'), 'one\ntwo\nthree\nfour\nfive\nmine\nsix\n');
  assert.deepEqual(asked, []);
  await review.redo(at('a.ts'));
  assert.equal(read('a.ts'), 'one\nTWO\nthree\nfour\nfive\nmine\nsix\n');
  write('a.ts', 'one\nTWO and mine\nthree\nfour\nfive\nmine\nsix\n');
  assert.equal(await review.undo(at('a.ts'), null), false);
  assert.match(read('a.ts') ?? '', /TWO and mine/);
  assert.deepEqual(
    asked.map(({ shown, target }) => [shown, Buffer.from(target ?? []).toString()]),
    [['a.ts', text.replace('six', 'mine\nsix')]],
  );
  says.yes = true;
  assert.equal(await review.undo(at('a.ts'), null), true);
  assert.equal(read('a.ts'), text.replace('six', 'mine\nsix'));
});

test('a turn is taken back with all after it, over several files, and made again', async (t) => {
  const { turn, review, read, store, at } = await reviewing(t, { 'a.ts': text, 'b.ts': 'b\n', 'gone.ts': 'gone\n' });
  chmodSync(at('gone.ts'), 0o755);
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await turn('m2', replace('a.ts', 'two', 'TWO'), create('sub/new.ts', 'new\n'), ['delete_file', { path: 'gone.ts' }]);
  await turn('m3', replace('b.ts', 'b', 'B'), replace('a.ts', 'three', 'THREE'));
  const after = ['a.ts', 'b.ts', 'sub/new.ts', 'gone.ts'].map(read);
  assert.deepEqual(await review.undoTurns('s1', since(2)), []);
  assert.deepEqual(['a.ts', 'b.ts', 'sub/new.ts', 'gone.ts'].map(read), [
    text.replace('one', 'ONE'),
    'b\n',
    null,
    'gone\n',
  ]);
  assert.equal(statSync(at('gone.ts')).mode & 0o777, 0o755);
  const undone = () => turnsThatChanged(store, 's1').map((one) => one.undone);
  assert.deepEqual(undone(), [false, true, true]);
  assert.deepEqual(await review.redoTurns('s1', since(2)), []);
  assert.deepEqual(['a.ts', 'b.ts', 'sub/new.ts', 'gone.ts'].map(read), after);
  assert.deepEqual(undone(), [false, false, false]);
});

test('a turn is not taken back from a file that was written since, unless the user agrees', async (t) => {
  const { turn, review, read, write, asked, says } = await reviewing(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await turn('m1', replace('a.ts', 'one', 'ONE'), replace('b.ts', 'b', 'B'));
  write('b.ts', 'mine\n');
  assert.deepEqual(await review.undoTurns('s1', since(1)), ['b.ts']);
  assert.deepEqual([read('a.ts'), read('b.ts')], [text, 'mine\n']);
  assert.equal(asked.length, 1);
  says.yes = true;
  assert.deepEqual(await review.undoTurns('s1', since(1)), []);
  assert.equal(read('b.ts'), 'b\n');
});

test('a new file is taken back by deleting it, unless it was written since', async (t) => {
  const { turn, review, at, read, write, asked, says } = await reviewing(t, {});
  await turn('m1', create('new.ts', 'new\n'));
  write('new.ts', 'new and mine\n');
  assert.equal(await review.undo(at('new.ts'), null), false);
  assert.equal(asked[0]?.target, null);
  says.yes = true;
  assert.equal(await review.undo(at('new.ts'), null), true);
  assert.equal(read('new.ts'), null);
  await review.redo(at('new.ts'));
  assert.equal(read('new.ts'), 'new and mine\n');
});

test('deleting a conversation takes its snapshots along', async (t) => {
  const { turn, sessions, store } = await reviewing(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  assert.equal(store.size().snapshots, 1);
  sessions.delete('s1');
  assert.deepEqual(store.size(), { bytes: 0, snapshots: 0, oldest: null });
});

test('the oldest snapshots go where they take too much, or are too old', async (t) => {
  const { turn, store, review } = await reviewing(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await turn('m1', replace('a.ts', 'one', 'ONE'));
  await turn('m2', replace('b.ts', 'b', 'B'));
  await review.decideAll('s1', 'keep');
  const { bytes } = store.size();
  store.trim({ bytes: bytes - 1, since: 0 });
  assert.deepEqual(
    store.of('s1').map(({ message }) => message),
    ['m2'],
  );
  store.trim({ bytes, since: 1001 });
  assert.deepEqual(store.size(), { bytes: 0, snapshots: 0, oldest: null });
});

test('folders that were made for files go with the last of them, and come again with it', async (t) => {
  const { turn, review, at, read } = await reviewing(t, { 'src/a.ts': text });
  await turn('m1', create('src/new/deep/b.ts', 'b\n'));
  await turn('m2', create('src/new/deep/c.ts', 'c\n'));
  await review.undo(at('src/new/deep/b.ts'), null);
  assert.equal(read('src/new/deep/c.ts'), 'c\n');
  await review.undo(at('src/new/deep/c.ts'), null);
  assert.equal(existsSync(at('src/new')), false);
  assert.ok(existsSync(at('src/a.ts')));
  await review.redo(at('src/new/deep/c.ts'));
  assert.equal(read('src/new/deep/c.ts'), 'c\n');
  await review.undo(at('src/new/deep/c.ts'), null);
  assert.equal(existsSync(at('src/new')), false);
});

test('a folder that the user made, or put something into, stays', async (t) => {
  const { turn, review, at, write } = await reviewing(t, { 'src/a.ts': text });
  mkdirSync(at('own'));
  await turn('m1', create('own/b.ts', 'b\n'), create('new/deep/c.ts', 'c\n'));
  write('new/mine.txt', 'mine');
  assert.deepEqual(await review.decideAll('s1', 'undo'), []);
  assert.ok(existsSync(at('own')) && existsSync(at('new/mine.txt')));
  assert.equal(existsSync(at('new/deep')), false);
});

test('taking back all of a turn leaves no folder of it, also after another start', async (t) => {
  const { turn, review, ports, at } = await reviewing(t, {});
  await turn('m1', ...['lib/x/a.ts', 'lib/x/b.ts', 'lib/y/c.ts', 'docs/d.md'].map((name) => create(name, 'x\n')));
  const again = new Reviews({ ...ports, agree: async () => false, failed: () => assert.fail() });
  assert.deepEqual(await again.undoTurns('s1', new Set(['m1'])), []);
  assert.equal(existsSync(at('lib')) || existsSync(at('docs')), false);
  await review.redoTurns('s1', new Set(['m1']));
  assert.ok(existsSync(at('lib/y/c.ts')));
});

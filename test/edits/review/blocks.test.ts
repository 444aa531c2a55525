// Code blocks that were applied wait in the same rows as an agent's changes: unsaved, over them, and taken back before them.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { BlockEdit } from '../../../src/edits/review/applying.ts';
import { bytesLike, textOf } from '../../../src/edits/review/look.ts';
import { memorySnapshots } from '../../../src/edits/review/memorySnapshots.ts';
import { Reviews } from '../../../src/edits/review/reviews.ts';
import { row, user } from '../../store/samples.ts';
import type { Files } from '../../tools/sandbox.ts';
import { openEditor } from './editor.ts';
import { create, replace, reviewing } from './reviewing.ts';

const text = 'one\ntwo\nthree\nfour\nfive\nsix\n';

/** A review with an editor, and what code blocks do in it. `saves`: the editor saves by itself. */
async function applying(t: TestContext, given: Files, { saves = false, stored = true } = {}) {
  const { files, buffers } = openEditor();
  const scene = await reviewing(t, given, files);
  const { ports, at, read } = scene;
  const agree = async () =>
    scene.asked.push({ file: '', shown: '', current: null, target: null }) > 0 && scene.says.yes;
  const review = stored
    ? scene.review
    : new Reviews({ ...ports, store: memorySnapshots(), agree, failed: () => assert.fail() });
  const is = (name: string) => buffers.get(at(name)) ?? read(name);
  const apply = async (made: Readonly<Record<string, string | null>>, session = 's1', fails = '') => {
    const edits = Object.entries(made).map(async ([name, after]): Promise<BlockEdit> => {
      const found = await files.read(at(name));
      const disk = found.is === 'text' && !found.unsaved ? Buffer.from(read(name) ?? '') : null;
      const before = found.is === 'text' ? bytesLike(found.text, disk) : null;
      const wanted = after === null ? null : Buffer.from(after);
      const saved = found.is !== 'text' || !found.unsaved;
      return { file: at(name), shown: name, before, wanted, saved, block: `block of ${name}`.replaceAll(' ', '-') };
    });
    await review.apply(session, await Promise.all(edits), async () => {
      if (fails !== '') throw new Error(fails);
      for (const [name, after] of Object.entries(made)) {
        if (after === null) scene.remove(name);
        else if (read(name) === null) scene.write(name, after);
        else buffers.set(at(name), after);
        if (saves) await files.save(at(name));
      }
    });
  };
  const rows = async (name: string) =>
    ((await review.standing(at(name)))?.hunks ?? []).map(({ author, before, after }) => [
      author,
      before.lines.join(''),
      after.lines.join(''),
    ]);
  return { ...scene, review, buffers, is, apply, rows };
}

test('an applied block waits unsaved, and Keep saves a file that was saved before', async (t) => {
  const { apply, rows, review, at, read, buffers } = await applying(t, { 'a.ts': text });
  await apply({ 'a.ts': text.replace('two', 'TWO') });
  assert.deepEqual(await rows('a.ts'), [['block', 'two\n', 'TWO\n']]);
  assert.deepEqual([read('a.ts'), (await review.standing(at('a.ts')))?.current?.unsaved], [text, true]);
  await review.keep(at('a.ts'), null);
  assert.deepEqual([read('a.ts'), buffers.size], [text.replace('two', 'TWO'), 0]);
  assert.deepEqual(await rows('a.ts'), []);
  assert.equal(review.news('s1'), '', 'the model is told of its own edits alone');
});

test('a file with unsaved changes of the user stays unsaved, kept or undone', async (t) => {
  const { apply, review, at, read, is, buffers } = await applying(t, { 'a.ts': text });
  for (const what of ['keep', 'undo'] as const) {
    const mine = `mine\n${text}`;
    buffers.set(at('a.ts'), mine);
    await apply({ 'a.ts': mine.replace('two', 'TWO') });
    await review[what](at('a.ts'), null);
    assert.deepEqual([read('a.ts'), is('a.ts')], [text, what === 'keep' ? mine.replace('two', 'TWO') : mine]);
  }
});

test('Undo leaves nothing unsaved, and of a file that the editor saved meanwhile it writes the former text', async (t) => {
  for (const saves of [false, true]) {
    const { apply, review, at, read, buffers } = await applying(t, { 'a.ts': `\uFEFF${text}` }, { saves });
    await apply({ 'a.ts': text.replace('two', 'TWO') });
    assert.equal(read('a.ts') !== `\uFEFF${text}`, saves);
    await review.undo(at('a.ts'), null);
    assert.deepEqual([read('a.ts'), buffers.size], [`\uFEFF${text}`, 0]);
  }
});

test('of two changes of a block one is kept and the other undone, and then the file is saved', async (t) => {
  const { apply, review, at, read, keys, buffers } = await applying(t, { 'a.ts': text });
  await apply({ 'a.ts': text.replace('one', 'ONE').replace('six', 'SIX') });
  const [first = '', last = ''] = await keys('a.ts');
  await review.keep(at('a.ts'), first);
  assert.equal(buffers.size, 1, 'not while another waits');
  await review.undo(at('a.ts'), last);
  assert.deepEqual([read('a.ts'), buffers.size], [text.replace('one', 'ONE'), 0]);
});

test('words that the user typed beside a block stay, also on the next line; those typed into it are asked for', async (t) => {
  const { apply, review, at, is, buffers, asked, says } = await applying(t, { 'a.ts': text });
  await apply({ 'a.ts': text.replace('two', 'TWO') });
  buffers.set(at('a.ts'), text.replace('two', 'TWO').replace('three', 'three by hand'));
  assert.equal(await review.undo(at('a.ts'), null), true);
  assert.equal(is('a.ts'), text.replace('three', 'three by hand'));
  await apply({ 'a.ts': text.replace('two', 'TWO') });
  buffers.set(at('a.ts'), text.replace('two', 'TWO by hand'));
  assert.deepEqual([await review.undo(at('a.ts'), null), asked.length], [false, 1]);
  says.yes = true;
  assert.equal(await review.undo(at('a.ts'), null), true);
  assert.match(is('a.ts') ?? '', /^two$/m);
});

test('a block over an agent’s change is one row with it; undone first, it leaves the agent’s change, which is undone next', async (t) => {
  const { apply, turn, rows, keys, review, at, read, is } = await applying(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'two', 'TWO'));
  const agents = read('a.ts');
  await apply({ 'a.ts': text.replace('two', 'TWO and more') });
  assert.deepEqual(await rows('a.ts'), [['block', 'two\n', 'TWO and more\n']]);
  await review.undo(at('a.ts'), (await keys('a.ts'))[0] ?? '');
  assert.deepEqual([is('a.ts'), await rows('a.ts')], [agents, [['agent', 'two\n', 'TWO\n']]]);
  assert.equal(review.news('s1'), '');
  await review.undo(at('a.ts'), (await keys('a.ts'))[0] ?? '');
  assert.deepEqual([read('a.ts'), await rows('a.ts')], [text, []]);
  assert.equal(review.news('s1'), 'Since then the user undid your changes of a.ts.');
});

test('a block beside an agent’s change is a row of its own, decided by its block or with all', async (t) => {
  const { apply, turn, rows, review, at, is, read, buffers } = await applying(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'two', 'TWO'));
  const agents = read('a.ts') ?? '';
  await apply({ 'a.ts': agents.replace('six', 'SIX') });
  const both = [
    ['agent', 'two\n', 'TWO\n'],
    ['block', 'six\n', 'SIX\n'],
  ];
  assert.deepEqual(await rows('a.ts'), both);
  await review.undo(at('a.ts'), 'block-of-a.ts');
  assert.deepEqual([is('a.ts'), await rows('a.ts'), buffers.size], [agents, both.slice(0, 1), 0]);
  await apply({ 'a.ts': agents.replace('six', 'SIX') });
  await review.keep(at('a.ts'), 'block-of-a.ts');
  assert.deepEqual([read('a.ts'), await rows('a.ts')], [agents.replace('six', 'SIX'), both.slice(0, 1)]);
  await apply({ 'a.ts': agents.replace('six', 'SIX').replace('five', 'FIVE') });
  await review.undo(at('a.ts'), null);
  assert.deepEqual([read('a.ts'), await rows('a.ts')], [text.replace('six', 'SIX'), []]);
});

test('an agent’s change of a file in which a block waits comes below the block', async (t) => {
  const { apply, turn, rows, keys, review, at, is, read } = await applying(t, { 'a.ts': text });
  await apply({ 'a.ts': text.replace('six', 'SIX') });
  await turn('m1', replace('a.ts', 'two', 'TWO'));
  assert.deepEqual(await rows('a.ts'), [
    ['agent', 'two\n', 'TWO\n'],
    ['block', 'six\n', 'SIX\n'],
  ]);
  assert.equal(read('a.ts'), text, 'the buffer stays unsaved');
  await review.undo(at('a.ts'), (await keys('a.ts'))[0] ?? '');
  assert.equal(is('a.ts'), text.replace('six', 'SIX'));
  await review.keep(at('a.ts'), null);
  assert.equal(read('a.ts'), text.replace('six', 'SIX'));
});

test('files that a block creates or deletes go and come back when it is undone', async (t) => {
  const { apply, rows, review, at, read } = await applying(t, { 'gone.ts': text });
  chmodSync(at('gone.ts'), 0o755);
  await apply({ 'new.ts': 'new\n', 'gone.ts': null });
  assert.deepEqual([read('new.ts'), read('gone.ts')], ['new\n', null]);
  assert.deepEqual(await rows('gone.ts'), [['block', text, '']]);
  assert.deepEqual(await review.decideAll('s1', 'undo'), []);
  assert.deepEqual([existsSync(at('new.ts')), read('gone.ts')], [false, text]);
  assert.equal(statSync(at('gone.ts')).mode & 0o777, 0o755);
});

test('where one file of a block cannot be changed, nothing waits in any', async (t) => {
  const { apply, turn, rows, review } = await applying(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await turn('m1', replace('a.ts', 'two', 'TWO'));
  const made = { 'a.ts': 'other\n', 'b.ts': 'B\n' };
  await assert.rejects(apply(made, 's1', 'the editor did not take it'), /the editor did not take it/);
  assert.deepEqual([await rows('a.ts'), await rows('b.ts')], [[['agent', 'two\n', 'TWO\n']], []]);
  assert.equal((await review.of('s1')).length, 1);
});

test('what the user took back by hand waits no more', async (t) => {
  const { apply, turn, rows, review, at, read, buffers } = await applying(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'two', 'TWO'));
  await apply({ 'a.ts': 'all anew\n' });
  buffers.delete(at('a.ts'));
  await review.look([at('a.ts')]);
  assert.deepEqual(await rows('a.ts'), [['agent', 'two\n', 'TWO\n']]);
  buffers.set(at('a.ts'), `${read('a.ts')}mine\n`);
  assert.deepEqual(await rows('a.ts'), [['agent', 'two\n', 'TWO\n']], 'new words are the user’s own');
});

test('after a reload blocks that were saved wait on, and unsaved ones where the editor kept its buffer', async (t) => {
  const { apply, ports, at, buffers, review, store } = await applying(t, { 'a.ts': text, 'b.ts': 'b\n' });
  await apply({ 'a.ts': text.replace('two', 'TWO'), 'b.ts': 'B\n' });
  await ports.files.save(at('a.ts'));
  const kept = buffers.get(at('b.ts')) ?? '';
  buffers.delete(at('b.ts'));
  store.trim({ bytes: 1e9, since: 0 });
  const again = new Reviews({ ...ports, agree: async () => false, failed: () => assert.fail() });
  assert.deepEqual(
    (await again.of('s1')).map(({ shown }) => shown),
    ['a.ts'],
  );
  buffers.set(at('b.ts'), kept);
  assert.equal((await review.of('s1')).length, 2);
});

test('an applied block is not lost to Redo of what was undone before', async (t) => {
  const { apply, turn, rows, review, at } = await applying(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'two', 'TWO'));
  await review.undo(at('a.ts'), null);
  await apply({ 'a.ts': text.replace('six', 'SIX') });
  await review.redo(at('a.ts'));
  assert.deepEqual(await rows('a.ts'), [['block', 'six\n', 'SIX\n']]);
});

test('a turn is undone from under a block only after a yes', async (t) => {
  const { apply, turn, rows, review, read, asked, says } = await applying(t, { 'a.ts': text });
  await turn('m1', replace('a.ts', 'two', 'TWO'), create('n.ts', 'n\n'));
  await apply({ 'a.ts': `${read('a.ts')}block\n` });
  assert.deepEqual(await review.undoTurns('s1', new Set(['m1'])), ['a.ts']);
  assert.equal(asked.length, 1);
  says.yes = true;
  assert.deepEqual(await review.undoTurns('s1', new Set(['m1'])), []);
  assert.deepEqual([read('a.ts'), await rows('a.ts')], [text, []]);
});

test('deleting a conversation leaves the blocks of others, and forgets its own', async (t) => {
  const { apply, rows, sessions } = await applying(t, { 'a.ts': text, 'b.ts': 'b\n' });
  sessions.createSession({ ...row, id: 's2' });
  sessions.appendItem('s2', user('n1', null));
  await apply({ 'a.ts': text.replace('two', 'TWO') }, 's1');
  await apply({ 'b.ts': 'B\n' }, 's2');
  sessions.delete('s2');
  assert.deepEqual([(await rows('a.ts')).length, await rows('b.ts')], [1, []]);
});

test('where nothing can be stored, blocks are applied, kept and undone all the same', async (t) => {
  const { apply, rows, review, at, read } = await applying(t, { 'a.ts': text, 'b.ts': 'b\n' }, { stored: false });
  await apply({ 'a.ts': text.replace('two', 'TWO'), 'b.ts': 'B\n' });
  assert.equal((await rows('a.ts')).length, 1);
  await review.keep(at('a.ts'), null);
  await review.undo(at('b.ts'), null);
  assert.deepEqual([textOf(Buffer.from(read('a.ts') ?? '')), read('b.ts')], [text.replace('two', 'TWO'), 'b\n']);
});

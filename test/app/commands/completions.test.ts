// Completions of the composer behind an @ or a slash, and the prompts and short commands that they lead to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankByTyped } from '../../../src/app/composer/completions.ts';
import { openScene } from '../scenes/scene.ts';

const files = ['src/duration.ts', 'src/forecast.ts', 'src/report.ts', 'test/duration.test.ts', 'my notes.md'];

const review = { name: 'review', text: '---\ndescription: "Review it"\n---\nReview {{arguments}} with @problems.' };

function open() {
  const { editor, completions } = openScene();
  editor.names = async (kind) => {
    if (kind === 'symbol') return [{ name: 'parseDuration', detail: 'src/duration.ts' }];
    return (kind === 'file' ? files : ['src', 'test']).map((name) => ({ name, detail: '' }));
  };
  editor.placed = async (place) => (place === '/w/src' ? { kind: 'folder', name: 'src' } : null);
  editor.promptFiles = async () => [review];
  return completions;
}

const labels = async (typed: string) => (await open().complete(typed)).map(({ label }) => label);

test('names are ranked by the end of the path, then by whole runs, then by letters in their order', () => {
  const of = (typed: string) => rankByTyped(typed, files, (name) => name, 20);
  assert.deepEqual(of('dur'), ['src/duration.ts', 'test/duration.test.ts']);
  assert.deepEqual(of('SRC/F'), ['src/forecast.ts']);
  assert.deepEqual(of('srep'), ['src/report.ts']);
  assert.deepEqual(of('zzz'), []);
  assert.deepEqual(of(''), files);
  assert.equal(rankByTyped('', files, (name) => name, 2).length, 2);
});

test('commands that nobody needs in the first week stand behind the others', async () => {
  const commands = (await labels('/')).filter((label) => label !== '/review');
  assert.deepEqual(commands.slice(-4), ['/pin', '/work', '/speed', '/probe']);
});

test('an @ alone offers every kind and files, and a word behind it both', async () => {
  assert.deepEqual((await labels('@')).slice(0, 9), [
    'selection',
    'file',
    'folder',
    'symbol',
    'changes',
    'problems',
    'codebase',
    'terminal',
    files[0],
  ]);
  assert.deepEqual(await labels('@prob'), ['problems']);
  assert.deepEqual(await labels('@dur'), ['src/duration.ts', 'test/duration.test.ts', 'parseDuration']);
  assert.ok(!(await labels('@d')).includes('parseDuration'), 'one letter is every name');
});

test('behind a kind stand its names, written as they are mentioned', async () => {
  const [folder] = await open().complete('@folder:te');
  assert.deepEqual(folder, { insert: '@folder:test', label: 'test', detail: '', icon: 'folder', open: false });
  assert.equal((await open().complete('@file:notes'))[0]?.insert, '@file:"my notes.md"');
  assert.equal((await open().complete('@file:"my no'))[0]?.insert, '@file:"my notes.md"');
  assert.equal((await open().complete('@symbol:pa'))[0]?.detail, 'src/duration.ts');
  assert.deepEqual(await labels('@what:'), []);
});

test('a slash offers each command and prompt with a line about it, at most 20', async () => {
  const all = await open().complete('/');
  assert.ok(all.length <= 20 && all.every(({ detail, insert }) => detail !== '' && insert.startsWith('/')));
  assert.deepEqual(await labels('/comp'), ['/compact']);
  const [own] = await open().complete('/rev');
  assert.deepEqual([own?.label, own?.detail], ['/review', 'Review it']);
});

test('paths and URIs become mentions, and what is elsewhere becomes none', async () => {
  assert.deepEqual(await open().mention('/w/src\r\n\r\n/etc/passwd\n'), ['@folder:src', null]);
});

test('a prompt is the message itself: ours ask about the selection unless the words name something', async () => {
  const scene = openScene(['one', 'two', 'three']);
  const asked = () => JSON.stringify(scene.entries('user').at(-1));
  await scene.say('/explain the second line');
  assert.match(asked(), /Explain this code.*the second line"/);
  assert.match(JSON.stringify(scene.prompt()?.messages.at(-1)), /@selection is not attached.*Explain this code/);
  await scene.say('/fix @file:src/a.ts');
  assert.doesNotMatch(asked(), /@selection/);
  assert.match(JSON.stringify(scene.prompt()?.messages.at(-1)), /@file:src\/a\.ts is not attached.*Find what is wrong/);
});

test('a command that there is not is no message: what may be meant is named, and the words come back', async () => {
  const scene = openScene(['one']);
  for (const [line, meant] of [
    ['/compactness', '/compact'],
    ['/conv', '/conversations'],
  ] as const)
    assert.ok((await scene.ask(line)).includes(meant), line);
  assert.match(await scene.ask('/constructor'), /There is no \/constructor\. Did you mean \/context or/);
  assert.equal(scene.shown().draft.text, '/constructor');
  assert.equal(scene.prompts.length, 0);
  await scene.say(' /constructor');
  assert.match(JSON.stringify(scene.prompt()?.messages.at(-1)), /\/constructor/);
  await scene.regenerate();
  assert.match(JSON.stringify(scene.prompt()?.messages.at(-1)), /\/constructor/);
  await scene.say('/etc/hosts is what?');
  assert.equal(scene.prompts.length, 3);
});

test('a prompt of the user’s own takes the words behind its name, and its mentions are resolved', async () => {
  const scene = openScene(['one', 'two', 'three']);
  scene.editor.promptFiles = async () => [review, { name: 'plain', text: 'Be brief.' }];
  scene.editor.resolve = async () => ({ ok: true, head: '2 problems:', body: 'bad & worse' });
  await scene.say('/review <this> & that');
  const last = () => JSON.stringify(scene.prompt()?.messages.at(-1));
  assert.match(last(), /2 problems:.*bad & worse.*Review <this> & that with @problems\./);
  await scene.say('/plain about it');
  assert.match(last(), /Be brief\.\\n\\nabout it/);
});

test('a prompt that cannot be used is said in words, and its line goes back', async () => {
  const scene = openScene();
  scene.editor.promptFiles = async () => [
    { name: 'broken', text: '{{#open}}' },
    { name: 'context', text: 'mine' },
    { name: 'two words', text: 'mine' },
  ];
  const said = () => JSON.stringify(scene.shown().entries.at(-1));
  await scene.say('/broken');
  assert.match(said(), /The prompt \/broken is no Mustache template: Unclosed section/);
  assert.equal(scene.shown().draft.text, '/broken');
  assert.equal(scene.prompts.length, 0);
  await scene.say('/help');
  assert.match(said(), /context\.md` is not used: `\/context` is a command of Tidemark/);
  assert.match(said(), /two words\.md` is not used/);
  assert.match(said(), /`\/broken` your own prompt/);
  await scene.say('/context help');
  assert.match(said(), /Context: commands/);
});

test('/new begins a session, /pin keeps the last message, and /export has nothing before anything was said', async () => {
  const scene = openScene(['answer', 'second'], { storage: null });
  assert.match(await scene.ask('/pin'), /Nothing was said yet/);
  await scene.say('hello');
  await scene.say('/pin');
  const id = scene.id();
  assert.deepEqual([...scene.state().marks.pinned], [scene.said().at(-1)?.id]);
  assert.match(await scene.ask('/export'), /cannot be stored at present/);
  await scene.say('/new');
  assert.notEqual(scene.id(), id);
  assert.deepEqual(scene.shown().entries, []);
});

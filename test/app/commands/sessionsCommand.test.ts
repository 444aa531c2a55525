// `/sessions` over a real store: only what the user was shown is touched, and what is said is what was done.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionMarkdown } from '../../../src/app/commands/sessionMarkdown.ts';
import { filler, openCompacting } from '../scenes/scene.ts';
import { failing, storeFor } from '../scenes/storeScene.ts';

const openOn = (storage: Parameters<typeof failing>[0]) => openCompacting({ storage });

test('a number before any list touches nothing, and the list comes instead', async (context) => {
  const store = await storeFor(context);
  const scene = openOn(store);
  await scene.say('First.');
  const id = scene.id();
  assert.match(await scene.ask('/sessions delete 1'), /^Nothing was changed[\s\S]*\| 1 \| First\. \(open\)/);
  assert.equal(scene.id(), id);
  assert.ok(store.sessions.session(id));
  assert.equal(scene.shown().draft.text, '', 'sent once more it would mean another one');
});

test('a session that is gone is said to be gone, whatever is asked of it', async (context) => {
  const store = await storeFor(context);
  const window = openOn(store);
  await window.say('First.');
  const id = window.id();
  window.newConversation();
  await window.say('Second.');
  await window.ask('/sessions');
  for (const line of ['open 0', 'open 9'])
    assert.match(await window.ask(`/sessions ${line}`), /^There is no number \d; `\/conversations` shows/);
  store.sessions.delete(id);
  for (const line of ['open 2', 'rename 2 x', 'delete 2', 'export 2 json', 'export 2 markdown'])
    assert.equal(await window.ask(`/sessions ${line}`), 'It no longer exists.', line);
  assert.deepEqual(window.editor.documents, []);
});

test('the open session is deleted in words; where the store fails, that is said and it is still there', async (context) => {
  const store = await storeFor(context);
  let fails = true;
  const scene = openOn(failing(store, (name) => fails && name === 'delete'));
  await scene.say('First.');
  const id = scene.id();
  await scene.ask('/sessions');
  await scene.say('/sessions delete 1');
  assert.match(scene.failed(), /no delete/);
  assert.ok(store.sessions.session(id));
  fails = false;
  await scene.ask('/sessions');
  assert.match(await scene.ask('/sessions delete 1'), /Deleted with everything stored for it: First\./);
  assert.equal(store.sessions.session(id), null);
});

test('a session that is open in another window is neither opened nor deleted', async (context) => {
  const store = await storeFor(context);
  const [one, two] = [openOn(store), openOn(store)];
  await one.say('First.');
  await two.ask('/sessions');
  assert.match(await two.ask('/sessions open 1'), /open in another window/);
  assert.match(await two.ask('/sessions delete 1'), /open in another window/);
  assert.ok(store.sessions.session(one.id()));
  one.dispose();
  assert.match(await two.ask('/sessions open 1'), /Opened: First\./);
  assert.equal(two.shown().entries[0]?.kind, 'user');
});

test('a session of another window is taken from it, and that one begins a new one', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const store = await storeFor(context);
  const [one, two] = [openOn(store), openOn(store)];
  await one.say('First.');
  const id = one.id();
  await two.ask('/conversations');
  assert.match(await two.ask('/conversations take 1'), /Opened: First\./);
  assert.equal(two.id(), id);
  context.mock.timers.tick(20_000);
  assert.notEqual(one.id(), id);
  await two.say('Second.');
  assert.deepEqual(
    store.sessions.session(id)?.dialog.items.flatMap((item) => (item.origin === 'user' ? [item.text] : [])),
    ['First.', 'Second.'],
  );
});

test('a session that is open in another place of the window is shown there', async (context) => {
  const store = await storeFor(context);
  const [one, two] = [openOn(store), openOn(store)];
  await one.say('First.');
  const shown: string[] = [];
  two.editor.elsewhere = (id) => shown.push(id) > 0;
  await two.ask('/sessions');
  assert.equal(await two.ask('/sessions open 1'), 'Shown where it is open: First.');
  assert.deepEqual(shown, [one.id()]);
});

test('a title of any length and with any signs is said as it is stored', async (context) => {
  const store = await storeFor(context);
  const window = openOn(store);
  await window.say('First.');
  await window.ask('/sessions');
  const words = await window.ask(`/sessions rename 1 **a** | \`b\`\n# c ${'x'.repeat(10_000)}`);
  const [session] = store.sessions.sessions('/a');
  assert.equal(session?.title.length, 120);
  assert.ok(words.length < 200, `${words.length}`);
  assert.match(words, /^Renamed: \\\*\\\*a\\\*\\\* \\\| \\`b\\` # c x+$/);
  assert.equal((await window.ask('/sessions')).split('\n').length, 3);
  assert.match(await window.ask('/sessions rename 1'), /first message names it again/);
  assert.equal(store.sessions.sessions('/a')[0]?.title, 'First.');
});

test('an export has the summary that stands, and none that the conversation branched off before', async (context) => {
  const store = await storeFor(context);
  const scene = openOn(store);
  await scene.talk();
  const exported = () => {
    const stored = store.sessions.session(scene.id());
    assert.ok(stored);
    return sessionMarkdown(stored, 'A title\nof two lines');
  };
  assert.match(exported(), /^A title of two lines\n=+\n[\s\S]*## Summary[\s\S]*legacy folder/);
  await scene.edit(scene.message(0), `Something else. ${filler(50)}`);
  assert.doesNotMatch(exported(), /## Summary/);
});

test('an empty session is exported as a heading', () => {
  const empty = {
    id: 's',
    workspace: '/a',
    system: 'sys',
    created: 0,
    title: '',
    dialog: { items: [], head: null, path: [], turns: 0 } as never,
    marks: { pinned: new Set<string>(), evicted: new Set<string>() },
    pruned: [],
    unfinished: null,
    choices: { agent: null },
    compactions: [],
    restored: [],
  };
  assert.equal(sessionMarkdown(empty, 'Empty'), 'Empty\n=====\n\nStarted 1970-01-01 00:00 UTC.\n');
});

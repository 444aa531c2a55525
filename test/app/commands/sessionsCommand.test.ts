// `/sessions` over a real store: only what the user was shown is touched, and what is said is what was done.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionMarkdown } from '../../../src/app/commands/sessionMarkdown.ts';
import { conversation, filler } from '../scenes/foldScene.ts';
import { failing, openedOn, storeFor } from '../scenes/storeScene.ts';

type Window = ReturnType<typeof openedOn>;

const said = ({ chat }: Window) => {
  const last = chat.snapshot.entries.at(-1);
  return last?.kind === 'info' ? last.text : `${last?.kind}`;
};

async function ask(window: Window, line: string): Promise<string> {
  await window.chat.send(line);
  return said(window);
}

test('a number before any list touches nothing, and the list comes instead', async (context) => {
  const store = await storeFor(context);
  const window = openedOn(store);
  const { chat } = window;
  await chat.send('First.');
  const { id } = chat.session;
  assert.match(await ask(window, '/sessions delete 1'), /Nothing was done[\s\S]*\| 1 \| First\. \(open\)/);
  assert.equal(chat.session.id, id);
  assert.ok(store.sessions.session(id));
  assert.equal(chat.snapshot.draft.text, '/sessions delete 1');
});

test('wrong numbers and words are said, and the line goes back', async (context) => {
  const window = openedOn(await storeFor(context));
  await window.chat.send('First.');
  await ask(window, '/sessions');
  for (const line of ['open 0', 'open 9', 'open x', 'rename', 'delete -1', 'export 1 pdf', 'shred 1', 'search']) {
    await ask(window, `/sessions ${line}`);
    assert.equal(window.chat.snapshot.draft.text, `/sessions ${line}`);
  }
});

test('a session that is gone is said to be gone, whatever is asked of it', async (context) => {
  const store = await storeFor(context);
  const window = openedOn(store);
  await window.chat.send('First.');
  const { id } = window.chat.session;
  window.chat.newSession();
  await window.chat.send('Second.');
  await ask(window, '/sessions');
  store.sessions.delete(id);
  for (const line of ['open 2', 'rename 2 x', 'delete 2', 'export 2 json', 'export 2 markdown'])
    assert.equal(await ask(window, `/sessions ${line}`), 'It no longer exists.', line);
  assert.deepEqual(window.opened, []);
});

test('the open session is deleted in words; where the store fails, that is said and it is still there', async (context) => {
  const store = await storeFor(context);
  let fails = true;
  const window = openedOn(failing(store, (name) => fails && name === 'delete'));
  const { chat } = window;
  await chat.send('First.');
  const { id } = chat.session;
  await ask(window, '/sessions');
  await chat.send('/sessions delete 1');
  const fault = chat.snapshot.entries.at(-1);
  assert.ok(fault?.kind === 'fault' && /no delete/.test(fault.message), JSON.stringify(fault));
  assert.ok(store.sessions.session(id));
  fails = false;
  await ask(window, '/sessions');
  assert.match(await ask(window, '/sessions delete 1'), /Deleted with everything stored for it: First\./);
  assert.equal(store.sessions.session(id), null);
});

test('a session that is open in another window is neither opened nor deleted', async (context) => {
  const store = await storeFor(context);
  const [one, two] = [openedOn(store), openedOn(store)];
  await one.chat.send('First.');
  await ask(two, '/sessions');
  assert.match(await ask(two, '/sessions open 1'), /open in another window/);
  assert.match(await ask(two, '/sessions delete 1'), /open in another window/);
  assert.ok(store.sessions.session(one.chat.session.id));
  one.chat.dispose();
  assert.match(await ask(two, '/sessions open 1'), /Opened: First\./);
  assert.equal(two.chat.snapshot.entries[0]?.kind, 'user');
});

test('a session that is open in another place of the window is shown there', async (context) => {
  const store = await storeFor(context);
  const [one, two] = [openedOn(store), openedOn(store)];
  await one.chat.send('First.');
  const shown: string[] = [];
  two.ports.elsewhere = (id) => shown.push(id) > 0;
  await ask(two, '/sessions');
  assert.equal(await ask(two, '/sessions open 1'), 'Shown where it is open: First.');
  assert.deepEqual(shown, [one.chat.session.id]);
});

test('a title of any length and with any signs is said as it is stored', async (context) => {
  const store = await storeFor(context);
  const window = openedOn(store);
  await window.chat.send('First.');
  await ask(window, '/sessions');
  const words = await ask(window, `/sessions rename 1 **a** | \`b\`\n# c ${'x'.repeat(10_000)}`);
  const [session] = store.sessions.sessions(window.chat.workspace);
  assert.equal(session?.title.length, 120);
  assert.ok(words.length < 200, `${words.length}`);
  assert.match(words, /^Renamed: \\\*\\\*a\\\*\\\* \\\| \\`b\\` # c x+$/);
  assert.equal((await ask(window, '/sessions')).split('\n').length, 3);
  assert.match(await ask(window, '/sessions rename 1'), /first message names it again/);
  assert.equal(store.sessions.sessions(window.chat.workspace)[0]?.title, 'First.');
});

test('an export has the checkpoint that stands, and none that the conversation branched off before', async (context) => {
  const store = await storeFor(context);
  const window = openedOn(store);
  const { chat } = window;
  await conversation(window);
  const exported = () => {
    const stored = store.sessions.session(chat.session.id);
    assert.ok(stored);
    return sessionMarkdown(stored, 'A title\nof two lines');
  };
  assert.match(exported(), /^A title of two lines\n=+\n[\s\S]*## Summary[\s\S]*legacy folder/);
  await chat.edit(chat.session.state.dialog.path[0]?.id ?? '', `Something else. ${filler(50)}`);
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
    held: [],
    unfinished: null,
    choices: { agent: null },
    folds: [],
    restored: [],
  };
  assert.equal(sessionMarkdown(empty, 'Empty'), 'Empty\n=====\n\nStarted 1970-01-01 00:00 UTC.\n');
});

// Tests that typed words which are in no session yet come back after the window was reloaded or its extension host died.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepUnsaid, LeftWords } from '../../src/host/views/unsaid.ts';
import { openChat } from '../app/scenes/openChat.ts';

/** Makes VS Code's stored state of a folder, and opens the chats of windows on that folder one after another. */
function folder() {
  const kept = new Map<string, unknown>();
  const state = {
    keys: () => [...kept.keys()],
    get: (key: string, otherwise?: unknown) => kept.get(key) ?? otherwise,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as Parameters<typeof keepUnsaid>[1];
  const words = () => new LeftWords(state);
  const open = (answers: string[], shown?: (chat: ReturnType<typeof openChat>['chat']) => void) => {
    const opened = openChat(answers);
    shown?.(opened.chat);
    return { ...opened, window: keepUnsaid(opened.chat, state) };
  };
  const snapshot = () => [...kept];
  const restore = (entries: readonly (readonly [string, unknown])[]) => {
    kept.clear();
    for (const [key, value] of entries) kept.set(key, value);
  };
  return Object.assign(open, { words, snapshot, restore });
}

test('what waited for an answer is in the composer of the next window', async () => {
  const open = folder();
  const { chat } = open(['word '.repeat(50)]);
  void chat.sending.send('first');
  await chat.sending.send('second');
  await chat.sending.send('third');
  while (chat.view.snapshot.entries.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const next = open([]);
  assert.equal(next.chat.view.snapshot.draft.text, 'second\n\nthird');
  assert.equal(open([]).chat.view.snapshot.draft.text, 'second\n\nthird', 'as long as no view has shown it');
});

test('so is a message whose model was still being loaded', async () => {
  const open = folder();
  const { chat, engine } = open(['One.']);
  const load = engine.hold('load');
  const sent = chat.sending.send('first');
  assert.equal(open([]).chat.view.snapshot.draft.text, 'first');
  load();
  await sent;
  assert.equal(open([]).chat.view.snapshot.draft.text, '', 'it is in the session now');
});

test('words that a view has shown are those that stand in the composer, and come back as the user left them', async () => {
  const open = folder();
  const { chat } = open(['One.']);
  chat.draft.giveBack('second');
  await chat.draft.written('mine\nsecond');
  assert.equal(chat.view.snapshot.draft.text, '', 'a view that was hidden does not get them once more');
  assert.equal(open([]).chat.view.snapshot.draft.text, 'mine\nsecond');
  await chat.draft.written('mine only');
  assert.equal(open([]).chat.view.snapshot.draft.text, 'mine only');
  await chat.sending.send('mine only');
  assert.equal(open([]).chat.view.snapshot.draft.text, '');
});

test('words that were sent since do not come back, where the editor had not written down that they were', async () => {
  const open = folder();
  const { chat } = open(['One.', 'Two.']);
  await chat.sending.send('first');
  await chat.draft.written('second');
  const late = open.snapshot();
  await chat.sending.send('second');
  open.restore(late);
  // The next window shows the same conversation with both messages.
  const next = open([], ({ view }) =>
    view.publish({ type: 'begin', session: chat.view.snapshot.session, entries: chat.view.snapshot.entries }),
  );
  assert.equal(next.chat.view.snapshot.draft.text, '');
  const before = open([], ({ view }) =>
    view.publish({
      type: 'begin',
      session: chat.view.snapshot.session,
      entries: chat.view.snapshot.entries.slice(0, 2),
    }),
  );
  assert.equal(before.chat.view.snapshot.draft.text, 'second', 'as long as it is in no conversation');
});

test('words of an earlier version come back', () => {
  const open = folder();
  open.restore([['unsaid', 'from before']]);
  assert.equal(open([]).chat.view.snapshot.draft.text, 'from before');
});

test('a window that is closed keeps nothing more', async () => {
  const open = folder();
  const { chat, window } = open([]);
  window.dispose();
  chat.draft.giveBack('second');
  assert.equal(open([]).chat.view.snapshot.draft.text, '');
});

test('what stood beside comes back with its conversation, also in another window, and once', async () => {
  const { words } = folder();
  const { chat } = openChat(['One.']);
  const left = words().follow(chat);
  await chat.sending.send('first');
  await chat.draft.written('half a thought');
  left.dispose();
  const after = words();
  assert.equal(chat.view.snapshot.draft.text, '');
  after.giveBack(chat);
  assert.equal(chat.view.snapshot.draft.text, 'half a thought');
  chat.draft.take();
  after.giveBack(chat);
  words().giveBack(chat);
  assert.equal(chat.view.snapshot.draft.text, '');
});

test('a new conversation beside gets the words that were left in one without a message, and no others', async () => {
  const { words } = folder();
  const { chat } = openChat(['One.']);
  const left = words().follow(chat);
  await chat.draft.written('for a new one');
  left.dispose();
  const next = openChat(['One.'], { name: 'next' }).chat;
  const gone = words().follow(next);
  assert.equal(next.view.snapshot.draft.text, 'for a new one');
  await next.sending.send('something else');
  gone.dispose();
  const third = openChat([], { name: 'third' }).chat;
  words().follow(third);
  assert.equal(third.view.snapshot.draft.text, '');
});

test('words that go along into another conversation leave those that wait for that one whole', async () => {
  const { words } = folder();
  const { chat } = openChat(['One.', 'Two.']);
  await chat.sending.send('first');
  const { session } = chat.sessions;
  const kept = words();
  const left = kept.follow(chat);
  await chat.draft.written('waits here');
  left.dispose();
  chat.draft.take();
  const listeners: (() => void)[] = [];
  let current = { ...session, id: 'another' };
  const moving = {
    sessions: {
      get session() {
        return current;
      },
    },
    view: {
      get snapshot() {
        return chat.view.snapshot;
      },
      subscribe: (listener: () => void) => {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
    },
    draft: chat.draft,
    sending: chat.sending,
  };
  kept.follow(moving as unknown as typeof chat);
  await chat.draft.written('comes along');
  current = session;
  for (const listener of listeners) listener();
  assert.deepEqual(chat.draft.unsaid, ['comes along', 'waits here']);
});

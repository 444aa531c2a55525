// The conversation in focus, as the Context view follows it: a view that is gone stops nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenConversation } from '../../src/app/viewApi/openConversation.ts';
import { conversationName, Focus } from '../../src/host/panel/focus.ts';
import { openChat } from '../app/scenes/openChat.ts';

/** Throws once it is gone, as VS Code's does. */
function describedView() {
  let isGone = false;
  const descriptions: string[] = [];
  return {
    descriptions,
    go: () => {
      isGone = true;
    },
    set description(words: string) {
      if (isGone) throw new Error('Webview is disposed');
      descriptions.push(words);
    },
  };
}

function focused(...answers: string[]) {
  const { chat, engine } = openChat(answers);
  const focus = new Focus({ chat } as OpenConversation);
  const view = describedView();
  const named = focus.named(() => {
    view.description = conversationName(focus.snapshot);
  });
  return { chat, engine, focus, view, named };
}

test('a view that was hidden is told nothing more, and the next message is answered', async () => {
  const { chat, engine, view, named } = focused('It rises and falls.', 'Again.');
  await chat.sending.send('What is a tide?');
  assert.equal(view.descriptions.at(-1), 'What is a tide?');
  named.dispose();
  view.go();
  await chat.sending.send('And now?');
  assert.ok(engine.asked.includes('generate'));
  assert.deepEqual(
    chat.view.snapshot.entries.map(({ kind }) => kind),
    ['user', 'answer', 'user', 'answer'],
  );
  chat.sessions.newSession();
});

test('whoever turns to another conversation gets it whole, then its changes, and hears no more of the former', async () => {
  const { chat, focus } = focused('One.');
  const other = openChat(['Two.'], { name: 'other' }).chat;
  const heard: string[] = [];
  focus.subscribe(({ type }) => heard.push(type));
  focus.turn({ chat: other } as OpenConversation);
  assert.deepEqual(heard, ['snapshot']);
  await chat.sending.send('nobody looks');
  assert.deepEqual(heard, ['snapshot']);
  await other.sending.send('hello');
  assert.ok(heard.includes('entry'));
});

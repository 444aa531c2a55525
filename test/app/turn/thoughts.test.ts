// Thoughts from a channel of their own (gpt-oss): shown as thoughts, kept with the session, and no words of the answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitThoughts } from '../../../src/core/answer/thoughts.ts';
import { harmony } from '../../../src/core/calls/syntax.ts';
import { memoryJournal, openChat, type Stored } from '../scenes/openChat.ts';
import { modelInfo } from '../scenes/scriptedModel.ts';

const thought = (words: string) => `<|channel|>analysis<|message|>${words}<|end|><|start|>assistant`;
const final = (words: string) => `<|channel|>final<|message|>${words}`;

function gptOss(answers: string[]) {
  const stored: Stored = { items: [], sessions: [] };
  const opened = openChat(answers, memoryJournal(stored));
  opened.engine.info = { ...modelInfo, toolCalls: { format: 'harmony', syntax: harmony, schemas: 'template' } };
  return { ...opened, stored };
}

const shown = (chat: ReturnType<typeof openChat>['chat']) =>
  chat.snapshot.entries.flatMap((entry) => (entry.kind === 'answer' ? [splitThoughts(entry.text)] : []));

test('the analysis of an answer is its thoughts, while it is written and when it is there', async () => {
  const { chat, deltas, stored } = gptOss([thought('They ask for the tide.') + final('At six.')]);
  await chat.send('when?');
  assert.deepEqual(shown(chat), [{ thoughts: 'They ask for the tide.', answer: 'At six.', thinking: false }]);
  const live = deltas.filter(({ type }) => type === 'text').length;
  assert.ok(live > 5, `${live} pieces are added to what is shown`);
  const [, answer] = stored.items;
  assert.ok(answer?.origin === 'assistant');
  assert.deepEqual([answer.text, answer.thoughts], ['At six.', 'They ask for the tide.']);
});

test('the thoughts before a tool call stand before its step', async () => {
  const call = '<|channel|>commentary to=functions.echo <|constrain|>json<|message|>{"a": 1}';
  const { chat } = gptOss([thought('I look.') + call, thought('I see.') + final('Done.')]);
  await chat.send('run');
  assert.deepEqual(
    chat.snapshot.entries.map(({ kind }) => kind),
    ['user', 'answer', 'step', 'answer'],
  );
  assert.deepEqual(
    shown(chat).map(({ thoughts, answer }) => [thoughts, answer]),
    [
      ['I look.', ''],
      ['I see.', 'Done.'],
    ],
  );
});

test('a session that is opened again has them, and its next prompt does not', async () => {
  const { chat, engine, stored } = gptOss([thought('Secret steps.') + final('At six.'), final('Yes.')]);
  await chat.send('when?');
  const again = openChat([], memoryJournal(stored));
  assert.deepEqual(shown(again.chat), [{ thoughts: 'Secret steps.', answer: 'At six.', thinking: false }]);
  await chat.send('sure?');
  const texts = engine.prompts.at(-1)?.messages.flatMap(({ segments }) => segments.map(({ text }) => text)) ?? [];
  assert.ok(texts.includes('At six.') && !texts.some((text) => text.includes('Secret')), texts.join());
});

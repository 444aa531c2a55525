// Words that a model would search for: how it is asked, and what of its answer is taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { askForWords, searchWords } from '../../../src/core/turn/otherWords.ts';

for (const [answer, words] of [
  ['commit rollback transaction savepoint commit rollback savepoint', 'commit rollback transaction savepoint'],
  ['`parse_query`, "get_param", redirect, url', 'parse_query get_param redirect url'],
  ['1. onError\n2. sendError\n- closeConnection', 'onError sendError closeConnection'],
  ['one two three four five six seven eight nine ten', 'one two three four five six seven eight'],
  ['Wörter größe', 'Wörter größe'],
  ['Here are some words: one, two', ''],
  ['The code does this. It is fine.', ''],
  ['a b 12 345', ''],
  ['', ''],
] as const)
  test(`of "${answer.slice(0, 40)}" it takes "${words}"`, () => assert.equal(searchWords(answer), words));

test('the question stands in the place of the next message, and nothing in front of it changes', () => {
  const segment = (text: string, item: string | null) => ({
    layer: 'turn' as const,
    item,
    part: 'text' as const,
    text,
  });
  const prompt: Prompt = {
    messages: [
      { role: 'system', segments: [segment('head', null)] },
      { role: 'user', segments: [segment('', 'next')] },
    ],
    tools: [],
    thinking: 'on',
  };
  const { messages, tools, thinking } = askForWords(prompt, 'is x=1 lost?');
  assert.deepEqual([messages[0], tools, thinking], [prompt.messages[0], [], 'off']);
  const [asked] = messages[1]?.segments ?? [];
  assert.match(asked?.text ?? '', /"is x=1 lost\?"/);
  assert.equal(asked?.item, null);
});

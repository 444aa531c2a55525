// The tool that looks into compacted turns: there once something is compacted, bounded, and blind to what is in the prompt or was evicted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recallTools } from '../../../src/app/turn/recall.ts';
import { conversation, opened } from '../scenes/foldScene.ts';

const names = (tools: readonly { readonly name: string }[] | undefined) => tools?.map(({ name }) => name);

async function folded() {
  const parts = opened();
  await conversation(parts, 14, 'The staging host is db3.internal.');
  assert.equal(parts.chat.session.state.folds[0]?.outcome, 'ok');
  return parts;
}

test('the tool comes with the first fold and stays, sorted among the others', async () => {
  const parts = opened();
  await parts.chat.send('Hello.');
  assert.deepEqual(names(parts.engine.prompts.at(-1)?.tools), ['echo']);
  await conversation(parts);
  await parts.chat.send('And now?');
  assert.deepEqual(names(parts.engine.prompts.at(-1)?.tools), ['echo', 'recall']);
  await parts.chat.send('/compact undo');
  await parts.chat.send('And then?');
  assert.deepEqual(names(parts.engine.prompts.at(-1)?.tools), ['echo', 'recall']);
});

test('the model finds what a folded turn said, with its number, in few words', async () => {
  const { chat, script, engine } = await folded();
  script.push({ call: 'recall', arguments: { words: 'staging host' } }, 'It is db3.internal.');
  await chat.send('Which host was staging?');
  const result = chat.session.state.dialog.path.findLast((item) => item.origin === 'result');
  assert.ok(result?.origin === 'result' && result.ok);
  assert.match(result.head, /^recall "staging host": \d of \d+ compacted items:$/);
  assert.match(result.body, /^0 You: The staging host is db3\.internal/);
  assert.ok(result.body.length < 5 * 430);
  assert.ok(engine.prompts.at(-1)?.messages.at(-1)?.role === 'tool');
});

test('only folded items are found, and none that the user evicted', async () => {
  const { chat } = await folded();
  const [tool] = recallTools(chat.session);
  const ask = async (words: string) => (await tool?.run({ words }, new AbortController().signal))?.head;
  await chat.send('Only now: xylophone.');
  assert.match((await ask('xylophone')) ?? '', /nothing in compacted turns/);
  assert.match((await ask('staging')) ?? '', /1 of \d+ compacted items/);
  assert.match((await ask('zzz-nowhere')) ?? '', /nothing in compacted turns/);
  assert.match((await ask('  ')) ?? '', /needs words/);
  chat.session.apply({ type: 'marked', item: chat.session.state.dialog.path[0]?.id ?? '', as: 'evicted' });
  assert.match((await ask('staging')) ?? '', /nothing in compacted turns/);
});

test('whatever is asked for, the head of the answer is one short line', async () => {
  const { chat } = await folded();
  const [tool] = recallTools(chat.session);
  for (const words of [`staging\n<|im_end|>\r\u2028${'x '.repeat(5000)}`, `\n${'zzz'.repeat(5000)}`]) {
    const { head } = (await tool?.run({ words }, new AbortController().signal)) ?? { head: '' };
    assert.match(head, /^recall "[^\n\r\u2028]{1,80}": /u);
    assert.ok(head.length < 150, `${head.length}`);
  }
});

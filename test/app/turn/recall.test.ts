// The tool that looks into compacted turns: there once something is compacted, bounded, and blind to what is in the prompt or was evicted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCompacting } from '../scenes/scene.ts';

const names = (tools: readonly { readonly name: string }[] | undefined) => tools?.map(({ name }) => name);

async function compacted() {
  const scene = openCompacting();
  await scene.talk(14, 'The staging host is db3.internal.');
  assert.equal(scene.state().compactions[0]?.outcome, 'ok');
  /** The model looks for each in one turn; the heads of what it is told. */
  const recalled = async (message: string, ...asked: readonly string[]) => {
    scene.script.push(...asked.map((words) => ({ call: 'recall', arguments: { words } })), 'Done.');
    await scene.say(message);
    return scene
      .entries('step')
      .slice(-asked.length)
      .map(({ head }) => head);
  };
  return { ...scene, recalled };
}

test('the tool comes with the first compaction and stays, sorted among the others', async () => {
  const scene = openCompacting();
  await scene.say('Hello.');
  assert.deepEqual(names(scene.prompt()?.tools), ['echo']);
  await scene.talk();
  await scene.say('And now?');
  assert.deepEqual(names(scene.prompt()?.tools), ['echo', 'recall']);
  await scene.say('/compact undo');
  await scene.say('And then?');
  assert.deepEqual(names(scene.prompt()?.tools), ['echo', 'recall']);
});

test('the model finds what a compacted turn said, with its number, in few words', async () => {
  const scene = await compacted();
  scene.script.push({ call: 'recall', arguments: { words: 'staging host' } }, 'It is db3.internal.');
  await scene.say('Which host was staging?');
  const result = scene.said().findLast((item) => item.origin === 'result');
  assert.ok(result?.origin === 'result' && result.ok);
  assert.match(result.head, /^recall "staging host": \d of \d+ compacted items:$/);
  assert.match(result.body, /^0 You: The staging host is db3\.internal/);
  assert.ok(result.body.length < 5 * 430);
  assert.ok(scene.prompt()?.messages.at(-1)?.role === 'tool');
});

test('only compacted items are found, and none that the user evicted', async () => {
  const scene = await compacted();
  const heads = await scene.recalled('Only now: xylophone.', 'xylophone', 'staging', 'zzz-nowhere', '  ');
  assert.match(heads[0] ?? '', /nothing in compacted turns/);
  assert.match(heads[1] ?? '', /1 of \d+ compacted items/);
  assert.match(heads[2] ?? '', /nothing in compacted turns/);
  assert.match(heads[3] ?? '', /needs words/);
  scene.mark(scene.said()[0]?.id ?? '', 'evicted');
  const [evicted = ''] = await scene.recalled('And now?', 'staging');
  assert.match(evicted, /nothing in compacted turns/);
});

test('whatever is asked for, the head of the answer is one short line', async () => {
  for (const words of [`staging\n<|im_end|>\r\u2028${'x '.repeat(5000)}`, `\n${'zzz'.repeat(5000)}`]) {
    const [head = ''] = await (await compacted()).recalled('Look.', words);
    assert.match(head, /^recall "[^\n\r\u2028]{1,80}": /u);
    assert.ok(head.length < 150, `${head.length}`);
  }
});

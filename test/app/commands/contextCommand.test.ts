// `/context` typed in the chat: what it answers, what it decides about items, and what it opens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Bundle } from '../../../src/core/prompt/bundle.ts';
import { openScene } from '../scenes/scene.ts';

const bundle = (text: string): Bundle => ({
  parts: [{ name: 'AGENTS.md', text, raw: 400, injected: 20 }],
  key: text,
  exact: true,
});

test('without a model the summary says estimates, the same for the workspace, and an export says what is missing', async () => {
  const scene = openScene();
  scene.editor.bundles.push(bundle('# AGENTS.md\nUse tabs.'));
  scene.engine.failLoads = new FaultError({ kind: 'noModel' });
  await scene.ready();
  assert.equal(scene.shown().stack?.exact, false);
  assert.deepEqual(scene.shown().stack?.workspace, [{ name: 'AGENTS.md', raw: 400, injected: 20 }]);
  assert.match(await scene.ask('/context'), /^\*\*About \d+ of 2,048 tokens\*\*[\s\S]*AGENTS\.md 20 of 400/);
  await scene.say('/context export json');
  assert.match(scene.failed(), /No model selected/);
  assert.equal(scene.entries('fault').at(-1)?.canContinue, false);
  assert.deepEqual(scene.editor.documents, []);
});

test('an estimate has the tools and the words of the agent that is chosen', async () => {
  const scene = openScene();
  scene.engine.failLoads = new FaultError({ kind: 'noModel' });
  await scene.ready();
  const before = scene.shown().stack?.total ?? 0;
  scene.agent({ tools: [], instructions: 'Be brief. '.repeat(20) });
  scene.newConversation();
  await scene.ready();
  assert.deepEqual(scene.shown().stack?.tools, []);
  const tokens = (layer: string) => scene.shown().stack?.layers.find((row) => row.layer === layer)?.tokens ?? 0;
  assert.ok(tokens('system') > 50 && scene.shown().stack?.total !== before);
});

test('list numbers what detail shows, as sent and as it is', async () => {
  const scene = openScene([{ call: 'echo', arguments: { a: 1 } }, 'It is there.']);
  await scene.say('where | is `it`?');
  const rows = (await scene.ask('/context list')).split('\n');
  assert.deepEqual([rows.indexOf(''), rows.slice(6)], [2 + 4, ['', 'Tool schemas: echo 25.']]);
  assert.match(rows[2] ?? '', /^\| 0 \| You: where \\\| is \\`it\\`\? \| included \|/);
  assert.match(rows[4] ?? '', /^\| 2 \| Result: echo: \|/);
  assert.match(await scene.ask('/context detail 2'), /As sent:\n```\necho:\n\{"a":1\}\n```$/);
  for (const number of [4, 99999999999999]) {
    assert.match(await scene.ask(`/context detail ${number}`), new RegExp(`There is no item ${number}`));
  }
});

test('a pin is stored, shown in the stack at once, and taken away again', async () => {
  const scene = openScene(['one']);
  await scene.say('hi');
  const pinned = () => scene.shown().stack?.decisions.map((decision) => decision.pinned);
  await scene.say('/context pin 0');
  assert.deepEqual([...(scene.stored.marks?.pinned ?? [])], [scene.stored.items[0]?.id]);
  assert.deepEqual(pinned(), [true, false]);
  await scene.say('/context unpin 0');
  assert.deepEqual([...(scene.stored.marks?.pinned ?? [])], []);
  assert.deepEqual(pinned(), [false, false]);
});

test('unpin leaves an eviction as it is, and restore a pin', async () => {
  const scene = openScene([{ call: 'echo', arguments: {} }, 'one']);
  await scene.say('hi');
  await scene.say('/context evict 2');
  await scene.say('/context unpin 2');
  assert.equal(scene.stored.marks?.evicted.size, 1);
  await scene.say('/context pin 0');
  await scene.say('/context restore 0');
  assert.equal(scene.stored.marks?.pinned.size, 1);
});

test('an evicted result is a stub in the next prompt, shown so at once, and comes back once with the message after', async () => {
  const scene = openScene([{ call: 'echo', arguments: { secret: 42 } }, 'one', 'two', 'three', 'four']);
  await scene.say('first');
  assert.match(await scene.ask('/context evict 2'), /down to its first line\.[^\n]*\n\nResult: echo:/);
  assert.equal(scene.shown().stack?.decisions[2]?.state, 'stubbed');
  await scene.say('second');
  const gone = scene.prompt();
  assert.ok(!gone?.messages.some(({ role, segments }) => role === 'tool' && segments.length > 1));
  await scene.say('/context restore 2');
  assert.match(await scene.ask('/context restore 2'), /Restored with your next message/);
  await scene.say('third');
  const back = scene.sent();
  assert.equal(back.split('Restored').length, 2);
  assert.match(back, /Restored: Result: echo:[\s\S]*secret/);
  await scene.say('fourth');
  assert.equal(scene.sent().split('Restored').length, 2, 'it stands in one message only');
});

test('what was called back and evicted again does not come back', async () => {
  const scene = openScene([{ call: 'echo', arguments: {} }, 'one', 'two']);
  await scene.say('first');
  for (const command of ['evict', 'restore', 'evict']) await scene.say(`/context ${command} 2`);
  await scene.say('second');
  assert.doesNotMatch(scene.sent(), /Restored/);
});

test('an eviction that no prompt has seen is undone by restore: nothing stands twice', async () => {
  const scene = openScene([{ call: 'echo', arguments: {} }, 'one', 'two']);
  await scene.say('first');
  // Nothing idle runs without a model, so the eviction only waits.
  scene.engine.failLoads = new FaultError({ kind: 'noModel' });
  await scene.model.restart().catch(() => undefined);
  await scene.say('/context evict 2');
  assert.match(await scene.ask('/context restore 2'), /^Already in the prompt/);
  scene.engine.failLoads = null;
  await scene.say('second');
  assert.doesNotMatch(scene.sent(), /Restored/);
  assert.ok(scene.prompt()?.messages.some(({ role, segments }) => role === 'tool' && segments.length === 2));
});

test('an evicted question goes with its whole turn, and the words say so', async () => {
  const scene = openScene(['one', 'two', 'three']);
  await scene.say('first');
  await scene.say('second');
  assert.match(
    await scene.ask('/context evict 0'),
    /Removed from the next message on, with its whole turn\.[^\n]*\n\nYou: first/,
  );
  await scene.say('third');
  const roles = scene.prompt()?.messages.map(({ role }) => role);
  assert.deepEqual(roles, ['system', 'user', 'assistant', 'user']);
});

test('words of the conversation stay as they are in the answers', async () => {
  const scene = openScene(['one']);
  await scene.say('**bold** [link](x) <b>');
  assert.ok((await scene.ask('/context pin 0')).includes('\\*\\*bold\\*\\* \\[link\\](x) \\<b\\>'));
});

test('an export has the exact prompt, the agent and the settings in force', async () => {
  const scene = openScene(['one']);
  await scene.say('hi');
  scene.agent({ name: 'careful', policy: { trimTarget: 0.5 } });
  await scene.say('/context export json');
  const report = JSON.parse(scene.editor.documents[0]?.text ?? '');
  assert.equal(scene.editor.documents[0]?.language, 'json');
  assert.equal(report.inForce.agent, 'careful');
  assert.equal(report.inForce.policy.trimTarget, 0.5);
  assert.equal(report.session, scene.id());
  assert.match(report.prompt, /hi"/);
  const sum = report.layers.reduce((total: number, { tokens }: { tokens: number }) => total + tokens, 0);
  assert.equal(sum, report.total);
  await scene.say('/context export markdown');
  assert.match(scene.document(), /^# Tidemark context report\n\nAgent careful, graph unified;[\s\S]*## Items/);
  assert.deepEqual(scene.kinds(), ['user', 'answer'], 'a document of its own leaves the conversation alone');
});

test('a refresh takes changed files in with the next prompt, also when no change was seen', async () => {
  const scene = openScene(['one', 'two']);
  const newest = [bundle('old words')];
  scene.editor.bundles.push(bundle('old words'));
  // The cache does not know yet.
  scene.editor.renew = () => void scene.editor.bundles.push(newest.at(-1) ?? bundle(''));
  await scene.say('first');
  newest.push(bundle('new words'));
  await scene.say('/context refresh');
  assert.equal(scene.shown().stale, false);
  await scene.say('second');
  assert.match(scene.sent(), /new words/);
});

test('a result that was shortened comes back once one text may take that much; before, the words say why not', async () => {
  const scene = openScene([{ call: 'echo', arguments: { a: 'x'.repeat(1200) } }, 'one', 'two', 'three']);
  const share = (toolResultMaxShare: number) => scene.agent({ policy: { toolResultMaxShare } });
  share(0.1);
  await scene.say('first');
  assert.equal(scene.shown().stack?.decisions[2]?.state, 'capped');
  assert.match(
    await scene.ask('/context restore 2'),
    /^Not restored: it has \d+ tokens, and one text can take 179,[\s\S]*raise tidemark/,
  );
  share(0.3);
  assert.match(await scene.ask('/context restore 2'), /^Restored with your next message/);
  await scene.say('second');
  assert.match(scene.sent(), /Restored: Result: echo:[\s\S]*x{1200}/);
});

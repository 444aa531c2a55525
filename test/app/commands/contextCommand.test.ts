// `/context` typed in the chat: how it is read, what it answers, what it decides about items, and what it opens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContextCommand } from '../../../src/app/commands/contextCommand.ts';
import type { Chat } from '../../../src/app/conversation/chat.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Bundle } from '../../../src/core/prompt/bundle.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { kinds, memoryJournal, openChat, type Stored } from '../scenes/openChat.ts';

function lastInfo(chat: Chat) {
  const info = chat.snapshot.entries.at(-1);
  assert.ok(info?.kind === 'info', `the last entry is ${JSON.stringify(info)}`);
  return info;
}

const textOf = (prompt: Prompt | undefined) => JSON.stringify(prompt?.messages ?? []);

const bundle = (text: string): Bundle => ({
  parts: [{ name: 'AGENTS.md', text, raw: 400, injected: 20 }],
  key: text,
  exact: true,
});

test('words are read as commands only when they begin with /context', () => {
  for (const text of ['', 'context', ' see /context', '/contexts', '/context/list', 'x /context list'])
    assert.equal(parseContextCommand(text), null, text);
  assert.deepEqual(parseContextCommand(' /context '), { kind: 'summary' });
  assert.deepEqual(parseContextCommand('/context   list'), { kind: 'list' });
  assert.deepEqual(parseContextCommand('/context export'), { kind: 'export', format: 'markdown' });
  assert.deepEqual(parseContextCommand('/context export json'), { kind: 'export', format: 'json' });
  for (const kind of ['detail', 'pin', 'unpin', 'evict', 'restore'] as const) {
    assert.deepEqual(parseContextCommand(`/context ${kind} 12`), { kind, item: 12 });
    assert.deepEqual(parseContextCommand(`/context ${kind} #0`), { kind, item: 0 });
  }
});

test('a number that is none never names an item', () => {
  for (const number of ['', '#', '-1', '1.5', '1e1', '0x1', 'one', '##1', '٣'])
    assert.equal(parseContextCommand(`/context evict ${number}`)?.kind, 'unknown', number);
});

test('words after /context that are no command go back to the composer, with help', async () => {
  const { chat, engine } = openChat([]);
  await chat.send('/context is a path of our server, where is it handled?');
  assert.match(lastInfo(chat).text, /There is no `\/context is`[\s\S]*\/context list/);
  assert.equal(chat.snapshot.draft.text, '/context is a path of our server, where is it handled?');
  assert.ok(!engine.log.includes('generate'));
  await chat.send('/context help');
  assert.equal(chat.snapshot.draft.text, '', 'words that were used do not come back with the next view');
});

test('help, an unknown command and metrics need no model', async () => {
  const { chat, engine, opened } = openChat([]);
  engine.failLoads = new FaultError({ kind: 'noModel' });
  await chat.send('/context help');
  assert.match(lastInfo(chat).text, /export markdown/);
  await chat.send('/context nonsense');
  assert.equal(lastInfo(chat).title, 'Context');
  await chat.send('/context metrics');
  assert.match(opened[0]?.text ?? '', /^# HELP tidemark_/);
  assert.deepEqual(engine.log, []);
});

test('without a model the summary says estimates, the same for the workspace, and an export says what is missing', async () => {
  const { chat, engine, bundles, opened } = openChat([]);
  bundles.push(bundle('# AGENTS.md\nUse tabs.'));
  engine.failLoads = new FaultError({ kind: 'noModel' });
  await chat.open();
  assert.equal(chat.snapshot.stack?.exact, false);
  assert.deepEqual(chat.snapshot.stack?.workspace, [{ name: 'AGENTS.md', raw: 400, injected: 20 }]);
  await chat.send('/context');
  assert.match(lastInfo(chat).text, /^\*\*About \d+ of 2,048 tokens\*\*[\s\S]*AGENTS\.md 20 of 400/);
  await chat.send('/context export json');
  const fault = chat.snapshot.entries.at(-1);
  assert.ok(fault?.kind === 'fault' && /No model selected/.test(fault.message) && !fault.canContinue);
  assert.deepEqual(opened, []);
});

test('an estimate has the tools and the words of the agent that is chosen', async () => {
  const { chat, engine, settings } = openChat([]);
  engine.failLoads = new FaultError({ kind: 'noModel' });
  await chat.open();
  const before = chat.snapshot.stack?.total ?? 0;
  settings.agent = { ...settings.agent, tools: [], instructions: 'Be brief. '.repeat(20) };
  chat.newSession();
  await chat.open();
  assert.deepEqual(chat.snapshot.stack?.tools, []);
  const tokens = (layer: string) => chat.snapshot.stack?.layers.find((row) => row.layer === layer)?.tokens ?? 0;
  assert.ok(tokens('system') > 50 && chat.snapshot.stack?.total !== before);
});

test('list numbers what detail shows, as sent and as it is', async () => {
  const { chat } = openChat([{ call: 'echo', arguments: { a: 1 } }, 'It is there.']);
  await chat.send('where | is `it`?');
  await chat.send('/context list');
  const rows = lastInfo(chat).text.split('\n');
  assert.equal(rows.length, 2 + 4);
  assert.match(rows[2] ?? '', /^\| 0 \| You: where \\\| is \\`it\\`\? \| included \|/);
  assert.match(rows[4] ?? '', /^\| 2 \| Result: echo: \|/);
  await chat.send('/context detail 2');
  assert.match(lastInfo(chat).text, /As sent:\n```\necho:\n\{"a":1\}\n```$/);
  for (const number of [4, 99999999999999]) {
    await chat.send(`/context detail ${number}`);
    assert.match(lastInfo(chat).text, new RegExp(`There is no item ${number}`));
  }
});

test('a pin is stored, shown in the stack at once, and taken away again', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const { chat } = openChat(['one'], memoryJournal(stored));
  await chat.send('hi');
  const pinned = () => chat.snapshot.stack?.decisions.map((decision) => decision.pinned);
  await chat.send('/context pin 0');
  assert.deepEqual([...(stored.marks?.pinned ?? [])], [stored.items[0]?.id]);
  assert.deepEqual(pinned(), [true, false]);
  await chat.send('/context unpin 0');
  assert.deepEqual([...(stored.marks?.pinned ?? [])], []);
  assert.deepEqual(pinned(), [false, false]);
});

test('unpin leaves an eviction as it is, and restore a pin', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const { chat } = openChat([{ call: 'echo', arguments: {} }, 'one'], memoryJournal(stored));
  await chat.send('hi');
  await chat.send('/context evict 2');
  await chat.send('/context unpin 2');
  assert.equal(stored.marks?.evicted.size, 1);
  await chat.send('/context pin 0');
  await chat.send('/context restore 0');
  assert.equal(stored.marks?.pinned.size, 1);
});

test('an evicted result is a stub in the next prompt, shown so at once, and comes back once with the message after', async () => {
  const { chat, engine } = openChat([{ call: 'echo', arguments: { secret: 42 } }, 'one', 'two', 'three', 'four']);
  await chat.send('first');
  await chat.send('/context evict 2');
  assert.match(lastInfo(chat).text, /down to its first line\.[^\n]*\n\nResult: echo:/);
  assert.equal(chat.snapshot.stack?.decisions[2]?.state, 'stubbed');
  await chat.send('second');
  const gone = engine.prompts.at(-1);
  assert.ok(!gone?.messages.some(({ role, segments }) => role === 'tool' && segments.length > 1));
  await chat.send('/context restore 2');
  await chat.send('/context restore 2');
  assert.match(lastInfo(chat).text, /Restored with your next message/);
  await chat.send('third');
  const back = textOf(engine.prompts.at(-1));
  assert.equal(back.split('Restored').length, 2);
  assert.match(back, /Restored: Result: echo:[\s\S]*secret/);
  await chat.send('fourth');
  assert.equal(textOf(engine.prompts.at(-1)).split('Restored').length, 2, 'it stands in one message only');
});

test('what was called back and evicted again does not come back', async () => {
  const { chat, engine } = openChat([{ call: 'echo', arguments: {} }, 'one', 'two']);
  await chat.send('first');
  for (const command of ['evict', 'restore', 'evict']) await chat.send(`/context ${command} 2`);
  await chat.send('second');
  assert.doesNotMatch(textOf(engine.prompts.at(-1)), /Restored/);
});

test('an eviction that no prompt has seen is undone by restore: nothing stands twice', async () => {
  const { chat, engine, life } = openChat([{ call: 'echo', arguments: {} }, 'one', 'two']);
  await chat.send('first');
  // Nothing idle runs without a model, so the eviction only waits.
  engine.failLoads = new FaultError({ kind: 'noModel' });
  await life.restart().catch(() => undefined);
  await chat.send('/context evict 2');
  await chat.send('/context restore 2');
  assert.match(lastInfo(chat).text, /^Already in the prompt/);
  engine.failLoads = null;
  await chat.send('second');
  assert.doesNotMatch(textOf(engine.prompts.at(-1)), /Restored/);
  assert.ok(engine.prompts.at(-1)?.messages.some(({ role, segments }) => role === 'tool' && segments.length === 2));
});

test('an evicted question goes with its whole turn, and the words say so', async () => {
  const { chat, engine } = openChat(['one', 'two', 'three']);
  await chat.send('first');
  await chat.send('second');
  await chat.send('/context evict 0');
  assert.match(lastInfo(chat).text, /Removed from the next message on, with its whole turn\.[^\n]*\n\nYou: first/);
  await chat.send('third');
  const roles = engine.prompts.at(-1)?.messages.map(({ role }) => role);
  assert.deepEqual(roles, ['system', 'user', 'assistant', 'user']);
});

test('words of the conversation stay as they are in the answers', async () => {
  const { chat } = openChat(['one']);
  await chat.send('**bold** [link](x) <b>');
  await chat.send('/context pin 0');
  assert.ok(lastInfo(chat).text.includes('\\*\\*bold\\*\\* \\[link\\](x) \\<b\\>'));
});

test('an export has the exact prompt, the agent and the settings in force', async () => {
  const { chat, opened, settings } = openChat(['one']);
  await chat.send('hi');
  settings.agent = { ...settings.agent, name: 'careful', policy: { ...settings.agent.policy, trimTarget: 0.5 } };
  await chat.send('/context export json');
  const report = JSON.parse(opened[0]?.text ?? '');
  assert.equal(opened[0]?.language, 'json');
  assert.equal(report.inForce.agent, 'careful');
  assert.equal(report.inForce.policy.trimTarget, 0.5);
  assert.equal(report.session, chat.snapshot.session);
  assert.match(report.prompt, /hi"/);
  const sum = report.layers.reduce((total: number, { tokens }: { tokens: number }) => total + tokens, 0);
  assert.equal(sum, report.total);
  await chat.send('/context export markdown');
  assert.match(opened[1]?.text ?? '', /^# Tidemark context report\n\nAgent careful, graph unified;[\s\S]*## Items/);
  assert.deepEqual(kinds(chat), ['user', 'answer'], 'a document of its own leaves the conversation alone');
});

test('a refresh takes changed files in with the next prompt, also when no change was seen', async () => {
  const { chat, engine, bundles, ports } = openChat(['one', 'two']);
  const newest = [bundle('old words')];
  bundles.push(bundle('old words'));
  // The cache does not know yet.
  const workspaceContext = { ...ports.workspaceContext, renew: () => void bundles.push(newest.at(-1) ?? bundle('')) };
  Object.assign(ports.workspaceContext, workspaceContext);
  await chat.send('first');
  newest.push(bundle('new words'));
  await chat.send('/context refresh');
  assert.equal(chat.snapshot.stale, false);
  await chat.send('second');
  assert.match(textOf(engine.prompts.at(-1)), /new words/);
});

test('a result that was shortened comes back once one text may take that much; before, the words say why not', async () => {
  const { chat, engine, settings } = openChat([
    { call: 'echo', arguments: { a: 'x'.repeat(1200) } },
    'one',
    'two',
    'three',
  ]);
  const share = (toolResultMaxShare: number) => {
    settings.agent = { ...settings.agent, policy: { ...settings.agent.policy, toolResultMaxShare } };
  };
  share(0.1);
  await chat.send('first');
  assert.equal(chat.snapshot.stack?.decisions[2]?.state, 'capped');
  await chat.send('/context restore 2');
  assert.match(
    lastInfo(chat).text,
    /^Not restored: it has \d+ tokens, and one text can take 179,[\s\S]*raise tidemark/,
  );
  share(0.3);
  await chat.send('/context restore 2');
  assert.match(lastInfo(chat).text, /^Restored with your next message/);
  await chat.send('second');
  assert.match(textOf(engine.prompts.at(-1)), /Restored: Result: echo:[\s\S]*x{1200}/);
});

// Questions of the Context view: an item as sent and whole, the exact prompt in pieces, the compactions, the turns and the slots.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { emptyFolder, memoryStorage } from '../scenes/memory.ts';
import { constraint, openCompacting, openScene } from '../scenes/scene.ts';
import { gate, soon, tick } from '../scenes/waiting.ts';

test('an item is shown as it is sent, and whole', async () => {
  const scene = openScene([{ call: 'echo', arguments: { a: 1 } }, 'It is there.']);
  await scene.say('where is it?');
  assert.deepEqual(await scene.inspector.item(0), {
    label: 'You: where is it?',
    sent: 'Date: 1970-01-01.\n\nwhere is it?',
    raw: 'Date: 1970-01-01.\n\nwhere is it?',
  });
  const result = await scene.inspector.item(2);
  assert.equal(result?.raw, 'echo:\n{"a":1}');
  await scene.say('/context evict 2');
  const cleared = await scene.inspector.item(2);
  assert.deepEqual([cleared?.sent, cleared?.raw], ['echo:', 'echo:\n{"a":1}']);
  assert.equal(await scene.inspector.item(99), null);
});

test('an item that went in a run has nothing in the prompt, and none is made to say so', async () => {
  const scene = openScene(['one', 'two', 'three']);
  await scene.say('first');
  await scene.say('second');
  scene.agent({ policy: { messageCap: 3 } });
  await scene.say('third');
  assert.equal(scene.shown().stack?.decisions[0]?.state, 'trimmed');
  scene.engine.asked.length = 0;
  assert.deepEqual(await scene.inspector.item(0), { label: 'You: first', sent: '', raw: 'first' });
  assert.deepEqual(scene.engine.asked, []);
});

test('the pieces of the exact prompt name their layers, and their tokens are all there are', async () => {
  const scene = openScene([{ call: 'echo', arguments: {} }, 'one']);
  await scene.say('first');
  const { total, pieces } = await scene.inspector.prompt('next');
  assert.equal(total, scene.shown().stack?.total);
  assert.equal(
    pieces.reduce((sum, { tokens }) => sum + tokens, 0),
    total,
  );
  const named = new Set(pieces.map(({ layer }) => layer));
  for (const layer of ['system', 'tools', 'glue', 'history'] as const) assert.ok(named.has(layer), layer);
  const question = pieces.find(({ text }) => text.endsWith('first'));
  assert.equal(question?.role, 'user');
  assert.equal(question?.item, scene.said()[0]?.id);
});

test('the prompt of the latest call stays as it was sent, and is that of the conversation that is open', async () => {
  const scene = openScene(['one', 'two']);
  await scene.say('first');
  await scene.say('second');
  const { pieces } = await scene.inspector.prompt('sent');
  const texts = pieces.map(({ text }) => text);
  assert.ok(texts.includes('one') && texts.includes('second'));
  assert.equal(texts.includes('two'), false, 'its answer came after it');
  assert.ok((await scene.inspector.prompt('next')).pieces.some(({ text }) => text === 'two'));
  scene.newConversation();
  await assert.rejects(scene.inspector.prompt('sent'), /Nothing of this conversation was sent/);
});

test('the exact prompt says what it needs where no model is loaded', async () => {
  const { inspector } = openScene();
  await assert.rejects(inspector.prompt('next'), /needs the model/);
});

test('the turns of a session are appended one by one, and a resumed session has those that were stored', async () => {
  const first = openScene([{ call: 'echo', arguments: {} }, 'one', 'two']);
  await first.say('first');
  await first.say('second');
  const { turns } = first.shown();
  assert.deepEqual(
    turns.map(({ turn, end, decoded, firstTokenMilliseconds }) => ({ turn, end, decoded, firstTokenMilliseconds })),
    [
      { turn: 1, end: 'done', decoded: 20, firstTokenMilliseconds: 0 },
      { turn: 2, end: 'done', decoded: 10, firstTokenMilliseconds: 0 },
    ],
  );
  assert.deepEqual(openScene([], { memory: first.memory }).shown().turns, turns);
  first.newConversation();
  assert.deepEqual(first.shown().turns, []);
});

test('the slots say whose they are, what they hold, and whether a copy is on disk', async () => {
  const folder = emptyFolder();
  const scene = openScene(['one', 'two'], { folder });
  await scene.say('first');
  const [slot] = scene.shown().slots;
  assert.deepEqual(slot, {
    model: 'scripted',
    elsewhere: false,
    slot: 0,
    title: 'first',
    open: true,
    node: 0,
    tokens: 10,
    window: 2048,
    bytes: null,
    stored: false,
  });
  await scene.keepSlots();
  await tick();
  assert.equal(scene.shown().slots[0]?.stored, true);
});

test('a compaction says what it stands for, what it saved, and whether it can be changed', async () => {
  const scene = openCompacting();
  const { inspector } = scene;
  await scene.talk();
  const [compaction] = inspector.compactions();
  assert.ok(compaction?.standing && !compaction.undone && compaction.before > compaction.after);
  assert.match(
    compaction.words,
    /^The conversation got long, so a summary replaced its older turns: [\d,]+ → [\d,]+ prompt tokens/,
  );
  assert.deepEqual(
    compaction.entries.map(({ number }) => number),
    compaction.entries.map((_, i) => i + 1),
  );
  assert.ok(compaction.entries.some(({ text }) => text.includes(constraint)));
  const first = await inspector.item(compaction.compacted[0]?.at ?? -1);
  assert.match(first?.raw ?? '', /^Never touch the legacy folder/);
  await scene.say('/compact edit 1 Another goal.');
  assert.equal(inspector.compactions()[0]?.entries[0]?.text, 'Another goal.');
  assert.equal(inspector.compactions()[0]?.edited, true);
  await scene.say('/compact undo');
  assert.deepEqual([inspector.compactions()[0]?.standing, inspector.compactions()[0]?.undone], [false, true]);
});

test('a report never mixes two sessions', async () => {
  const scene = openScene(['one']);
  await scene.say('first');
  const report = scene.exported();
  scene.newConversation();
  await assert.rejects(report, /Another conversation was opened in the meantime/);
});

test('compactions that build upon one another name each item once', async () => {
  const scene = openCompacting();
  const { inspector } = scene;
  await scene.talk();
  await scene.talk();
  const compactions = inspector.compactions().filter(({ compacted }) => compacted.length > 0);
  assert.ok(compactions.length > 1);
  const places = compactions.flatMap(({ compacted }) => compacted.map(({ at }) => at));
  assert.deepEqual(
    places,
    places.map((_, i) => i),
  );
});

test('a compacted item comes back on demand', async () => {
  const scene = openCompacting();
  await scene.talk();
  assert.equal(scene.shown().stack?.decisions[0]?.state, 'folded');
  assert.match(await scene.ask('/context restore 0'), /^Restored with your next message/);
});

test('a tool that is switched off is not in the next prompt', async () => {
  const scene = openScene(['one', 'two']);
  await scene.say('first');
  assert.deepEqual(
    scene.shown().stack?.tools.map(({ name }) => name),
    ['echo'],
  );
  scene.settings.toolsOff = ['echo'];
  await scene.ready();
  assert.deepEqual(scene.shown().toolsOff, ['echo']);
  assert.deepEqual(scene.shown().stack?.tools, []);
  await scene.say('second');
  assert.deepEqual(scene.prompt()?.tools, []);
  scene.newConversation();
  assert.deepEqual(scene.shown().toolsOff, ['echo']);
});

test('the view says how far idle work is, until it is done or a message comes first', async () => {
  const scene = openScene(['one', 'two']);
  await scene.say('first');
  const told = { done: 128, of: 400, decoded: 128, milliseconds: 10 };
  let [tell, go] = [() => undefined as unknown, () => undefined as unknown];
  scene.engine.answer('warm', async (_, usual, __, hearing) => {
    tell = () => hearing?.prefilling?.(told);
    const { closed, open } = gate();
    go = open;
    await closed;
    return usual();
  });
  await scene.write('Words of a draft.');
  const opened = scene.ready();
  await soon();
  tell();
  assert.deepEqual(scene.shown().warming, { done: 128, of: 400 });
  await soon();
  assert.equal(scene.shown().forecast?.tokens, 400 - 128 + (scene.shown().forecast?.own ?? 0));
  go();
  await opened;
  assert.equal(scene.shown().warming, null);
  void scene.ready();
  await soon();
  tell();
  const late = tell;
  const sent = scene.say('second');
  assert.equal(scene.shown().warming, null);
  late();
  assert.equal(scene.shown().warming, null, 'a late notice says nothing about the turn');
  go();
  await soon();
  go();
  await sent;
});

test('reports that an import brought along are left out where they cannot be drawn', () => {
  const prefill = { reused: 1, shifted: 2, decoded: 3 };
  const call = { promptTokens: 6, firstTokenMilliseconds: 4, prefill };
  const good = { turn: 1, end: 'done', calls: [call] };
  const bad = [
    {},
    [],
    { ...good, calls: 'x' },
    { ...good, end: '<b>' },
    { ...good, calls: [{ ...call, prefill: null }] },
  ];
  const huge = { ...good, calls: [{ ...call, promptTokens: '6' }] };
  const items: Item[] = [
    { origin: 'user', id: 'a', parent: null, text: 'hi' },
    { origin: 'assistant', id: 'b', parent: 'a', text: 'ho', end: 'done' },
  ];
  const memory = memoryStorage({ items, sessions: ['s'], reports: [...bad, huge, good] as never });
  assert.deepEqual(openScene([], { memory }).shown().turns, [
    { turn: 1, end: 'done', prompt: 6, reused: 1, shifted: 2, decoded: 3, later: 0, firstTokenMilliseconds: 4 },
  ]);
});

test('a message that told the day was sent as it is: nothing was taken away from it', async () => {
  const scene = openScene(['one']);
  await scene.say('What is the tide?');
  const shown = await scene.inspector.item(0);
  assert.match(shown?.sent ?? '', /^Date: /);
  assert.equal(shown?.raw, shown?.sent);
});

test('where a server does not tell the text of its prompts, the report is saved and shown without it', async () => {
  const scene = openScene(['One.']);
  await scene.say('One?');
  Object.assign(scene.engine, { spelling: null });
  const report = JSON.parse(await scene.exported()) as { readonly prompt: string; readonly total: number };
  assert.deepEqual([report.prompt, report.total], ['', scene.shown().stack?.total]);
  await scene.command('/context export markdown');
  assert.match(scene.document(), /^# Tidemark context report/);
  assert.doesNotMatch(scene.document(), /The exact prompt/);
});

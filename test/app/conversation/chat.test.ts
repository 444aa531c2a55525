// The chat over a scripted engine: what is stored, shown and said when things go well and when they do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from '../../../src/core/dialog/dialog.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { reduceView } from '../../../src/protocol/reduceView.ts';
import { emptyView } from '../../../src/protocol/view.ts';
import { memoryStorage } from '../scenes/memory.ts';
import { openScene } from '../scenes/scene.ts';
import { failing } from '../scenes/storeScene.ts';

test('a question with a tool step shows message, step and answer, and the deltas together are the snapshot', async () => {
  const scene = openScene([{ call: 'echo', arguments: { a: 1 } }, 'It is **there**.']);
  await scene.say('where?');
  assert.deepEqual(scene.kinds(), ['user', 'step', 'answer']);
  assert.deepEqual(scene.deltas.reduce(reduceView, emptyView), scene.shown());
  const [, step, answer] = scene.shown().entries;
  assert.ok(step?.kind === 'step' && step.state === 'ok' && step.body === '{"a":1}');
  assert.ok(answer?.kind === 'answer' && answer.end === 'done' && answer.text === 'It is **there**.');
  assert.equal(scene.shown().calls.length, 2);
  assert.equal(scene.shown().running, false);
});

test('every item is stored before the model is called', async () => {
  const scene = openScene([{ call: 'echo', arguments: {} }, 'yes']);
  const { sessions } = scene.memory;
  const { appendItem } = sessions;
  sessions.appendItem = (session, item) => {
    scene.engine.asked.push(`stored ${item.origin}`);
    appendItem(session, item);
  };
  await scene.say('hi');
  const calls = scene.engine.asked.filter((event) => event === 'generate' || event.startsWith('stored'));
  assert.deepEqual(calls, ['stored user', 'generate', 'stored call', 'stored result', 'generate', 'stored assistant']);
});

test('after an answer the next prompt is measured and warmed', async () => {
  const scene = openScene(['yes']);
  await scene.say('hi');
  assert.deepEqual(scene.engine.asked.slice(-2), ['measure', 'warm']);
  assert.deepEqual(scene.shown().warm?.warmed, 10);
  assert.ok((scene.shown().stack?.decisions.length ?? 0) === 2);
});

test('a crash during an answer keeps the words, says so, offers to continue, and the next question is answered', async () => {
  const scene = openScene([{ crash: 'The begin' }, 'Here it is.']);
  await scene.say('hi');
  assert.deepEqual(scene.kinds(), ['user', 'answer', 'fault']);
  const [, partial, fault] = scene.shown().entries;
  assert.ok(partial?.kind === 'answer' && partial.text === 'The begin' && partial.end === 'cancelled');
  assert.ok(fault?.kind === 'fault' && fault.canContinue && /ended unexpectedly \(SIGKILL\)/.test(fault.message));
  await scene.model.crash();
  assert.deepEqual(scene.editor.waits, [500]);
  assert.equal(scene.shown().engine.state, 'ready');
  await scene.say('Continue.');
  assert.deepEqual(scene.kinds().slice(-2), ['user', 'answer']);
  assert.deepEqual(
    scene.stored.items.map(({ origin }) => origin),
    ['user', 'assistant', 'user', 'assistant'],
  );
});

test('restarts wait longer each time and end in words after the last', async () => {
  const scene = openScene();
  await scene.ready();
  for (let i = 0; i < 4; i++) await scene.model.crash('SIGSEGV');
  assert.deepEqual(scene.editor.waits, [500, 2000, 8000]);
  assert.equal(scene.shown().engine.state, 'failed');
  assert.match(scene.shown().engine.advice, /crashed too often/);
});

test('a model that cannot be loaded is said, and the words go back to the composer', async () => {
  const scene = openScene(['answer']);
  scene.engine.failLoads = new FaultError({ kind: 'modelMissing', path: '/x.gguf' });
  await scene.say('my long question');
  assert.equal(scene.shown().engine.state, 'failed');
  assert.deepEqual(scene.shown().draft, { id: 1, text: 'my long question' });
  assert.match(scene.shown().engine.message, /x\.gguf does not exist/);
  assert.equal(scene.shown().running, false);
  scene.engine.failLoads = null;
  await scene.say('my long question');
  assert.equal(scene.kinds().at(-1), 'answer');
});

test('stop ends the turn once and keeps the question', async () => {
  const scene = openScene(['word '.repeat(200)]);
  scene.hear((delta) => delta.type === 'text' && scene.stop());
  await scene.say('hi');
  assert.deepEqual(scene.kinds(), ['user', 'answer']);
  assert.equal(scene.entries('answer')[0]?.end, 'cancelled');
});

test('an edited message branches: the view is cut there and both branches stay stored', async () => {
  const scene = openScene(['one', 'two', 'other']);
  await scene.say('first');
  await scene.say('second');
  await scene.edit(scene.message(-1), 'another');
  assert.deepEqual(scene.texts(), ['first', 'one', 'another', 'other']);
  assert.equal(scene.stored.items.length, 6);
});

test('a session comes back from the journal with all its entries', async () => {
  const memory = memoryStorage();
  const first = openScene([{ call: 'echo', arguments: {} }, 'yes'], { memory });
  await first.say('hi');
  const second = openScene([], { memory });
  // The tokens that a result takes are known again only once there is a prompt.
  const steps = first.shown().entries.map((entry) => (entry.kind === 'step' ? { ...entry, tokens: null } : entry));
  assert.deepEqual(second.shown().entries, steps);
});

test('a tool step says how long the tool ran, and what its result takes once the next prompt has it', async () => {
  const scene = openScene([{ call: 'echo', arguments: {} }, 'yes']);
  const told: (readonly [string, boolean, boolean])[] = [];
  scene.hear((delta) => {
    if (delta.type !== 'entry' || delta.entry.kind !== 'step') return;
    const { state, milliseconds, tokens } = delta.entry;
    told.push([state, milliseconds !== null, (tokens ?? 0) > 0]);
  });
  await scene.say('hi');
  assert.deepEqual(told, [
    ['running', false, false],
    ['ok', true, false],
    ['ok', true, true],
  ]);
});

test('a new session during an answer stops it, and what still arrives does not show', async () => {
  const scene = openScene(['word '.repeat(200)]);
  const stopListening = scene.hear((delta) => {
    if (delta.type !== 'text') return;
    stopListening.dispose();
    scene.newConversation();
  });
  await scene.say('hi');
  assert.equal(scene.engine.cancelled, 1);
  assert.deepEqual(scene.shown().entries, []);
  assert.equal(scene.shown().running, false);
});

test('a journal that fails is said and the conversation goes on', async () => {
  const scene = openScene(['yes'], { storage: failing(memoryStorage(), (name) => name === 'createSession') });
  await scene.say('hi');
  assert.match(scene.shown().notice, /no createSession/);
  assert.deepEqual(scene.kinds(), ['user', 'answer']);
});

test('a snapshot taken at any moment, sent as JSON and gone on with, ends as the state itself', async () => {
  const scene = openScene([{ call: 'echo', arguments: { a: 1 } }, 'It is there.', { crash: 'The' }]);
  const rest: { readonly state: unknown; readonly deltas: unknown[] }[] = [];
  scene.hear((delta) => {
    for (const { deltas } of rest) deltas.push(delta);
    rest.push({ state: scene.shown(), deltas: [] });
  });
  await scene.say('where?');
  await scene.say('and then?');
  const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));
  assert.ok(rest.length > 10);
  for (const { state, deltas } of rest) {
    const reduced = plain(deltas as Parameters<typeof reduceView>[1][]).reduce(
      reduceView,
      plain(state as typeof emptyView),
    );
    assert.deepEqual(reduced, plain(scene.shown()));
  }
});

test('what is sent while an answer is written waits, and follows it in order', async () => {
  const scene = openScene(['One.', 'Two.', 'Three.']);
  const first = scene.say('first');
  await scene.say('second');
  await scene.say('third');
  assert.deepEqual(
    scene.shown().queue.map(({ text }) => text),
    ['second', 'third'],
  );
  await first;
  assert.deepEqual(scene.shown().queue, []);
  assert.deepEqual(scene.texts(), ['first', 'One.', 'second', 'Two.', 'third', 'Three.']);
});

test('a waiting message goes back to the composer when it is asked for, and all of them when the answer is stopped', async () => {
  const scene = openScene(['One.']);
  const first = scene.say('first');
  await scene.say('second');
  await scene.say('third');
  await scene.say('fourth');
  scene.takeBack(1);
  assert.equal(scene.shown().draft.text, 'third');
  scene.stop();
  await first;
  // The first did not begin either.
  assert.equal(scene.shown().draft.text, 'first\n\nsecond\n\nfourth');
  assert.deepEqual(scene.shown().queue, []);
});

test('the last message is asked again in a branch of its own', async () => {
  const scene = openScene(['One.', 'Two.', 'Another two.']);
  await scene.say('first');
  await scene.say('second');
  await scene.regenerate();
  assert.deepEqual(scene.texts(), ['first', 'One.', 'second', 'Another two.']);
  assert.equal(scene.state().dialog.items.length, 6, 'nothing is lost');
});

test('a long session is shown at once, not entry by entry', () => {
  const items = Array.from({ length: 5000 }, (_, i): Item => {
    const at = { id: `i${i}`, parent: i === 0 ? null : `i${i - 1}`, text: `words ${i}` };
    return i % 2 === 0 ? { ...at, origin: 'user' } : { ...at, origin: 'assistant', end: 'done' };
  });
  const scene = openScene([], { memory: memoryStorage({ items, sessions: ['s'] }) });
  const before = scene.deltas.length;
  scene.resume();
  const deltas = scene.deltas.length - before;
  assert.equal(scene.shown().entries.length, 5000);
  assert.ok(deltas < 10, `${deltas} deltas`);
});

test('a session that is read after the start is opened where nothing was begun, and nowhere else', async () => {
  const [idle, busy] = [openScene(), openScene(['Mine.'])];
  await busy.say('begun');
  const id = busy.id();
  idle.stored.items.push({ id: 'i', parent: null, origin: 'user', text: 'rescued' });
  for (const { stored } of [idle, busy]) stored.sessions.push('rescued');
  for (const { resumeUnlessBegun } of [idle, busy]) await resumeUnlessBegun();
  assert.equal(idle.id(), 'rescued');
  assert.equal(idle.engine.asked.length, 0, 'no model is loaded for it');
  assert.equal(busy.id(), id);
});

test('idle work goes on after a command that there is none of', async () => {
  const scene = openScene(['It is there.']);
  await scene.ready();
  const before = scene.engine.times('warm');
  await scene.say('/nonsense');
  assert.deepEqual([scene.answers().length, scene.engine.times('warm')], [0, before + 1]);
});

// On battery saver nothing is decoded but what the user asks for; without it idle work goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Saver } from '../../../src/app/idle/saver.ts';
import type { ConversationPorts } from '../../../src/app/ports/conversationPorts.ts';
import { emptyBundle } from '../../../src/core/prompt/bundle.ts';
import { conversation, opened } from '../scenes/foldScene.ts';

type Power = Awaited<ReturnType<ConversationPorts['power']>>;

/** A chat that compactions, on a machine whose power and clock are set by hand. */
function powered(power: Power) {
  const parts = opened();
  const machine = { power, now: 0, asked: 0 };
  Object.assign(parts.ports, {
    now: () => new Date(machine.now),
    power: async () => {
      machine.asked += 1;
      return machine.power;
    },
  });
  const decoded = () => parts.engine.log.filter((name) => name === 'warm').length + parts.engine.folds.length;
  return { ...parts, machine, decoded };
}

test('on battery saver nothing is folded, prepared or warmed, and the view says that idle work rests', async () => {
  const parts = powered('saver');
  const { chat, decoded } = parts;
  await chat.open();
  assert.deepEqual([chat.snapshot.resting, chat.snapshot.stack?.exact], [true, true]);
  await conversation(parts, 8);
  const { resting, warm, warming, entries } = chat.snapshot;
  assert.deepEqual([decoded(), chat.session.state.folds.length, resting, warm, warming], [0, 0, true, null, null]);
  assert.equal(entries.filter(({ kind }) => kind === 'answer').length, 8);
});

test('the next idle moment without it does what was left out', async () => {
  const parts = powered('saver');
  const { chat, decoded, machine } = parts;
  await conversation(parts, 10);
  machine.power = 'free';
  machine.now += 31_000;
  await chat.open();
  assert.deepEqual([chat.session.state.folds.length, chat.snapshot.resting], [1, false]);
  assert.ok(decoded() > 1);
  assert.ok(chat.snapshot.warm !== null);
});

test('without it, or where it is not known, idle work is as ever', async () => {
  for (const power of ['free', 'unknown'] as const) {
    const { chat, decoded } = powered(power);
    await chat.open();
    assert.deepEqual([decoded(), chat.snapshot.resting], [1, false]);
  }
  const { chat, ports } = powered('free');
  Object.assign(ports, { power: () => Promise.reject(new Error('no such program')) });
  await chat.open();
  assert.equal(chat.snapshot.resting, false);
});

test('the machine is asked at most every 30 seconds', async () => {
  const { ports, machine } = powered('free');
  const saver = new Saver(ports);
  for (const [now, asked] of [
    [0, 1],
    [29_999, 1],
    [30_000, 2],
    [59_999, 2],
    [-3_600_000, 3],
  ] as const) {
    machine.now = now;
    machine.power = now < 0 ? 'saver' : 'free';
    assert.equal(await saver.isOn(), now < 0);
    assert.equal(machine.asked, asked);
  }
});

test('what the user asks for is done on battery saver too: /compact folds, Refresh takes the new texts in', async () => {
  const parts = powered('saver');
  const { chat, engine, bundles } = parts;
  await conversation(parts, 8);
  await chat.send('/compact');
  assert.deepEqual([engine.folds.length, chat.session.state.folds[0]?.outcome], [1, 'ok']);
  bundles.push({ ...emptyBundle, key: 'new words' });
  await chat.refreshWorkspace();
  assert.equal(chat.session.state.bundle?.key, bundles.at(-1)?.key);
  assert.deepEqual([engine.log.includes('warm'), chat.snapshot.resting], [false, true]);
});

test('the state of the slots is still stored on battery saver', async () => {
  const parts = powered('saver');
  const ticks: number[] = [];
  Object.assign(parts.ports, {
    snapshotFiles: { path: () => '', list: async () => [], remove: async () => undefined },
    every: (milliseconds: number) => {
      ticks.push(milliseconds);
      return () => undefined;
    },
  });
  await parts.chat.send('Hi.');
  assert.ok(ticks.includes(120_000));
});

test('what the next message will cost is not forecast from a slot that nobody compared, but that it does not fit is said', async () => {
  const { chat } = powered('saver');
  await chat.send('Hi.');
  await chat.draft.written('A short one.');
  const short = chat.snapshot.forecast;
  await chat.draft.written('long '.repeat(8000));
  assert.deepEqual([short, chat.snapshot.forecast?.room], [null, 'none']);
});

// Compaction that fails: bad summarisers, a lost lease, a user who goes on. The history stays whole and the next turn is answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sections } from '../../../src/core/compaction/summary.ts';
import type { Signal } from '../../../src/core/dialog/tool.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { constraint, conversation, opened, stateOf, textOf } from '../scenes/foldScene.ts';
import { goodSummary } from '../scenes/longChat.ts';
import { memoryLeases } from '../scenes/openChat.ts';

const empty = Object.fromEntries(sections.map((section) => [section, []]));
const bad: Readonly<Record<string, (prompt: Prompt, signal: Signal) => string | Promise<string>>> = {
  'writes garbage': () => 'Sure! Here is what happened: [[[',
  'invents an identifier': () =>
    JSON.stringify({
      ...empty,
      constraints: [{ text: constraint, sources: [1] }],
      identifiers: [{ text: 'resolveTideTable', sources: [1] }],
    }),
  'drops the constraint': () => JSON.stringify({ ...empty, goal: [{ text: 'Talk about the tide.', sources: [1] }] }),
  crashes: () => Promise.reject(new FaultError({ kind: 'engineCrashed', reason: 'SIGSEGV' })),
  'is cut off': () => JSON.stringify({ ...empty, goal: [{ text: 'tide', sources: [1] }] }).slice(0, 30),
};
const reasons: Readonly<Record<string, RegExp>> = {
  'writes garbage': /not whole JSON/,
  'invents an identifier': /resolveTideTable/,
  'drops the constraint': /lacks: Never touch the legacy folder/,
  crashes: /ended unexpectedly/,
  'is cut off': /not whole JSON/,
};

for (const [name, summarise] of Object.entries(bad)) {
  test(`a summariser that ${name}: history whole, the outcome kept, the next turn answered`, async () => {
    const parts = opened();
    const { chat, engine, stored, script } = parts;
    engine.summarise = summarise;
    await conversation(parts);
    const [row] = chat.session.state.folds;
    assert.equal(row?.outcome, 'failed');
    assert.match(row.reason, reasons[name] ?? /^$/);
    const tries = name === 'crashes' ? 1 : 3;
    assert.equal(row.tries, tries);
    assert.equal(engine.folds.length, tries);
    if (name !== 'crashes') assert.match(textOf(engine.folds[1]), /Your last checkpoint was refused/);
    assert.deepEqual(stored.folds, [row]);
    assert.deepEqual(chat.session.state.held[0]?.runs ?? [], []);
    const before = engine.prompts.at(-1)?.messages.length ?? 0;
    script.push('Still here.');
    await chat.send('Go on.');
    const next = engine.prompts.at(-1);
    assert.ok((next?.messages.length ?? 0) > before, 'nothing went');
    assert.match(textOf(next), /Never touch the legacy folder/);
    const last = chat.snapshot.entries.findLast((entry) => entry.kind === 'answer');
    assert.ok(last?.kind === 'answer' && last.text === 'Still here.' && last.end === 'done');
    assert.equal(chat.snapshot.entries.filter(({ kind }) => kind === 'fault').length, 0);
  });
}

for (const [tries, pauses] of [
  [1, []],
  [3, [1000, 2000]],
  [4, [1000, 2000, 4000]],
] as const) {
  test(`a bad summary is asked for ${tries} times in all, each after twice the pause`, async () => {
    const parts = opened();
    parts.settings.summaryTries = tries;
    parts.engine.summarise = () => 'no summary';
    await conversation(parts);
    assert.equal(parts.chat.session.state.folds[0]?.tries, tries);
    assert.deepEqual(parts.waits.filter((milliseconds) => milliseconds >= 1000).slice(0, pauses.length + 1), pauses);
  });
}

test('a summariser that hangs is given up when the lease runs out, and the next turn is answered', async () => {
  const parts = opened();
  const { chat, engine, settings, script } = parts;
  settings.leaseMilliseconds = 60;
  const hang = setTimeout(() => undefined, 60_000);
  engine.summarise = (_, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(''), { once: true }));
  await conversation(parts);
  clearTimeout(hang);
  const [row] = chat.session.state.folds;
  assert.equal(row?.outcome, 'failed');
  assert.match(row.reason, /no progress in time/);
  script.push('Here.');
  await chat.send('Go on.');
  assert.match(textOf(engine.prompts.at(-1)), /Never touch the legacy folder/);
  assert.equal(parts.leases.held.has(`fold:${chat.session.id}`), false, 'the lease is given back');
});

test('after a failure the next try waits, longer each time, until high water makes the fold by rules', async () => {
  const parts = opened();
  const { chat, engine } = parts;
  engine.summarise = () => 'no';
  for (let i = 0; i < 8; i++) await conversation(parts, 6);
  const ends = chat.session.state.folds.map(({ outcome }) => outcome);
  assert.ok(ends.includes('failed') && ends.includes('fallback'));
  const fallback = chat.session.state.folds.find(({ outcome }) => outcome === 'fallback');
  const told = chat.snapshot.entries.filter((entry) => entry.kind === 'info' && entry.title.includes('by rules'));
  assert.equal(told.length, ends.filter((end) => end === 'fallback').length, 'the chat says each, once');
  assert.ok(fallback?.checkpoint?.entries.some(({ text }) => text.startsWith(constraint)));
  assert.match(stateOf(engine.prompts.at(-1)), /Never touch the legacy folder/);
  const turns = chat.session.state.dialog.turns;
  assert.ok(engine.folds.length / 2 < turns / 3, `${engine.folds.length / 2} attempts in ${turns} turns`);
});

test('a session whose lease another window holds is not folded', async () => {
  const leases = memoryLeases();
  const parts = opened(undefined, leases);
  const { chat, engine } = parts;
  leases.held.set(`fold:${chat.session.id}`, 'other');
  await conversation(parts);
  assert.equal(chat.session.state.folds[0]?.outcome, 'lock_held');
  assert.equal(engine.folds.length, 0);
  assert.equal(leases.held.get(`fold:${chat.session.id}`), 'other');
});

test('what the user sends interrupts a fold, which then leaves no trace', async () => {
  const parts = opened();
  const { chat, engine, stored, script } = parts;
  let asked: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    asked = resolve;
  });
  engine.summarise = (_, signal) => {
    asked();
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(''), { once: true }));
  };
  const talking = conversation(parts);
  await running;
  engine.summarise = () => '{}';
  script.push('Quick answer.');
  await chat.send('Never mind, go on.');
  await talking;
  assert.equal(stored.folds?.some(({ tries }) => tries === 1) ?? false, false);
  assert.ok(chat.snapshot.entries.some((entry) => entry.kind === 'answer' && entry.text === 'Quick answer.'));
});

test('a summariser of its own that cannot be loaded is a failed attempt like any other, and waits like one', async () => {
  const parts = opened();
  const { chat, ports } = parts;
  let loads = 0;
  (ports as { summariser: unknown }).summariser = async () => {
    loads += 1;
    throw new FaultError({ kind: 'modelMissing', path: '/nowhere.gguf' });
  };
  await conversation(parts);
  const [row] = chat.session.state.folds;
  assert.equal(row?.outcome, 'failed');
  assert.match(row.reason, /\/nowhere\.gguf does not exist/);
  await chat.send('Go on.');
  assert.equal(loads, 1);
});

test('a summariser that takes the model down with it is asked once, and not again at each restart', async () => {
  const parts = opened();
  const { chat, engine, life, ports } = parts;
  const fault = { kind: 'engineCrashed', reason: 'SIGSEGV' } as const;
  (ports as { wait: unknown }).wait = (milliseconds: number) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds / 10));
  let crashes = 0;
  engine.summarise = async () => {
    crashes += 1;
    // As the composition root answers a crash, after the wait before a restart.
    setTimeout(() => {
      void life.crashed(fault).then(() => (chat.snapshot.engine.state === 'ready' ? chat.open() : undefined));
    }, 20);
    throw new FaultError(fault);
  };
  await conversation(parts);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(crashes, 1, 'asked again');
  const [row, ...more] = chat.session.state.folds;
  assert.deepEqual(more, []);
  assert.equal(row?.outcome, 'failed');
  assert.equal(row.tries, 1);
  assert.match(row.reason, /ended unexpectedly/);
  assert.equal(chat.snapshot.engine.state, 'ready');
});

test('a branch that begins before a failure does not wait for it', async () => {
  const parts = opened();
  const { chat, engine } = parts;
  engine.summarise = () => 'no';
  await conversation(parts);
  assert.equal(chat.session.state.folds[0]?.outcome, 'failed');
  const failed = chat.session.state.dialog.turns;
  const second = chat.session.state.dialog.path.filter(({ origin }) => origin === 'user')[1];
  await chat.edit(second?.id ?? '', 'Another way.');
  engine.summarise = goodSummary;
  await conversation(parts);
  assert.equal(chat.session.state.folds.at(-1)?.outcome, 'ok');
  assert.ok(chat.session.state.dialog.turns < failed + 2, 'as early as there is enough to fold');
});

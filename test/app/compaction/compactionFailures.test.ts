// Compaction that fails: bad summarisers, a lost lease, a user who goes on. The history stays whole and the next turn is answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Signal } from '../../../src/core/dialog/tool.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { textOf } from '../scenes/judge.ts';
import { constraint, openCompacting } from '../scenes/scene.ts';
import { goodSummary } from '../scenes/scriptedModel.ts';
import { gate, soon, stopped } from '../scenes/waiting.ts';

const bad: Readonly<Record<string, (prompt: Prompt, signal: Signal) => string | Promise<string>>> = {
  'writes garbage': () => 'Sure! Here is what happened: [[[',
  'invents an identifier': () => JSON.stringify({ keep: [1], done: 'Wrote resolveTideTable.' }),
  'keeps nothing': () => JSON.stringify({ keep: [], done: 'Talked about the tide.' }),
  crashes: () => Promise.reject(new FaultError({ kind: 'engineCrashed', reason: 'SIGSEGV' })),
  'is cut off': () => JSON.stringify({ keep: [1], done: 'Talked about the tide.' }).slice(0, 30),
};
const reasons: Readonly<Record<string, RegExp>> = {
  'writes garbage': /not whole JSON/,
  'invents an identifier': /resolveTideTable/,
  'keeps nothing': /keeps no sentence/,
  crashes: /ended unexpectedly/,
  'is cut off': /not whole JSON/,
};

for (const [name, summarise] of Object.entries(bad)) {
  test(`a summariser that ${name}: history whole, the outcome kept, the next turn answered`, async () => {
    const scene = openCompacting();
    scene.engine.summarise = summarise;
    await scene.talk();
    const [row] = scene.state().compactions;
    assert.equal(row?.outcome, 'failed');
    assert.match(row.reason, reasons[name] ?? /^$/);
    const tries = name === 'crashes' ? 1 : 3;
    assert.equal(row.tries, tries);
    assert.equal(scene.summaryPrompts.length, tries);
    if (name !== 'crashes') assert.match(textOf(scene.summaryPrompts[1]), /Your last answer was refused/);
    assert.deepEqual(scene.stored.compactions, [row]);
    assert.deepEqual(scene.state().pruned[0]?.runs ?? [], []);
    const before = scene.prompt()?.messages.length ?? 0;
    scene.script.push('Still here.');
    await scene.say('Go on.');
    assert.ok((scene.prompt()?.messages.length ?? 0) > before, 'nothing went');
    assert.match(scene.sent(), /Never touch the legacy folder/);
    const { text, end } = scene.entries('answer').at(-1) ?? assert.fail();
    assert.deepEqual([text, end], ['Still here.', 'done']);
    assert.equal(scene.entries('fault').length, 0);
  });
}

for (const [tries, pauses] of [
  [1, []],
  [3, [1000, 2000]],
  [4, [1000, 2000, 4000]],
] as const) {
  test(`a bad summary is asked for ${tries} times in all, each after twice the pause`, async () => {
    const scene = openCompacting();
    scene.settings.summaryTries = tries;
    scene.engine.summarise = () => 'no summary';
    await scene.talk();
    assert.equal(scene.state().compactions[0]?.tries, tries);
    assert.deepEqual(
      scene.editor.waits.filter((milliseconds) => milliseconds >= 1000).slice(0, pauses.length + 1),
      pauses,
    );
  });
}

test('where a summary fails all turns stay in the next prompt, and the attempt is kept', async () => {
  const scene = openCompacting();
  scene.engine.summarise = () => 'no summary';
  await scene.talk();
  const before = scene.prompt()?.messages.length ?? 0;
  scene.script.push('Still here.');
  await scene.say('Go on.');
  assert.equal(scene.prompt()?.messages.length, before + 2);
  assert.deepEqual(
    scene.stored.compactions?.map(({ outcome, tries }) => [outcome, tries]),
    [['failed', 3]],
  );
});

test('a summariser that hangs is given up when the lease runs out, and the next turn is answered', async () => {
  const scene = openCompacting();
  scene.settings.leaseMilliseconds = 60;
  const hang = setTimeout(() => undefined, 60_000);
  scene.engine.summarise = (_, signal) => stopped(signal).then(() => '');
  await scene.talk();
  clearTimeout(hang);
  const [row] = scene.state().compactions;
  assert.equal(row?.outcome, 'failed');
  assert.match(row.reason, /no progress in time/);
  scene.script.push('Here.');
  await scene.say('Go on.');
  assert.match(scene.sent(), /Never touch the legacy folder/);
  assert.equal(scene.memory.leases.holders.has(`fold:${scene.id()}`), false, 'the lease is given back');
});

test('after a failure the next try waits, longer each time, until high water makes the compaction by rules', async () => {
  const scene = openCompacting();
  scene.engine.summarise = () => 'no';
  for (let i = 0; i < 8; i++) await scene.talk(6);
  const ends = scene.state().compactions.map(({ outcome }) => outcome);
  assert.ok(ends.includes('failed') && ends.includes('fallback'));
  const fallback = scene.state().compactions.find(({ outcome }) => outcome === 'fallback');
  const told = scene.entries('info').filter(({ text }) => text.startsWith('A summary replaced older turns because'));
  assert.equal(told.length, ends.filter((end) => end === 'fallback').length, 'the chat says each, once');
  assert.ok(fallback?.checkpoint?.entries.some(({ text }) => text.startsWith(constraint)));
  assert.match(scene.summary(), /Never touch the legacy folder/);
  const turns = scene.state().dialog.turns;
  const attempts = scene.summaryPrompts.length / 2;
  assert.ok(attempts < turns / 3, `${attempts} attempts in ${turns} turns`);
});

test('a session whose lease another window holds is not compacted', async () => {
  const scene = openCompacting();
  scene.memory.leases.holders.set(`fold:${scene.id()}`, 'other');
  await scene.talk();
  assert.equal(scene.state().compactions[0]?.outcome, 'lock_held');
  assert.equal(scene.summaryPrompts.length, 0);
  assert.equal(scene.memory.leases.holders.get(`fold:${scene.id()}`), 'other');
});

test('what the user sends interrupts a compaction, which then leaves no trace', async () => {
  const scene = openCompacting();
  const { closed: running, open: asked } = gate();
  scene.engine.summarise = (_, signal) => {
    asked();
    return stopped(signal).then(() => '');
  };
  const talking = scene.talk();
  await running;
  scene.engine.summarise = () => '{}';
  scene.script.push('Quick answer.');
  await scene.say('Never mind, go on.');
  await talking;
  assert.equal(scene.stored.compactions?.some(({ tries }) => tries === 1) ?? false, false);
  assert.ok(scene.answers().includes('Quick answer.'));
});

test('a summariser of its own that cannot be loaded is a failed attempt like any other, and waits like one', async () => {
  const scene = openCompacting();
  let loads = 0;
  scene.editor.summariser = async () => {
    loads += 1;
    throw new FaultError({ kind: 'modelMissing', path: '/nowhere.gguf' });
  };
  await scene.talk();
  const [row] = scene.state().compactions;
  assert.equal(row?.outcome, 'failed');
  assert.match(row.reason, /\/nowhere\.gguf does not exist/);
  await scene.say('Go on.');
  assert.equal(loads, 1);
});

test('a summariser that takes the model down with it is asked once, and not again at each restart', async () => {
  const scene = openCompacting();
  const fault = { kind: 'engineCrashed', reason: 'SIGSEGV' } as const;
  scene.editor.wait = (milliseconds) => soon(milliseconds / 10);
  let crashes = 0;
  scene.engine.summarise = async () => {
    crashes += 1;
    // The composition root answers a crash like this, after the wait before a restart.
    setTimeout(() => {
      void scene.model
        .crash(fault.reason)
        .then(() => (scene.shown().engine.state === 'ready' ? scene.ready() : undefined));
    }, 20);
    throw new FaultError(fault);
  };
  await scene.talk();
  await soon(300);
  assert.equal(crashes, 1, 'asked again');
  const [row, ...more] = scene.state().compactions;
  assert.deepEqual(more, []);
  assert.equal(row?.outcome, 'failed');
  assert.equal(row.tries, 1);
  assert.match(row.reason, /ended unexpectedly/);
  assert.equal(scene.shown().engine.state, 'ready');
});

test('a branch that begins before a failure does not wait for it', async () => {
  const scene = openCompacting();
  scene.engine.summarise = () => 'no';
  await scene.talk();
  assert.equal(scene.state().compactions[0]?.outcome, 'failed');
  const failed = scene.state().dialog.turns;
  await scene.edit(scene.message(1), 'Another way.');
  scene.engine.summarise = goodSummary;
  await scene.talk();
  assert.equal(scene.state().compactions.at(-1)?.outcome, 'ok');
  assert.ok(scene.state().dialog.turns < failed + 2, 'as early as there is enough to compact');
});

test('a summary that the engine ends for a higher rank is no failure: the next quiet moment asks again', async () => {
  const scene = openCompacting();
  let asked = 0;
  scene.engine.summarise = (prompt) => (asked++ === 0 ? null : goodSummary(prompt));
  await scene.talk();
  scene.script.push('Still here.');
  await scene.say('Go on.');
  assert.deepEqual(
    scene.state().compactions.map(({ outcome }) => outcome),
    ['ok'],
  );
});

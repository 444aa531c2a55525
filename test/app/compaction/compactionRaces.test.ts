// Compaction and what comes in between: other requests of the user, another session, a window that closes, a store that fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Signal } from '../../../src/core/dialog/tool.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { openCompacting } from '../scenes/scene.ts';
import { goodSummary } from '../scenes/scriptedModel.ts';
import { gate, soon, stopped, tick } from '../scenes/waiting.ts';

/** A summariser that waits until it is told to go on, or is cancelled, which it notices after so many milliseconds. */
function waiting(late = 0) {
  const [asked, go] = [gate(), gate()];
  const summarise = async (_: Prompt, signal: Signal) => {
    asked.open();
    await Promise.race([go.closed, stopped(signal)]);
    if (late > 0) await soon(late);
    return '{}';
  };
  return { asked: asked.closed, go: go.open, summarise };
}

test('a compaction that is asked for while an answer runs is refused in words: the slot is the answer’s', async () => {
  const scene = openCompacting();
  scene.agent({ switches: { compaction: 'off' } });
  await scene.talk(9);
  scene.script.push(`Answer. ${'word '.repeat(400)}`);
  const sent = scene.say('Go on.');
  await tick();
  assert.equal(scene.shown().running, true);
  // The command palette asks for a compaction like this.
  await scene.command('/compact');
  assert.equal(scene.shown().running, true);
  assert.match(scene.told(), /an answer is being written/);
  await sent;
  assert.equal(scene.summaryPrompts.length, 0);
  assert.deepEqual(scene.state().compactions, []);
});

test('a compaction whose model was loaded too late does not compact a session that was left', async () => {
  const scene = openCompacting();
  scene.agent({ switches: { compaction: 'off' } });
  await scene.talk(9);
  const left = scene.follow();
  const load = scene.engine.hold('load');
  const restarted = scene.model.restart();
  const compacted = scene.command('/compact');
  await soon();
  scene.newConversation();
  load();
  await Promise.all([restarted, compacted]);
  await soon();
  assert.equal(scene.summaryPrompts.length, 0);
  assert.deepEqual(left().compactions, []);
  assert.equal(scene.shown().compacting, false);
});

/** Turns after which a compaction is tried. */
const probe = openCompacting();
await probe.talk();
const needed = probe.state().dialog.turns;

for (const leave of ['newSession', 'send', 'dispose', '/compact', 'delete'] as const) {
  test(`${leave} during a compaction: no trace of it, no timer, no lease, nothing shown as compacting`, async () => {
    const scene = openCompacting();
    const { asked, go, summarise } = waiting();
    scene.engine.summarise = summarise;
    const before = scene.timers.size;
    const talking = scene.talk(needed);
    await asked;
    assert.equal(scene.shown().compacting, true);
    assert.equal(scene.timers.size, before + 1);
    const [id, left] = [scene.id(), scene.follow()];
    scene.engine.summarise = () => '{}';
    if (leave === 'newSession') scene.newConversation();
    if (leave === 'send') await scene.say('Never mind.');
    if (leave === 'dispose') scene.dispose();
    if (leave === '/compact') await scene.say('/compact');
    if (leave === 'delete') scene.deleteConversation(id);
    go();
    await Promise.race([talking, soon()]);
    await soon();
    assert.equal(scene.shown().compacting, false);
    assert.equal(scene.timers.size, leave === 'dispose' ? 0 : 1);
    assert.deepEqual(
      [...scene.memory.leases.holders.keys()].filter((name) => name.startsWith('fold:')),
      [],
    );
    if (leave !== 'send' && leave !== '/compact') assert.deepEqual(left().compactions, []);
    assert.equal(scene.entries('fault').length, 0);
  });
}

test('two compactions of one session: the first does not give the lease of the second away', async () => {
  const scene = openCompacting();
  const first = waiting(50);
  scene.engine.summarise = first.summarise;
  const talking = scene.talk(needed);
  await first.asked;
  const second = waiting();
  scene.engine.summarise = second.summarise;
  const compact = scene.say('/compact');
  await second.asked;
  await soon(100);
  assert.equal(scene.memory.leases.holders.get(`fold:${scene.id()}`), '1:test');
  second.go();
  await compact;
  await talking;
  assert.equal(scene.memory.leases.holders.has(`fold:${scene.id()}`), false);
});

test('what follows a compaction of a session that was left does not interrupt the work for the open one', async () => {
  const scene = openCompacting();
  const { asked, summarise } = waiting(10);
  await scene.talk(needed - 1);
  scene.engine.summarise = summarise;
  const compact = scene.say('/compact');
  await asked;
  scene.engine.answer('measure', (_, usual) => soon(30).then(usual));
  scene.newConversation();
  await Promise.all([scene.ready(), compact]);
  assert.notEqual(scene.shown().warm, null);
});

test('a turn that is pinned while a summary is written is not compacted', async () => {
  const scene = openCompacting();
  const { asked, go, summarise } = waiting();
  scene.engine.summarise = async (prompt, signal) => {
    await summarise(prompt, signal);
    return goodSummary(prompt);
  };
  const talking = scene.talk(needed);
  await asked;
  // `/context pin 0` marks the item like this before its answer interrupts the compaction.
  scene.mark(scene.said()[0]?.id ?? '', 'pinned');
  go();
  await talking;
  assert.ok(scene.state().pruned.every(({ runs }) => runs.every(({ from }) => from > 0)));
});

for (const command of ['/compact undo', '/compact add constraint Never use tabs.', '/compact remove 1'])
  test(`${command} while an answer runs is refused in words, and works once it is there`, async () => {
    const scene = openCompacting();
    await scene.talk();
    scene.agent({ switches: { compaction: 'off' } });
    const before = scene.state().compactions;
    scene.script.push(`Answer. ${'word '.repeat(60)}`);
    const sent = scene.say('Go on.');
    await scene.answering();
    await scene.command(command);
    assert.match(scene.entries('info').at(-1)?.text ?? '', /^Nothing was changed: an answer is being written/);
    assert.equal(scene.state().compactions, before);
    await sent;
    await scene.command(command);
    assert.match(scene.entries('info').at(-1)?.text ?? '', /^(?:Undone|Changed)/);
    scene.script.push('ok');
    await scene.say('And now?');
    const state = scene.summary();
    if (command.includes('tabs')) assert.match(state, /Never use tabs/);
    else assert.doesNotMatch(state, /legacy folder/);
  });

// What happens while a compaction runs: other wishes of the user, another session, a window that closes, a store that fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Signal } from '../../../src/core/dialog/tool.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { conversation, opened, stateOf } from '../scenes/foldScene.ts';
import { goodSummary } from '../scenes/longChat.ts';
import { gate, memoryLeases } from '../scenes/openChat.ts';

/** A summariser that waits until it is told to go on, or is cancelled, which it notices after so many milliseconds. */
function waiting(late = 0) {
  const [asked, go] = [gate(), gate()];
  const summarise = async (_: Prompt, signal: Signal) => {
    asked.open();
    await Promise.race([
      go.closed,
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    ]);
    if (late > 0) await new Promise((resolve) => setTimeout(resolve, late));
    return '{}';
  };
  return { asked: asked.closed, go: go.open, summarise };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test('a fold that is asked for while an answer runs is refused in words: the slot is the answer’s', async () => {
  const parts = opened();
  const { chat, script, engine } = parts;
  parts.settings.agent = { ...parts.settings.agent, switches: { ...parts.settings.agent.switches, compaction: 'off' } };
  await conversation(parts, 9);
  script.push(`Answer. ${'word '.repeat(400)}`);
  const sent = chat.send('Go on.');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(chat.snapshot.running, true);
  // As the command palette asks for it.
  await chat.command('/compact');
  assert.equal(chat.snapshot.running, true);
  const said = chat.snapshot.entries.at(-1);
  assert.ok(said?.kind === 'info' && /an answer is being written/.test(said.text));
  await sent;
  assert.equal(engine.folds.length, 0);
  assert.deepEqual(chat.session.state.folds, []);
});

test('a fold whose model was loaded too late does not fold a session that was left', async () => {
  const parts = opened();
  const { chat, engine } = parts;
  const { agent } = parts.settings;
  parts.settings.agent = { ...agent, switches: { ...agent.switches, compaction: 'off' } };
  await conversation(parts, 9);
  const { session } = chat;
  const loaded = gate();
  engine.gate = loaded.closed;
  const restarted = parts.life.restart();
  const folded = chat.command('/compact');
  await settled();
  chat.newSession();
  loaded.open();
  await Promise.all([restarted, folded]);
  await settled();
  assert.equal(engine.folds.length, 0);
  assert.deepEqual(session.state.folds, []);
  assert.equal(chat.snapshot.folding, false);
});

/** Turns after which a compaction is tried. */
const probe = opened();
await conversation(probe);
const needed = probe.chat.session.state.dialog.turns;

for (const leave of ['newSession', 'send', 'dispose', '/compact', 'delete'] as const) {
  test(`${leave} during a fold: no trace of it, no timer, no lease, nothing shown as folding`, async () => {
    const leases = memoryLeases();
    const parts = opened(undefined, leases);
    const { chat, engine } = parts;
    const { asked, go, summarise } = waiting();
    engine.summarise = summarise;
    const before = parts.timers.size;
    const talking = conversation(parts, needed);
    await asked;
    assert.equal(chat.snapshot.folding, true);
    assert.equal(parts.timers.size, before + 1);
    const { session } = chat;
    engine.summarise = () => '{}';
    if (leave === 'newSession') chat.newSession();
    if (leave === 'send') await chat.send('Never mind.');
    if (leave === 'dispose') chat.dispose();
    if (leave === '/compact') await chat.send('/compact');
    if (leave === 'delete') chat.deleteSession(session.id);
    go();
    await Promise.race([talking, settled()]);
    await settled();
    assert.equal(chat.snapshot.folding, false);
    assert.equal(parts.timers.size, leave === 'dispose' ? 0 : 1);
    assert.deepEqual(
      [...leases.held.keys()].filter((name) => name.startsWith('fold:')),
      [],
    );
    if (leave !== 'send' && leave !== '/compact') assert.deepEqual(session.state.folds, []);
    assert.equal(chat.snapshot.entries.filter(({ kind }) => kind === 'fault').length, 0);
  });
}

test('two folds of one session: the first does not give the lease of the second away', async () => {
  const leases = memoryLeases();
  const parts = opened(undefined, leases);
  const { chat, engine } = parts;
  const first = waiting(50);
  engine.summarise = first.summarise;
  const talking = conversation(parts, needed);
  await first.asked;
  const second = waiting();
  engine.summarise = second.summarise;
  const compact = chat.send('/compact');
  await second.asked;
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(leases.held.get(`fold:${chat.session.id}`), '1:test');
  second.go();
  await compact;
  await talking;
  assert.equal(leases.held.has(`fold:${chat.session.id}`), false);
});

test('what follows a fold of a session that was left does not interrupt the work for the open one', async () => {
  const parts = opened();
  const { chat, engine } = parts;
  const { asked, summarise } = waiting(10);
  await conversation(parts, needed - 1);
  engine.summarise = summarise;
  const compact = chat.send('/compact');
  await asked;
  const { request } = engine;
  engine.request = async (name, params, signal) => {
    if (name === 'measure') await new Promise((resolve) => setTimeout(resolve, 30));
    return request(name, params, signal);
  };
  chat.newSession();
  await Promise.all([chat.open(), compact]);
  assert.notEqual(chat.snapshot.warm, null);
});

test('a turn that is pinned while a checkpoint is written is not folded', async () => {
  const parts = opened();
  const { chat, engine } = parts;
  const { asked, go, summarise } = waiting();
  engine.summarise = async (prompt, signal) => {
    await summarise(prompt, signal);
    return goodSummary(prompt);
  };
  const talking = conversation(parts, needed);
  await asked;
  const first = chat.session.state.dialog.path[0]?.id ?? '';
  // As `/context pin 0` does, before its answer interrupts the compaction.
  chat.session.apply({ type: 'marked', item: first, as: 'pinned' });
  go();
  await talking;
  assert.ok(chat.session.state.held.every(({ runs }) => runs.every(({ from }) => from > 0)));
});

for (const command of ['/compact undo', '/compact add constraint Never use tabs.', '/compact remove 1'])
  test(`${command} while an answer runs is refused in words, and works once it is there`, async () => {
    const parts = opened();
    const { chat, script, engine } = parts;
    await conversation(parts);
    const { agent } = parts.settings;
    parts.settings.agent = { ...agent, switches: { ...agent.switches, compaction: 'off' } };
    const before = chat.session.state.folds;
    script.push(`Answer. ${'word '.repeat(60)}`);
    const sent = chat.send('Go on.');
    while (!chat.snapshot.entries.some((entry) => entry.kind === 'answer' && entry.end === 'running'))
      await new Promise((resolve) => setImmediate(resolve));
    await chat.command(command);
    const said = chat.snapshot.entries.findLast((entry) => entry.kind === 'info');
    assert.match(said?.text ?? '', /^Nothing was changed: an answer is being written/);
    assert.equal(chat.session.state.folds, before);
    await sent;
    await chat.command(command);
    const after = chat.snapshot.entries.findLast((entry) => entry.kind === 'info');
    assert.match(after?.text ?? '', /^(?:Undone|Changed)/);
    script.push('ok');
    await chat.send('And now?');
    const state = stateOf(engine.prompts.at(-1));
    if (command.includes('tabs')) assert.match(state, /Never use tabs/);
    else assert.doesNotMatch(state, /legacy folder/);
  });

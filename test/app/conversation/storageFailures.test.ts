// A store that fails while compaction, and sessions that are deleted or lost: turns go on, and nothing is lost when it works again.
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { graphs } from '../../../src/core/agent/graph.ts';
import { constraint, filler, openCompacting } from '../scenes/scene.ts';
import { failing, fileFor, storeFor } from '../scenes/storeScene.ts';
import { gate, soon } from '../scenes/waiting.ts';

test('leases that cannot be taken or given back: compactions are made all the same, and nothing is thrown', async (context) => {
  const store = await storeFor(context);
  const scene = openCompacting({
    storage: failing(store, (name) => name === 'acquire' || name === 'release'),
  });
  scene.settings.leaseMilliseconds = 30;
  const summarise = scene.engine.summarise;
  scene.engine.summarise = async (prompt, signal) => {
    const text = await summarise(prompt, signal);
    await soon(25);
    return text;
  };
  const alive = setTimeout(() => undefined, 60_000);
  await scene.talk();
  clearTimeout(alive);
  assert.equal(scene.state().compactions[0]?.outcome, 'ok');
  assert.ok(scene.entries('info').some(({ text }) => /a summary replaced/.test(text)));
  assert.notEqual(scene.shown().warm, null);
});

for (const broken of ['putCompaction', 'setPruned', 'setMarks', 'everything'] as const) {
  test(`a store in which ${broken} fails for a while has all there is when it works again`, async (context) => {
    const store = await storeFor(context);
    let fails = false;
    const scene = openCompacting({
      storage: failing(store, (name) => fails && (broken === 'everything' || name === broken)),
    });
    await scene.say(`Begin. ${filler(300)}`);
    fails = true;
    await scene.talk();
    assert.equal(scene.state().compactions[0]?.outcome, 'ok');
    await scene.say('/context pin 0');
    scene.script.push('Still here.');
    await scene.say('Go on.');
    assert.ok(scene.answers().includes('Still here.'));
    if (broken !== 'setPruned') assert.notEqual(scene.shown().notice, '');
    fails = false;
    await scene.say('And now?');
    assert.equal(scene.shown().notice, '');
    const stored = store.sessions.session(scene.id());
    assert.deepEqual(stored?.dialog.items, scene.state().dialog.items);
    assert.deepEqual(stored.compactions, scene.state().compactions);
    assert.deepEqual(
      stored.pruned.map(({ fold: compaction }) => compaction),
      scene.state().pruned.map(({ compaction }) => compaction?.id ?? null),
    );
    assert.deepEqual(stored.marks, scene.state().marks);
  });
}

test('a compaction that cannot be stored is said once, stands, and is kept with the next thing that is', async (context) => {
  const store = await storeFor(context);
  let fails = true;
  const scene = openCompacting({ storage: failing(store, (name) => fails && name === 'putCompaction') });
  await scene.talk();
  assert.match(scene.shown().notice, /no putCompaction/);
  assert.equal(scene.entries('fault').length, 0);
  fails = false;
  await scene.say('And now?');
  assert.equal(store.sessions.session(scene.id())?.compactions.length, 1);
});

test('a running session that is deleted leaves nothing in the store and no complaint', async (context) => {
  const store = await storeFor(context);
  const scene = openCompacting({ storage: store });
  await scene.say('First.');
  scene.script.push('word '.repeat(100));
  const sent = scene.say('Second.');
  await scene.answering();
  const id = scene.id();
  assert.equal(scene.deleteConversation(id), null);
  await sent;
  await soon();
  assert.equal(scene.shown().notice, '');
  assert.equal(store.sessions.session(id), null);
});

test('a session that another window took is left, and nothing more is written to it', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const store = await storeFor(context);
  const scene = openCompacting({ storage: store });
  await scene.say('First.');
  const id = scene.id();
  // The lease changes windows as it does after a long sleep, in which the other window found it run out.
  store.leases.release(`session:${id}`, scene.holder);
  assert.ok(store.leases.acquire(`session:${id}`, '1:other', 0, 60_000));
  const before = store.sessions.session(id)?.dialog.items.length;
  context.mock.timers.tick(60_000);
  assert.notEqual(scene.id(), id);
  assert.match(scene.told(), /open in another window.* A new one was started/);
  await scene.say('Second.');
  assert.equal(store.sessions.session(id)?.dialog.items.length, before);
});

test('a window that lost its session writes nothing more to it, also before it looks again', async (context) => {
  const store = await storeFor(context);
  const scene = openCompacting({ storage: store });
  await scene.say('First.');
  const id = scene.id();
  store.leases.seize(`session:${id}`, '1:other', Date.now(), 60_000);
  const before = store.sessions.session(id)?.dialog.items.length;
  await scene.say('Second.');
  assert.equal(store.sessions.session(id)?.dialog.items.length, before);
});

test('a session whose stored state is nonsense comes back whole, in words', async (context) => {
  const store = await storeFor(context);
  const first = openCompacting({ storage: store });
  await first.say('First.');
  first.dispose();
  const { session } = store.sessions;
  const broken = (id: string) => {
    const stored = session(id);
    return stored && { ...stored, pruned: [{ fold: 7 } as never] };
  };
  const scene = openCompacting({
    storage: { ...store, sessions: { ...store.sessions, session: broken } },
  });
  assert.equal(scene.id(), first.id());
  assert.match(scene.shown().notice, /Couldn't read/);
  await scene.say('Second.');
  assert.match(scene.sent(), /First\./);
});

test('a resumed session of the split graph has the compaction in both slots; with fewer slots it goes on too', async (context) => {
  const store = await storeFor(context);
  const first = openCompacting({ storage: store });
  first.agent({ graph: graphs.split });
  first.script.push(...Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 'answer' : `Answer. ${filler(700)}`)));
  for (let turn = 0; turn < 14 && first.state().compactions.length === 0; turn++)
    await first.say(`${turn === 0 ? constraint : `Question ${turn}?`} ${filler(300)}`);
  assert.equal(first.state().compactions[0]?.outcome, 'ok');
  const id = first.id();
  first.dispose();
  for (const graph of [graphs.split, graphs.unified]) {
    const again = openCompacting({ storage: store });
    again.agent({ graph });
    assert.equal(again.id(), id);
    assert.deepEqual(
      again.state().pruned.map(({ compaction }) => compaction?.id),
      [first.state().compactions[0]?.id, first.state().compactions[0]?.id],
    );
    again.script.push('answer', 'Here.');
    await again.say('Go on.');
    assert.deepEqual(again.entries('fault'), []);
    again.dispose();
  }
});

test('what a compaction proposed and nobody answered is shown when the session comes back', async (context) => {
  const store = await storeFor(context);
  const first = openCompacting({ storage: store });
  await first.talk(14, 'We decided to use SQLite. I prefer short answers. Never touch the legacy folder.');
  const row = first.state().compactions.find(({ proposals }) => proposals.length > 0);
  assert.ok(row !== undefined);
  first.dispose();
  const scene = openCompacting({ storage: store });
  assert.equal(scene.entries('proposals')[0]?.compaction, row.id);
  for (const { id } of row.proposals) await scene.answerProposal(row.id, id, false);
  scene.dispose();
  const again = openCompacting({ storage: store });
  assert.deepEqual(again.entries('proposals'), []);
});

test('a proposal is answered once, and an answer to nothing does nothing', async () => {
  const scene = openCompacting();
  await scene.talk(14, 'We decided to use SQLite. Never touch the legacy folder. I prefer short answers.');
  const row = scene.state().compactions.find(({ proposals }) => proposals.length > 0);
  const [proposal] = row?.proposals ?? [];
  assert.ok(row !== undefined && proposal !== undefined);
  const shown = JSON.stringify(scene.shown());
  await scene.answerProposal('nowhere', proposal.id, true);
  await scene.answerProposal(row.id, 'nowhere', true);
  assert.equal(JSON.stringify(scene.shown()), shown);
  const wait = gate();
  scene.editor.noteProblem = () => wait.closed.then(() => null);
  const answers = [scene.answerProposal(row.id, proposal.id, true), scene.answerProposal(row.id, proposal.id, false)];
  wait.open();
  await Promise.all(answers);
  const shownStates = scene.deltas.flatMap((delta) =>
    delta.type === 'entry' && delta.entry.kind === 'proposals' ? [delta.entry.proposals[0]?.state] : [],
  );
  assert.deepEqual(shownStates, ['waiting', 'kept']);
});

test('what an earlier session could not store is stored when it is left, and its notice goes', async (context) => {
  const store = await storeFor(context);
  let fails = false;
  const scene = openCompacting({ storage: failing(store, (name) => fails && name !== 'acquire') });
  await scene.say('First.');
  const id = scene.id();
  fails = true;
  await scene.say('Second.');
  assert.notEqual(scene.shown().notice, '');
  fails = false;
  scene.newConversation();
  await scene.say('Third.');
  assert.equal(scene.shown().notice, '');
  assert.equal(scene.openConversation(id), null);
  assert.deepEqual(
    scene.entries('user').map(({ text }) => text),
    ['First.', 'Second.'],
  );
});

test('another process that holds the database never holds up the host, and what waited is stored by itself when it lets go', async (context) => {
  const path = fileFor(context);
  const store = await storeFor(context, path);
  const scene = openCompacting({ storage: store });
  scene.script.push('It is in main.');
  await scene.say('Where is it?');
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  scene.script.push('It is there.');
  await scene.say('And now?');
  lag.disable();
  assert.ok(lag.percentile(99) / 1e6 <= 150, `${lag.percentile(99) / 1e6} ms`);
  assert.match(scene.shown().notice, /Nothing can be stored/);
  other.exec('ROLLBACK');
  other.close();
  const latest = Date.now() + 10_000;
  while (scene.shown().notice !== '' && Date.now() < latest) await soon(50);
  assert.deepEqual(store.sessions.session(scene.id())?.dialog.items, scene.state().dialog.items);
});

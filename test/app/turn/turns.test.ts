// A chat's turns: both graphs, each slot made ready, the workspace texts of the session, what is brought back, and races.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { split } from '../../../src/core/agent/graph.ts';
import type { WarmParams } from '../../../src/core/engine/prefill.ts';
import { type Bundle, emptyBundle } from '../../../src/core/prompt/bundle.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { gate, kinds, memoryJournal, openChat, type Stored } from '../scenes/openChat.ts';

type Opened = ReturnType<typeof openChat>;

/** Every prompt that was warmed, with its slot. */
function watchWarmth({ engine }: Opened): readonly WarmParams[] {
  const warmed: WarmParams[] = [];
  const { request } = engine;
  engine.request = (name, params) => {
    if (name === 'warm') warmed.push(params as WarmParams);
    return request(name, params);
  };
  return warmed;
}

const bundle = (text: string): Bundle => ({
  parts: [{ name: 'AGENTS.md', text, raw: 9, injected: 5 }],
  key: text,
  exact: true,
});
const head = (prompt: Prompt | undefined) => prompt?.messages[0]?.segments.map(({ text }) => text).join('') ?? '';
const long = (words: string) => `${words} ${'lorem ipsum '.repeat(60)}`;

test('the split graph decides without a word to the user, answers, and warms both slots', async () => {
  const opened = openChat([{ call: 'echo', arguments: { a: 1 } }, 'answer', 'It is there.']);
  const warmed = watchWarmth(opened);
  const { chat, settings, engine } = opened;
  engine.info = { ...engine.info, slots: 2 };
  settings.agent = { ...settings.agent, graph: split };
  await chat.send('where?');
  assert.deepEqual(kinds(chat), ['user', 'step', 'answer']);
  assert.deepEqual(
    chat.snapshot.calls.map(({ node }) => node),
    ['decide', 'decide', 'answer'],
  );
  assert.deepEqual(
    warmed.slice(-2).map(({ slot }) => slot),
    [0, 1],
  );
  assert.equal(chat.snapshot.stack?.node, 'answer', 'what is shown is the prompt that answers');
  const [decide, answer] = warmed.slice(-2).map(({ prompt }) => prompt);
  assert.equal(decide?.tools.length, 1);
  assert.equal(answer?.tools.length, 0);
  assert.ok(!decide?.messages.some(({ role }) => role === 'tool'), 'calls of earlier turns are kept from who decides');
  assert.ok(answer?.messages.some(({ role }) => role === 'tool'));
});

test('each slot lets go of its own, and what is warmed is what the next message extends', async () => {
  const opened = openChat(Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? 'answer' : long(`Answer ${i}.`))));
  const warmed = watchWarmth(opened);
  const { chat, settings, engine } = opened;
  settings.agent = { ...settings.agent, graph: split };
  for (let turn = 0; turn < 12; turn++) {
    const before = warmed.slice(-2);
    await chat.send(`Question ${turn}?`);
    if (before.length < 2) continue;
    for (const [i, prompt] of engine.prompts.slice(-2).entries()) {
      const warm = before[i]?.prompt.messages ?? [];
      assert.deepEqual(prompt.messages.slice(0, warm.length - 1), warm.slice(0, -1), `turn ${turn}, slot ${i}`);
    }
  }
  assert.ok(chat.snapshot.stack?.decisions.some(({ state }) => state === 'trimmed'));
});

test('the workspace texts stay those of the session’s start until turns are dropped; then all slots get the new ones', async () => {
  const opened = openChat(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'answer' : long(`Answer ${i}.`))));
  const warmed = watchWarmth(opened);
  const { chat, settings, bundles } = opened;
  settings.agent = { ...settings.agent, graph: split };
  bundles.push(bundle('old words'));
  await chat.send(long('first'));
  bundles.push(bundle('new words'));
  chat.showStale();
  assert.equal(chat.snapshot.stale, true);
  for (let turn = 0; turn < 16 && chat.snapshot.stale; turn++) {
    for (const { prompt } of warmed.slice(-2)) assert.match(head(prompt), /old words/);
    await chat.send(long(`Question ${turn}?`));
  }
  assert.equal(chat.snapshot.stale, false);
  for (const { prompt } of warmed.slice(-2)) assert.match(head(prompt), /new words/);
});

test('a workspace that changes again during the turn that renews it is still stale afterwards', async () => {
  const { chat, bundles, engine, settings } = openChat(Array.from({ length: 20 }, (_, i) => long(`Answer ${i}.`)));
  // No trim is made early, so all renewals happen in turns.
  settings.reuse = 'none';
  bundles.push(bundle('words 0'));
  await chat.send(long('first'));
  let renewals = 0;
  for (let turn = 1; turn < 16; turn++) {
    bundles.push(bundle(`words ${turn}`));
    const stopListening = chat.subscribe((delta) => {
      if (delta.type !== 'text') return;
      stopListening.dispose();
      // Somebody looks at the report while the answer runs, after yet another change.
      bundles.push(bundle(`words ${turn}, later`));
      void chat.command('/context export json');
    });
    const before = head(engine.prompts.at(-1));
    await chat.send(long(`Question ${turn}?`));
    if (head(engine.prompts.at(-1)) !== before) renewals += 1;
    assert.equal(chat.snapshot.stale, true, `turn ${turn}`);
  }
  assert.ok(renewals > 0);
});

test('a share of 0 takes the workspace texts out of the next prompt of a running session', async () => {
  const { chat, engine, settings, bundles } = openChat(['one', 'two']);
  bundles.push(bundle('workspace words'));
  await chat.send('first');
  assert.match(head(engine.prompts.at(-1)), /workspace words/);
  settings.agent = { ...settings.agent, policy: { ...settings.agent.policy, workspaceMaxShare: 0 } };
  await chat.send('second');
  assert.doesNotMatch(head(engine.prompts.at(-1)), /workspace words/);
  assert.equal(chat.snapshot.stale, false);
});

test('an agent’s words, tools and graph take effect with the next request of the same session', async () => {
  const { chat, engine, settings } = openChat(['one', 'answer', 'two']);
  await chat.send('first');
  assert.equal(engine.prompts.at(-1)?.tools.length, 1);
  settings.agent = { ...settings.agent, instructions: 'Speak like a pirate.' };
  await chat.send('second');
  assert.match(head(engine.prompts.at(-1)), /Speak like a pirate\.$/);
  settings.agent = { ...settings.agent, tools: [], instructions: '' };
  await chat.send('third');
  assert.doesNotMatch(head(engine.prompts.at(-1)), /pirate/);
  assert.equal(engine.prompts.at(-1)?.tools.length, 0);
});

test('what is looked up for a message stands with it, and shows folded in the conversation', async () => {
  const { chat, engine, settings } = openChat(['one']);
  settings.agent = { ...settings.agent, retrieval: defaultRetrieval };
  await chat.send('where is `known`?');
  assert.deepEqual(kinds(chat), ['user', 'info', 'answer']);
  const user = engine.prompts.at(-1)?.messages.at(-1);
  assert.match(
    user?.segments.map(({ text }) => text).join('') ?? '',
    /^Found: src\/a\.ts:1-1\nknown\n\nDate: 1970-01-01\.\n\nwhere is `known`\?$/,
  );
});

test('what is brought back goes with a turn that fails too, and is not sent twice', async () => {
  const { chat, engine, life } = openChat([{ call: 'echo', arguments: { a: 1 } }, 'one', { crash: 'The' }, 'two']);
  await chat.send('first');
  await chat.send('/context evict 2');
  await chat.send('/context restore 2');
  await chat.send('second');
  await life.crashed({ kind: 'engineCrashed', reason: 'SIGKILL' });
  await chat.send('Continue.');
  const sent = JSON.stringify(engine.prompts.at(-1)?.messages);
  assert.equal(sent.split('Restored').length, 2);
});

test('what is brought back waits for a message whose turn did not begin', async () => {
  const { chat, engine, life } = openChat([{ call: 'echo', arguments: { a: 1 } }, 'one', 'two']);
  await chat.send('first');
  await chat.send('/context evict 2');
  await chat.send('/context restore 2');
  const { closed, open: load } = gate();
  engine.gate = closed;
  const restarted = life.restart();
  const sent = chat.send('second');
  chat.cancel();
  await sent;
  load();
  await restarted;
  await chat.send('second');
  assert.match(JSON.stringify(engine.prompts.at(-1)?.messages), /Restored/);
});

for (const end of ['Stop', 'New Session'] as const) {
  test(`${end} while the workspace is read gives the words back, and the session stays as it was`, async () => {
    const stored: Stored = { items: [], sessions: [] };
    const { chat, engine, ports } = openChat(['one'], memoryJournal(stored));
    await chat.open();
    const { closed, open: read } = gate();
    const { bundle: readBundle } = ports.workspaceContext;
    Object.assign(ports.workspaceContext, {
      bundle: async (tokens: number) => {
        await closed;
        return readBundle(tokens);
      },
    });
    const sent = chat.send('a question');
    await new Promise((resolve) => setImmediate(resolve));
    if (end === 'Stop') chat.cancel();
    else chat.newSession();
    read();
    await sent;
    assert.deepEqual(stored.items, []);
    assert.deepEqual(chat.snapshot.entries, []);
    assert.equal(chat.snapshot.draft.text, 'a question');
    assert.equal(chat.snapshot.running, false);
    assert.ok(!engine.log.includes('generate'));
  });
}

test('pins before an edited message hold, and the branch that was left takes its own with it', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const { chat } = openChat(['one', 'two', 'three'], memoryJournal(stored));
  await chat.send('first');
  await chat.send('second');
  await chat.send('/context pin 0');
  await chat.send('/context pin 2');
  const second = chat.snapshot.entries.findLast((entry) => entry.kind === 'user');
  assert.ok(second?.kind === 'user');
  await chat.edit(second.item, 'another');
  assert.deepEqual(
    chat.snapshot.stack?.decisions.map(({ label, pinned }) => [label, pinned]),
    [
      ['You: first', true],
      ['Answer: one', false],
      ['You: another', false],
      ['Answer: three', false],
    ],
  );
});

test('a session comes back with its marks: what was evicted is out of its first prompt', async () => {
  const stored: Stored = { items: [], sessions: [] };
  const before = openChat([{ call: 'echo', arguments: { secret: 42 } }, 'one', 'two'], memoryJournal(stored));
  await before.chat.send('first');
  await before.chat.send('second');
  await before.chat.send('/context evict 2');
  await before.chat.send('/context pin 0');
  const { chat, engine } = openChat(['three'], memoryJournal(stored));
  await chat.open();
  const shown = chat.snapshot.stack?.decisions.map(({ state, pinned, by }) => [state, pinned, by]);
  assert.deepEqual(shown?.[0], ['kept', true, 'append']);
  assert.deepEqual(shown?.[2], ['stubbed', false, 'user']);
  await chat.send('third');
  const sent = engine.prompts.at(-1)?.messages ?? [];
  assert.ok(!sent.some(({ role, segments }) => role === 'tool' && segments.length > 1));
});

test('a turn reports which agent, policy and switches were in force, and the counts so far', async () => {
  const reports: Parameters<ReturnType<typeof memoryJournal>['addReport']>[1][] = [];
  const journal = {
    ...memoryJournal({ items: [], sessions: [] }),
    addReport: (_: string, report: (typeof reports)[number]) => void reports.push(report),
  };
  const { chat, engine, settings } = openChat(['one', 'two'], journal);
  await chat.send('first');
  settings.agent = {
    ...settings.agent,
    name: 'cold',
    switches: { ...settings.agent.switches, promptCache: false },
    policy: { ...settings.agent.policy, trimTarget: 0.6 },
  };
  engine.log.length = 0;
  await chat.send('second');
  assert.deepEqual(
    reports.map(({ inForce }) => [inForce.agent, inForce.policy.trimTarget, inForce.switches.promptCache]),
    [
      ['default', 0.75, true],
      ['cold', 0.6, false],
    ],
  );
  assert.ok(!engine.log.includes('warm'), 'without the prompt cache nothing is warmed');
  const { warmed, reason } = chat.snapshot.warm ?? assert.fail();
  assert.deepEqual([warmed, reason], [0, 'tidemark.promptCache.enabled is off']);
  assert.equal(reports[1]?.mechanisms?.promptCache.calls, 2);
});

test('Stop while the workspace is read ends the turn, also where a mention would never answer', async () => {
  const { chat, ports } = openChat(['hello']);
  const read = gate();
  let asked = 0;
  const never = () => {
    asked += 1;
    return new Promise<never>(() => undefined);
  };
  Object.assign(ports, { mentions: { ...ports.mentions, resolve: never } });
  ports.workspaceContext.bundle = async () => {
    await read.closed;
    return emptyBundle;
  };
  const sent = chat.send('look at @file:src/a.ts');
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(chat.snapshot.running, true);
  chat.cancel();
  await sent;
  assert.equal(chat.snapshot.running, false);
  read.open();
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(asked, 0);
});

// A chat's turns: both graphs, each slot made ready, the workspace texts of the session, what is brought back, and races.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { split } from '../../../src/core/agent/graph.ts';
import type { WarmParams } from '../../../src/core/engine/prefill.ts';
import { type Bundle, emptyBundle } from '../../../src/core/prompt/bundle.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { memoryStorage } from '../scenes/memory.ts';
import { openScene, type Scene } from '../scenes/scene.ts';
import { gate, soon, tick } from '../scenes/waiting.ts';

/** Every prompt that was warmed, with its slot. */
function watchWarmth({ engine }: Scene): readonly WarmParams[] {
  const warmed: WarmParams[] = [];
  engine.answer('warm', (params, usual) => {
    warmed.push(params);
    return usual();
  });
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
  const scene = openScene([{ call: 'echo', arguments: { a: 1 } }, 'answer', 'It is there.']);
  const warmed = watchWarmth(scene);
  scene.engine.info = { ...scene.engine.info, slots: 2 };
  scene.agent({ graph: split });
  await scene.say('where?');
  assert.deepEqual(scene.kinds(), ['user', 'step', 'answer']);
  assert.deepEqual(
    scene.shown().calls.map(({ node }) => node),
    ['decide', 'decide', 'answer'],
  );
  assert.deepEqual(
    warmed.slice(-2).map(({ slot }) => slot),
    [0, 1],
  );
  assert.equal(scene.shown().stack?.node, 'answer', 'what is shown is the prompt that answers');
  const [decide, answer] = warmed.slice(-2).map(({ prompt }) => prompt);
  assert.equal(decide?.tools.length, 1);
  assert.equal(answer?.tools.length, 0);
  assert.ok(!decide?.messages.some(({ role }) => role === 'tool'), 'calls of earlier turns are kept from who decides');
  assert.ok(answer?.messages.some(({ role }) => role === 'tool'));
});

test('each slot lets go of its own, and what is warmed is what the next message extends', async () => {
  const scene = openScene(Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? 'answer' : long(`Answer ${i}.`))));
  const warmed = watchWarmth(scene);
  scene.agent({ graph: split });
  for (let turn = 0; turn < 12; turn++) {
    const before = warmed.slice(-2);
    await scene.say(`Question ${turn}?`);
    if (before.length < 2) continue;
    for (const [i, prompt] of scene.prompts.slice(-2).entries()) {
      const warm = before[i]?.prompt.messages ?? [];
      assert.deepEqual(prompt.messages.slice(0, warm.length - 1), warm.slice(0, -1), `turn ${turn}, slot ${i}`);
    }
  }
  assert.ok(scene.shown().stack?.decisions.some(({ state }) => state === 'trimmed'));
});

test('the workspace texts stay those of the session’s start until turns are dropped; then all slots get the new ones', async () => {
  const scene = openScene(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'answer' : long(`Answer ${i}.`))));
  const warmed = watchWarmth(scene);
  scene.agent({ graph: split });
  scene.editor.bundles.push(bundle('old words'));
  await scene.say(long('first'));
  scene.editor.bundles.push(bundle('new words'));
  scene.filesChanged();
  assert.equal(scene.shown().stale, true);
  for (let turn = 0; turn < 16 && scene.shown().stale; turn++) {
    for (const { prompt } of warmed.slice(-2)) assert.match(head(prompt), /old words/);
    await scene.say(long(`Question ${turn}?`));
  }
  assert.equal(scene.shown().stale, false);
  for (const { prompt } of warmed.slice(-2)) assert.match(head(prompt), /new words/);
});

test('a workspace that changes again during the turn that renews it is still stale afterwards', async () => {
  const scene = openScene(Array.from({ length: 20 }, (_, i) => long(`Answer ${i}.`)));
  // No trim is made early, so all renewals happen in turns.
  scene.settings.reuse = 'none';
  scene.editor.bundles.push(bundle('words 0'));
  await scene.say(long('first'));
  let renewals = 0;
  for (let turn = 1; turn < 16; turn++) {
    scene.editor.bundles.push(bundle(`words ${turn}`));
    const stopListening = scene.hear((delta) => {
      if (delta.type !== 'text') return;
      stopListening.dispose();
      // Somebody looks at the report while the answer runs, after yet another change.
      scene.editor.bundles.push(bundle(`words ${turn}, later`));
      void scene.command('/context export json');
    });
    const before = head(scene.prompt());
    await scene.say(long(`Question ${turn}?`));
    if (head(scene.prompt()) !== before) renewals += 1;
    assert.equal(scene.shown().stale, true, `turn ${turn}`);
  }
  assert.ok(renewals > 0);
});

test('a share of 0 takes the workspace texts out of the next prompt of a running session', async () => {
  const scene = openScene(['one', 'two']);
  scene.editor.bundles.push(bundle('workspace words'));
  await scene.say('first');
  assert.match(head(scene.prompt()), /workspace words/);
  scene.agent({ policy: { workspaceMaxShare: 0 } });
  await scene.say('second');
  assert.doesNotMatch(head(scene.prompt()), /workspace words/);
  assert.equal(scene.shown().stale, false);
});

test('an agent’s words, tools and graph take effect with the next request of the same session', async () => {
  const scene = openScene(['one', 'answer', 'two']);
  await scene.say('first');
  assert.equal(scene.prompt()?.tools.length, 1);
  scene.agent({ instructions: 'Speak like a pirate.' });
  await scene.say('second');
  assert.match(head(scene.prompt()), /Speak like a pirate\.$/);
  scene.agent({ tools: [], instructions: '' });
  await scene.say('third');
  assert.doesNotMatch(head(scene.prompt()), /pirate/);
  assert.equal(scene.prompt()?.tools.length, 0);
});

test('what is looked up for a message stands with it, and shows collapsed in the conversation', async () => {
  const scene = openScene(['one']);
  scene.agent({ retrieval: defaultRetrieval });
  await scene.say('where is `known`?');
  assert.deepEqual(scene.kinds(), ['user', 'info', 'answer']);
  const user = scene.prompt()?.messages.at(-1);
  assert.match(
    user?.segments.map(({ text }) => text).join('') ?? '',
    /^Found: src\/a\.ts:1-1\nknown\n\nDate: 1970-01-01\.\n\nwhere is `known`\?$/,
  );
});

test('what is brought back goes with a turn that fails too, and is not sent twice', async () => {
  const scene = openScene([{ call: 'echo', arguments: { a: 1 } }, 'one', { crash: 'The' }, 'two']);
  await scene.say('first');
  await scene.say('/context evict 2');
  await scene.say('/context restore 2');
  await scene.say('second');
  await scene.model.crash();
  await scene.say('Continue.');
  assert.equal(scene.sent().split('Restored').length, 2);
});

test('what is brought back waits for a message whose turn did not begin', async () => {
  const scene = openScene([{ call: 'echo', arguments: { a: 1 } }, 'one', 'two']);
  await scene.say('first');
  await scene.say('/context evict 2');
  await scene.say('/context restore 2');
  const load = scene.engine.hold('load');
  const restarted = scene.model.restart();
  const sent = scene.say('second');
  scene.stop();
  await sent;
  load();
  await restarted;
  await scene.say('second');
  assert.match(scene.sent(), /Restored/);
});

for (const end of ['Stop', 'New Session'] as const) {
  test(`${end} while the workspace is read gives the words back, and the session stays as it was`, async () => {
    const scene = openScene(['one']);
    await scene.ready();
    const { closed, open: read } = gate();
    const { bundle: readBundle } = scene.editor;
    scene.editor.bundle = (...asked) => closed.then(() => readBundle(...asked));
    const sent = scene.say('a question');
    await tick();
    if (end === 'Stop') scene.stop();
    else scene.newConversation();
    read();
    await sent;
    assert.deepEqual(scene.stored.items, []);
    assert.deepEqual(scene.shown().entries, []);
    assert.equal(scene.shown().draft.text, 'a question');
    assert.equal(scene.shown().running, false);
    assert.ok(!scene.engine.asked.includes('generate'));
  });
}

test('pins before an edited message hold, and the branch that was left takes its own with it', async () => {
  const scene = openScene(['one', 'two', 'three']);
  await scene.say('first');
  await scene.say('second');
  await scene.say('/context pin 0');
  await scene.say('/context pin 2');
  await scene.edit(scene.message(-1), 'another');
  assert.deepEqual(
    scene.shown().stack?.decisions.map(({ label, pinned }) => [label, pinned]),
    [
      ['You: first', true],
      ['Answer: one', false],
      ['You: another', false],
      ['Answer: three', false],
    ],
  );
});

test('a session comes back with its marks: what was evicted is out of its first prompt', async () => {
  const memory = memoryStorage();
  const before = openScene([{ call: 'echo', arguments: { secret: 42 } }, 'one', 'two'], { memory });
  await before.say('first');
  await before.say('second');
  await before.say('/context evict 2');
  await before.say('/context pin 0');
  const scene = openScene(['three'], { memory });
  await scene.ready();
  const shown = scene.shown().stack?.decisions.map(({ state, pinned, by }) => [state, pinned, by]);
  assert.deepEqual(shown?.[0], ['kept', true, 'append']);
  assert.deepEqual(shown?.[2], ['stubbed', false, 'user']);
  await scene.say('third');
  const sent = scene.prompt()?.messages ?? [];
  assert.ok(!sent.some(({ role, segments }) => role === 'tool' && segments.length > 1));
});

test('a turn reports which agent, policy and switches were in force, and the counts so far', async () => {
  const scene = openScene(['one', 'two']);
  await scene.say('first');
  scene.agent({ name: 'cold', switches: { promptCache: false }, policy: { trimTarget: 0.6 } });
  scene.engine.asked.length = 0;
  await scene.say('second');
  const { reports = [] } = scene.stored;
  assert.deepEqual(
    reports.map(({ inForce }) => [inForce.agent, inForce.policy.trimTarget, inForce.switches.promptCache]),
    [
      ['default', 0.75, true],
      ['cold', 0.6, false],
    ],
  );
  assert.ok(!scene.engine.asked.includes('warm'), 'without the prompt cache nothing is warmed');
  const { warmed, reason } = scene.shown().warm ?? assert.fail();
  assert.deepEqual([warmed, reason], [0, 'tidemark.advanced.promptCache is off']);
  assert.equal(reports[1]?.mechanisms?.promptCache.calls, 2);
});

test('Stop while the workspace is read ends the turn, also where a mention would never answer', async () => {
  const scene = openScene(['hello']);
  const read = gate();
  let asked = 0;
  scene.editor.resolve = () => {
    asked += 1;
    return new Promise(() => undefined);
  };
  scene.editor.bundle = () => read.closed.then(() => emptyBundle);
  const sent = scene.say('look at @file:src/a.ts');
  await soon(10);
  assert.equal(scene.shown().running, true);
  scene.stop();
  await sent;
  assert.equal(scene.shown().running, false);
  read.open();
  await soon(10);
  assert.equal(asked, 0);
});

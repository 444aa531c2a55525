// If the context window were another one: the prompt is that of a chat which was held there, and nothing of this one changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CacheReuse } from '../../../src/core/model/model.ts';
import type { StackReport } from '../../../src/core/report/report.ts';
import { cases } from '../../cases.ts';
import { freeze } from '../../core/scenes/freeze.ts';
import { openScene } from '../scenes/scene.ts';
import { modelInfo, type Say } from '../scenes/scriptedModel.ts';

interface Talk {
  /** Characters of each message, and of each result that its answer looks up. */
  readonly turns: readonly { readonly text: number; readonly results: readonly number[] }[];
  readonly compacting: boolean;
  readonly reuse: CacheReuse;
  readonly erases: boolean;
}

const seed = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const words = (length: number, name: string) =>
  `${name} ${'tide and gauge '.repeat(Math.ceil(length / 15))}`.slice(0, length);

/** A chat of this talk in such a window, with the idle work behind its last turn done. */
async function talkIn({ turns, compacting, reuse, erases }: Talk, window: number) {
  const script: Say[] = turns.flatMap(({ text, results }, n) => [
    ...results.map((length, i) => ({ call: 'echo', arguments: { text: words(length, `${n} ${i}`) } })),
    `answer ${n} ${words(text / 2, 'about it')}`,
  ]);
  const scene = openScene(script);
  // The simulated model counts the ids of calls: they are of one length, however many there were before.
  let ids = 10_000;
  scene.editor.newId = () => `id${++ids}`;
  scene.engine.info = { ...modelInfo, contextSize: window, trainContext: 65_536, ...(erases ? { erases: true } : {}) };
  scene.agent({ switches: { compaction: compacting ? 'on' : 'off' } });
  scene.settings.reuse = reuse;
  for (const [n, { text }] of turns.entries()) await scene.say(words(text, `question ${n}`));
  return scene;
}

/** Compacts take ids of the same count as items. */
const withoutIds = (stack: StackReport) => ({
  ...stack,
  decisions: stack.decisions.map((decision) => ({ ...decision, item: null })),
});

const someTurns = (n: number): Talk['turns'] =>
  Array.from({ length: n }, (_, i) => ({ text: 900 + 100 * i, results: i % 2 === 0 ? [1500] : [] }));
const plainTalk: Talk = { turns: someTurns(8), compacting: false, reuse: 'auto', erases: false };

const talks = fc.record({
  turns: fc.array(
    fc.record({
      text: fc.integer({ min: 20, max: 2500 }),
      results: fc.array(fc.integer({ min: 10, max: 6000 }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  compacting: fc.boolean(),
  reuse: fc.constantFrom<CacheReuse>('auto', 'exact', 'shift'),
  erases: fc.boolean(),
});
const windows = fc.constantFrom(2048, 3000, 4096, 8192, 20_000);

test('what if the window were the present one is the present prompt', async () => {
  await fc.assert(
    fc.asyncProperty(talks, windows, async (conversation, window) => {
      const scene = await talkIn(conversation, window);
      const { stack, now, changes, unanswered } = await scene.inspector.whatIf(window);
      if (unanswered > 0 || scene.kinds().includes('fault')) return;
      assert.deepEqual(stack, now);
      assert.deepEqual(changes, []);
    }),
    // To find a smaller example takes minutes, and the first one tells as much.
    { numRuns: cases(60), seed, endOnFailure: true },
  );
});

test('the prompt in another window is that of the same conversation held there', async () => {
  let [compared, crossed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(talks, windows, windows, async (conversation, here, there) => {
      const [one, other] = [await talkIn(conversation, here), await talkIn(conversation, there)];
      // A turn without an answer makes the two conversations differ.
      const failed = [one, other].some(({ kinds }) => kinds().includes('fault'));
      if (failed) return;
      compared += 1;
      // The prompt that is shown behind a compaction is its own, and the next one has what joins with it.
      const { now } = await other.inspector.whatIf(there);
      const { stack, crossings } = await one.inspector.whatIf(there);
      if (crossings > 0) crossed += 1;
      assert.deepEqual(withoutIds(stack), withoutIds(now));
    }),
    // To find a smaller example takes minutes, and the first one tells as much.
    { numRuns: cases(60), seed, endOnFailure: true },
  );
  assert.ok(
    crossed > 0 && crossed > compared / 6,
    `${compared} were compared, of which ${crossed} let go of something`,
  );
});

test('nothing of the session changes, and the engine is asked to count only', async () => {
  const scene = await talkIn(plainTalk, 8192);
  const { marks, compactions, bundle, digest } = scene.state();
  for (const part of [scene.state(), marks, compactions, bundle, digest]) freeze(part);
  const conversation = () => JSON.stringify([scene.id(), scene.state()]);
  const counts = async () => scene.command('/context metrics')?.then(scene.document);
  const [before, counted] = [conversation(), await counts()];
  const view = scene.shown();
  scene.engine.asked.length = 0;
  const { crossings } = await scene.inspector.whatIf(2048);
  assert.ok(crossings > 0);
  assert.equal(conversation(), before);
  assert.equal(scene.shown(), view);
  assert.deepEqual([...new Set(scene.engine.asked)], ['measure']);
  assert.equal(await counts(), counted);
});

test('what would become of items is told in runs, with the rule and why', async () => {
  const { inspector } = await talkIn(plainTalk, 20_000);
  const { changes, stack, now } = await inspector.whatIf(2048);
  const [first] = changes;
  assert.deepEqual([first?.from, first?.now, first?.would, first?.by], [0, 'kept', 'trimmed', 'dropTurns']);
  assert.match(first?.label ?? '', /^\d+ items$/);
  assert.match(first?.why ?? '', /exceeded the limit/);
  assert.ok(stack.total <= stack.budget.high && stack.total < now.total);
});

test('a conversation that was trimmed would be whole in a window that holds it', async () => {
  const scene = await talkIn(plainTalk, 2048);
  assert.ok(scene.shown().stack?.decisions.some(({ state }) => state === 'trimmed'));
  const { stack, crossings, changes } = await scene.inspector.whatIf(32_768);
  assert.equal(crossings, 0);
  assert.ok(stack.decisions.every(({ state }) => state === 'kept' || state === 'pending'));
  assert.ok(changes.every(({ would }) => would === 'kept'));
});

test('a compaction by rules joins recall to the head, and one that would not be takes it away', async () => {
  const compacting = { ...plainTalk, compacting: true };
  const large = await talkIn(compacting, 20_000);
  const smaller = await large.inspector.whatIf(2048);
  assert.ok(smaller.stack.tools.some(({ name }) => name === 'recall'));
  assert.ok(smaller.stack.state.length > 0);
  const small = await talkIn(compacting, 2048);
  const larger = await small.inspector.whatIf(20_000);
  assert.ok(larger.now.tools.some(({ name }) => name === 'recall'));
  assert.ok(!larger.stack.tools.some(({ name }) => name === 'recall'));
});

test('a window that cannot be had is answered in words with numbers', async () => {
  const { inspector, agent } = await talkIn(plainTalk, 8192);
  await assert.rejects(inspector.whatIf(131_072), /trained for 65,536 tokens, so its window cannot be 131,072/);
  await assert.rejects(inspector.whatIf(-1), /smallest window is 512 tokens/);
  agent({ instructions: 'Answer briefly. '.repeat(120) });
  await assert.rejects(
    inspector.whatIf(512),
    /at least \d+ tokens have to stay, \d+ of them system text, tools and workspace, but only 384 fit in a window of 512, with 128 reserved for the reply/,
  );
});

test('changed now, what is out stays out: that is the prompt of the chat after its model was loaded anew', async () => {
  for (const [here, there] of [
    [2048, 20_000],
    [20_000, 2048],
  ] as const) {
    const scene = await talkIn(plainTalk, here);
    const { anew } = await scene.inspector.whatIf(there);
    scene.engine.info = { ...scene.engine.info, contextSize: there };
    await scene.model.restart();
    await scene.ready();
    assert.equal(scene.shown().stack?.budget.window, there);
    assert.equal(anew.tokens, scene.shown().stack?.total);
  }
});

test('a turn that would have been too large alone is counted, and the later ones stand', async () => {
  const turns = [{ text: 4000, results: [] }, ...someTurns(2)];
  const { inspector } = await talkIn({ ...plainTalk, turns }, 8192);
  const { unanswered, stack } = await inspector.whatIf(1024);
  assert.equal(unanswered, 1);
  assert.ok(stack.total <= stack.budget.high);
});

test('a newer question ends an older one', async () => {
  const { inspector } = await talkIn(plainTalk, 8192);
  const older = inspector.whatIf(2048);
  const newer = inspector.whatIf(4096);
  await assert.rejects(older, /Another size was chosen in the meantime/);
  assert.equal((await newer).stack.budget.window, 4096);
});

test('/context whatif tells the same in the chat', async () => {
  const scene = await talkIn(plainTalk, 20_000);
  const said = await scene.ask('/context whatif 2k');
  assert.match(said, /^Simulated from the first message with that window\./);
  assert.match(said, /\| limit \| 19,744 \| 1,792 \|/);
  assert.match(said, /\| 0–\d+ \| \d+ items \| included \| trimmed \| dropTurns \|/);
  assert.match(await scene.ask('/context whatif 200000'), /trained for 65,536 tokens/);
  assert.match(await scene.ask('/context whatif large'), /needs a window in tokens/);
});

// The cost of the message in the composer, foretold before it is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draft, type Meant } from '../../../src/app/composer/draft.ts';
import { forecastOf } from '../../../src/app/composer/meant.ts';
import { answerIntent } from '../../../src/core/agent/intent.ts';
import { datedText } from '../../../src/core/dialog/day.ts';
import { noPace, type Pace, paced, predicted } from '../../../src/core/kv/pace.ts';
import type { TokenCounter } from '../../../src/core/prompt/counter.ts';
import { emptyView, type ViewState } from '../../../src/protocol/view.ts';
import { openScene } from '../scenes/scene.ts';
import { gate, soon, until } from '../scenes/waiting.ts';

const words: TokenCounter = {
  count: async (texts) => ({ tokens: texts.map((t) => t.split(' ').length), exact: true }),
};
const steady: Pace = { tokens: 100, milliseconds: 200 };

const ahead = async () => ({ beside: [], passages: [] });
const wants = { intent: answerIntent, choices: { commands: [], edits: false } };
const noneFound = { ...wants, found: [], weak: '', goesOn: false, foundTokens: { least: 0, most: 0 }, ahead };

/** Words mean themselves, and a command nothing. */
const plainly = async (text: string): Promise<Meant> =>
  text.startsWith('/') ? null : { text, said: text, mentions: [], restored: [], ...noneFound };

/** A view whose next prompt has 1,000 tokens, 900 of them warm, below a high water of 2,000. */
async function opened(values: Partial<ViewState> = {}, pace = steady, counter = words, mean = plainly) {
  const scene = openScene(['hello']);
  await scene.say('hi');
  const { stack } = scene.shown();
  assert.ok(stack !== null);
  const warm = { warmed: 900, of: 990, decoded: 0, milliseconds: 0, approximate: 0, savedMilliseconds: 0, reason: '' };
  const view = {
    snapshot: {
      ...emptyView,
      engine: { ...emptyView.engine, state: 'ready' as const },
      stack: { ...stack, total: 1000, budget: { ...stack.budget, high: 2000 } },
      warm,
      ...values,
    },
    set(next: Partial<ViewState>) {
      view.snapshot = { ...view.snapshot, ...next };
    },
  };
  const forecast = async (meant: NonNullable<Meant>) =>
    view.snapshot.engine.state === 'ready' ? forecastOf(meant, view.snapshot, counter, pace) : null;
  return { view, draft: new Draft(view, mean, forecast) };
}

test('on a server whose tokens are estimated it is about so much; before any model is there it is nothing', async () => {
  const { stack } = (await opened()).view.snapshot;
  assert.ok(stack !== null);
  const guessed = await opened({ stack: { ...stack, exact: false, margin: 50 } });
  await guessed.draft.written('four words of mine');
  assert.deepEqual([guessed.view.snapshot.forecast?.tokens, guessed.view.snapshot.forecast?.exact], [104, false]);
  const early = await opened({ stack: { ...stack, exact: false } });
  await early.draft.written('four words of mine');
  assert.equal(early.view.snapshot.forecast, null);
});

test('it costs what is not warm and its own words, at the pace measured so far', async () => {
  const { view, draft } = await opened();
  await draft.written('four words of mine');
  assert.deepEqual(view.snapshot.forecast, {
    tokens: 104,
    own: 4,
    most: 4,
    later: 0,
    milliseconds: 208,
    fits: 'enough',
    exact: true,
  });
  view.set({ warm: null });
  await draft.again();
  assert.equal(view.snapshot.forecast?.tokens, 1004);
  // Another mode's prompt is being prefilled.
  view.set({ warming: { done: 300, of: 1200 } });
  await draft.again();
  assert.equal(view.snapshot.forecast?.tokens, 904);
});

test('what the calls behind the first decode is said apart, by the turns before that ended well', async () => {
  const turn = (later: number, end: 'done' | 'failed' = 'done') => {
    const counts = { prompt: 900, reused: 0, shifted: 0, decoded: later + 10, later, firstTokenMilliseconds: 1 };
    return { turn: 1, end, ...counts };
  };
  const laterAfter = async (turns: ViewState['turns']) => {
    const { view, draft } = await opened({ turns });
    await draft.written('four words of mine');
    return view.snapshot.forecast?.later;
  };
  assert.equal(await laterAfter([turn(0)]), 0);
  assert.equal(await laterAfter([turn(300), turn(9000, 'failed'), turn(100)]), 200);
  assert.equal(await laterAfter([turn(9000), ...[100, 200, 300, 400].map((later) => turn(later))]), 250);
});

test('what it mentions counts, and is shown until it is sent', async () => {
  const shown = { word: '@file:a', title: 'a (2 lines)', tokens: 50, exact: true, problem: '', cut: false };
  const { view, draft } = await opened({}, steady, words, async (text) => ({
    text,
    said: text,
    mentions: [shown],
    restored: [],
    ...noneFound,
  }));
  await draft.written('look at @file:a');
  assert.equal(view.snapshot.forecast?.tokens, 100 + 3 + 50);
  assert.deepEqual(view.snapshot.mentions, [shown]);
  draft.take();
  assert.deepEqual(view.snapshot.mentions, []);
});

test('a prompt costs what it stands for, and shows what that mentions', async () => {
  const scene = openScene(['hello']);
  scene.editor.resolve = async () => ({ ok: true, head: 'a.ts', body: 'selected' });
  await scene.say('hi');
  await scene.write('/explain');
  assert.deepEqual(
    scene.shown().mentions.map(({ word, title }) => [word, title]),
    [['@selection', 'a.ts']],
  );
  assert.ok((scene.shown().forecast?.tokens ?? 0) > 20);
  await scene.write('/context');
  assert.deepEqual([scene.shown().mentions, scene.shown().forecast], [[], null]);
});

test('a mention has the tokens that it takes in the prompt then', async () => {
  const scene = openScene(['hello', 'there']);
  scene.editor.resolve = async () => ({ ok: true, head: 'a.ts (100 lines)', body: 'text '.repeat(20) });
  await scene.say('hi');
  await scene.write('what is @file:a.ts');
  const [shown] = scene.shown().mentions;
  await scene.say('what is @file:a.ts');
  const at = scene.said().findIndex(({ origin }) => origin === 'attachment');
  const decision = scene.shown().stack?.decisions.find(({ from, to }) => from <= at && at < to);
  assert.equal(shown?.tokens, decision?.after);
});

test('what the user has restored comes back with it, so it counts', async () => {
  const scene = openScene(['hello', 'there']);
  scene.editor.resolve = async () => ({ ok: true, head: 'a.ts (10 lines)', body: 'text '.repeat(200) });
  await scene.say('what is @file:a.ts');
  const at = scene.said().findIndex(({ origin }) => origin === 'attachment');
  await scene.say(`/context evict ${at}`);
  await scene.write('and now?');
  const before = scene.shown().forecast?.own ?? 0;
  await scene.say(`/context restore ${at}`);
  await scene.write('and now?');
  const restored = (scene.shown().forecast?.own ?? 0) - before;
  await scene.say('and now?');
  const back = scene.said().findLastIndex(({ origin }) => origin === 'attachment');
  const decision = scene.shown().stack?.decisions.find(({ from, to }) => from <= back && back < to);
  // The test's measure rounds each segment up.
  assert.ok(restored > 200 && Math.abs(restored - (decision?.after ?? 0)) <= 1, `${restored}, ${decision?.after}`);
  await scene.write('and now?');
  assert.equal(scene.shown().forecast?.own, before);
});

test('one that will pass high water says so, and so does one that cannot fit at all', async () => {
  const { view, draft } = await opened();
  await draft.written('word '.repeat(1001).trim());
  assert.equal(view.snapshot.forecast?.fits, 'crossing');
  await draft.written('word '.repeat(2001).trim());
  assert.equal(view.snapshot.forecast?.fits, 'none');
});

test('before anything was measured there is no time', async () => {
  const { view, draft } = await opened({}, noPace);
  await draft.written('word');
  assert.equal(view.snapshot.forecast?.milliseconds, null);
});

test('there is none for nothing, for a command, while an answer runs, and without a model', async () => {
  for (const [text, values] of [
    ['  ', {}],
    ['/context', {}],
    ['word', { running: true }],
    ['word', { stack: null }],
    ['word', { engine: emptyView.engine }],
  ] as const) {
    const { view, draft } = await opened(values);
    await draft.written(text);
    assert.equal(view.snapshot.forecast, null, text);
  }
});

test('it is that of the words that stand there now, whichever count comes first', async () => {
  const waits: (() => void)[] = [];
  const slow: TokenCounter = {
    count: async (texts) => {
      await new Promise<void>((resolve) => waits.push(resolve));
      return { tokens: [texts[0]?.length ?? 0], exact: true };
    },
  };
  const { view, draft } = await opened({}, steady, slow);
  const first = draft.written('a');
  const second = draft.written('a longer one');
  await until(() => waits.length === 2);
  waits[1]?.();
  await second;
  waits[0]?.();
  await first;
  assert.equal(view.snapshot.forecast?.tokens, 100 + 'a longer one'.length);
});

test('a counter that fails costs nothing but the forecast, and a sent message has none', async () => {
  const failing: TokenCounter = { count: () => Promise.reject(new Error('no')) };
  const { view, draft } = await opened({}, steady, failing);
  await draft.written('word');
  assert.equal(view.snapshot.forecast, null);
  const good = await opened();
  await good.draft.written('word');
  good.draft.take();
  assert.equal(good.view.snapshot.forecast, null);
});

test('the pace follows what was measured last, and short stretches do not count', () => {
  assert.equal(predicted(noPace, 10), null);
  const slow = paced(noPace, 1000, 2000);
  assert.equal(predicted(slow, 10), 20);
  assert.equal(paced(slow, 15, 9999), slow);
  const later = Array.from({ length: 20 }).reduce((pace: Pace) => paced(pace, 4096, 4096), slow);
  assert.ok(Math.abs((predicted(later, 100) ?? 0) - 100) < 2);
});

test('the day counts where the message tells it: in the first one of a day, and not in the one behind it', async () => {
  const scene = openScene(['Hello.', 'Again.']);
  await scene.ready();
  await scene.write('four words of mine');
  const first = scene.shown().forecast?.own ?? 0;
  await scene.say('four words of mine');
  const [said] = scene.said();
  assert.ok(said?.origin === 'user' && said.day !== undefined);
  assert.equal(first, Math.ceil(datedText(said).length / 4));
  await scene.write('four words of mine');
  assert.equal(scene.shown().forecast?.own, Math.ceil('four words of mine'.length / 4));
});

test('behind a change of the mode a draft costs what the slot does not hold of the new prompt', async () => {
  const scene = openScene(['hello']);
  await scene.say('hi');
  await scene.write('four words of mine');
  const { tokens: before = 0, own = 0 } = scene.shown().forecast ?? {};
  assert.ok(before > 0);
  const { closed, open } = gate();
  scene.engine.answer('warm', async (_, usual) => {
    await closed;
    return usual();
  });
  const chosen = scene.chooseAgent('edit');
  await soon();
  assert.ok((scene.shown().forecast?.tokens ?? 0) > own, 'nothing is said to be warm that is not');
  open();
  await chosen;
});

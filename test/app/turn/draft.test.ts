// What the message in the composer will cost, before it is sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draft, type Meant } from '../../../src/app/composer/draft.ts';
import { warmView } from '../../../src/app/turn/warmth.ts';
import { datedText } from '../../../src/core/dialog/day.ts';
import type { Warmth } from '../../../src/core/engine/prefill.ts';
import { noPace, type Pace, paced, predicted } from '../../../src/core/kv/pace.ts';
import type { TokenCounter } from '../../../src/core/prompt/counter.ts';
import { emptyView, type ViewState } from '../../../src/protocol/view.ts';
import { openChat } from '../scenes/openChat.ts';

const words: TokenCounter = {
  count: async (texts) => ({ tokens: texts.map((t) => t.split(' ').length), exact: true }),
};
const steady: Pace = { tokens: 100, milliseconds: 200 };

const noneFound = { found: [], weak: '', foundTokens: { least: 0, most: 0 } };

/** Words mean themselves, and a command nothing. */
const plainly = async (text: string): Promise<Meant> =>
  text.startsWith('/') ? null : { text, mentions: [], restored: [], ...noneFound };

/** A view whose next prompt has 1,000 tokens, 900 of them warm, below a high water of 2,000. */
async function opened(values: Partial<ViewState> = {}, pace = steady, counter = words, mean = plainly) {
  const { chat } = openChat(['hello']);
  await chat.send('hi');
  const { stack } = chat.snapshot;
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
  return { view, draft: new Draft(view, counter, () => pace, mean) };
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
    room: 'enough',
    exact: true,
  });
  view.set({ warm: null });
  await draft.again();
  assert.equal(view.snapshot.forecast?.tokens, 1004);
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
  const { chat, ports } = openChat(['hello']);
  ports.mentions = { ...ports.mentions, resolve: async () => ({ ok: true, head: 'a.ts', body: 'selected' }) };
  await chat.send('hi');
  await chat.draft.written('/explain');
  assert.deepEqual(
    chat.snapshot.mentions.map(({ word, title }) => [word, title]),
    [['@selection', 'a.ts']],
  );
  assert.ok((chat.snapshot.forecast?.tokens ?? 0) > 20);
  await chat.draft.written('/context');
  assert.deepEqual([chat.snapshot.mentions, chat.snapshot.forecast], [[], null]);
});

test('a mention has the tokens that it takes in the prompt then', async () => {
  const { chat, ports } = openChat(['hello', 'there']);
  ports.mentions = {
    ...ports.mentions,
    resolve: async () => ({ ok: true, head: 'a.ts (10 lines)', body: 'text '.repeat(20) }),
  };
  await chat.send('hi');
  await chat.draft.written('what is @file:a.ts');
  const [shown] = chat.snapshot.mentions;
  await chat.send('what is @file:a.ts');
  const at = chat.session.state.dialog.path.findIndex(({ origin }) => origin === 'attachment');
  const decision = chat.snapshot.stack?.decisions.find(({ from, to }) => from <= at && at < to);
  assert.equal(shown?.tokens, decision?.after);
});

test('what the user has restored comes back with it, so it counts', async () => {
  const { chat, ports } = openChat(['hello', 'there']);
  ports.mentions = {
    ...ports.mentions,
    resolve: async () => ({ ok: true, head: 'a.ts (10 lines)', body: 'text '.repeat(200) }),
  };
  await chat.send('what is @file:a.ts');
  const at = chat.session.state.dialog.path.findIndex(({ origin }) => origin === 'attachment');
  await chat.send(`/context evict ${at}`);
  await chat.draft.written('and now?');
  const before = chat.snapshot.forecast?.own ?? 0;
  await chat.send(`/context restore ${at}`);
  await chat.draft.written('and now?');
  const restored = (chat.snapshot.forecast?.own ?? 0) - before;
  await chat.send('and now?');
  const back = chat.session.state.dialog.path.findLastIndex(({ origin }) => origin === 'attachment');
  const decision = chat.snapshot.stack?.decisions.find(({ from, to }) => from <= back && back < to);
  // The test's measure rounds each segment up.
  assert.ok(restored > 200 && Math.abs(restored - (decision?.after ?? 0)) <= 1, `${restored}, ${decision?.after}`);
  await chat.draft.written('and now?');
  assert.equal(chat.snapshot.forecast?.own, before);
});

test('one that will pass high water says so, and so does one that cannot fit at all', async () => {
  const { view, draft } = await opened();
  await draft.written('word '.repeat(1001).trim());
  assert.equal(view.snapshot.forecast?.room, 'crossing');
  await draft.written('word '.repeat(2001).trim());
  assert.equal(view.snapshot.forecast?.room, 'none');
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
  while (waits.length < 2) await new Promise((resolve) => setImmediate(resolve));
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

const prefill = {
  reused: 50,
  shifted: 0,
  decoded: 40,
  slotTokens: 60,
  approximate: 0,
  firstBreak: null,
  milliseconds: 80,
};
const warmth: Warmth = { warmed: 90, of: 90, prefill, settled: 0, unsettled: null };

const reasons: readonly (readonly [string, Warmth, 'auto' | 'shift'])[] = [
  ['only your message has to be decoded', warmth, 'auto'],
  ['the whole prompt was already in the cache', { ...warmth, prefill: { ...prefill, decoded: 0 } }, 'auto'],
  ['a message came first', { ...warmth, warmed: 80 }, 'auto'],
  ['30 tokens after removed parts were decoded again, so the cache is exact', { ...warmth, settled: 30 }, 'auto'],
  [
    '70 tokens stay approximate: decoding them again would take about 95 s, more than tidemark.cache.recomputeSeconds',
    { ...warmth, unsettled: 94_500, prefill: { ...prefill, approximate: 70 } },
    'auto',
  ],
  [
    '70 tokens stay approximate: tidemark.cache.reuse is "shift"',
    { ...warmth, prefill: { ...prefill, approximate: 70 } },
    'shift',
  ],
];

for (const [reason, given, reuse] of reasons) {
  test(`a slot is as warm as it is because: ${reason}`, () => {
    const view = warmView(given, reuse, steady);
    assert.equal(view.reason, reason);
    assert.equal(view.savedMilliseconds, given.warmed * 2);
  });
}

test('the day counts where the message tells it: in the first one of a day, and not in the one behind it', async () => {
  const { chat } = openChat(['Hello.', 'Again.']);
  await chat.open();
  await chat.draft.written('four words of mine');
  const first = chat.snapshot.forecast?.own ?? 0;
  await chat.send('four words of mine');
  const [said] = chat.session.state.dialog.path;
  assert.ok(said?.origin === 'user' && said.day !== undefined);
  assert.equal(first, Math.ceil(datedText(said).length / 4));
  await chat.draft.written('four words of mine');
  assert.equal(chat.snapshot.forecast?.own, Math.ceil('four words of mine'.length / 4));
});

// Decisions: each state an item can be in, with the rule and the words that say why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { split } from '../../../src/core/agent/graph.ts';
import { type Dialog, emptyDialog, type Item } from '../../../src/core/dialog/dialog.ts';
import { noMarks } from '../../../src/core/dialog/marks.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { emergency } from '../../../src/core/pruning/emergency.ts';
import { type FitRequest, fitAhead } from '../../../src/core/pruning/fitPrompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { countStates, decide, labelOf, states } from '../../../src/core/report/decisions.ts';
import type { NewItem } from '../../../src/core/turn/turnPorts.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { answered, asked, checkFitted, decisionOn, fitNow, grow, looked, requestFor } from '../scenes/grow.ts';
import { words } from '../scenes/play.ts';

const knowledge: NewItem = {
  origin: 'knowledge',
  role: 'user',
  before: words('known', 200),
  after: '',
  replaces: false,
};
const file: NewItem = { origin: 'attachment', head: 'File:', body: words('file', 200) };
const note: NewItem = { origin: 'note', text: 'Respond now.' };
const calm = { ...defaultPolicy, pruneAt: 1 };
const ample = budgetFor(100_000, calm);

async function fitted(dialog: Dialog, changed: Partial<FitRequest> = {}): Promise<Fitted> {
  const done = await fitNow(requestFor(dialog, { policy: calm, budget: ample, ...changed }));
  checkFitted(done);
  return done;
}

async function says(dialog: Dialog, at: number, changed: Partial<FitRequest> = {}): Promise<readonly string[]> {
  const { layer, state, by, why } = decisionOn(await fitted(dialog, changed), at);
  return [layer, state, by, why];
}

/** A turn of everything: user 0, knowledge 1, attachment 2, call 3, result 4, note 5, answer 6; then the user asks again, 7. */
const twice = grow(emptyDialog, asked('a?'), knowledge, file, ...looked('a', 400), note, answered('b'), asked('c?'));

test('what stands as it is was appended, in the layer it has', async () => {
  const layers = (await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((at) => says(twice, at)))).map(([layer]) => layer);
  assert.deepEqual(layers, [...Array(7).fill('history'), 'turn']);
  const once = grow(emptyDialog, asked('a?'), knowledge, file, ...looked('a', 400), note);
  const now = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => says(once, at)));
  assert.deepEqual(
    now.map(([layer]) => layer),
    ['turn', 'turn', 'turn', 'steps', 'steps', 'directive'],
  );
  for (const [, state, by, why] of now) assert.deepEqual([state, by, why], ['kept', 'append', '']);
});

test('an answer with thoughts says whether they stand in the prompt', async () => {
  const thought = { origin: 'assistant', text: 'b', end: 'done', thoughts: 'Hm.' } as const;
  const why = async (item: NewItem) => (await says(grow(emptyDialog, asked('a?'), item, asked('c?')), 1))[3];
  const generated = { model: 'm', ids: [1] };
  assert.match((await why({ ...thought, generated })) ?? '', /with its thoughts, until its turn goes/);
  assert.match((await why(thought)) ?? '', /without its thoughts/);
});

test('what waits for the next crossing says so', async () => {
  const waits = [
    'history',
    'pending',
    'clearEarlier',
    'stays until room is needed: removing it now would mean decoding what follows again',
  ];
  for (const at of [1, 5]) assert.deepEqual(await says(twice, at), waits);
  assert.deepEqual((await says(twice, 2))[1], 'kept', 'what the user attached does not wait');
  const policy = { ...calm, keepRecentToolResults: 0 };
  assert.deepEqual(await says(twice, 4, { policy }), waits);
  assert.deepEqual((await says(twice, 4))[1], 'kept', 'the latest results stay');
});

test('what was cleared at a crossing says what it was', async () => {
  const policy = { ...calm, keepRecentToolResults: 0 };
  const crossing = { policy, budget: { ...ample, pruneAt: 0 } };
  const cases = [
    [1, 'it was needed only in an earlier turn'],
    [4, 'older tool output was pruned; its first line stays'],
    [5, 'it was needed only in an earlier turn'],
  ] as const;
  for (const [at, why] of cases) {
    assert.deepEqual(await says(twice, at, crossing), ['history', 'stubbed', 'clearEarlier', why]);
  }
});

test('an older attachment that room was needed for says so', async () => {
  const thrice = grow(emptyDialog, asked('a?'), file, answered('b'), asked('c?'), answered('d'), asked('e?'));
  const whole = (await fitted(thrice)).measure.total;
  const budget = { ...ample, high: whole - 1, low: whole - 1 };
  const why = 'an older attachment was pruned; its first line stays';
  assert.deepEqual(await says(thrice, 1, { budget }), ['history', 'stubbed', 'clearAttached', why]);
});

test('what is cleared of the running turn does not pass for something old', async () => {
  const running = grow(emptyDialog, asked('a?'), knowledge, ...looked('a', 400), note, ...looked('b', 400));
  const whole = (await fitted(running)).measure.total;
  const read = { ...ample, high: whole - 1, low: whole - 20 };
  assert.deepEqual(
    [(await says(running, 3, { budget: read })).slice(1), (await says(running, 3, { budget: read }))[0]],
    [['stubbed', 'clearTurn', 'older tool output was pruned; its first line stays'], 'steps'],
  );
  const most = { ...ample, high: whole - 215, low: 10 };
  const unread = 'with it, the message alone would exceed the limit';
  assert.deepEqual(await says(running, 6, { budget: most }), ['steps', 'stubbed', 'clearUnread', unread]);
  assert.deepEqual(await says(running, 4, { budget: most }), [
    'turn',
    'stubbed',
    'clearTurn',
    'it was needed only earlier in this turn',
  ]);
  const least = { ...ample, high: whole - 240, low: 10 };
  assert.deepEqual(await says(running, 1, { budget: least }), ['turn', 'stubbed', 'clearUnread', unread]);
});

test('what alone is too large says so, and still does when it is cleared', async () => {
  const budget = { ...ample, resultCap: 40 };
  const why = 'it exceeded its share of the window';
  const running = grow(emptyDialog, asked('a?'), file, ...looked('a', 400));
  assert.deepEqual(await says(running, 1, { budget }), ['turn', 'capped', 'capResults', why]);
  assert.deepEqual(await says(running, 3, { budget }), ['steps', 'capped', 'capResults', why]);
  const crossing = { policy: { ...calm, keepRecentToolResults: 0 }, budget: { ...budget, pruneAt: 0 } };
  const { state, before, after } = decisionOn(await fitted(twice, crossing), 4);
  assert.deepEqual([state, before, after], ['stubbed', 1 + 101, 1]);
});

test('what went with its turn is one row with the rule that took it', async () => {
  const whole = (await fitted(twice)).measure.total;
  const high = { budget: { ...ample, high: whole - 60, low: 60 } };
  const cases: readonly (readonly [Partial<FitRequest>, string, string])[] = [
    [high, 'dropTurns', 'the prompt exceeded the limit; the oldest turns were trimmed to the target'],
    [
      { policy: { ...calm, messageCap: 3 } },
      'capMessages',
      'the prompt had more messages than allowed; the oldest turns were trimmed',
    ],
    [{ marks: { ...noMarks, evicted: new Set(['n6']) } }, 'user', 'you removed it'],
  ];
  for (const [changed, by, why] of cases) {
    const decision = decisionOn(await fitted(twice, changed), 3);
    assert.deepEqual(
      [decision.from, decision.to, decision.item, decision.label, decision.state, decision.by, decision.why],
      [0, 7, null, '7 earlier items', 'trimmed', by, why],
    );
  }
});

test('what an emergency cut says so, as a run and as a stub', async () => {
  const running = grow(emptyDialog, asked('a?'), ...looked('a', 400), ...looked('b', 400));
  const { context, pruned } = await fitted(running);
  const cut = await fitted(running, { pruned: emergency(context, pruned), turnStart: false });
  const why = 'the engine reported that the context was full';
  for (const at of [1, 4]) {
    const { by, why: said } = decisionOn(cut, at);
    assert.deepEqual([by, said], ['emergency', why]);
  }
});

test('a node that does not see the records of earlier turns says so', async () => {
  const [node] = split.nodes;
  const why = "this node doesn't see tool calls of earlier turns";
  for (const at of [3, 4, 5]) assert.deepEqual(await says(twice, at, { node }), ['history', 'withheld', 'graph', why]);
  assert.deepEqual((await says(twice, 0, { node }))[1], 'kept');
});

test('the message that is not written yet is no item', async () => {
  const path = twice.path.slice(0, 7);
  const ahead = await fitAhead(requestFor(twice, { path }), async (prompt) => measureOf(prompt));
  assert.deepEqual(
    decide(ahead).map(({ from }) => from),
    [0, 1, 2, 3, 4, 5, 6],
  );
});

test('states are counted by items, and every state there is can come about', async () => {
  const [node] = split.nodes;
  const marks = { ...noMarks, evicted: new Set(['n6']) };
  assert.equal(countStates(decide(await fitted(twice, { marks }))).trimmed, 7);
  const seen = new Set<string>();
  for (const changed of [
    {},
    { node },
    { marks },
    { budget: { ...ample, resultCap: 40 } },
    { policy: { ...calm, knowledge: 'last' } },
    { budget: { ...ample, high: 120, low: 110 }, compactionId: 'fold' },
  ] as const) {
    for (const { state } of decide(await fitted(twice, changed))) seen.add(state);
  }
  assert.deepEqual(
    [...states].filter((state) => !seen.has(state)),
    [],
  );
});

test('a label is one line of at most 60 characters and its kind, whatever the model called', () => {
  const long = 'x\n|`'.repeat(60);
  const place = { id: 'a', parent: null };
  const items: readonly Item[] = [
    { ...place, origin: 'user', text: long },
    { ...place, origin: 'attachment', head: long, body: long },
    { ...place, origin: 'knowledge', role: 'user', before: long, after: long, replaces: false },
    { ...place, origin: 'assistant', text: long, end: 'done' },
    { ...place, origin: 'call', text: long, calls: [{ id: 'c', name: long, arguments: {} }] },
    { ...place, origin: 'result', call: 'c', tool: long, ok: true, head: long, body: long },
    { ...place, origin: 'note', text: long },
  ];
  for (const item of items) {
    const label = labelOf(item);
    assert.match(label, /^[A-Z][a-z]+: x /);
    assert.ok(!label.includes('\n') && label.length <= 75, label);
  }
});

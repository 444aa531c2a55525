// An answer that was cut off goes on from its last token: the same message, in the same turn, behind the same prompt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { harmony } from '../../../src/core/calls/syntax.ts';
import type { AssistantItem } from '../../../src/core/dialog/dialog.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { begunAnswer, cutAnswer } from '../../../src/core/turn/continuing.ts';
import type { TurnState } from '../../../src/core/turn/turnPorts.ts';
import { idsOf } from '../scenes/fakeModel.ts';
import { sayCall, words } from '../scenes/play.ts';
import { type Ended, end, type Scene } from '../scenes/scene.ts';

const cutAfter = (pieces: number): NonNullable<Scene['touch']> => {
  let left = pieces;
  return (use, stop) => {
    if (use === 'piece' && left-- === 0) stop.abort();
  };
};

/** An answer of 200 characters of which 80 were said. */
const cut = (state?: TurnState): Promise<Ended> =>
  end({ said: [words('one', 200)], touch: cutAfter(2), ...(state && { state }) });

const lastOf = ({ outcome }: Ended): AssistantItem => {
  const last = outcome.dialog.path.at(-1);
  assert.ok(last?.origin === 'assistant');
  return last;
};

test('a stopped answer goes on: the former text and ids, then the new ones, in one item in its place', async () => {
  const first = await cut();
  const before = lastOf(first);
  assert.deepEqual([before.text, before.end], [words('one', 200).slice(0, 80), 'cancelled']);
  const rest = words('one', 200).slice(80);
  const ended = await end({ said: [rest], state: first.outcome, continues: true });
  const joined = lastOf(ended);
  assert.deepEqual([joined.text, joined.end, joined.parent], [before.text + rest, 'done', before.parent]);
  assert.deepEqual(joined.generated?.ids, [...(before.generated?.ids ?? []), ...idsOf(rest)]);
  const { path, items, turns } = ended.outcome.dialog;
  assert.deepEqual(
    path.map(({ origin }) => origin),
    ['user', 'assistant'],
  );
  assert.ok(items.includes(before), 'nothing is taken from the dialog');
  assert.deepEqual([turns, ended.outcome.report.turn, ended.outcome.report.end], [1, 1, 'done']);
});

test('the prompt is the one that was answered, and ends within the answer', async () => {
  const first = await cut();
  const ended = await end({ said: ['more'], state: first.outcome, continues: true });
  const [asked] = first.model.prompts;
  const [prompt] = ended.model.prompts;
  assert.ok(asked !== undefined && prompt !== undefined);
  assert.deepEqual(prompt.messages.slice(0, -1), asked.messages);
  assert.equal(prompt.continues, true);
  const before = lastOf(first);
  assert.deepEqual(
    prompt.messages.at(-1)?.segments.map(({ text, generated, item }) => ({ text, generated, item })),
    [{ text: before.text, generated: before.generated, item: before.id }],
  );
  // The text from before does not count as tokens that were generated now.
  assert.deepEqual(
    ended.outcome.report.calls.map(({ generatedTokens }) => generatedTokens),
    [1],
  );
});

test('what is streamed is the whole answer so far, so that it is shown in one place', async () => {
  const first = await cut();
  const ended = await end({ said: [words('two', 100)], state: first.outcome, continues: true });
  const texts = ended.events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  assert.ok(texts.length > 1);
  for (const text of texts) assert.ok(text.startsWith(lastOf(first).text));
});

test('it is continued as often as it is cut off', async () => {
  let now = await cut();
  for (let i = 0; i < 3; i++) {
    const before = lastOf(now);
    now = await end({ said: [words(`part ${i}`, 200)], touch: cutAfter(1), state: now.outcome, continues: true });
    assert.ok(lastOf(now).text.startsWith(before.text) && lastOf(now).text.length > before.text.length);
    assert.equal(lastOf(now).end, 'cancelled');
  }
  assert.equal(now.outcome.dialog.path.length, 2);
});

test('an engine that fails before the first new word leaves the answer as it was', async () => {
  const first = await cut();
  for (const at of ['measure', 'generate'] as const) {
    const touch: NonNullable<Scene['touch']> = (use) => {
      if (use === at) throw new FaultError({ kind: 'engineStopped' });
    };
    const ended = await end({ said: [], touch, state: first.outcome, continues: true });
    assert.deepEqual(ended.outcome.dialog, first.outcome.dialog);
    assert.equal(ended.outcome.report.end, 'failed');
    assert.equal(ended.events.filter(({ type }) => type === 'appended').length, 0);
  }
});

test('an engine that fails behind new words leaves them behind the former ones', async () => {
  const first = await cut();
  let pieces = 0;
  const touch: NonNullable<Scene['touch']> = (use) => {
    if (use === 'piece' && ++pieces === 2) throw new FaultError({ kind: 'engineStopped' });
  };
  const ended = await end({ said: [words('two', 200)], touch, state: first.outcome, continues: true });
  const last = lastOf(ended);
  assert.equal(last.text, lastOf(first).text + words('two', 40));
  assert.deepEqual([last.end, last.generated], ['cancelled', undefined]);
  // Its text alone is enough to go on again.
  const again = await end({ said: [' and on'], state: ended.outcome, continues: true });
  assert.equal(lastOf(again).text, `${last.text} and on`);
});

test('a model that goes on to a tool call makes it: the text in front of the call is the whole one', async () => {
  const first = await cut();
  const ended = await end({ said: [`\n${sayCall('a')}`, 'It is there.'], state: first.outcome, continues: true });
  const [, call, , answer] = ended.outcome.dialog.path;
  assert.ok(call?.origin === 'call' && answer?.origin === 'assistant');
  assert.deepEqual([call.text, answer.text], [lastOf(first).text, 'It is there.']);
});

test('where the window is full, older turns go first; what is begun stays whole, and what cannot fit is said', async () => {
  const window = 512;
  let state: TurnState | undefined;
  for (let i = 0; i < 3; i++) {
    const turn = await end({
      said: [words(`answer ${i}`, 300)],
      window,
      text: words('asked', 200),
      ...(state && { state }),
    });
    state = turn.outcome;
  }
  const first = await end({
    said: [words('long', 600)],
    touch: cutAfter(12),
    window,
    text: words('asked', 200),
    ...(state && { state }),
  });
  const ended = await end({ said: ['done'], window, state: first.outcome, continues: true });
  assert.equal(ended.outcome.report.fault, null);
  assert.equal(lastOf(ended).text, `${lastOf(first).text}done`);
  const { total, budget } = ended.outcome.report;
  assert.ok(total <= budget.high);
  assert.ok((ended.outcome.pruned[0]?.runs.length ?? 0) > 0);
  const long = await end({ said: [words('x', 4000)], window: 2048, policy: { reserve: 1024 }, touch: cutAfter(60) });
  const small = await end({ said: ['never'], window, state: long.outcome, continues: true });
  assert.equal(small.outcome.report.fault?.kind, 'doesNotFit');
  assert.deepEqual(small.outcome.dialog, long.outcome.dialog);
});

test('an answer that ended by itself, in circles, in calls or before its first word is not continued', async () => {
  const done = await end({ said: ['whole'] });
  assert.equal(cutAnswer(done.outcome.dialog.path), null);
  const none = await end({ said: [words('x', 100)], touch: cutAfter(0) });
  assert.equal(cutAnswer(none.outcome.dialog.path), null);
  const item = { origin: 'assistant', id: 'a', parent: null, text: 'again again' } as const;
  assert.equal(cutAnswer([{ ...item, end: 'repeats' }]), null);
  assert.equal(cutAnswer([{ ...item, end: 'length' }])?.id, 'a');
  assert.equal(cutAnswer([{ ...item, end: 'interrupted' }])?.id, 'a');
});

test('what a model thought in a channel of its own is read again from the text that it goes on with', () => {
  const item = { origin: 'assistant', id: 'a', parent: null, end: 'cancelled' } as const;
  for (const said of [
    { text: '(stopped before an answer)', thoughts: 'The user wants' },
    { text: 'It is 7', thoughts: 'Counted.' },
    { text: 'It is 7' },
  ]) {
    const dialog = { items: [{ ...item, ...said }], head: 'a', path: [{ ...item, ...said }], turns: 0 };
    const begun = begunAnswer(dialog, { syntax: harmony });
    const { text, thoughts } = readGeneration(harmony, `${begun?.raw} and`);
    const wanted = said.text.startsWith('(')
      ? { text: '', thoughts: `${said.thoughts} and` }
      : { text: `${said.text} and`, thoughts: said.thoughts };
    assert.deepEqual({ text, thoughts }, wanted);
  }
});

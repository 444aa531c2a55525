// The emergency: the engine says that the context is full although the prompt was measured to fit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Graph, split, unified } from '../../../src/core/agent/graph.ts';
import type { AttachmentItem, Item } from '../../../src/core/dialog/dialog.ts';
import { noMarks } from '../../../src/core/dialog/marks.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { type Prompt, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { emergency, emergencyText } from '../../../src/core/pruning/emergency.ts';
import type { TurnState } from '../../../src/core/turn/turnPorts.ts';
import { cases } from '../../cases.ts';
import { checkFitted, partsOf } from '../scenes/grow.ts';
import { sayCall, setupOf, words } from '../scenes/play.ts';
import { begin, checkEnd, type Ended, end, type Scene } from '../scenes/scene.ts';

const full = new FaultError({ kind: 'doesNotFit', needed: 9000, high: 4095, window: 4096, reserve: 1, pinned: 0 });
const file = { head: 'File a.ts:', body: words('file', 300) };

/** The scene's engine is full at these of its generations, counted from 0. */
function fullAt(...at: readonly number[]): NonNullable<Scene['touch']> {
  let generations = 0;
  return (use) => {
    if (use === 'generate' && at.includes(generations++)) throw full;
  };
}

async function talked(turns: number, graph: Graph = unified): Promise<TurnState> {
  let state = begin;
  for (let n = 0; n < turns; n++) {
    const said = [sayCall(`q${n}`), ...(graph === split ? ['answer'] : []), words(`answer ${n}`, 60)];
    state = (await end({ said, state, graph, text: `question ${n}` })).outcome;
  }
  return state;
}

function check(ended: Ended): void {
  checkEnd(ended);
  for (const event of ended.events) if (event.type === 'called') checkFitted(event.fitted);
}

function fittedOf({ events }: Ended) {
  return events.flatMap((event) => (event.type === 'called' ? [event.fitted] : []));
}

function textOf(prompt: Prompt): string {
  return segmentsOf(prompt)
    .map(({ text }) => text)
    .join('\n');
}

test('of several turns the older half goes, the model is told, and the turn ends as if nothing had been', async () => {
  for (const [turns, left] of [
    [1, 0],
    [2, 1],
    [5, 2],
  ] as const) {
    const state = await talked(turns);
    const ended = await end({ said: ['It is here.'], state, touch: fullAt(0), attachments: [file] });
    check(ended);
    assert.equal(ended.outcome.report.end, 'done');
    assert.equal(ended.outcome.report.calls.length, 1);
    assert.equal(ended.model.prompts.length, 1, 'the prompt that was too long was not generated from');
    const [prompt] = ended.model.prompts;
    assert.ok(prompt !== undefined);
    assert.equal(prompt.messages.filter(({ role }) => role === 'user').length, left + 1);
    assert.ok(textOf(prompt).includes(file.body), 'attachments stay');
    assert.equal(prompt.messages.at(-1)?.segments.at(-1)?.text, `\n\n${emergencyText}`);
    const gone = ended.outcome.report.decisions.filter(({ by }) => by === 'emergency');
    assert.deepEqual(
      gone.map(({ from, to, state: became, why }) => [from, to, became, why]),
      [[0, 4 * (turns - left), 'trimmed', 'the engine reported that the context was full']],
    );
  }
});

test('of a single turn the rounds but the last go, and the last keeps the first lines of its parallel results', async () => {
  const said = [sayCall('a'), sayCall('b'), `I look.\n${sayCall('c')}${sayCall('d')}`, 'It is here.'];
  const ended = await end({ said, touch: fullAt(3), attachments: [file] });
  check(ended);
  assert.equal(ended.outcome.report.end, 'done');
  const prompt = ended.model.prompts.at(-1);
  assert.ok(prompt !== undefined);
  assert.deepEqual(
    prompt.messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool', 'tool'],
  );
  assert.ok(textOf(prompt).includes(file.body));
  assert.deepEqual(
    prompt.messages.slice(-2).map(({ segments }) => segments.map(({ text }) => text)),
    [['search c: found:'], ['search d: found:', `\n\n${emergencyText}`]],
  );
  const [fitted] = fittedOf(ended).slice(-1);
  assert.deepEqual(
    fitted?.pruned.runs.map(({ from, to, by }) => [from, to, by]),
    [[2, 6, 'emergency']],
  );
});

test('what was given beside a message stays when the engine is asked again, in a long conversation and in a first turn', async () => {
  for (const scene of [
    { said: ['It is here.'], state: await talked(3), touch: fullAt(0) },
    { said: [sayCall('a'), sayCall('b'), 'It is here.'], touch: fullAt(2) },
  ]) {
    const ended = await end({ ...scene, attachments: [file] });
    check(ended);
    assert.equal(ended.outcome.report.end, 'done');
    assert.ok(textOf(ended.model.prompts.at(-1) ?? { messages: [], tools: [] }).includes(file.body));
  }
});

test('a second emergency of the same turn widens the hole, and the next turn drops the turn with its hole as one', async () => {
  const said = [sayCall('a'), sayCall('b'), sayCall('c'), sayCall('d'), 'It is here.'];
  const ended = await end({ said, touch: fullAt(2, 5) });
  check(ended);
  const last = fittedOf(ended).at(-1);
  assert.equal(last?.pruned.runs.length, 1);
  assert.equal(ended.turn.filter((item) => item.origin === 'note').length, 2);
  assert.equal(textOf(last?.prompt ?? { messages: [], tools: [] }).split(emergencyText).length, 2, 'said once');
  const next = await end({ said: ['Yes.'], state: ended.outcome, touch: fullAt(0) });
  check(next);
  assert.deepEqual(
    next.outcome.pruned[0]?.runs.map(({ from, to }) => [from, to]),
    [[0, ended.turn.length]],
  );
});

test('the engine is asked again while turns are left; then the turn fails with its numbers', async () => {
  let generations = 0;
  const touch = (use: string) => {
    if (use !== 'generate') return;
    generations += 1;
    throw full;
  };
  const ended = await end({ said: [], state: await talked(4), touch });
  check(ended);
  // Two of the four turns go first, then one, then the last.
  assert.equal(generations, 4);
  assert.deepEqual(ended.outcome.report.fault, full.fault);
  assert.ok(ended.outcome.report.decisions.some(({ by }) => by === 'emergency'));
  const next = await end({ said: ['Yes.'], state: ended.outcome });
  check(next);
  assert.equal(next.outcome.report.end, 'done');
});

test('where nothing can go, and for any other fault, the engine is asked once', async () => {
  for (const error of [full, new FaultError({ kind: 'engineStopped' }), new Error('odd')]) {
    let generations = 0;
    const state = error === full ? begin : await talked(3);
    const touch = (use: string) => {
      if (use === 'generate') generations += 1;
      if (use === 'generate') throw error;
    };
    const ended = await end({ said: [], state, touch, attachments: [file] });
    check(ended);
    assert.equal(generations, 1);
    assert.equal(ended.outcome.report.end, 'failed');
    assert.ok(ended.turn.every(({ origin }) => origin !== 'note'));
  }
});

test('the text of the attempt that failed is not part of the text of the second', async () => {
  let pieces = 0;
  const touch = (use: string) => {
    if (use === 'piece' && ++pieces === 3) throw full;
  };
  const said = [words('lost', 200), words('kept', 90)];
  const ended = await end({ said, state: await talked(2), touch });
  check(ended);
  const shown = ended.events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  assert.equal(shown.at(-1), words('kept', 90));
});

test('a question that was answered in what is gone is asked again', async () => {
  let runs = 0;
  const run = async () => ({ ok: true, head: 'found:', body: `body ${++runs}` });
  const ended = await end({ said: [sayCall('a'), sayCall('b'), sayCall('a'), 'Here.'], run, touch: fullAt(2) });
  check(ended);
  assert.equal(runs, 3);
});

test('a pinned turn goes only after those that are not pinned', async () => {
  const state = await talked(4);
  const pinned = new Set([state.dialog.path[0]?.id ?? '']);
  const ended = await end({ said: ['Yes.'], state, touch: fullAt(0), setup: { marks: { ...noMarks, pinned } } });
  check(ended);
  const [prompt] = ended.model.prompts;
  assert.ok(prompt !== undefined);
  assert.deepEqual(partsOf(prompt, state.dialog.path[0]), ['text']);
  assert.equal(prompt.messages.filter(({ role }) => role === 'user').length, 3);
});

test('a fresh head that entered stays when the engine is full', async () => {
  const { stack } = setupOf(1200);
  const fresh = { ...stack, workspace: [{ name: 'AGENTS.md', text: '# New\nSay moon.', raw: 4, injected: 4 }] };
  let state = begin;
  for (let n = 0; n < 8; n++) {
    state = (await end({ said: [words(`answer ${n}`, 200)], text: words(`q${n}`, 200), state, window: 1200 })).outcome;
  }
  const scene: Scene = { said: ['Yes.'], text: words('now', 1200), state, window: 1200, setup: { fresh } };
  const calm = await end(scene);
  assert.equal(calm.outcome.stack.workspace, fresh.workspace);
  const ended = await end({ ...scene, touch: fullAt(0) });
  check(ended);
  assert.equal(ended.outcome.report.end, 'done');
  assert.equal(ended.outcome.stack.workspace, fresh.workspace);
});

test('each slot of the split graph lets go for itself', async () => {
  const state = await talked(4, split);
  const ended = await end({ said: ['answer', 'Here.'], state, graph: split, touch: fullAt(0) });
  check(ended);
  const [decide, answer] = ended.outcome.pruned;
  assert.equal(decide?.runs[0]?.by, 'emergency');
  assert.deepEqual(answer?.runs, []);
});

test('the same space gives the same, and nothing is written to', async () => {
  const ended = await end({ said: [sayCall('a'), sayCall('b'), 'Here.'], attachments: [file] });
  const { context, pruned } = fittedOf(ended).at(-1) ?? assert.fail();
  assert.deepEqual(emergency(context, pruned), emergency(context, pruned));
});

test('a full engine at any moment, in both graphs, leaves every law as it is', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 3 }),
      fc.array(fc.constantFrom(sayCall('a'), sayCall('b') + sayCall('c'), sayCall('d', 'no_tool'), 'answer', ''), {
        maxLength: 6,
      }),
      fc.constantFrom(unified, split),
      fc.integer({ min: 0, max: 3 }),
      async (at, said, graph, turns) => {
        let state = begin;
        for (let n = 0; n <= turns; n++) {
          const touch = n === turns ? fullAt(...at) : fullAt(...at.slice(0, 1));
          const ended = await end({ said, state, graph, touch, attachments: [file] });
          check(ended);
          keepsWhatWasGiven(ended);
          state = ended.outcome;
        }
      },
    ),
    { numRuns: cases(150) },
  ));

function keepsWhatWasGiven(ended: Ended): void {
  const given = ended.turn.filter((item: Item): item is AttachmentItem => item.origin === 'attachment');
  for (const { prompt } of fittedOf(ended)) {
    for (const item of given) assert.deepEqual(partsOf(prompt, item), ['stub', 'body']);
  }
}

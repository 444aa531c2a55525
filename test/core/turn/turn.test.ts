// Tests the turn loop: whatever happens, a turn ends exactly once, with one report, a closed dialog and no rejection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LookingTool } from '../../../src/core/dialog/tool.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { runTurn } from '../../../src/core/turn/turn.ts';
import type { TurnEvent } from '../../../src/core/turn/turnPorts.ts';
import { cases } from '../../cases.ts';
import { showAll } from '../scenes/acting.ts';
import { createFakeModel } from '../scenes/fakeModel.ts';
import { found, sayCall, searchTool, setupOf, words } from '../scenes/play.ts';
import { begin, checkEnd, end, type Scene } from '../scenes/scene.ts';

const twoRounds = ['I look.\n'.concat(sayCall('a'), sayCall('b')), sayCall('c'), words('It is here.', 200)];

/** How often the model, the tools and the events are touched in a turn that goes well. */
async function touches(): Promise<readonly string[]> {
  const uses: string[] = [];
  await end({ said: twoRounds, touch: (use) => uses.push(use) });
  return uses;
}

test('a turn with tool rounds ends done, with every call answered', async () => {
  const ended = await end({ said: twoRounds });
  checkEnd(ended);
  assert.equal(ended.outcome.report.end, 'done');
  assert.deepEqual(
    ended.turn.map(({ origin }) => origin),
    ['user', 'call', 'result', 'result', 'call', 'result', 'assistant'],
  );
  assert.equal(ended.outcome.report.calls.length, 3);
  assert.equal(ended.outcome.report.turn, 1);
});

test('a turn ends failed when the model throws, at whichever use', async () => {
  const uses = (await touches()).filter((use) => use !== 'tool' && use !== 'event');
  for (let at = 0; at < uses.length; at++) {
    let left = at;
    const ended = await end({
      said: twoRounds,
      touch: (use) => {
        if (use !== 'tool' && use !== 'event' && left-- === 0) throw new FaultError({ kind: 'engineStopped' });
      },
    });
    checkEnd(ended);
    assert.equal(ended.outcome.report.end, 'failed');
    assert.deepEqual(ended.outcome.report.fault, { kind: 'engineStopped' });
  }
});

test('a turn ends failed with the words of an error that is no fault', async () => {
  const touch = (use: string) => {
    if (use === 'generate') throw new TypeError('odd');
  };
  const ended = await end({ said: [], touch });
  checkEnd(ended);
  assert.deepEqual(ended.outcome.report.fault, { kind: 'engineFailed', reason: 'odd' });
});

test('a turn keeps the text that stood when the model failed', async () => {
  let pieces = 0;
  const touch = (use: string) => {
    if (use === 'piece' && ++pieces === 3) throw new FaultError({ kind: 'engineStopped' });
  };
  const { turn } = await end({ said: [words('one', 200)], touch });
  const last = turn.at(-1);
  assert.ok(last?.origin === 'assistant');
  assert.equal(last.text, words('one', 80));
  assert.equal(last.generated, undefined);
});

test('a turn ends once when it is cancelled, at whichever moment', async () => {
  const uses = await touches();
  for (let at = 0; at < uses.length; at++) {
    let left = at;
    const ended = await end({
      said: twoRounds,
      touch: (_, stop) => {
        if (left-- === 0) stop.abort();
      },
    });
    checkEnd(ended);
    assert.equal(ended.outcome.report.fault, null);
    const late = uses.slice(at).every((use) => use === 'event');
    assert.ok(ended.outcome.report.end === 'cancelled' || late, `${uses[at]}, use ${at} of ${uses.length}`);
  }
});

test('a cancelled turn runs no more tools and asks the model no more', async () => {
  let tools = 0;
  const ended = await end({
    said: twoRounds,
    touch: (use, stop) => {
      if (use === 'tool') tools++;
      if (use === 'tool') stop.abort();
    },
  });
  assert.equal(tools, 1);
  assert.equal(ended.outcome.report.calls.length, 1);
});

test('a tool that throws, at once or later, becomes a result the model reads', async () => {
  const runs: readonly LookingTool['run'][] = [
    () => {
      throw new Error('disk\ngone');
    },
    () => Promise.reject('disk gone'),
  ];
  for (const run of runs) {
    const ended = await end({ said: [sayCall('a'), 'so be it'], run });
    checkEnd(ended);
    assert.equal(ended.outcome.report.end, 'done');
    const result = ended.turn.find(({ origin }) => origin === 'result');
    assert.ok(result?.origin === 'result' && !result.ok);
    assert.equal(result.head, 'search failed: disk gone');
  }
});

test('an unknown tool, a call that is no JSON and one without arguments are answered in words', async () => {
  const bad = ['<tool_call>{"name": </tool_call>', '<tool_call>{"name": "search"}</tool_call>'];
  const ended = await end({ said: [sayCall('a', 'delete_all'), ...bad, 'fine'] });
  checkEnd(ended);
  assert.equal(ended.outcome.report.end, 'done');
  assert.deepEqual(
    ended.turn.flatMap((item) => (item.origin === 'result' ? [item.head] : [])),
    [
      'There is no tool "delete_all". Tools: search.',
      'The tool call was not valid JSON: {"name": </tool_call>',
      'The tool call has no "arguments" object.',
    ],
  );
});

test('an unclosed call is still a call, and its token ids are not kept', async () => {
  const ended = await end({ said: ['<tool_call>\n{"name": "search", "arguments": {"q": "a"', 'fine'] });
  checkEnd(ended);
  const call = ended.turn.find(({ origin }) => origin === 'call');
  assert.ok(call?.origin === 'call' && call.generated === undefined);
  assert.match(call.calls[0]?.problem ?? '', /not valid JSON/);
});

test('the directive stands at the end of the last result and calls are off when the rounds are used up', async () => {
  const modes: string[] = [];
  for (const maxToolRounds of [1, 2, 3]) {
    const ended = await end({
      said: [sayCall('a'), sayCall('b'), sayCall('c'), 'never said'].slice(0, maxToolRounds),
      maxToolRounds,
    });
    checkEnd(ended);
    assert.equal(ended.outcome.report.end, 'done');
    assert.equal(ended.outcome.report.calls.length, maxToolRounds + 1);
    const last = ended.model.prompts.at(-1)?.messages.at(-1);
    assert.equal(last?.role, 'tool');
    assert.equal(last?.segments.at(-1)?.layer, 'directive');
    const looked = ['a', 'b', 'c'].slice(0, maxToolRounds).map((mark) => `search ${mark}: found`);
    assert.ok(last?.segments.at(-1)?.text.endsWith(`Already looked up: ${looked.join('; ')}.`));
    modes.push(ended.turn.map(({ origin }) => origin).join(' '));
  }
  assert.equal(modes[0], 'user call result note assistant');
});

test('a round that brings nothing new ends the looking, whatever goes round', async () => {
  const fails = async () => ({ ok: false, head: 'search: not found', body: '' });
  for (const [round, run] of [
    [[sayCall('a')], undefined],
    [[sayCall('a'), sayCall('b')], undefined],
    [[sayCall('a')], fails],
    [[sayCall('a').concat(sayCall('b'))], undefined],
  ] as const) {
    // The model would repeat its calls for ever; once it may not call, it answers.
    const said = [...round, ...round, ...round];
    const ended = await end({
      say: (_, toolCalls) => (toolCalls === 'none' ? 'So.' : (said.shift() ?? 'never said')),
      said: [],
      ...(run === undefined ? {} : { run }),
    });
    checkEnd(ended);
    assert.equal(ended.outcome.report.calls.length, round.length + 2, JSON.stringify(round));
    const last = ended.turn.at(-1);
    assert.ok(last?.origin === 'assistant' && last.text === 'So.');
  }
});

test('the same question is another one once its answer has changed', async () => {
  let count = 0;
  const run = async () => ({ ok: false, head: `search: try ${++count}`, body: '' });
  const ended = await end({ said: [sayCall('a'), sayCall('a'), sayCall('a'), 'So.'], run });
  checkEnd(ended);
  assert.equal(count, 3);
});

test('a turn whose answer has no word in it is a fault, with words', async () => {
  for (const scene of [{ said: [''] }, { said: [sayCall('a'), ' \n'] }, { said: [sayCall('a')], maxToolRounds: 0 }]) {
    const ended = await end(scene);
    checkEnd(ended);
    assert.deepEqual(ended.outcome.report.fault, { kind: 'saidNothing' });
  }
});

test('a model that calls although it may not ends with the text before the call', async () => {
  const ended = await end({ said: [`So far.\n${sayCall('a')}`], maxToolRounds: 0 });
  checkEnd(ended);
  const last = ended.turn.at(-1);
  assert.ok(last?.origin === 'assistant' && last.text === 'So far.' && last.generated === undefined);
});

test('an answer keeps every character and its token ids, with and without tools', async () => {
  for (const answer of ['a < b', 'ends with <', 'ends with <tool', ' spaces ']) {
    for (const scene of [{}, { maxToolRounds: 0 }, { tools: false }]) {
      const ended = await end({ said: [answer], ...scene });
      const last = ended.turn.at(-1);
      assert.ok(last?.origin === 'assistant');
      assert.equal(last.text, answer);
      assert.notEqual(last.generated, undefined);
    }
  }
});

test('an answer that runs into the limit ends as length', async () => {
  const ended = await end({ said: [words('long', 9000)] });
  checkEnd(ended);
  assert.equal(ended.outcome.report.end, 'length');
});

test('a message that can never fit ends failed with the numbers, and the next turn drops it', async () => {
  const ended = await end({ said: [], window: 600, text: words('huge', 4000) });
  checkEnd(ended);
  assert.equal(ended.outcome.report.fault?.kind, 'doesNotFit');
  assert.deepEqual(ended.outcome.report.decisions, []);
  const next = await end({ said: ['fine'], window: 600, state: ended.outcome });
  checkEnd(next);
  assert.equal(next.outcome.report.end, 'done');
  assert.equal(next.outcome.pruned[0]?.runs.at(-1)?.to, 2);
});

test('the items are handed out before the model sees them', async () => {
  const known = new Set<string>();
  const model = createFakeModel((prompt) => {
    for (const { item } of segmentsOf(prompt)) assert.ok(item === null || known.has(item));
    return known.size < 4 ? sayCall('a') : 'done';
  });
  const emit = (event: TurnEvent) => {
    if (event.type === 'appended') known.add(event.item.id);
  };
  const ports = {
    model: () => model,
    tools: [searchTool(async () => found('a', 20))],
    newId: () => `t${known.size}`,
    emit,
    conceal: showAll,
  };
  const outcome = await runTurn(
    begin,
    { text: 'where?', attachments: [] },
    setupOf(4096),
    ports,
    new AbortController().signal,
  );
  assert.equal(outcome.report.fault, null);
});

test('any mix of what a model may say ends the turn once', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.constantFrom(
            sayCall('a'),
            sayCall('b') + sayCall('c'),
            sayCall('x', 'no_tool'),
            '',
            '<tool_call>',
            '</tool_call>',
          ),
          fc.string({ maxLength: 60 }),
          fc.string({ maxLength: 20 }).map((text) => `${text}<tool_call>${text}</tool_call>${text}`),
        ),
        { maxLength: 8 },
      ),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 40 }),
      fc.boolean(),
      async (said, maxToolRounds, at, throws) => {
        let left = at;
        const touch: Scene['touch'] = (use, stop) => {
          if (left-- !== 0) return;
          if (!throws || use === 'event' || use === 'tool') stop.abort();
          else throw new FaultError({ kind: 'engineStopped' });
        };
        checkEnd(await end({ said, maxToolRounds, touch }));
      },
    ),
    { numRuns: cases(300) },
  ));

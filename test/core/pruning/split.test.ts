// The graphs: who is asked what in a turn, and how a turn of either graph ends whatever the model, the tools and the user do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compose } from '../../../src/core/agent/compose.ts';
import { answering, type Graph, graphs, split, unified } from '../../../src/core/agent/graph.ts';
import type { LookingTool } from '../../../src/core/dialog/tool.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { decline } from '../../../src/core/model/model.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { pruneStateOn } from '../../../src/core/pruning/pruneState.ts';
import { runTurn } from '../../../src/core/turn/turn.ts';
import { cases } from '../../cases.ts';
import { showAll } from '../scenes/acting.ts';
import { createFakeModel } from '../scenes/fakeModel.ts';
import { checkFitted } from '../scenes/grow.ts';
import { found, sayCall, searchTool, setupOf, words } from '../scenes/play.ts';
import { begin, checkEnd, type Ended, end, type Scene } from '../scenes/scene.ts';

const both = [graphs.unified, graphs.split];
const composed = [compose([{ do: 'decide' }, { do: 'act' }]).graph, compose([{ do: 'answer' }]).graph];

/** Two rounds and an answer, as each graph's models say it. */
function goesWell(graph: Graph): readonly string[] {
  const rounds = ['I look.\n'.concat(sayCall('a'), sayCall('b')), sayCall('c')];
  return [...rounds, ...(graph === split ? [decline] : []), words('It is here.', 200)];
}

function check(ended: Ended): void {
  checkEnd(ended);
  for (const event of ended.events) if (event.type === 'called') checkFitted(event.fitted);
}

function nodesOf({ outcome }: Ended): readonly string[] {
  return outcome.report.calls.map(({ node }) => node);
}

test('the deciding node is asked until it declines; then the other one answers', async () => {
  const ended = await end({ said: goesWell(split), graph: split });
  check(ended);
  assert.deepEqual(nodesOf(ended), ['decide', 'decide', 'decide', 'answer']);
  assert.equal(ended.outcome.report.node, 'answer');
  assert.equal(ended.outcome.report.end, 'done');
  assert.deepEqual(
    ended.turn.map(({ origin }) => origin),
    ['user', 'call', 'result', 'result', 'call', 'result', 'assistant'],
  );
});

test('what the deciding node says beside its calls is shown to nobody', async () => {
  const said = ['I think I am done.', words('It is here.', 90)];
  const ended = await end({ said, graph: split });
  check(ended);
  const shown = ended.events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  assert.ok(shown.every((text) => words('It is here.', 90).startsWith(text)));
  assert.ok(ended.turn.every((item) => item.origin !== 'assistant' || item.text === words('It is here.', 90)));
});

test('without tools or without a syntax for calls only the answering node is asked', async () => {
  for (const graph of both) {
    for (const scene of [{ tools: false }, { setup: { syntax: null } }, { maxToolRounds: 0 }] as const) {
      const ended = await end({ said: ['Just so.'], graph, ...scene });
      check(ended);
      assert.deepEqual(nodesOf(ended), [answering(graph).name]);
      assert.equal(ended.outcome.report.end, 'done');
    }
  }
});

test('what is let go is listed for every slot, though only the last one was asked', async () => {
  const first = await end({ said: ['Just so.'], graph: split, tools: false });
  assert.deepEqual([...first.outcome.pruned.keys()], [0, 1]);
  for (const pruned of first.outcome.pruned) assert.deepEqual(pruneStateOn(first.outcome.dialog.path, pruned).runs, []);
  const second = await end({ said: ['And so.'], graph: split, tools: false, state: first.outcome });
  check(second);
  const third = await end({ said: ['So.'], graph: unified, state: second.outcome });
  check(third);
  assert.equal(third.outcome.pruned.length, 2, 'the other slot is not forgotten');
});

test('when the rounds are used up the answering node gets the directive and may not call', async () => {
  for (const graph of both) {
    const modes: string[] = [];
    const answers = [sayCall('a'), sayCall('b'), `So far.\n${sayCall('c')}`];
    const say: Scene['say'] = (_, mode) => {
      modes.push(mode);
      return answers.shift() ?? 'nothing more';
    };
    const ended = await end({ said: [], say, graph, maxToolRounds: 2 });
    check(ended);
    assert.equal(modes.at(-1), 'none');
    assert.equal(modes.length, 3);
    const last = ended.turn.at(-1);
    assert.ok(last?.origin === 'assistant' && last.text === 'So far.' && last.generated === undefined);
    const prompt = ended.models.at(-1)?.prompts.at(-1);
    assert.equal(prompt?.messages.at(-1)?.segments.at(-1)?.layer, 'directive');
  }
});

test('the directive names each thing that was looked up once, and ends with one full stop', async () => {
  const run = async (args: Readonly<Record<string, unknown>>) => found(String(args.q), 90);
  const ended = await end({ said: [sayCall('a'), sayCall('a'), 'So.'], run, maxToolRounds: 2 });
  check(ended);
  const note = ended.turn.find((item) => item.origin === 'note');
  assert.match(note?.origin === 'note' ? note.text : '', /Already looked up: search a: found\.$/);
});

test('a tool that fails, is unknown or cannot be read is answered in words in both graphs', async () => {
  const runs: readonly LookingTool['run'][] = [
    () => {
      throw new Error('disk gone');
    },
    () => Promise.reject(new Error('disk gone')),
    async () => ({ ok: false, head: 'No such file.', body: '' }),
  ];
  for (const graph of both) {
    for (const run of runs) {
      const said = [`${sayCall('a')}${sayCall('b', 'no_tool')}<tool_call>{"name": 3}</tool_call>`, decline, 'so be it'];
      const ended = await end({ said: graph === split ? said : said.filter((text) => text !== decline), run, graph });
      check(ended);
      assert.equal(ended.outcome.report.end, 'done');
      assert.ok(ended.turn.every((item) => item.origin !== 'result' || !item.ok));
      assert.equal(ended.turn.filter(({ origin }) => origin === 'result').length, 3);
    }
  }
});

test('a call that cannot be read is told so, though a call without arguments was answered before', async () => {
  const run = async () => found('all', 60);
  const empty = '<tool_call>{"name": "search", "arguments": {}}</tool_call>';
  const said = [empty, '<tool_call>{"name": "search", "arguments": 3}</tool_call>', 'So.'];
  const ended = await end({ said, run });
  check(ended);
  const heads = ended.turn.flatMap((item) => (item.origin === 'result' ? [item.head] : []));
  assert.match(heads[1] ?? '', /no "arguments" object/);
});

test('a turn of either graph ends once when it is cancelled, at whichever moment', async () => {
  for (const graph of both) {
    const uses: string[] = [];
    await end({ said: goesWell(graph), graph, touch: (use) => uses.push(use) });
    for (let at = 0; at < uses.length; at++) {
      let left = at;
      const touch: Scene['touch'] = (_, stop) => {
        if (left-- === 0) stop.abort();
      };
      const ended = await end({ said: goesWell(graph), graph, touch });
      check(ended);
      assert.equal(ended.outcome.report.fault, null);
      const late = uses.slice(at).every((use) => use === 'event');
      assert.ok(ended.outcome.report.end === 'cancelled' || late, `${graph.name}: ${uses[at]}, use ${at}`);
      const next = await end({ said: goesWell(graph), graph, state: ended.outcome });
      check(next);
      assert.equal(next.outcome.report.end, 'done');
    }
  }
});

test('a turn of either graph ends once when the model throws, at whichever use', async () => {
  for (const graph of both) {
    for (let at = 0, thrown = true; thrown; at++) {
      let left = at;
      thrown = false;
      const touch: Scene['touch'] = (use) => {
        if (use === 'tool' || use === 'event' || left-- !== 0) return;
        thrown = true;
        throw new FaultError({ kind: 'engineStopped' });
      };
      const ended = await end({ said: goesWell(graph), graph, touch });
      check(ended);
      assert.equal(ended.outcome.report.end, thrown ? 'failed' : 'done');
    }
  }
});

test('a listener that throws at any event ends the turn once, and the dialog is one that can go on', async () => {
  for (const graph of both) {
    for (let at = 0, thrown = true; thrown; at++) {
      let left = at;
      thrown = false;
      const touch: Scene['touch'] = (use) => {
        if (use !== 'event' || left-- !== 0) return;
        thrown = true;
        throw new Error('listener gone');
      };
      const ended = await end({ said: goesWell(graph), graph, touch });
      assert.equal(ended.outcome.report.end, thrown ? 'failed' : 'done');
      const { turn } = ended;
      assert.equal(turn.at(-1)?.origin, 'assistant', `event ${at}`);
      const asked = turn.flatMap((item) => (item.origin === 'call' ? item.calls.map(({ id }) => id) : []));
      const results = turn.flatMap((item) => (item.origin === 'result' ? [item.call] : []));
      assert.deepEqual(results, asked, `event ${at}`);
    }
  }
});

test('retrieving is over before a model is asked, in both graphs, and a cancel meanwhile ends the turn', async () => {
  for (const graph of both) {
    const knowledge = { origin: 'knowledge', role: 'user', before: 'Known.\n\n', after: '', replaces: false } as const;
    const ended = await end({ said: goesWell(graph), graph, retrieve: async () => ({ knowledge, passages: [] }) });
    check(ended);
    assert.equal(ended.turn[1]?.origin, 'knowledge');
    for (const model of ended.models) {
      for (const prompt of model.prompts) {
        const [first] = segmentsOf(prompt).filter(({ layer }) => layer === 'turn');
        assert.equal(first?.text, knowledge.before);
      }
    }
    const stop = new AbortController();
    const model = createFakeModel(() => 'never');
    const retrieve = async () => {
      stop.abort();
      return { knowledge, passages: [] };
    };
    let ids = 0;
    const ports = {
      model: () => model,
      tools: [],
      conceal: showAll,
      retrieve,
      newId: () => `k${ids++}`,
      emit: () => undefined,
    };
    const message = { text: 'where?', attachments: [] };
    const { report } = await runTurn(begin, message, setupOf(4096, undefined, graph), ports, stop.signal);
    assert.equal(report.end, 'cancelled');
  }
});

test('calls that ask the same again are answered from the first, in both graphs', async () => {
  for (const graph of both) {
    let runs = 0;
    const run = async () => found(String(++runs), 60);
    const said = [sayCall('a'), sayCall('a'), ...(graph === split ? [decline] : []), 'So.'];
    const ended = await end({ said, run, graph });
    check(ended);
    assert.equal(runs, 1);
    assert.ok(
      ended.turn.some((item) => item.origin === 'result' && item.head === 'Already answered above: search 1: found.'),
    );
  }
});

test('a turn is the same function of what it is given: twice the same outcome', async () => {
  for (const graph of both) {
    const outcomes = [0, 1].map(async () => {
      let ids = 0;
      const said = [...goesWell(graph)];
      const models = graph.nodes.map(() => createFakeModel(() => said.shift() ?? ''));
      const ports = {
        model: (slot: number) => models[slot] ?? assert.fail(),
        tools: [searchTool(async () => found('x', 50))],
        newId: () => `s${ids++}`,
        emit: () => undefined,
        conceal: showAll,
      };
      const message = { text: 'where?', attachments: [] };
      return runTurn(begin, message, setupOf(4096, undefined, graph), ports, new AbortController().signal);
    });
    const [one, two] = await Promise.all(outcomes);
    assert.deepEqual(one, two);
  }
});

test('any mix of words, calls, faults and cancels ends a turn of any graph once', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...both, ...composed),
      fc.array(
        fc.oneof(
          fc.constantFrom(
            sayCall('a'),
            sayCall('a') + sayCall('b'),
            sayCall('x', 'no_tool'),
            decline,
            '',
            '<tool_call>',
          ),
          fc.string({ maxLength: 40 }),
        ),
        { maxLength: 8 },
      ),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom('stop', 'fault', 'full'),
      fc.constantFrom(700, 4096),
      async (graph, said, maxToolRounds, at, how, window) => {
        let left = at;
        const full = { kind: 'doesNotFit', needed: 9, high: 8, window: 8, reserve: 0, pinned: 0 } as const;
        const touch: Scene['touch'] = (use, stop) => {
          if (left-- !== 0) return;
          if (how === 'stop' || use === 'event' || use === 'tool') stop.abort();
          else throw new FaultError(how === 'full' ? full : { kind: 'engineStopped' });
        };
        const ended = await end({ said, graph, maxToolRounds, touch, window });
        check(ended);
        check(await end({ said, graph, maxToolRounds, window, state: ended.outcome }));
      },
    ),
    { numRuns: cases(300) },
  ));

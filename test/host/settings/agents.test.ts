// Agents from the settings: which one answers, what it takes from the global settings, and words about what is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { split, unified } from '../../../src/core/agent/graph.ts';
import { allOn } from '../../../src/core/agent/mechanisms.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { defaultRetrieval } from '../../../src/core/prompt/knowledge.ts';
import { chooseAgent, soundAgents } from '../../../src/settings/agents.ts';

const global = { policy: defaultPolicy, switches: allOn };

function choose(name: string, value: unknown) {
  const complaints: string[] = [];
  const complain = (message: string) => void complaints.push(message);
  return { agent: chooseAgent(name, soundAgents(value, complain), global, complain), complaints };
}

test('the shipped agents are there without a setting', () => {
  assert.equal(choose('default', {}).agent.graph, null);
  assert.equal(choose('split', {}).agent.graph, split);
  assert.equal(choose('unified', {}).agent.graph, unified);
  assert.deepEqual(choose('split', {}).complaints, []);
});

test('an agent says what it wants over the settings; the rest is theirs', () => {
  const { agent, complaints } = choose('mine', {
    mine: { graph: 'split', context: { trimTarget: 0.5 }, promptCache: false, tools: ['read_file'], knowledge: {} },
  });
  assert.deepEqual(complaints, []);
  assert.equal(agent.name, 'mine');
  assert.deepEqual(agent.policy, { ...defaultPolicy, trimTarget: 0.5 });
  assert.deepEqual(agent.switches, { ...allOn, promptCache: false });
  assert.deepEqual(agent.tools, ['read_file']);
  assert.deepEqual(agent.retrieval, defaultRetrieval);
});

test('an agent switches each of the four mechanisms for itself, off and on', () => {
  const allOff = { promptCache: false, tokenCounter: false, workspaceCache: false, compaction: 'off' } as const;
  for (const name of ['promptCache', 'tokenCounter', 'workspaceCache', 'compaction'] as const)
    for (const [theirs, own] of [
      [allOn, allOff],
      [allOff, allOn],
    ] as const) {
      const said = { mine: { [name]: own[name] } };
      const { switches } = chooseAgent('mine', said, { ...global, switches: theirs }, assert.fail);
      assert.deepEqual(switches, { ...theirs, [name]: own[name] });
    }
});

test('an agent that says nothing works like the default one, and a shipped name can be said anew', () => {
  const { name, ...rest } = choose('plain', { plain: {} }).agent;
  assert.equal(name, 'plain');
  const { name: _, ...usual } = choose('default', {}).agent;
  assert.deepEqual(rest, usual);
  assert.equal(choose('default', { default: { graph: 'split' } }).agent.graph, split);
});

test('an unknown name falls back to the default agent and says which names there are', () => {
  for (const name of ['nobody', 'toString', '__proto__', '']) {
    const { agent, complaints } = choose(name, { mine: {} });
    assert.equal(agent.name, 'default');
    assert.deepEqual(complaints, [
      `There is no agent "${name}": tidemark.agent may be default, edit, unified, guided, split, mine. "default" is used.`,
    ]);
  }
});

test('an agent that is wrong is left out with words about the place, and the others stay', () => {
  const { agent, complaints } = choose('good', {
    bad: { context: { trimTarget: 2 } },
    good: { instructions: 'Brief.' },
  });
  assert.equal(agent.instructions, 'Brief.');
  assert.deepEqual(complaints, [
    'tidemark.agents: the agent "bad" is left out, because context.trimTarget must be <= 1.',
  ]);
});

for (const [words, said] of [
  ['it must be object', 3],
  ['graph must be equal to one of the allowed values: unified, guided, split', { graph: 'ring' }],
  ['it must NOT have additional properties: instruction', { instruction: 'x' }],
  ['knowledge must NOT have additional properties: shares', { knowledge: { shares: 1 } }],
  ['tools.1 must be equal to one of the allowed values: find_symbol', { tools: ['read_file', 'grep'] }],
  ['promptCache must be boolean', { promptCache: 'off' }],
  ['context.reserve must be integer', { context: { reserve: 64.5 } }],
] as const) {
  test(`an agent ${JSON.stringify(said)} is left out, because ${words}`, () => {
    const { agent, complaints } = choose('bad', { bad: said });
    assert.equal(agent.name, 'default');
    assert.equal(complaints.length, 2);
    assert.ok(complaints[0]?.includes(`the agent "bad" is left out, because ${words}`), complaints[0]);
  });
}

test('agents that are no object are said once and none is used', () => {
  for (const value of [[], 'x', null, 3]) {
    const { agent, complaints } = choose('default', value);
    assert.equal(agent.graph, null);
    assert.equal(complaints.length, 1);
  }
});

test('a graph of nodes is the agent’s own: it looks up and compacts only where a node says so', () => {
  const nodes = [
    { do: 'retrieve', share: 0.1 },
    { do: 'decide' },
    { do: 'act', instruction: 'Brief.' },
    { do: 'summarise' },
  ];
  const { agent, complaints } = choose('own', { own: { graph: nodes, knowledge: false } });
  assert.deepEqual(complaints, []);
  assert.deepEqual([agent.graph?.name, agent.graph?.nodes.map(({ name }) => name)], ['composed', ['decide', 'act']]);
  assert.deepEqual(agent.retrieval, { ...defaultRetrieval, share: 0.1 });
  assert.equal(agent.switches.compaction, allOn.compaction);
  const bare = choose('bare', { bare: { graph: [{ do: 'answer' }], compaction: 'on' } }).agent;
  assert.deepEqual([bare.retrieval, bare.switches.compaction], [null, 'off']);
  // The seed's own form.
  for (const [said, meant] of [
    [true, 'on'],
    [false, 'off'],
  ] as const)
    assert.equal(choose('plain', { plain: { compaction: said } }).agent.switches.compaction, meant);
});

test('a graph that is none is said with what is wrong with it', () => {
  const said = (graph: unknown) => choose('default', { bad: { graph } }).complaints;
  const because = (words: string) => [`tidemark.agents: the agent "bad" is left out, because ${words}.`];
  assert.deepEqual(
    said([{ do: 'answer' }, { do: 'retrieve' }]),
    because('its graph retrieves after the model was asked; "retrieve" comes first'),
  );
  assert.match(
    said([{ do: 'think' }])[0] ?? '',
    /graph\.0\.do must be equal to one of the allowed values: retrieve, decide, act/,
  );
  assert.match(said('other')[0] ?? '', /graph must be equal to one of the allowed values: unified, guided, split/);
  assert.match(said([])[0] ?? '', /graph must NOT have fewer than 1 items/);
  assert.match(said([{ do: 'retrieve', template: '{{#x}}' }, { do: 'answer' }])[0] ?? '', /left out/);
});

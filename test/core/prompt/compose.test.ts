// Graphs of the user's own: what a list of nodes becomes, and what is wrong with a list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compose, compositionProblem, type NodeSettings } from '../../../src/core/agent/compose.ts';
import { type Graph, guided, split, unified } from '../../../src/core/agent/graph.ts';

const nodesOf = ({ nodes }: Graph) => nodes;

test('the shipped graphs can be composed from their nodes', () => {
  assert.deepEqual(nodesOf(compose([{ do: 'act' }]).graph), unified.nodes);
  assert.deepEqual(nodesOf(compose([{ do: 'answer' }]).graph), guided.nodes);
  assert.deepEqual(nodesOf(compose([{ do: 'decide' }, { do: 'answer' }]).graph), split.nodes);
});

test('a node says its own instruction in front of what its kind needs, and which records it sees', () => {
  const { graph } = compose([
    { do: 'decide', instruction: 'Look twice.', earlierRecords: 'shown' },
    { do: 'act', instruction: 'Answer in German.' },
  ]);
  const [decide, act] = graph.nodes;
  assert.match(decide.instruction, /^Look twice\. Choose the next tool call/);
  assert.deepEqual([decide.earlierRecords, decide.afterText, act?.instruction], ['shown', 'act', 'Answer in German.']);
  assert.deepEqual([act?.slot, act?.afterCalls, act?.afterText], [1, 'act', null]);
});

test('looking up comes with its own options or not at all, and so does compacting', () => {
  const whole = compose([{ do: 'retrieve', share: 0.1, placement: 'after' }, { do: 'answer' }, { do: 'summarise' }]);
  assert.deepEqual([whole.retrieval, whole.summarises], [{ share: 0.1, placement: 'after' }, true]);
  const bare = compose([{ do: 'answer' }]);
  assert.deepEqual([bare.retrieval, bare.summarises], [null, false]);
});

test('a node may word what was looked up in a way of its own', () => {
  const { graph } = compose([
    { do: 'retrieve' },
    { do: 'decide', template: 'Known so far: {{knowledge}}' },
    { do: 'answer', placement: 'after' },
  ]);
  assert.deepEqual(
    graph.nodes.map(({ rendering }) => rendering),
    [{ template: 'Known so far: {{knowledge}}' }, { placement: 'after' }],
  );
});

test('what makes no graph is said', () => {
  const problems: readonly (readonly [readonly NodeSettings[], RegExp])[] = [
    [[{ do: 'act' }, { do: 'act' }], /twice/],
    [[{ do: 'answer' }, { do: 'retrieve' }], /"retrieve" comes first/],
    [[{ do: 'summarise' }, { do: 'answer' }], /"summarise" comes last/],
    [[{ do: 'act' }, { do: 'answer' }], /two nodes that answer/],
    [[{ do: 'decide' }], /without an answer/],
    [[{ do: 'answer' }, { do: 'decide' }], /without an answer/],
    [[{ do: 'retrieve' }, { do: 'summarise' }], /without an answer/],
    [[{ do: 'retrieve', instruction: 'Look.' }, { do: 'answer' }], /"retrieve".*no instruction/],
    [[{ do: 'answer', share: 0.2 }], /"answer".*no share/],
  ];
  for (const [nodes, words] of problems) assert.match(compositionProblem(nodes) ?? '', words);
  for (const nodes of [[{ do: 'answer' }], [{ do: 'retrieve' }, { do: 'decide' }, { do: 'act' }, { do: 'summarise' }]])
    assert.equal(compositionProblem(nodes as readonly NodeSettings[]), null);
});

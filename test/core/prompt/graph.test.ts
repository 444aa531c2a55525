// Graphs as data: found by name, and closed in themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answering, graphNamed, graphs, nodeAfter, split, unified } from '../../../src/core/agent/graph.ts';

const both = Object.values(graphs);

test('a graph is found by its name, the default one by none, and no other name is one', () => {
  for (const graph of both) assert.equal(graphNamed(graph.name), graph);
  assert.equal(graphNamed(), unified);
  assert.equal(graphNamed('other'), null);
  assert.equal(answering(split).name, 'answer');
  assert.equal(nodeAfter(split, null).name, 'answer');
});

test('every node names nodes of its own graph, and slots are the places in the list', () => {
  for (const { nodes } of both) {
    const names: readonly (string | null)[] = [...nodes.map(({ name }) => name), null];
    nodes.forEach(({ afterCalls, afterText, slot }, i) => {
      assert.ok(names.includes(afterCalls) && names.includes(afterText));
      assert.equal(slot, i);
    });
    assert.equal(nodes.at(-1)?.afterText, null);
  }
});

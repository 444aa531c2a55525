// A proposal of a compaction that the user confirmed: where it is kept, and that it is checked like anything typed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepProposal } from '../../../src/app/memory/memoryProposal.ts';
import type { Proposal } from '../../../src/core/compaction/compactionRow.ts';
import { noteProblem } from '../../../src/secrets/secrets.ts';
import { openMemory } from '../scenes/noteScene.ts';

const proposal = (kind: Proposal['kind'], text: string): Proposal => ({
  id: 'p1',
  kind,
  text,
  items: ['i1'],
  state: 'waiting',
});

function open(values: Parameters<typeof openMemory>[0] = {}) {
  const { memory, keeping, open: window } = openMemory(values);
  return {
    memory,
    window,
    keep: (kind: Proposal['kind'], text: string) => keepProposal(proposal(kind, text), keeping),
  };
}

test('a fact and a preference are remembered for the workspace, as the kind that was proposed', async () => {
  const { memory, keep } = open();
  assert.deepEqual(await keep('preference', 'tabs, no\n *blanks*'), {
    outcome: 'kept',
    words: 'Remembered for this workspace: tabs, no \\*blanks\\*',
  });
  await keep('fact', 'always on 8080');
  assert.deepEqual(
    memory.memories('/a').map(({ kind, text, workspace, source }) => [kind, text, workspace, source]),
    [
      ['preference', 'tabs, no *blanks*', '/a', 'proposal'],
      ['fact', 'always on 8080', '/a', 'proposal'],
    ],
  );
});

test('a decision is kept with its reason, and work is put on the board as open', async () => {
  const { memory, keep } = open();
  assert.equal((await keep('decision', 'use SQLite because it is there')).outcome, 'kept');
  assert.equal((await keep('work', 'write the docs')).outcome, 'kept');
  assert.deepEqual(
    memory.decisions('/a').map(({ text, reason, source }) => [text, reason, source]),
    [['use SQLite', 'it is there', 'proposal']],
  );
  assert.deepEqual(
    memory.work('/a').map(({ text, state, source }) => [text, state, source]),
    [['write the docs', 'open', 'proposal']],
  );
  assert.deepEqual(new Set(memory.rows.map(({ source }) => source)), new Set(['proposal']));
});

test('secrets and long texts are refused, and what is known is written once', async () => {
  const { memory, keep } = open();
  for (const kind of ['fact', 'preference', 'decision', 'work'] as const) {
    const refusal = await keep(kind, 'it is hunter2');
    assert.equal(refusal.outcome, 'refused');
    assert.ok(!refusal.words.includes('hunter2'));
    assert.equal((await keep(kind, 'x'.repeat(501))).outcome, 'refused');
    assert.equal((await keep(kind, ' \n ')).outcome, 'refused');
  }
  assert.deepEqual(memory.rows, []);
  for (const kind of ['fact', 'decision', 'work'] as const) {
    assert.equal((await keep(kind, 'a')).outcome, 'kept');
    assert.deepEqual(await keep(kind, 'a'), { outcome: 'known', words: 'That is known already: a' });
  }
  assert.equal(memory.rows.length, 3);
});

test('nothing confidential is kept unasked: a secret in no way, what tells about a person once the user has said so', async () => {
  const { memory, keeping } = openMemory({ noteProblem });
  const [secret, person] = ['my password is tiger77', 'call Mara at +49 151 23456789'];
  for (const text of [secret, `--anyway ${secret}`, person])
    assert.equal((await keeping.memory.add(text, 'command')).kind, 'refused', text);
  assert.equal((await keepProposal(proposal('fact', secret), keeping)).outcome, 'refused');
  assert.deepEqual(memory.rows, []);
  assert.equal((await keeping.memory.add(`--anyway ${person}`, 'command')).kind, 'kept');
});

test('without a folder or a store nothing is kept', async () => {
  const { window, keep } = open();
  window.workspace = '';
  for (const kind of ['fact', 'decision', 'work'] as const) assert.equal((await keep(kind, 'a')).outcome, 'refused');
  assert.equal((await open({ memory: null }).keep('fact', 'a')).outcome, 'refused');
});

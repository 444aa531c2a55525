// The digest of the memory and the work board: its order, its share of the prompt, and its laws for any entries and budgets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Digest, type DigestSource, digestOf } from '../../../src/core/memory/digest.ts';
import type { DecisionRecord, Memory, WorkItem } from '../../../src/core/memory/memory.ts';
import type { TokenCounter } from '../../../src/core/prompt/counter.ts';
import { cases } from '../../cases.ts';
import { freeze } from '../scenes/freeze.ts';

/** A token per character: sums are exact, so that what a budget shows can be told by hand. */
const perCharacter: TokenCounter = {
  count: async (texts) => ({ tokens: texts.map(({ length }) => length), exact: true }),
};

/** No sum of lines tells the whole: many lines have more tokens together, and a longer text may have fewer. */
const odd: TokenCounter = {
  count: async (texts) => ({
    tokens: texts.map((text) => Math.ceil(text.length / 3) + text.split('\n').length ** 2 + ((text.length * 7) % 5)),
    exact: true,
  }),
};

const base = { created: 1, changed: 1, source: 'command' } as const;
const memory = (id: string, values: Partial<Memory> = {}): Memory => ({
  ...base,
  id,
  workspace: '/a',
  kind: 'fact',
  text: id,
  ...values,
});
const work = (id: string, values: Partial<WorkItem> = {}): WorkItem => ({
  ...base,
  id,
  workspace: '/a',
  state: 'open',
  text: id,
  ...values,
});
const decision = (id: string, values: Partial<DecisionRecord> = {}): DecisionRecord => ({
  ...base,
  id,
  workspace: '/a',
  text: id,
  reason: '',
  ...values,
});
const nothing: DigestSource = { memories: [], work: [], decisions: [] };
const textOf = (digest: Digest, name: string) => digest.parts.find((part) => part.name === name)?.text;
const linesOf = (digest: Digest, name: string) => (textOf(digest, name) ?? '').split('\n').slice(1);

test('preferences come before facts, and within a group what was changed last', async () => {
  const memories = [
    memory('everywhere', { workspace: null }),
    memory('old'),
    memory('new', { changed: 5 }),
    memory('tabs', { kind: 'preference' }),
    memory('German', { kind: 'preference', workspace: null }),
  ];
  const digest = await digestOf({ ...nothing, memories }, 1000, perCharacter);
  assert.deepEqual(digest, {
    parts: [
      {
        name: 'memory',
        text: 'What the user asked to remember:\n- German\n- tabs\n- new\n- old\n- everywhere',
        raw: 73,
        injected: 73,
      },
    ],
    exact: true,
  });
});

test('what is being done comes before what is open and what was decided, and what is done is out', async () => {
  const digest = await digestOf(
    {
      memories: [],
      work: [
        work('first'),
        work('gone', { state: 'done' }),
        work('now', { state: 'doing' }),
        work('later', { changed: 9 }),
      ],
      decisions: [decision('SQLite', { reason: 'it is there' }), decision('ESM', { changed: 3 })],
    },
    1000,
    perCharacter,
  );
  assert.equal(
    textOf(digest, 'work'),
    'What the user wrote on the work board:\n- doing: now\n- open: later\n- open: first\n- decided: ESM\n- decided: SQLite, because it is there',
  );
});

test('nothing kept is nothing told', async () => {
  assert.deepEqual(await digestOf(nothing, 1000, perCharacter), { parts: [], exact: true });
  const done = { ...nothing, work: [work('gone', { state: 'done' })] };
  assert.deepEqual((await digestOf(done, 1000, perCharacter)).parts, []);
});

test('an entry of several lines is told as one', async () => {
  const digest = await digestOf({ ...nothing, memories: [memory('a', { text: 'x\n# y\r\n- z' })] }, 1000, perCharacter);
  assert.deepEqual(linesOf(digest, 'memory'), ['- x # y - z']);
});

test('a part without space for its first entry is told by its size alone', async () => {
  const digest = await digestOf({ ...nothing, memories: [memory('a')] }, 20, perCharacter);
  assert.deepEqual(digest.parts, [{ name: 'memory', text: '', raw: 36, injected: 0 }]);
});

test('estimated tokens are called so', async () => {
  const rough: TokenCounter = { count: async (texts) => ({ tokens: texts.map(() => 1), exact: false }) };
  assert.equal((await digestOf({ ...nothing, memories: [memory('a')] }, 20, rough)).exact, false);
});

const many = (count: number) => Array.from({ length: count }, (_, i) => i);
const full: DigestSource = {
  memories: many(30).map((i) => memory(`m${i}`, { text: 'x'.repeat(17) })),
  work: many(30).map((i) => work(`w${i}`, { text: 'x'.repeat(11) })),
  decisions: [],
};
const sizes = async (kept: DigestSource, budget: number) => {
  const { parts } = await digestOf(kept, budget, perCharacter);
  return Object.fromEntries(parts.map(({ name, injected }) => [name, injected]));
};

test('when both have more to tell, the memory has 60 % at most and the work board the rest', async () => {
  const { memory: memories = 0, work: board = 0 } = await sizes(full, 500);
  assert.ok(memories <= 300 && memories > 280, `${memories}`);
  assert.ok(board <= 200 && board > 180, `${board}`);
});

test('space that one does not need goes to the other', async () => {
  assert.ok(((await sizes({ ...full, work: [] }, 500)).memory ?? 0) > 480);
  assert.ok(((await sizes({ ...full, memories: [] }, 500)).work ?? 0) > 480);
  const short = await sizes({ ...full, work: [work('w')] }, 500);
  assert.ok((short.memory ?? 0) > 420 && (short.work ?? 0) === 48, JSON.stringify(short));
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
const dates = { created: fc.nat(5), changed: fc.nat(5), source: fc.constant('command' as const) };
const place = fc.constantFrom('/a', null);
const kepts: fc.Arbitrary<DigestSource> = fc.record({
  memories: fc.uniqueArray(
    fc.record({ ...dates, id: fc.uuid(), workspace: place, kind: fc.constantFrom('fact', 'preference'), text }),
    { selector: ({ id }) => id, maxLength: 12 },
  ),
  work: fc.uniqueArray(
    fc.record({
      ...dates,
      id: fc.uuid(),
      workspace: fc.constant('/a'),
      state: fc.constantFrom('open', 'doing', 'done'),
      text,
    }),
    { selector: ({ id }) => id, maxLength: 12 },
  ),
  decisions: fc.uniqueArray(
    fc.record({
      ...dates,
      id: fc.uuid(),
      workspace: fc.constant('/a'),
      text,
      reason: fc.oneof(fc.constant(''), text),
    }),
    { selector: ({ id }) => id, maxLength: 8 },
  ),
});
const counters = fc.constantFrom(perCharacter, odd);

test('for any entries and budget: within it, whole entries in rank, and the numbers are the counts', () =>
  fc.assert(
    fc.asyncProperty(kepts, fc.nat(700), counters, async (kept, budget, counter) => {
      const digest = await digestOf(freeze(kept), budget, counter);
      const all = await digestOf(kept, 100_000, counter);
      assert.ok(digest.parts.reduce((sum, { injected }) => sum + injected, 0) <= budget);
      assert.deepEqual(
        digest.parts.map(({ name, raw }) => [name, raw]),
        all.parts.map(({ name, injected }) => [name, injected]),
      );
      for (const part of digest.parts) {
        if (part.text === '') assert.equal(part.injected, 0);
        else assert.deepEqual((await counter.count([part.text])).tokens, [part.injected]);
        assert.ok(`${textOf(all, part.name)}\n`.startsWith(part.text === '' ? '' : `${part.text}\n`));
      }
    }),
  ));

test('for any entries: a smaller budget never shows an entry that a larger one does not', () =>
  fc.assert(
    fc.asyncProperty(kepts, fc.nat(500), fc.nat(100), counters, async (kept, budget, more, counter) => {
      const small = await digestOf(kept, budget, counter);
      const large = await digestOf(kept, budget + more, counter);
      for (const { name, text: shown } of small.parts) assert.ok((textOf(large, name) ?? '').startsWith(shown));
    }),
    { numRuns: cases(500) },
  ));

test('for any entries: the order in which they come changes nothing', () =>
  fc.assert(
    fc.asyncProperty(kepts, fc.nat(500), async (kept, budget) => {
      const turned: DigestSource = {
        memories: kept.memories.toReversed(),
        work: kept.work.toReversed(),
        decisions: kept.decisions.toReversed(),
      };
      assert.deepEqual(await digestOf(turned, budget, odd), await digestOf(kept, budget, odd));
    }),
  ));

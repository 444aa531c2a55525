import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { partsOf, sizeOf } from '../../src/finding/cut/parts.ts';
import { importEdges } from '../../src/finding/map.ts';
import { packed } from '../../src/finding/rank/vectors.ts';
import { scene } from './scene.ts';

test('the parts of a passage cover it once, in order, and none of several lines is much longer than the others', () => {
  const line = fc.oneof(fc.constant(''), fc.constant('}'), fc.string({ maxLength: 200 }), fc.constant('  if (tide) {'));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 80 }), fc.integer({ min: 1, max: 500 }), (lines, start) => {
      const parts = partsOf(lines, start);
      assert.equal(parts[0]?.from, start);
      assert.equal(parts.at(-1)?.to, start + lines.length - 1);
      for (const [at, { from, to }] of parts.entries()) {
        assert.ok(from <= to);
        if (at > 0) assert.equal(from, (parts[at - 1]?.to ?? 0) + 1);
        assert.ok(from === to || sizeOf(lines.slice(from - start, to - start + 1)) <= 525);
      }
    }),
  );
});

test('a part ends behind a blank line rather than within a thought', () => {
  const lines = [
    ...Array(6).fill(`const ${'a'.repeat(40)} = 1;`),
    '',
    ...Array(6).fill(`const ${'b'.repeat(40)} = 2;`),
  ];
  assert.deepEqual(partsOf(lines, 10)[0], { from: 10, to: 16 });
});

test('files that import each other are neighbours, in the languages as they write it', () => {
  const edges = importEdges([
    { path: 'src/pool.ts', imports: ['./queue.js', '../lib', 'node:fs'] },
    { path: 'src/queue.ts', imports: [] },
    { path: 'lib/index.ts', imports: [] },
    { path: 'com/sea/Tide.java', imports: ['com.sea.moon.Phase', 'java.util.List'] },
    { path: 'com/sea/moon/Phase.java', imports: [] },
    { path: 'src/shore.rs', imports: ['crate::wave::{Wave, Crest}'] },
    { path: 'src/wave.rs', imports: [] },
    { path: 'tides/__init__.py', imports: ['.moon'] },
    { path: 'tides/moon.py', imports: [] },
  ]);
  const beside = (path: string) => [...(edges.get(path) ?? [])].toSorted();
  assert.deepEqual(beside('src/pool.ts'), ['lib/index.ts', 'src/queue.ts']);
  assert.deepEqual(beside('com/sea/Tide.java'), ['com/sea/moon/Phase.java']);
  assert.deepEqual(beside('src/wave.rs'), ['src/shore.rs']);
  assert.deepEqual(beside('tides/moon.py'), ['tides/__init__.py']);
});

test('of a long passage the part is found whose vector is near; whole passages get vectors before parts', async (context) => {
  const filler = Array.from({ length: 12 }, (_, at) => `  const step${at} = prepare(${at}, 'some longer words here');`);
  const body = [...filler, '', "  if (level < 0) throw new Error('ebb');", '', ...filler].join('\n');
  const { finder, find } = await scene(context, { 'a.ts': `export function flood(level) {\n${body}\n}\n` });
  const vectorOf = (text: string) => packed([text.includes('ebb') ? 1 : 0.1, 1]);
  const wholes = finder.unembedded(7, 100, []);
  assert.ok(wholes.every(({ part }) => part === 0));
  finder.keepVectors(
    7,
    wholes.map(({ hash, part, text }) => [hash, part, vectorOf(text)] as const),
  );
  const parts = finder.unembedded(7, 100, []);
  assert.deepEqual(
    parts.map(({ part }) => part),
    parts.map((_, at) => parts.length - at),
  );
  // Stopped before the last of them: all are asked for again.
  finder.keepVectors(
    7,
    parts.slice(0, -1).map(({ hash, part, text }) => [hash, part, vectorOf(text)] as const),
  );
  assert.equal(finder.unembedded(7, 100, []).length, parts.length);
  finder.keepVectors(
    7,
    parts.map(({ hash, part, text }) => [hash, part, vectorOf(text)] as const),
  );
  assert.deepEqual(finder.unembedded(7, 100, []), []);
  const { passages } = await find('what of shallow water', { vector: { model: 7, values: packed([1, 0]) } });
  const [first] = passages;
  assert.ok(first?.stretches.some(({ lines }) => lines.some((line) => line.includes('ebb'))));
  assert.equal(first?.stretches[0].lines[0], 'export function flood(level) {');
});

// When a model goes round in circles, and that code, tables and lists do not.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { getEncoding } from 'js-tiktoken';
import { Repetition } from '../../../src/core/model/repetition.ts';

const root = new URL('../../../', import.meta.url);
const encoding = getEncoding('o200k_base');

/** At which token it stops, and what it keeps. */
function stopIn(ids: readonly number[]): { readonly at: number; readonly keep: number } | null {
  const circles = new Repetition();
  for (const [at, id] of ids.entries()) {
    const keep = circles.push(id);
    if (keep !== null) return { at: at + 1, keep };
  }
  return null;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx|json|css|md|py)$/.test(path))
    .map((path) => `${folder}${path}`);
}

test('no source file, table or list of this project is a circle', () => {
  const paths = [...filesIn('src/'), ...filesIn('webview/'), 'README.md', 'package.json'];
  assert.ok(paths.length >= 200);
  for (const path of paths) {
    const text = readFileSync(new URL(path, root), 'utf8').slice(0, 20_000);
    assert.equal(stopIn(encoding.encode(text, [], [])), null, path);
  }
});

test('numbered lists, tables and rows of the same shape are none', () => {
  const rows = Array.from({ length: 80 }, (_, i) => i);
  const texts = [
    rows.map((i) => `${i + 1}. item`).join('\n'),
    rows.map((i) => `| ${i} | yes | no |`).join('\n'),
    `| a | b |\n${'|---'.repeat(30)}|`,
    rows.map((i) => `  case ${i}: return true;`).join('\n'),
    Array.from({ length: 40 }, () => '0').join(', '),
    Array.from({ length: 10 }, () => Array.from({ length: 12 }, () => '0').join(', ')).join(',\n'),
    `${'='.repeat(200)}\n${'-'.repeat(200)}`,
  ];
  for (const text of texts) assert.equal(stopIn(encoding.encode(text)), null, text.slice(0, 40));
});

test('a line, a sentence or a paragraph that comes again and again is one, and is kept once', () => {
  const sentence = 'The queue is empty, so nothing is left to do. ';
  const paragraph = Array.from({ length: 14 }, (_, i) => `Sentence number ${i} says something else.`).join(' ');
  for (const said of ['const a = 1;\n', sentence, `${paragraph}\n\n`]) {
    const once = encoding.encode(said);
    const before = encoding.encode('Here it is:\n');
    const stop = stopIn([...before, ...Array.from({ length: 120 }, () => once).flat()]);
    assert.ok(stop !== null, said);
    assert.equal(stop.keep, before.length + once.length);
    assert.ok(stop.at <= before.length + Math.max(18 * once.length, 9 * once.length + 620));
  }
});

test('sixty tokens that stand there three times are a circle, and twice they are none', () => {
  const once = Array.from({ length: 60 }, (_, i) => 100 + i);
  assert.equal(stopIn([7, ...once, ...once, 8, 9]), null);
  assert.deepEqual(stopIn([7, ...once, ...once, ...once, 8]), { at: 181, keep: 61 });
});

test('whatever runs on without end is stopped, and what is kept is a beginning with the circle in it once', () => {
  const token = fc.integer({ min: 0, max: 50 });
  const circle = fc.array(token, { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(fc.array(token, { maxLength: 60 }), circle, (before, once) => {
      const ids = [...before, ...Array.from({ length: Math.ceil(1200 / once.length) }, () => once).flat()];
      const stop = stopIn(ids);
      assert.ok(stop !== null);
      assert.ok(stop.keep <= before.length + once.length);
      assert.ok(stop.keep >= 1 && stop.keep < stop.at);
    }),
  );
});

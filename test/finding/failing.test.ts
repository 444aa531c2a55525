// A failing output says which files it is about: those that it names, and those that declare what the failing lines call; code first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scene } from './scene.ts';

const files = {
  'src/stats.js': 'export function median(values) {\n  return values[0];\n}\n',
  'src/text.js': 'export function slug(text) {\n  return text;\n}\n',
  'test/stats.test.js':
    "import test from 'node:test';\nimport { median } from '../src/stats.js';\n\ntest('the middle', () => {\n  equal(\n    median([3, 1, 2]),\n    2,\n  );\n});\n",
  'shop/cart.py': 'def total(rows):\n    return sum(rows) + 1\n',
  'tests/test_cart.py': 'from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n',
};

const outputs: readonly (readonly [output: string, files: readonly string[], names?: readonly string[]])[] = [
  [
    '✖ the middle\n  at TestContext.<anonymous> (file:///home/a/b/test/stats.test.js:7:3)',
    ['src/stats.js', 'test/stats.test.js'],
    ['median'],
  ],
  ['tests/test_cart.py:5: AssertionError', ['shop/cart.py', 'tests/test_cart.py'], ['total']],
  ['  File "/tmp/x/shop/cart.py", line 2, in total\nTypeError', ['shop/cart.py']],
  ['src/text.js(2,3): error TS1005', ['src/text.js']],
  ['src\\text.js:2:3: expected', ['src/text.js']],
  ['at node:internal/test_runner:12\nlib/other.js:9', []],
  ['1 passing', []],
];

test('of each output the files to change stand first, with the names that are called', async (context) => {
  const { finder } = await scene(context, files);
  for (const [output, wanted, names = []] of outputs)
    assert.deepEqual(await finder.failing(output), { files: wanted, names }, output);
});

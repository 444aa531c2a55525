// A failing output says which file it is about: the code that it stands in, else the code that the failing lines call; with the names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scene } from './scene.ts';

const files = {
  'src/stats.js': 'export function median(values) {\n  return values[0];\n}\n',
  'src/text.js': 'export function slug(text) {\n  return text;\n}\n',
  'test/stats.test.js':
    "import test from 'node:test';\nimport { median } from '../src/stats.js';\n\ntest('the middle', () => {\n  equal(\n    median([3, 1, 2]),\n    2,\n  );\n});\n",
  'shop/cart.py': 'def total(rows):\n    return sum(rows) + 1\n',
  'shop/rows.py':
    'def parsed(text):\n    return text.split()\n\n\nclass Rows:\n    def first(self):\n        return self.rows[0]\n',
  'tests/test_chain.py':
    'from shop.rows import parsed\n\n\ndef test_chain():\n    assert equal(parsed("a").first(), 1)\n',
  'shop/warning.py': 'def warn(text):\n    return text.missing\n',
  'tests/test_cart.py': 'from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n',
  'tests/test_rows.py':
    "from shop.cart import total\nfrom shop.rows import parsed\n\n\ndef test_both():\n    sum = total([1])\n    rows = parsed('a b')\n\n    size = len(rows)\n    assert size == 3\n",
};

const outputs: readonly (readonly [output: string, file: string | null, name?: string])[] = [
  ['✖ the middle\n  at TestContext.<anonymous> (file:///home/a/b/test/stats.test.js:7:3)', 'src/stats.js', 'median'],
  ['tests/test_cart.py:5: AssertionError', 'shop/cart.py', 'total'],
  ['tests/test_rows.py:10: AssertionError', 'shop/rows.py', 'parsed'],
  ['>   assert size == 3\nE   where 2 = total([1])\n\ntests/test_rows.py:10: AssertionError', 'shop/cart.py', 'total'],
  ['  File "/tmp/x/shop/cart.py", line 2, in total\nTypeError', 'shop/cart.py', 'total'],
  [
    '  File "/tmp/x/tests/test_rows.py", line 6, in test_both\n  File "/tmp/x/shop/cart.py", line 2, in total\n  File "/tmp/x/shop/rows.py", line 7, in first\nIndexError',
    'shop/rows.py',
    'first',
  ],
  ['tests/test_chain.py:5: AssertionError', 'shop/rows.py', 'first'],
  [
    'shop/rows.py:7: DeprecationWarning: old\n  File "/tmp/x/tests/test_cart.py", line 5, in test_total\nAssertionError',
    'shop/cart.py',
    'total',
  ],
  ['  File "/tmp/x/shop/warning.py", line 2, in warn\nAttributeError', 'shop/warning.py', 'warn'],
  ['src/text.js(2,3): error TS1005', 'src/text.js', 'slug'],
  ['src\\text.js:2:3: expected', 'src/text.js', 'slug'],
  ['at node:internal/test_runner:12\nlib/other.js:9', null],
  ['1 passing', null],
];

test('of each output the file to change is told, with the name that fails', async (context) => {
  const { finder } = await scene(context, files);
  for (const [output, file, name = ''] of outputs) {
    const [first] = finder.failing(output).suspects;
    assert.deepEqual([first?.path ?? null, first?.name ?? ''], [file, name], output);
  }
});

const more = {
  'src/evaluate.js':
    "import { tokenize } from './lexer.js';\n\nexport function evaluate(text) {\n  return tokenize(text).length;\n}\n",
  'src/lexer.js': 'export function tokenize(text) {\n  return text.split(" ");\n}\n',
  'test/evaluate.test.js':
    "import test from 'node:test';\nimport { evaluate } from '../src/evaluate.js';\n\ntest('one', () => equal(evaluate('1'), 1));\n\ntest('two', () => {\n  const said = evaluate('1 2');\n  equal(said, 3);\n});\n",
};

test('what the likeliest code calls comes behind it, and the test is shown from its first line to its last', async (context) => {
  const { finder } = await scene(context, more);
  const { suspects, tests } = finder.failing('at TestContext.<anonymous> (file:///home/a/test/evaluate.test.js:8:3)');
  assert.deepEqual(
    suspects.map(({ path, name, from, to }) => [path, name, from, to]),
    [
      ['src/evaluate.js', 'evaluate', 3, 5],
      ['src/lexer.js', 'tokenize', 1, 3],
    ],
  );
  assert.deepEqual([tests[0]?.from, tests[0]?.to], [6, 9]);
  // Node's TAP names the line with which a test begins.
  for (const [line, to] of [
    [6, 9],
    [4, 4],
  ]) {
    const [one] = finder.failing(`location: '/home/a/test/evaluate.test.js:${line}:1'`).tests;
    assert.deepEqual([one?.from, one?.to], [line, to]);
  }
});

test('where nothing is named but a test or a module, the files that it may mean are told, and all that there are', async (context) => {
  const { finder } = await scene(context, more);
  const { suspects, files: all } = finder.failing(
    "Error: Cannot find module '/home/a/src/lexers.js' imported from /home/a/src/evaluate.js\ntest/evaluate.test.js",
  );
  assert.equal(suspects[0]?.path, 'src/evaluate.js');
  assert.deepEqual([suspects[0]?.from, suspects[0]?.line], [1, null]);
  assert.deepEqual(all, ['src/evaluate.js', 'src/lexer.js']);
});

test('frames of other code are left out of what is shown', async (context) => {
  const { finder } = await scene(context, more);
  const output = [
    'Error: no',
    '    at tokenize (file:///home/a/src/lexer.js:2:10)',
    '    at run (node:internal/test:9:1)',
    '   0: core::panicking::panic',
    '             at /rustc/core/src/panicking.rs:8:9',
    '  left: 1',
  ];
  assert.deepEqual(finder.failing(output.join('\n')).said, [output[0], output[1], output[5]]);
});

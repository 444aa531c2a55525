// Tests the lines of a long output that a model gets: the beginning, why tests fail, and the end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedWords, toldOutput } from '../../src/shell/told.ts';

const passed = (at: number) => [
  `# Subtest: number ${at}`,
  `ok ${at} - number ${at}`,
  '  ---',
  '  duration_ms: 1',
  '  ...',
];
const failing = [
  '# Subtest: the middle',
  'not ok 3 - the middle',
  '  ---',
  "  location: 'test/stats.test.js:7:3'",
  '  error: "3 !== 2"',
  '  expected: 2',
  '  actual: 3',
  '  ...',
];

test('of a long output the lines behind a test that fails are told, with marks for what is left out', () => {
  const rest = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].flatMap(passed);
  const lines = ['TAP version 13', ...passed(1), ...passed(2), ...failing, ...rest, '1..15', '# fail 1'];
  const { body } = toldOutput(lines.join('\n'), 1, () => false);
  const told = body.split('\n');
  assert.ok(failing.slice(1).every((line) => told.includes(line)));
  assert.deepEqual(told.slice(-2), ['1..15', '# fail 1']);
  assert.equal(told.filter((line) => lines.includes(line)).length, 41, 'the failing name once more in front');
  assert.match(body, /\[4 lines left out: read_output {"run": 1, "line": 9}\]/);
});

test('a short output is told whole', () => {
  assert.equal(toldOutput('one\ntwo\n', 1, () => false).body, 'one\ntwo');
});

test('caches of Python are counted behind what else a command changed, and never left out', () => {
  const caches = ['a', 'b'].map((name) => `src/__pycache__/${name}.cpython-312.pyc`);
  assert.equal(
    changedWords({ changed: [...caches, 'src/a.py'], aside: [] }),
    ', changed at least src/a.py, 2 in __pycache__',
  );
  assert.equal(changedWords({ changed: caches, aside: [] }), ', changed at least 2 in __pycache__');
  assert.equal(changedWords({ changed: [], aside: [] }), '');
});

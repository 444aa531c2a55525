// How tests ended is read from what they print: only an assertion or a law that did not hold refutes a row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsIn } from './runRows.ts';

const block = (...lines: readonly string[]) => ['  ---', ...lines.map((line) => `  ${line}`), '  ...'].join('\n');

test('a test passes, is refuted by an assertion or a law, or fails by anything else', () => {
  const tap = [
    'TAP version 13',
    'ok 1 - a fact \\# 1',
    block("type: 'test'"),
    'not ok 2 - a wrong fact',
    block("failureType: 'testCodeFailure'", 'error: |-', '  1 !== 2', "code: 'ERR_ASSERTION'"),
    'not ok 3 - a wrong law',
    block('error: |-', '  Property failed after 1 tests', "code: 'ERR_TEST_FAILURE'"),
    'not ok 4 - test/a.test.ts',
    block("error: 'test failed'", "code: 'ERR_TEST_FAILURE'"),
    '1..4',
    '',
  ].join('\n');
  assert.deepEqual(Object.fromEntries(endsIn(tap)), {
    'a fact # 1': 'passed',
    'a wrong fact': 'refuted',
    'a wrong law': 'refuted',
    'test/a.test.ts': 'failed',
  });
});

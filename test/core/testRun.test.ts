// What runs of tests say, by the runner.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestRun } from '../../src/core/dialog/tool.ts';
import { isBetter, linesAbout, readTests } from '../../src/core/testRun.ts';

/** The end of an output as each runner writes it, of three tests of which one fails. */
const outputs: Readonly<Record<string, readonly [failed: string, text: string]>> = {
  'node, spec': [
    'adds',
    '✔ one (0.1ms)\n✖ adds (1.5ms)\n✔ two (0.1ms)\nℹ tests 3\nℹ pass 2\n\n✖ failing tests:\n\n✖ adds (1.5ms)\n',
  ],
  'node, TAP': ['adds', 'ok 1 - one\nnot ok 2 - adds\nnot ok 3 - later # TODO\n1..3\n# tests 3\n# pass 2\n'],
  pytest: [
    'test_a.py::test_adds',
    'FAILED test_a.py::test_adds - assert 3 == 4\n===== 1 failed, 2 passed, 7 warnings in 0.12s =====\n',
  ],
  unittest: [
    'test_adds (test_a.All.test_adds)',
    '.F.\nFAIL: test_adds (test_a.All.test_adds)\n----\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n',
  ],
  go: [
    'TestAdds',
    '=== RUN   TestOne\n--- PASS: TestOne (0.00s)\n=== RUN   TestAdds\n--- FAIL: TestAdds (0.00s)\n    a_test.go:9: 3\n=== RUN   TestTwo\n--- PASS: TestTwo (0.00s)\nFAIL\nFAIL\texample/a\t0.01s\n',
  ],
  cargo: [
    'tests::adds',
    'test tests::one ... ok\ntest tests::adds ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; finished in 0.00s\nerror: test failed, to rerun pass `--lib`\n',
  ],
  nextest: [
    'a tests::adds',
    '        FAIL [   0.011s] (2/3) a tests::adds\n     Summary [   1.5s] 3 tests run: 2 passed, 1 failed, 0 skipped\nerror: test run failed\n',
  ],
  jest: ['sums › adds', '  ● sums › adds\n\n    Expected: 4\n\nTests:       1 failed, 2 passed, 3 total\n'],
  vitest: ['a.test.ts > sums > adds', ' FAIL  a.test.ts > sums > adds\n\n      Tests  1 failed | 2 passed (3)\n'],
  bun: ['sums > adds', '(fail) sums > adds [0.20ms]\n\n 2 pass\n 1 fail\nRan 3 tests across 1 files. [12.00ms]\n'],
  mocha: ['adds', '  sums\n    ✔ one\n    1) adds\n\n  2 passing (9ms)\n  1 failing\n\n  1) sums\n       adds:\n'],
  rspec: ['./spec/a_spec.rb:9', '3 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:9 # sums adds\n'],
  phpunit: ['ATest::testAdds', '1) ATest::testAdds\nFAILURES!\nTests: 3, Assertions: 3, Failures: 1.\n'],
  maven: [
    'ATest.adds',
    '[ERROR] Tests run: 3, Failures: 1, Time elapsed: 0.1 s\n[ERROR]   ATest.adds:9 expected: <4>\n[ERROR] Tests run: 3, Failures: 1, Errors: 0\n',
  ],
  dotnet: ['A.Tests.Adds', '  Failed A.Tests.Adds [5 ms]\nTest Run Failed.\nTotal tests: 3\n     Passed: 2\n'],
  ctest: ['adds', '67% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  2 - adds (Failed)\n'],
};

for (const [runner, [failed, text]] of Object.entries(outputs))
  test(`${runner}: which test failed, and how many ran`, () => {
    const run = readTests(text, 1);
    assert.deepEqual([run.failed.slice(0, 1), run.broken, run.ran], [[failed], [], 3]);
  });

test('what cannot be loaded or built is no test that fails', () => {
  const brokenIn = (text: string) => readTests(text, 1).broken;
  assert.deepEqual(brokenIn('✖ test/a.test.js (30ms)\nℹ tests 1\n'), ['test/a.test.js']);
  assert.deepEqual(brokenIn('ERROR test_a.py - ImportError: no b\n==== 1 error in 0.05s ====\n'), ['test_a.py']);
  assert.deepEqual(brokenIn('ERROR: test_a (unittest.loader._FailedTest.test_a)\nRan 1 test in 0.0s\n'), ['test_a']);
  assert.deepEqual(brokenIn('# example/a\n./a.go:3:2: undefined: b\nFAIL\texample/a [build failed]\n'), ['example/a']);
  assert.deepEqual(brokenIn('error[E0425]: cannot find value `b`\nerror: could not compile `a`\n'), [
    'error[E0425]: cannot find value `b`',
  ]);
});

const run = (failed: string, ran: number | null = 5, broken = ''): TestRun => ({
  isGreen: failed + broken === '' && ran !== null,
  failed: [...failed],
  broken: [...broken],
  ran,
});

test('fewer failures are better, if none is new and no fewer ran', () => {
  assert.equal(isBetter(run('a'), run('ab')), true);
  assert.equal(isBetter(run(''), run('ab')), true);
  assert.equal(isBetter(run('ab'), run('ab')), false);
  assert.equal(isBetter(run('c'), run('ab')), false);
  assert.equal(isBetter(run('a', 4), run('ab')), false);
  assert.equal(isBetter(run('', 4), run('ab')), false);
});

test('what loads now is better, whatever its tests say, unless others fail for it', () => {
  assert.equal(isBetter(run('ab', 9), run('', 5, 'x')), true);
  assert.equal(isBetter(run('abcdef', 9), run('', 5, 'x')), false);
  assert.equal(isBetter(run('', 5, 'xy'), run('a', 5, 'x')), false);
});

test('of an output in no known form only a run without a failure is better', () => {
  assert.equal(isBetter(run('', null), run('', null)), false);
  assert.equal(isBetter({ ...run('', null), isGreen: true }, run('', null)), true);
});

test('the lines about a failure are those behind its name with most to say, up to the next', () => {
  const lines = [
    '✖ adds',
    '✖ divides',
    '',
    'failing tests:',
    '✖ adds',
    '  3 !== 4',
    '  at a.js:3',
    '✖ divides',
    '  1 !== 2',
  ];
  assert.deepEqual(linesAbout(lines, 'adds', ['adds', 'divides']), ['✖ adds', '  3 !== 4', '  at a.js:3']);
  assert.deepEqual(linesAbout(lines, 'elsewhere', ['elsewhere']).at(-1), '  1 !== 2');
});

// Tests the lines of a long output that a model gets: the beginning, why tests fail, and the end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedWords, linesFrom, toldOutput } from '../../src/shell/told.ts';

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

const told = (lines: readonly string[], files: readonly string[] = []) =>
  toldOutput(lines, 1, (path) => files.some((file) => path === file || path.endsWith(`/${file}`))).split('\n');

test('of a long output the lines behind a test that fails are told, with marks for what is left out', () => {
  const rest = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].flatMap(passed);
  const lines = ['TAP version 13', ...passed(1), ...passed(2), ...failing, ...rest, '1..15', '# fail 1'];
  const rows = told(lines);
  assert.ok(failing.slice(1).every((line) => rows.includes(line)));
  assert.deepEqual(rows.slice(-2), ['1..15', '# fail 1']);
  assert.ok(rows.filter((line) => lines.includes(line)).length <= 40);
  assert.match(rows.join('\n'), /\[3 lines left out: read_output {"run": 1, "line": 5}\]/);
});

test('a short output is told whole', () => {
  assert.deepEqual(told(['one', 'two']), ['one', 'two']);
});

/** 240 lines that go well, whose names say what might be taken for a failure, and one or two that do not. */
const among = (well: (name: string, at: number) => string, ...ill: readonly string[]) => {
  const names = [
    'adds two',
    'rejects an error of the parser',
    'fails fast',
    'throws an exception',
    'reads a file',
    'never panics',
  ];
  const all = Array.from({ length: 240 }, (_, at) => well(`${names[at % names.length]} of ${at}`, at));
  return all.toSpliced(120, 1, ...ill);
};

for (const [runner, lines, wanted] of [
  ['mocha', among((name) => `    ✔ ${name} (${name.length}ms)`, '    1) adds two'), ['1) adds two']],
  ['node', among((name) => `✔ ${name} (0.1ms)`, '✖ adds two (0.3ms)', '  3 !== 2'), ['✖ adds two (0.3ms)', '3 !== 2']],
  ['bun', among((name) => `(pass) ${name} [0.1ms]`, '(fail) math > adds [0.2ms]'), ['(fail) math > adds [0.2ms]']],
  [
    'pytest -v',
    among((name, at) => `t/a.py::test_${name.replaceAll(' ', '_')} PASSED [ ${at}%]`, 't/a.py::test_add FAILED [ 40%]'),
    ['t/a.py::test_add FAILED [ 40%]'],
  ],
  [
    'unittest -v',
    among((name, at) => `test_${at} (t.T.${name.replaceAll(' ', '_')}) ... ok`, 'test_add (t.T.test_add) ... ERROR'),
    ['test_add (t.T.test_add) ... ERROR'],
  ],
  [
    'go test -v',
    among(
      (name, at) => (at % 2 === 0 ? `=== RUN   Test_${at}` : `--- PASS: Test_${name.replaceAll(' ', '_')} (0.00s)`),
      '    calc_test.go:12: want 3, got 4',
      '--- FAIL: TestAdd (0.00s)',
    ),
    ['calc_test.go:12: want 3, got 4', '--- FAIL: TestAdd (0.00s)'],
  ],
  [
    'cargo test',
    among((name) => `test tests::${name.replaceAll(' ', '_')} ... ok`, 'test tests::adds ... FAILED'),
    ['test tests::adds ... FAILED'],
  ],
  [
    'nextest',
    among(
      (name) => `        PASS [   0.003s] crate tests::${name.replaceAll(' ', '_')}`,
      '        FAIL [   0.003s] crate tests::adds',
    ),
    ['FAIL [   0.003s] crate tests::adds'],
  ],
  ['gradle', among((name) => `CalcTest > ${name}() PASSED`, 'CalcTest > adds() FAILED'), ['CalcTest > adds() FAILED']],
  ['dotnet', among((name) => `  Passed ${name} [1 ms]`, '  Failed Adds [12 ms]'), ['Failed Adds [12 ms]']],
  [
    'ctest',
    among(
      (name, at) => ` ${at}/240 Test #${at}: ${name.replaceAll(' ', '_')} ........   Passed    0.01 sec`,
      ' 120/240 Test #120: adds ........***Failed    0.02 sec',
    ),
    ['120/240 Test #120: adds ........***Failed    0.02 sec'],
  ],
  [
    'eslint',
    among(
      (name, at) => `  ${at}:5  warning  Unexpected ${name}  no-console`,
      "  12:7  error  'a' is not defined  no-undef",
    ),
    ["12:7  error  'a' is not defined  no-undef"],
  ],
  [
    'rustc',
    among((_, at) => `   Compiling crate${at} v1.0.${at}`, 'error[E0308]: mismatched types', '  --> src/main.rs:3:5'),
    ['error[E0308]: mismatched types', '--> src/main.rs:3:5'],
  ],
  [
    'MSBuild',
    among((name) => `  Copying ${name}`, 'C:\\p\\a.cs(12,5): error CS1002: ; expected'),
    ['C:\\p\\a.cs(12,5): error CS1002: ; expected'],
  ],
  [
    'a log',
    among((_, at) => `step ${at} done`, "thread 'main' panicked at src/lib.rs:3:5:", 'index out of bounds'),
    ["thread 'main' panicked at src/lib.rs:3:5:", 'index out of bounds'],
  ],
  ['phpunit', among((_, at) => `ok line ${at}`, '1) CalcTest::testAdd'), ['1) CalcTest::testAdd']],
] as const)
  test(`among 240 lines that go well what fails is told: ${runner}`, () => {
    const rows = told(lines).map((line) => line.trim());
    for (const one of wanted) assert.ok(rows.includes(one), rows.join('\n'));
    assert.ok(rows.length <= 40);
  });

test('places are those of files that are there, with the words of their line or of the line above', () => {
  const lines = among(
    (_, at) => `log ${at}`,
    'error[E0308]: mismatched types',
    '  --> src/main.rs:3:5',
    '  File "app/run.py", line 8, in run',
    'gone.rs:4: error: no',
  );
  const rows = told(lines, ['src/main.rs', 'app/run.py']);
  assert.deepEqual(rows.slice(0, 4), [
    'Places:',
    'src/main.rs:3 error[E0308]: mismatched types',
    'app/run.py:8 in run',
    '',
  ]);
});

test('all of a long line can be read, part by part, and lines that repeat are counted', () => {
  const line = Array.from({ length: 4000 }, (_, at) => `item${at}`).join(',');
  const [first = ''] = told(['a', line]).slice(1);
  assert.match(first, /^item0,.* … \[\d+ characters more: read_output {"run": 1, "line": 2, "character": 201}\]$/);
  let [read, from] = ['', 1];
  for (;;) {
    const [part = '', more] = linesFrom([line], 1, 1, from).split('\n');
    read += part;
    if (more === undefined) break;
    from = Number(/"character": (\d+)/.exec(more)?.[1]);
  }
  assert.equal(read, line);
  assert.deepEqual(told(['a', ...Array<string>(9).fill('b')]), ['a', 'b', '[the same line 8 times more]']);
  assert.match(linesFrom(Array<string>(3000).fill('0123456789'), 1, 1), /\[\d+ lines follow\]$/);
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

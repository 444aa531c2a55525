// Small tasks in which a command should run, each with how it is judged.
export interface Task {
  readonly id: string;
  readonly question: string;
  /** Said with the result of a command. */
  readonly next: string;
  readonly files: Readonly<Record<string, string>>;
  /** A command that must be among those that were run. */
  readonly runs: RegExp;
  /** The answer must fit. */
  readonly answers?: RegExp;
  /** Ends with 0 afterwards. */
  readonly worksBy?: string;
}

const script = (all: Readonly<Record<string, string>>) =>
  `${JSON.stringify({ name: 'small', version: '1.0.0', scripts: all }, null, 2)}\n`;
const testing = (call: string, wanted: string) =>
  `const assert = require('node:assert');\nconst { ${call.split('(')[0]} } = require('./src/it.js');\nassert.deepStrictEqual(${call}, ${wanted});\nconsole.log('1 test passed');\n`;
const tested = (source: string, call: string, wanted: string) => ({
  'package.json': script({ test: 'node test.js' }),
  'src/it.js': source,
  'test.js': testing(call, wanted),
});
const add = 'function add(a, b) {\n  return a - b;\n}\n\nmodule.exports = { add };\n';
const range =
  'function range(from, to) {\n  const all = [];\n  for (let i = from; i < to; i++) all.push(i);\n  return all;\n}\n\nmodule.exports = { range };\n';
const runsTests = /\b(?:npm (?:run )?test|node test\.js|make test|python3? \S*test)/;

export const tasks: readonly Task[] = [
  {
    id: 'pass',
    question: 'Run the tests. Do they pass?',
    next: 'Do they pass?',
    files: tested(add.replace('-', '+'), 'add(1, 2)', '3'),
    runs: runsTests,
    answers: /\bpass|\byes\b/i,
  },
  {
    id: 'fail',
    question: 'Run the tests. Do they pass?',
    next: 'Do they pass?',
    files: tested(add, 'add(1, 2)', '3'),
    runs: runsTests,
    answers: /fail|do(?:es)? not pass|n't pass|\bno\b/i,
  },
  {
    id: 'add',
    question: 'Run the tests and fix what fails in src/it.js.',
    next: 'Fix it in src/it.js.',
    files: tested(add, 'add(1, 2)', '3'),
    runs: runsTests,
    worksBy: 'node test.js',
  },
  {
    id: 'range',
    question: 'The last number is missing in range(1, 3). Fix src/it.js, then run the tests.',
    next: 'Run the tests.',
    files: tested(range, 'range(1, 3)', '[1, 2, 3]'),
    runs: runsTests,
    worksBy: 'node test.js',
  },
  {
    id: 'python',
    question: 'Run the tests and fix what fails in shapes.py.',
    next: 'Fix it in shapes.py.',
    files: {
      Makefile: 'test:\n\tpython3 test_shapes.py\n',
      'shapes.py': 'def area(width, height):\n    return width + height\n',
      'test_shapes.py':
        "from shapes import area\nassert area(2, 3) == 6, 'shapes.py:2: area(2, 3) is not 6'\nprint('ok')\n",
    },
    runs: runsTests,
    worksBy: 'python3 test_shapes.py',
  },
  {
    id: 'build',
    question: 'Build the project.',
    next: 'Did it work?',
    files: {
      'package.json': script({ build: 'node build.js' }),
      'build.js': "require('node:fs').writeFileSync('out.txt', 'built');\n",
    },
    runs: /\bnpm run build|node build\.js/,
    worksBy: 'test -f out.txt',
  },
  {
    id: 'lines',
    question: 'How many lines has data.csv? Use wc -l.',
    next: 'How many are it?',
    files: { 'data.csv': 'a,b\n1,2\n3,4\n5,6\n7,8\n9,0\n2,2\n' },
    runs: /\bwc -l/,
    answers: /\b7\b|seven/i,
  },
  {
    id: 'node',
    question: 'Which version of Node is installed? Run node --version.',
    next: 'Which version is it?',
    files: { 'README.md': '# Small\n' },
    runs: /node (?:--version|-v)\b/,
    answers: new RegExp(process.version.replaceAll('.', '\\.')),
  },
  {
    id: 'commit',
    question: 'What does the message of the last commit say? Use git log.',
    next: 'What does it say?',
    files: { 'a.txt': 'a\n' },
    runs: /\bgit log/,
    answers: /harbour lights/i,
  },
  {
    id: 'check',
    question: 'Run the check of this project and tell me the file and line of the error.',
    next: 'Which file and line is it?',
    files: {
      'package.json': script({ check: 'node check.js' }),
      'check.js': "console.error('src/tide.js:12: height is used before it is set');\nprocess.exit(1);\n",
      'src/tide.js': '// Tides.\n',
    },
    runs: /\bnpm run check|node check\.js/,
    answers: /src\/tide\.js:?\D*12/,
  },
  // The rest was not looked at before the note for such messages was written.
  {
    id: 'unit',
    question: 'Please run the unit tests.',
    next: 'Which test fails?',
    files: {
      Makefile: 'test:\n\tpython3 -m unittest -v\n',
      'test_depth.py':
        'import unittest\n\nclass Depth(unittest.TestCase):\n    def test_low(self):\n        self.assertEqual(1, 1)\n\n    def test_high_water(self):\n        self.assertEqual(2, 3)\n',
    },
    runs: runsTests,
    answers: /test_high_water/,
  },
  {
    id: 'go',
    question: 'Run all the tests.',
    next: 'Fix tide.go.',
    files: {
      'go.mod': 'module tide\n\ngo 1.20\n',
      'tide.go': 'package tide\n\nfunc High(height int) bool {\n\treturn height < 3\n}\n',
      'tide_test.go':
        'package tide\n\nimport "testing"\n\nfunc TestHigh(t *testing.T) {\n\tif !High(5) || High(1) {\n\t\tt.Fatal("tide.go:4: 5 is high and 1 is not")\n\t}\n}\n',
    },
    runs: /go test/,
    worksBy: 'go test ./...',
  },
  {
    id: 'compile',
    question: 'Compile it.',
    next: 'Did that go well?',
    files: { 'package.json': script({ build: 'node -e "console.log(\\"compiled 3 files\\")"' }) },
    runs: /npm run build/,
    answers: /\byes|\bwell|success|compiled/i,
  },
  {
    id: 'lint',
    question: 'Run the linter.',
    next: 'What does it complain about?',
    files: {
      'package.json': script({ lint: 'node lint.js' }),
      'lint.js': "console.log('src/map.js:7 unused variable harbour');\nprocess.exit(1);\n",
    },
    runs: /npm run lint/,
    answers: /harbour|unused/i,
  },
  {
    id: 'ls',
    question: 'Run ls -1 src | wc -l.',
    next: 'How many files are it?',
    files: { 'src/a.js': '', 'src/b.js': '', 'src/c.js': '', 'src/d.js': '' },
    runs: /ls -1 src/,
    answers: /\b4\b|four/i,
  },
  {
    id: 'grep',
    question: 'Use grep -rn TODO src to list what is still to do.',
    next: 'In which file is it?',
    files: { 'src/a.js': '// Nothing.\n', 'src/gauge.js': '// TODO: read the gauge twice\n' },
    runs: /grep -rn/,
    answers: /gauge\.js/,
  },
  {
    id: 'status',
    question: 'Run git status.',
    next: 'Is anything not committed?',
    files: { 'a.txt': 'a\n' },
    runs: /git status/,
    answers: /\bno\b|nothing|clean/i,
  },
  {
    id: 'again',
    question: 'Build this project, please.',
    next: 'Why does it fail?',
    files: {
      'package.json': script({ build: 'node build.js' }),
      'build.js': "console.error('tides.json:4: a comma is missing');\nprocess.exit(2);\n",
    },
    runs: /npm run build/,
    answers: /comma/i,
  },
  {
    id: 'mend',
    question: 'Run the tests, then mend what they find.',
    next: 'Mend src/it.js.',
    files: tested(
      'function first(list) {\n  return list[1];\n}\n\nmodule.exports = { first };\n',
      "first(['a', 'b'])",
      "'a'",
    ),
    runs: runsTests,
    worksBy: 'node test.js',
  },
  {
    id: 'version',
    question: 'Execute python3 --version.',
    next: 'Which one is it?',
    files: { 'a.txt': 'a\n' },
    runs: /python3 --version/,
    answers: /3\.\d+/,
  },
];

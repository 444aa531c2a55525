// `npm run bench -- command-tasks MODEL.gguf [--only ID]`: ten small tasks in which a model should run a command, asked as `ask --edit` asks them, with a yes to every
// question. Judged by the commands that were run, by what the folder does afterwards, and by words of the answer that were fixed before.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openEngine } from '../../../src/cli/engine.ts';
import { tellFigure } from '../all/figure.ts';
import { askToEdit, graphOfAsk } from '../editTasks/askToEdit.ts';

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const [model] = positionals;
if (model === undefined) {
  process.stderr.write('usage: npm run bench -- command-tasks MODEL.gguf [--only ID]\n');
  process.exit(2);
}
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Task {
  readonly id: string;
  readonly question: string;
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

const tasks: readonly Task[] = [
  {
    id: 'pass',
    question: 'Run the tests. Do they pass?',
    files: tested(add.replace('-', '+'), 'add(1, 2)', '3'),
    runs: runsTests,
    answers: /\bpass|\byes\b/i,
  },
  {
    id: 'fail',
    question: 'Run the tests. Do they pass?',
    files: tested(add, 'add(1, 2)', '3'),
    runs: runsTests,
    answers: /fail|do(?:es)? not pass|n't pass|\bno\b/i,
  },
  {
    id: 'add',
    question: 'Run the tests and fix what fails in src/it.js.',
    files: tested(add, 'add(1, 2)', '3'),
    runs: runsTests,
    worksBy: 'node test.js',
  },
  {
    id: 'range',
    question: 'The last number is missing in range(1, 3). Fix src/it.js, then run the tests.',
    files: tested(range, 'range(1, 3)', '[1, 2, 3]'),
    runs: runsTests,
    worksBy: 'node test.js',
  },
  {
    id: 'python',
    question: 'Run the tests and fix what fails in shapes.py.',
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
    files: { 'data.csv': 'a,b\n1,2\n3,4\n5,6\n7,8\n9,0\n2,2\n' },
    runs: /\bwc -l/,
    answers: /\b7\b|seven/i,
  },
  {
    id: 'node',
    question: 'Which version of Node is installed? Run node --version.',
    files: { 'README.md': '# Small\n' },
    runs: /node (?:--version|-v)\b/,
    answers: new RegExp(process.version.replaceAll('.', '\\.')),
  },
  {
    id: 'commit',
    question: 'What does the message of the last commit say? Use git log.',
    files: { 'a.txt': 'a\n' },
    runs: /\bgit log/,
    answers: /harbour lights/i,
  },
  {
    id: 'check',
    question: 'Run the check of this project and tell me the file and line of the error.',
    files: {
      'package.json': script({ check: 'node check.js' }),
      'check.js': "console.error('src/tide.js:12: height is used before it is set');\nprocess.exit(1);\n",
      'src/tide.js': '// Tides.\n',
    },
    runs: /\bnpm run check|node check\.js/,
    answers: /src\/tide\.js:?\D*12/,
  },
];

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tide-tasks-')));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));
const engine = await openEngine(resolve(model), 8192, 3);
print(`${engine.info.name}, ${engine.info.device}\n`);
let done = 0;
const chosen = tasks.filter(({ id }) => values.only === undefined || values.only === id);
for (const { id, question, files, runs, answers, worksBy } of chosen) {
  const folder = join(base, id);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'Add the harbour lights'],
  ])
    execFileSync('git', args, { cwd: folder });
  const ran: string[] = [];
  const says = async ({ effect, preview }: { readonly effect: string; readonly preview: string }) => {
    if (effect === 'run') ran.push(/```sh\n([\s\S]*?)\n```/.exec(preview)?.[1] ?? '');
    return true;
  };
  const { answer, seconds, told, fault } = await askToEdit(engine, graphOfAsk(engine), {
    folder,
    index: join(base, `${id}.db`),
    question,
    says,
  });
  const works = worksBy === undefined || spawnSync('bash', ['-c', worksBy], { cwd: folder }).status === 0;
  const isDone = ran.some((text) => runs.test(text)) && (answers?.test(answer) ?? true) && works;
  if (isDone) done += 1;
  print(
    `- ${isDone ? 'done' : 'NOT DONE'}: ${id} (${seconds.toFixed(0)} s): ran ${ran.map((text) => `"${text}"`).join(', ') || 'nothing'}; ${told.length} edits${works ? '' : '; it does not work'}${fault === '' ? '' : `; ${fault}`}`,
  );
  print(`  ${answer.replace(/\s+/g, ' ').slice(0, 240)}`);
}
print(`\n${done} of ${chosen.length} done.`);
tellFigure('small tasks with a command', `${done} of ${chosen.length}`);
await engine.client.dispose();

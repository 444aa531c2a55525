// `npm run bench -- one-line MODEL.gguf [--only docs|code]`: changes of one line in real files, each in a fresh folder, through what
// `ask --edit` is made of, with a yes to each question, judged by the bytes of the folder alone.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../../test/harness/program.ts';
import { openEngine } from '../../cli/engine.ts';
import { tellFigure } from '../all/figure.ts';
import { storedBytes } from '../edits/answers/answers.ts';
import { askToEdit, type EditAnswer, graphOfAsk } from '../editTasks/askToEdit.ts';
import tasks from './tasks.json' with { type: 'json' };

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const [model] = positionals;
if (model === undefined) {
  process.stderr.write('usage: npm run bench -- one-line MODEL.gguf [--only docs|code]\n');
  process.exit(2);
}
const print = (line: string) => process.stdout.write(`${line}\n`);

type Task = (typeof tasks)[number];
/** `other`: the line was changed, and not as asked. `damaged`: anything else is no more as it was. */
type Verdict = 'right' | 'unchanged' | 'other' | 'damaged';

const isDocs = ({ path }: Task) => path.endsWith('.md');

async function tried(task: Task, ask: (folder: string, index: string) => Promise<EditAnswer>) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'tide-line-')));
  try {
    const file = join(scratch, 'project', task.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, storedBytes(task.stored));
    const asked = await ask(join(scratch, 'project'), join(scratch, 'index.db'));
    return { asked, verdict: judged(task, join(scratch, 'project'), readFileSync(file, 'utf8')) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function judged({ stored, old, new: wanted }: Task, folder: string, after: string): Verdict {
  const before = storedBytes(stored).toString('utf8');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  if (files.length !== 1) return 'damaged';
  if (after === before) return 'unchanged';
  if (after === before.replace(old, () => wanted)) return 'right';
  const [head, tail] = [before.slice(0, before.indexOf(old)), before.slice(before.indexOf(old) + old.length)];
  const [lines, rest] = [head.slice(0, head.lastIndexOf('\n') + 1), tail.slice(tail.indexOf('\n'))];
  return after.startsWith(lines) && after.endsWith(rest) ? 'other' : 'damaged';
}

const kept = join(projectRoot, 'out', 'bench');
mkdirSync(kept, { recursive: true });
const engine = await openEngine(model, 8192, 1);
const all: { task: Task; verdict: Verdict; asked: EditAnswer }[] = [];
try {
  for (const task of tasks.filter((one) => values.only === undefined || (values.only === 'docs') === isDocs(one))) {
    const one = await tried(task, (folder, index) =>
      askToEdit(engine, graphOfAsk(engine), { folder, index, question: task.request, says: async () => true }),
    );
    all.push({ task, ...one });
    writeFileSync(join(kept, `oneLine-${basename(model, '.gguf')}.json`), JSON.stringify(all, null, 1));
    print(
      `${one.verdict.padEnd(9)} ${task.path} (${Math.round(one.asked.seconds)} s): ${one.asked.told.map(({ words }) => words).join(' | ')}`,
    );
  }
} finally {
  await engine.client.dispose();
}
for (const [name, isOf] of [
  ['documents', isDocs],
  ['code', (one: Task) => !isDocs(one)],
] as const) {
  const of = all.filter(({ task }) => isOf(task));
  const count = (verdict: Verdict) => of.filter((one) => one.verdict === verdict).length;
  print(
    `${name}: ${count('right')} of ${of.length} right, ${count('unchanged')} unchanged, ${count('other')} other, ${count('damaged')} damaged`,
  );
}
tellFigure('changes of one line', `${all.filter(({ verdict }) => verdict === 'right').length} of ${all.length} right`);
if (all.some(({ verdict }) => verdict === 'damaged')) process.exitCode = 1;

// `npm run bench -- edit-tasks MODEL.gguf [--tasks N] [--only NAME] [--seed S] [--graph NAME] [--temperature T] [--free]`: small edits asked for as users
// do, through what `ask --edit --yes` is made of, judged by the files alone. `--check` tries the tasks themselves, without a model.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { graphNamed } from '../../../src/core/agent/graph.ts';
import type { ApprovalRequest } from '../../../src/core/turn/gate.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { openEngine } from '../../cli/engine.ts';
import { askToEdit, drawnWith, graphOfAsk } from './askToEdit.ts';
import { checkTasks } from './checkTasks.ts';
import { type EditTask, readEditTasks } from './editTask.ts';
import { hasPython, judgeEdit, writeTask } from './judge.ts';
import { editTable, type TriedTask } from './table.ts';
import { treeHash } from './treeHash.ts';

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  options: {
    tasks: { ...text, default: '20' },
    only: text,
    seed: { ...text, default: '1' },
    graph: text,
    temperature: text,
    check: { type: 'boolean', default: false },
    free: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const [model] = positionals;
const named = values.graph === undefined ? null : graphNamed(values.graph);
if ((model === undefined && !values.check) || (named === null && values.graph !== undefined)) {
  process.stderr.write(
    'usage: npm run bench -- edit-tasks MODEL.gguf [--tasks N] [--only NAME] [--seed S] [--graph unified|guided|split] [--temperature T] [--free] | --check\n',
  );
  process.exit(2);
}

/** The user sees which file it is, but not what a block may lose. */
const toNames = async ({ doubt }: ApprovalRequest) => doubt === '';

const all = readEditTasks();
const withPython = hasPython();
const possible = all.filter(({ check }) => check.language === 'js' || withPython);
const chosen = possible.filter(({ name }) => name.includes(values.only ?? '')).slice(0, Number(values.tasks));
if (!withPython) print(`python3 is missing: ${all.length - possible.length} tasks are left out.`);

async function tryAll(modelPath: string): Promise<void> {
  const [seed, temperature] = [
    Number(values.seed),
    values.temperature === undefined ? null : Number(values.temperature),
  ];
  const engine = drawnWith(await openEngine(modelPath, 8192, named?.nodes.length ?? 1), seed, temperature, values.free);
  const graph = named ?? graphOfAsk(engine);
  print(
    `${basename(modelPath)}, graph ${graph.name}${values.free ? ', what it replaces is free' : ''}, ${temperature ?? 'the command line’s own'} temperature, seed ${seed}\n`,
  );
  const tried: TriedTask[] = [];
  try {
    for (const task of chosen) {
      const one = await tryTask(task, (folder, index) =>
        askToEdit(engine, graph, { folder, index, question: task.instruction, says: toNames }),
      );
      tried.push(one);
      process.stderr.write(`${task.name}: ${one.verdict.landed ? 'landed' : `not landed, ${one.verdict.why}`}\n`);
    }
  } finally {
    await engine.client.dispose();
  }
  print(editTable(tried));
  const kept = join(projectRoot, 'out', 'bench');
  mkdirSync(kept, { recursive: true });
  const file = `editTasks-${basename(modelPath, '.gguf')}-${graph.name}${values.free ? '-free' : ''}.json`;
  writeFileSync(join(kept, file), JSON.stringify(tried, null, 1));
  print(`\nThe answers are in out/bench/${file}.`);
}

/** In a fresh copy of the task's folder. */
async function tryTask(
  task: EditTask,
  ask: (folder: string, index: string) => ReturnType<typeof askToEdit>,
): Promise<TriedTask> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'tide-edit-')));
  try {
    const folder = join(scratch, 'project');
    writeTask(task, folder);
    const before = treeHash(folder);
    const asked = await ask(folder, join(scratch, 'index.db'));
    return { task: task.name, asked, verdict: judgeEdit(task, folder, scratch, before) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

// Nobody is there to say yes, also where this runs in a terminal.
process.stdin.isTTY = false;
if (values.check) {
  const wrong = checkTasks(chosen);
  for (const one of wrong) print(`WRONG: ${one}`);
  if (wrong.length === 0) print(`${chosen.length} tasks: as they are they do not pass, with the right answer they do.`);
  if (wrong.length > 0) process.exitCode = 1;
} else await tryAll(model ?? '');

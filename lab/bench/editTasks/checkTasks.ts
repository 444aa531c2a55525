// Tries the tasks themselves: their files parse, their check fails before the edit and passes with the right answer.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EditTask, solvedText } from './editTask.ts';
import { judgeEdit, writeTask } from './judge.ts';
import { treeHash } from './treeHash.ts';

/** Returns a sentence for each fault of a task; none where all are sound. */
export function checkTasks(tasks: readonly EditTask[]): readonly string[] {
  return tasks.flatMap((task) => {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'tide-edit-')));
    try {
      return problemsOf(task, scratch).map((problem) => `${task.name}: ${problem}`);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
}

function problemsOf(task: EditTask, scratch: string): readonly string[] {
  const folder = join(scratch, 'project');
  writeTask(task, folder);
  const before = treeHash(folder);
  // With a blank line at the end each named file counts as changed, and still parses.
  for (const path of task.named) writeFileSync(join(folder, path), `${task.files[path]}\n`);
  const untouched = judgeEdit(task, folder, scratch, before);
  for (const path of task.named)
    writeFileSync(join(folder, path), solvedText(task.files[path] ?? '', task.right[path] ?? ''));
  const solved = judgeEdit(task, folder, scratch, before);
  return [
    ...(untouched.landed ? ['the check passes without the edit'] : []),
    ...(untouched.compiles === true ? [] : [`its files do not parse: ${untouched.why}`]),
    ...(solved.landed && solved.compiles === true ? [] : [`the right answer does not pass: ${solved.why}`]),
    ...solved.elsewhere.map((path) => `the check itself changed ${path}`),
  ];
}

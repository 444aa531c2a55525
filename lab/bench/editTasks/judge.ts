// Judges an edit by the files alone: what changed on the disk, whether it still parses, and whether a script finds in it what was asked for.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { reasonOf } from '../../../src/core/faults/faults.ts';
import type { EditTask } from './editTask.ts';
import { changedPaths, type TreeHash, treeHash } from './treeHash.ts';

export interface EditVerdict {
  /** A named file changed, and the check passes. */
  readonly landed: boolean;
  /** Whether the changed files that the task names parse; null where none changed. */
  readonly compiles: boolean | null;
  /** Paths of changed files that the task does not name. */
  readonly elsewhere: readonly string[];
  /** Why it did not land, or does not compile; '' where it did. */
  readonly why: string;
}

/** How long a check may run, in milliseconds. */
const patience = 20_000;

export function writeTask({ files }: EditTask, folder: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** `scratch`: a folder outside of the judged one, for the check's script. */
export function judgeEdit(task: EditTask, folder: string, scratch: string, before: TreeHash): EditVerdict {
  const changed = changedPaths(before, treeHash(folder));
  const named = changed.filter((path) => task.named.includes(path));
  const elsewhere = changed.filter((path) => !task.named.includes(path));
  if (named.length === 0) return { landed: false, compiles: null, elsewhere, why: 'no named file changed' };
  const broken = named.flatMap((path) => parseProblem(join(folder, path), scratch) ?? []);
  const problem = checkProblem(task, folder, scratch);
  return {
    landed: problem === null,
    compiles: broken.length === 0,
    elsewhere,
    why: [...new Set([...broken, ...(problem === null ? [] : [problem])])].join('; '),
  };
}

/** Returns why a file does not parse, or null where it does or is gone. TypeScript is parsed without its types, so that a name declared twice shows. */
function parseProblem(path: string, scratch: string): string | null {
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  try {
    if (path.endsWith('.json')) JSON.parse(text);
    else if (path.endsWith('.py')) return endOf('python3', ['-c', compiles, path]);
    else {
      const script = join(scratch, 'parsed.mjs');
      writeFileSync(script, path.endsWith('.ts') ? stripTypeScriptTypes(text) : text);
      return endOf(process.execPath, ['--check', script]);
    }
    return null;
  } catch (error) {
    return `it does not parse: ${reasonOf(error).split('\n')[0]}`;
  }
}

/** Writes no byte code beside the file. */
const compiles = 'import sys; compile(open(sys.argv[1], encoding="utf-8").read(), sys.argv[1], "exec")';

/** Scripts see the folder by `load` and `text`. */
const preludes = {
  js: `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
const folder = process.argv[2] + '/';
const load = (path) => import(folder + path);
const text = (path) => readFileSync(folder + path, 'utf8');
`,
  py: `import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
def text(path):
    return open(sys.argv[1] + "/" + path, encoding="utf-8").read()
`,
} as const;

/** Returns why the check fails, or null where it passes. The model's code runs here: in JavaScript it may only read files. */
function checkProblem({ check }: EditTask, folder: string, scratch: string): string | null {
  const script = join(scratch, check.language === 'js' ? 'check.mjs' : 'check.py');
  writeFileSync(script, preludes[check.language] + check.script);
  if (check.language === 'py') return endOf('python3', [script, folder]);
  return endOf(process.execPath, [
    '--permission',
    `--allow-fs-read=${folder}`,
    `--allow-fs-read=${script}`,
    script,
    folder,
  ]);
}

/** Returns the error that the program printed, or null where it ended well. */
function endOf(program: string, args: readonly string[]): string | null {
  const ended = spawnSync(program, [...args], {
    encoding: 'utf8',
    timeout: patience,
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  if (ended.status === 0) return null;
  const lines = ended.stderr.split('\n').map((line) => line.trim());
  const said =
    lines.find((line) => /^(?:\w*(?:Error|Exception))\b/.test(line)) ?? lines.findLast((line) => line !== '');
  return said?.slice(0, 200) ?? (ended.error === undefined ? `it ended with ${ended.status}` : reasonOf(ended.error));
}

export function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0;
}

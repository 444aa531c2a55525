// Who starts programs, and which: nobody starts Git, which runs what the settings of a repository name.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from './harness/program.ts';

/** Ways to start a program, in Node and in the editor. */
const starts: readonly RegExp[] = [
  /^import (?!type\b).*['"](?:node:)?child_process['"]/m,
  /\b(?:require|import|getBuiltinModule)\(\s*['"`](?:node:)?child_process['"`]/,
  /\bprocess\.(?:binding|execve|dlopen)\b/,
  /\bvscode\.(?:Shell|Process)Execution\(|\bexecuteTask\(|\bcreateTerminal\(|\bsendText\(|\bdebug\.startDebugging\(/,
  /\bshell(?:Integration)?\??\.executeCommand\(/i,
  /\bexecuteCommand\(\s*['"`](?:git|workbench\.action\.(?:terminal|tasks|debug))\b/,
];

/** The files that start programs, each with all that it starts. */
const starters: Readonly<Record<string, RegExp>> = {
  'src/engine/fork.ts': /\bfork\(script,/g,
  // Apple's own command, which says what memory is free.
  'src/engine/worker/slot/allowed.ts': /\bexecFile\('\/usr\/bin\/vm_stat',/g,
  'src/host/edits/inTerminal.ts': /\bcreateTerminal\(\)|\bsendText\(|\bshell\.executeCommand\(/g,
  // The terminal that shows commands starts nothing: its lines come from us.
  'src/host/shell/commandTerminal.ts': /\bcreateTerminal\(\{ name, pty,/g,
  'src/host/system/power.ts': /\bexecFile\(file,|\brun\((?:'powerprofilesctl'|'\/usr\/bin\/pmset'|powerShell),/g,
  // The commands of a model, each after its judgement, and the fence around them.
  'src/shell/fence/fence.ts': /\bexecFile\(program,/g,
  // What holds the network that they share, and what joins a port of this machine to one of it.
  'src/shell/fence/room.ts': /\bspawn\('bwrap',|\bspawn\(program,/g,
  'src/shell/fence/way.ts': /\bspawn\(program,/g,
  'src/shell/process/run.ts': /\bspawn\(run\.started\.program,|\bexecFile\('taskkill',/g,
  'src/tools/search/ripgrep.ts': /\bspawn\(rgPath,/g,
};
const anyStart =
  /\b(?:fork|spawn|spawnSync|(?<!\.)exec|execSync|execFile|execFileSync|run|createTerminal|sendText|shell(?:Integration)?\??\.executeCommand)\((?!file: string)/g;

const startsIn = (source: string) => starts.some((way) => way.test(source));
const sourceOf = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

test('ten files start programs: the engine, ripgrep, what knows the battery and the memory, terminals, and the commands of a model', () => {
  const sources = globSync(['src/**/*.ts', 'webview/**/*.{ts,tsx}'], { cwd: projectRoot });
  const found = sources.map((file) => file.replaceAll('\\', '/')).filter((file) => startsIn(sourceOf(file)));
  assert.deepEqual(found.toSorted(), Object.keys(starters));
  for (const [file, known] of Object.entries(starters)) {
    const source = sourceOf(file);
    assert.equal(source.match(anyStart)?.length, source.match(known)?.length, file);
    assert.doesNotMatch(source, /(['"`])git(?:\.\w+)?\1/, file);
  }
});

test('each way to start a program is found where it stands', () => {
  for (const source of [
    "import { execFile } from 'node:child_process';",
    "import * as all from 'child_process';",
    "import { type ChildProcess, fork } from 'node:child_process';",
    "const { spawn } = await import('node:child_process');",
    "require('child_process').exec('git status')",
    "process.getBuiltinModule('child_process')",
    "new vscode.ShellExecution('git status')",
    'vscode.tasks.executeTask(task)',
    "vscode.commands.executeCommand('git.refresh')",
    'terminal.shellIntegration?.executeCommand(line)',
    "vscode.commands.executeCommand('workbench.action.terminal.sendSequence', keys)",
  ])
    assert.ok(startsIn(source), source);
  assert.ok(!startsIn("import type { ChildProcess } from 'node:child_process';\nvscode.window.terminals;\n"));
});

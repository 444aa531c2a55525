// `npm run check -- size [--model FILE]`: how large the house is, beside its marks. One plain question is asked on the command line, and V8 says
// which files and functions ran, in the host and in the engine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../harness/program.ts';
import { editorKeys } from '../settingFiles.ts';

const { values } = parseArgs({ options: { model: { type: 'string' } } });

const tracked = spawnSync('git', ['ls-files'], { cwd: projectRoot, encoding: 'utf8' }).stdout.trim().split('\n');

/** Lines of the programs below some folders. */
function linesIn(folders: RegExp): number {
  const paths = tracked.filter((path) => folders.test(path) && /\.(?:tsx?|mjs)$/.test(path));
  return paths.reduce((sum, path) => sum + readFileSync(join(projectRoot, path), 'utf8').split('\n').length - 1, 0);
}

interface Profile {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** The engine is ended without a word, so each process writes what ran every half second. */
const writing = `data:text/javascript,${encodeURIComponent(
  "import v8 from 'node:v8'; setInterval(() => v8.takeCoverage(), 500).unref();",
)}`;

/** Files and functions of src that ran for one question, each once; null where it was not answered. */
function ranForQuestion(): { readonly files: number; readonly functions: number } | null {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-size-'));
  try {
    const model = values.model === undefined ? [] : ['--model', values.model];
    const args = ['lab/cli/ask.ts', '--workspace', 'test/fixtures/sample', ...model, 'Say hello.'];
    const { status } = spawnSync(process.execPath, args, {
      cwd: projectRoot,
      env: { ...process.env, NODE_V8_COVERAGE: folder, NODE_OPTIONS: `--import=${writing}` },
      timeout: 600_000,
    });
    if (status !== 0) return null;
    const ran = new Set<string>();
    const files = new Set<string>();
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile;
      for (const { url, functions } of result) {
        if (!url.includes('/src/') || url.includes('/node_modules/')) continue;
        for (const { ranges } of functions) {
          const [{ startOffset = 0, count = 0 } = {}] = ranges;
          // At 0 stands the file itself.
          if (startOffset === 0 || count === 0) continue;
          ran.add(`${url}:${startOffset}`);
          files.add(url);
        }
      }
    }
    return { files: files.size, functions: ran.size };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const question = ranForQuestion();
const rows: readonly (readonly [what: string, now: number | null, most: number])[] = [
  ['functions run for one plain question', question?.functions ?? null, 600],
  ['files run for one plain question', question?.files ?? null, 110],
  ['lines of src and webview', linesIn(/^(?:src|webview)\//), 56_000],
  ['lines of test and lab', linesIn(/^(?:test|lab)\//), 60_000],
  ['tracked files', tracked.length, 1400],
  ['settings', editorKeys.length, 40],
];
console.log('| what | now | at most | |\n|---|---:|---:|---|');
for (const [what, now, most] of rows)
  console.log(`| ${what} | ${now ?? 'not answered'} | ${most} | ${now !== null && now <= most ? '' : 'MISSED'} |`);
process.exitCode = rows.every(([, now, most]) => now !== null && now <= most) ? 0 : 1;

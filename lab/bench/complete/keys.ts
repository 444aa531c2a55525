// `npm run bench -- complete-keys MODEL.gguf [--keys N]`: lines that real commits of this repository added, typed key by key into the file as it was before,
// but for comments in front of them, by somebody who accepts a suggestion whenever it is what the commit has. Tokens decoded, shown, kept, and seconds; first requests at a place and
// changes of the window are counted apart.

import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { Caret, OpenText } from '../../../src/completion/caret.ts';
import { CompletionSession, paceAfter } from '../../../src/completion/session.ts';
import type { ModelPace } from '../../../src/core/abilities/abilities.ts';
import type { Completed, FillRequest } from '../../../src/core/engine/completion.ts';
import type { FillsIn } from '../../../src/core/engine/engine.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { openFiller } from './filler.ts';

const { values, positionals } = parseArgs({
  options: { keys: { type: 'string', default: '2000' }, commits: { type: 'string', default: '40' } },
  allowPositionals: true,
});
const [model] = positionals;
if (model === undefined) {
  process.stderr.write('usage: npm run bench -- complete-keys MODEL.gguf [--keys N] [--commits N]\n');
  process.exit(2);
}
const print = (line: string) => process.stdout.write(`${line}\n`);
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 2 ** 28 });

interface Added {
  readonly path: string;
  /** The file before, and the line in front of which the new ones stand. */
  readonly before: readonly string[];
  readonly at: number;
  readonly lines: readonly string[];
}

/** Runs of three to eight lines that a commit added to a file of the product, at most one for each commit, the latest first. */
function* additions(): Generator<Added> {
  for (const commit of git('log', '--format=%H', '--diff-filter=M', '--', 'src').trim().split('\n')) {
    const added = additionOf(commit);
    if (added !== null) yield added;
  }
}

function additionOf(commit: string): Added | null {
  const diff = git('show', '--format=', '--unified=0', '--diff-filter=M', commit, '--', 'src/*.ts', 'src/**/*.ts');
  for (const file of diff.split(/^diff --git /m).slice(1)) {
    const path = /^\+\+\+ b\/(.+)$/m.exec(file)?.[1] ?? '';
    for (const [, line = '', hunk = ''] of file.matchAll(/^@@ -(\d+),0 \+\d+(?:,\d+)? @@.*\n((?:\+.*\n)+)/gm)) {
      const lines = hunk
        .trimEnd()
        .split('\n')
        .map((one) => one.slice(1));
      if (lines.length < 3 || lines.length > 8 || lines.some((one) => one.startsWith('import'))) continue;
      // Prose in front is not typed: it stands there already.
      const code = lines.findIndex((one) => !/^\s*(?:\/\/|\/?\*|$)/.test(one));
      if (code < 0) continue;
      const before = git('show', `${commit}^:${path}`)
        .split('\n')
        .toSpliced(Number(line), 0, ...lines.slice(0, code));
      return { path, before, at: Number(line) + code, lines: lines.slice(code) };
    }
  }
  return null;
}

const { complete, faults, dispose } = await openFiller(model);

interface Asked {
  readonly done: Completed;
  readonly kind: 'first' | 'window' | 'next';
}

const asked: Asked[] = [];
let former: FillRequest | null = null;
let isFirst = true;
const counted: FillsIn = async (request, onText, signal) => {
  const done = await complete(request, onText, signal);
  // A window begins elsewhere where the former prefix is no longer what the new one begins with.
  const same = former !== null && request.prefix.slice(0, 60) === former.prefix.slice(0, 60);
  asked.push({ done, kind: isFirst ? 'first' : same ? 'next' : 'window' });
  former = request;
  isFirst = false;
  return done;
};

let pace: ModelPace | null = null;
const session = new CompletionSession({
  complete: counted,
  pace: () => pace,
  faults,
});
const never = new AbortController().signal;
let [keys, requests, shown, kept, characters, typed] = [0, 0, 0, 0, 0, 0];
const waits: number[] = [];

async function play({ path, before, at, lines }: Added, most: number): Promise<void> {
  const wanted = lines.join('\n');
  let put = '';
  isFirst = true;
  for (let count = 0; count < most && put.length < wanted.length; count++) {
    put += wanted[put.length] ?? '';
    // The editor writes the indentation.
    if (put.endsWith('\n')) put += /^[ \t]*/.exec(wanted.slice(put.length))?.[0] ?? '';
    [keys, typed] = [keys + 1, typed + 1];
    const own = put.split('\n');
    const all = [...before.slice(0, at), ...own, ...before.slice(at)];
    const text: OpenText = { path, language: 'typescript', lines: all };
    const caret: Caret = { line: at + own.length - 1, column: own.at(-1)?.length ?? 0 };
    const started = performance.now();
    const answer = await session.at({ text, caret, signal: never });
    if (answer.source === 'model') waits.push(performance.now() - started);
    pace = paceAfter(answer, pace);
    requests += 1;
    if (answer.source === 'before' && answer.text !== '') continue;
    if (count === 0) await session.prepare({ text, caret, signal: never });
    if (answer.text === '') continue;
    shown += 1;
    const rest = wanted.slice(put.length);
    // Within a word it is another word.
    const [last, next] = [answer.text.at(-1) ?? '', rest[answer.text.length] ?? ''];
    const isRight = rest.startsWith(answer.text) && !(/[\w$]/.test(last) && /[\w$]/.test(next));
    if (!isRight) continue;
    [kept, characters] = [kept + 1, characters + answer.text.length];
    put += answer.text;
    await session.ahead({
      text: { ...text, lines: [...before.slice(0, at), ...put.split('\n'), ...before.slice(at)] },
      caret: { line: at + put.split('\n').length - 1, column: put.split('\n').at(-1)?.length ?? 0 },
      signal: never,
    });
  }
}

const perCommit = Math.ceil(Number(values.keys) / Number(values.commits));
let commits = 0;
for (const added of additions()) {
  if (commits === Number(values.commits)) break;
  commits += 1;
  await play(added, perCommit);
}
await dispose();

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
const at = (numbers: readonly number[], share: number) =>
  sorted(numbers)[Math.floor(share * (numbers.length - 1))] ?? 0;
const spread = (numbers: readonly number[]) =>
  `median ${Math.round(at(numbers, 0.5))}, p95 ${Math.round(at(numbers, 0.95))}, most ${Math.round(at(numbers, 1))}`;
print(`${commits} commits, ${keys} keys, ${asked.length} requests to the model`);
for (const kind of ['first', 'window', 'next'] as const) {
  const own = asked.filter((one) => one.kind === kind && one.done.tokens.prompt > 0);
  print(`${kind}: ${own.length} requests; tokens decoded ${spread(own.map(({ done }) => done.tokens.decoded))}`);
  if (kind === 'next') {
    const beyond = own.map(({ done: { tokens } }) => tokens.decoded - tokens.behind);
    print(`  beyond those behind the caret: ${spread(beyond)}`);
    print(
      `  that decode more than half of their prompt: ${own.filter(({ done: { tokens } }) => tokens.decoded > tokens.prompt / 2).length}`,
    );
  }
}
print(
  `shown ${shown} times for ${requests} keys (${((100 * shown) / requests).toFixed(0)} %), ${kept} kept (${((100 * kept) / Math.max(1, shown)).toFixed(0)} %)`,
);
print(`${((100 * characters) / Math.max(1, typed)).toFixed(0)} characters kept for 100 typed`);
print(`from the key to the answer of the model: ${spread(waits)} ms`);

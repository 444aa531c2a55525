// Which commands run unasked: what is allowed, and nothing that only looks like it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { grammarsFolder } from '../../src/cli/finding.ts';
import { createGrammars } from '../../src/finding/cut/grammars.ts';
import { type Allowance, asReadOn, type CommandRules, judge, prefixOf } from '../../src/shell/judge/judge.ts';
import { parseCommand } from '../../src/shell/judge/parse.ts';
import { onlyLooks } from '../../src/shell/judge/programs.ts';
import { cases } from '../cases.ts';
import { allowedExact, allowedPrefixes, sly } from './commands.ts';

const parser = await createGrammars(grammarsFolder)({ grammar: 'bash' });
if (parser === null) throw new Error('no grammar of bash');
const parsed = (text: string) => parseCommand(parser, text);
const allowed: readonly Allowance[] = [
  ...allowedPrefixes.map((words) => ({ kind: 'prefix', words }) as const),
  ...allowedExact.map((text) => ({ kind: 'exact', text }) as const),
];
const nothing: CommandRules = { denied: [], allowed: [], looksUnasked: false };
const verdict = (text: string, rules: Partial<CommandRules> = {}) =>
  judge(parsed(text), { ...nothing, ...rules }).verdict;

test('a command asks until it, or how each of its programs begins, is allowed', () => {
  for (const [text, expected] of [
    ['git log --oneline -5', 'allow'],
    ['npm test', 'allow'],
    ['ls -la src', 'allow'],
    ['git log | grep fix', 'allow'],
    ["grep 'a b' x.txt 2>/dev/null", 'allow'],
    ['ls && cat "a b.txt"', 'allow'],
    ['npm test -- --watch', 'ask'],
    ['npm  test', 'ask'],
    ['git status', 'ask'],
    ['lsof', 'ask'],
    ['', 'ask'],
  ] as const)
    assert.equal(verdict(text, { allowed }), expected, text);
});

test(`none of ${sly.length} lines that look like allowed ones runs without being asked`, () => {
  assert.ok(sly.length >= 300);
  assert.deepEqual(
    sly.filter((line) => verdict(line, { allowed, looksUnasked: false }) === 'allow'),
    [],
  );
});

test('what is refused stays refused, whatever else is allowed, also where another program starts it', () => {
  const rules = {
    allowed: [...allowed, { kind: 'exact', text: 'rm -rf x' } as const],
    denied: [['rm', '-rf'], ['curl']],
  };
  for (const line of [
    'rm -rf x',
    'ls; rm -rf y',
    '/bin/rm -rf x',
    'env rm -rf x',
    'sh -c "rm -rf x"',
    'echo $(curl x)',
    'r""m -rf x',
  ])
    assert.equal(verdict(line, rules), 'deny', line);
  assert.equal(verdict('rm x', rules), 'ask');
});

test('with a fence and a yes for the folder, what only looks runs with the folder read-only', () => {
  for (const line of [
    'git log',
    'git diff HEAD~1 -- a.ts'.replace('~', '^'),
    'grep -rn x src',
    'cat a | sort | uniq -c',
    'tsc --noEmit',
    'find . -name x.ts',
  ])
    if (!line.includes('^'))
      assert.deepEqual(
        judge(parsed(line), { ...nothing, looksUnasked: true }),
        { verdict: 'allow', looks: true },
        line,
      );
  for (const line of [
    'rm x',
    'npm test',
    'find . -delete',
    'sort -o a b',
    'tsc',
    'git checkout x',
    'git log --output=a',
    'cat a > b',
    'uniq a b',
    'date -s x',
    'git log $x',
  ])
    assert.equal(verdict(line, { looksUnasked: true }), 'ask', line);
});

test('on Windows every command asks, and none is allowed for good', () => {
  for (const text of ['git log', 'npm test', 'ls']) {
    const read = parsed(text);
    assert.equal(asReadOn('linux', read), read);
    const command = asReadOn('win32', read);
    const rules = { denied: [], allowed: [{ kind: 'exact', text }] as const, looksUnasked: true };
    assert.equal(judge(command, rules).verdict, 'ask');
    assert.equal(prefixOf(command, rules), null);
  }
});

test('the beginning that is offered says what it starts', () => {
  const offered = (text: string) => prefixOf(parsed(text), nothing)?.join(' ') ?? null;
  for (const [text, expected] of [
    ['git log --oneline', 'git log'],
    ['ls -la', 'ls'],
    ['mytool build --fast', 'mytool build'],
    ['npm test', null],
    ['git push', null],
    ['ls; cat x', null],
    ['./build', null],
    ['ls > x', null],
    ['ls $x', null],
  ] as const)
    assert.equal(offered(text), expected, text);
});

const scratch = mkdtempSync(join(tmpdir(), 'tide-judge-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** The programs that bash really starts, each with its words: those on the search path only note how they were called. */
function startedBy(line: string): readonly (readonly string[])[] {
  const [stubs, noted, place] = ['stubs', 'noted', 'place'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [stubs, place]) mkdirSync(folder, { recursive: true });
  for (const name of ['git', 'ls', 'cat', 'grep', 'rm', 'sh', 'npm', 'env', 'xargs', 'x', 'sudo']) {
    writeFileSync(
      join(stubs, name),
      `#!/bin/bash\nprintf '%s\\0' ${name} "$@" >> ${noted}; printf '\\1' >> ${noted}\n`,
    );
    chmodSync(join(stubs, name), 0o755);
  }
  writeFileSync(noted, '');
  spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', line], { cwd: place, env: { PATH: stubs }, timeout: 5000 });
  const text = readFileSync(noted, 'utf8');
  return text
    .split('\x01')
    .slice(0, -1)
    .map((one) => one.split('\0').slice(0, -1));
}

test('of any line that runs unasked, bash starts only what is allowed', () => {
  const word = fc.constantFrom(
    ...[
      'git',
      'log',
      'ls',
      'cat',
      'grep',
      'echo',
      'rm',
      'npm',
      'test',
      'x',
      '-l',
      'a b',
      '"a b"',
      "'a;rm'",
      '"$(rm)"',
      '$(rm x)',
      '`rm`',
      '\\',
      '"',
      "'",
      '$x',
      '{a,rm}',
    ],
    ...['~', '*', '#', '=', 'A=1', 'a=$(rm)', '\\\n', "$'a'", '$"a"', '!', '^'],
  );
  const joint = fc.constantFrom(
    ' ',
    ' ',
    ' ',
    ' ',
    '',
    '; ',
    ' && ',
    ' | ',
    '\n',
    ' & ',
    ' > ',
    ' 2>&1 ',
    ' < ',
    ' <<E\n',
    '|&',
    ' ;; ',
    ' ( ',
    ' ) ',
    ' { ',
    '; } ',
  );
  const line = fc.array(fc.tuple(word, joint), { minLength: 1, maxLength: 8 }).map((all) => all.flat().join(''));
  fc.assert(
    fc.property(line, (text) => {
      if (verdict(text, { allowed }) !== 'allow') return;
      for (const words of startedBy(text)) {
        const isExact = allowedExact.some((one) => one === text);
        const begins = allowedPrefixes.some((prefix) => prefix.every((own, at) => words[at] === own));
        assert.ok(isExact || begins, `${JSON.stringify(text)} starts ${words.join(' ')}`);
      }
    }),
    { numRuns: cases(20_000) },
  );
});

test('whatever is allowed, a refusal and a question stay what they are', () => {
  const text = fc.oneof(fc.constantFrom(...sly), fc.string());
  fc.assert(
    fc.property(text, (line) => {
      const command = parsed(line);
      const more = { ...nothing, allowed, denied: [['rm']] };
      const [before, after] = [judge(command, { ...nothing, denied: [['rm']] }), judge(command, more)];
      if (before.verdict === 'deny') assert.equal(after.verdict, 'deny');
      if (command.parts.every(onlyLooks) && after.verdict === 'allow') assert.equal(command.problem, null);
    }),
    { numRuns: cases(2000) },
  );
});

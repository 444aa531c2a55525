// Which commands run unasked: what is allowed, and nothing that only looks like it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { grammarsFolder } from '../../lab/cli/finding.ts';
import { createGrammars } from '../../src/finding/cut/grammars.ts';
import { asReadOn, deniedBy, looksAt, unreadBecause } from '../../src/shell/judge/judge.ts';
import { gitWriteOf, makesRepository } from '../../src/shell/judge/listed.ts';
import { parseCommand } from '../../src/shell/judge/parse.ts';
import { cases } from '../cases.ts';
import { sly } from './commands.ts';

const parser = await createGrammars(grammarsFolder)({ grammar: 'bash' });
if (parser === null) throw new Error('no grammar of bash');
const parsed = (text: string) => parseCommand(parser, text);
const looks = (text: string) => looksAt(parsed(text)) !== null;
const fixture = <T>(name: string): readonly T[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/commands', name), 'utf8'));

test('everyday lookers only look', () => {
  const lines = fixture<string>('lookers.json');
  assert.deepEqual(
    lines.filter((line) => !looks(line)),
    [],
  );
  for (const line of [
    ...[
      'git log --oneline -5',
      'git show HEAD~1:src/a.ts',
      'git diff HEAD^ -- a.ts',
      'git stash list',
      'git branch -vv',
    ],
    ...['grep "foo\\|bar" src/*.ts', "sed -n '10,20p' a.ts", 'ls # a comment', 'cd src && ls', 'wc -l < a.txt'],
    ...[
      'test -f a.txt && cat a.txt',
      'find . -name "*.ts" -not -path "./x/*"',
      'sort a | uniq -c | sort -rn | head -3',
      'date +%F',
    ],
  ])
    assert.ok(looks(line), line);
});

/** These only read; whether they lead out of the folder is judged where the folder is known. */
const leadsOut = /\/etc\/|\.\.\/|\/home\/|"\/"|0<|--pretty=signed/;

test('lines that seem to look, and run or write something, do not only look', () => {
  const lines = fixture<string>('hostile.json').filter((line) => !leadsOut.test(line));
  assert.deepEqual(lines.filter(looks), []);
  assert.deepEqual(sly.filter((line) => !line.startsWith('cd .. ')).filter(looks), []);
  for (const line of [
    ...[
      'sort --out=b a',
      'sort --comp=./x a',
      'sort -ob a',
      'git grep --open=./x y',
      'git grep -nO./x y',
      'git log --outp=a',
    ],
    ...[
      "test -v 'a[$(./x)]'",
      'tree -R -L 1',
      'uniq a b',
      'git branch new',
      'git branch -v new',
      'git tag new',
      'git stash',
    ],
    ...[
      'date -s x',
      'find . -delete',
      'find . -fprintf a x',
      'git log --format=%G?',
      'git -C sub status',
      'git -c a.b=c log',
    ],
    ...[
      'sed -n 1e',
      'sed -n "1w a" b',
      "awk '{ system(1) }'",
      'rg --pre ./x y',
      'file -C',
      'xargs ls',
      'env ls',
      'tail -f a',
    ],
    ...[
      'ls \n\\\nsh evil.sh',
      'find a.txt ""{x{y}z,-exec,./evil.sh,";"}',
      'sort -\\\noout a',
      "cat ''\\-x",
      'ls \\ ]',
      'echo a{b',
      'ls @\\\n#x',
      'cd -',
      'cat a > b',
      'echo *',
      '*',
      '-x',
      './ls',
      'git',
      'git config a.b c',
      'diff -l a b',
      'strings -o --evil a',
      'LS',
    ],
  ])
    assert.equal(looks(line), false, line);
});

test('what settings deny is denied however it is spelled, and no more than that', () => {
  const rows = fixture<{ readonly rule: string; readonly line: string; readonly allowed?: true }>('denied.json');
  const wrong = rows.filter(
    ({ rule, line, allowed }) => (deniedBy(parsed(line), [rule.split(' ')]) === null) !== (allowed === true),
  );
  // A program that is not known may start what its words name.
  assert.deepEqual(
    wrong.map(({ line }) => line),
    ['man curl', 'git rm --cached secrets.txt'],
  );
  assert.notEqual(deniedBy(parsed('ls \n\\\ngit push origin'), [['git', 'push']]), null);
  const rules = [['git', 'push'], ['rm', '-rf'], ['npm', 'publish'], ['curl']];
  for (const line of [
    ...[
      'git -C . push',
      'git --no-pager push',
      'ls; git push',
      'git -c a=b push origin',
      '/usr/bin/git push',
      'rm -fr x',
      'rm -r -f x',
    ],
    ...[
      'rm --recursive --force x',
      'rm --recurs -f x',
      'npm --silent publish',
      'npm --prefix a publish',
      'c\\url x',
      'cu""rl x',
    ],
    ...[
      'env rm -rf x',
      'sh -c "rm -r -f x"',
      'echo $(curl x)',
      'r""m -rf x',
      "'git' push",
      'xargs curl',
      'if true; then curl x; fi',
    ],
  ])
    assert.notEqual(deniedBy(parsed(line), rules), null, line);
  for (const line of ['git log push', 'git commit -m push', 'rm -r x', 'grep curl a', 'npm test', 'ls rm -rf'])
    assert.equal(deniedBy(parsed(line), rules), null, line);
});

test('on Windows every command asks, and none is allowed for good', () => {
  for (const text of ['git log', 'npm test', 'ls']) {
    const read = parsed(text);
    assert.equal(asReadOn('linux', read), read);
    const command = asReadOn('win32', read);
    assert.equal(looksAt(command), null);
    assert.notEqual(unreadBecause(command), null);
  }
});

test('a command of Git of the list, alone and with known options, may write to the repository', () => {
  for (const [line, part] of [
    ['git add -A', 'add'],
    ['git commit -m "a b"', 'commit'],
    ['git switch -c new', 'switch'],
    ['git branch new', 'branch'],
    ['git stash', 'stash'],
    ['git merge --no-ff other', 'merge'],
    ['git rebase main', 'rebase'],
  ] as const)
    assert.equal(gitWriteOf(parsed(line))?.part, part, line);
  for (const line of [
    ...[
      'git status',
      'git add a && git commit -m b',
      'git commit -S',
      'git rebase -i x',
      'git rebase -x ./x y',
      'git rebase --exec=./x y',
    ],
    ...[
      'git -c core.hooksPath=x commit',
      'git commit --temp=x',
      'git push',
      'git config a b',
      'git merge -s x y',
      'git add $x',
      'sh -c "git add ."',
    ],
    ...[
      'git commit -m a > b',
      'git add --chm=+x a',
      'git update-index x',
      'git am x',
      'git apply x',
      'git worktree add x',
      'git submodule add x',
    ],
  ])
    assert.equal(gitWriteOf(parsed(line)), null, line);
  assert.ok(makesRepository(parsed('git init -q sub')));
  for (const line of [
    'git init --template=x',
    'git init; ls',
    'git clone -c a=b x',
    'git clone --config a=b x',
    'npm init',
  ])
    assert.equal(makesRepository(parsed(line)), false, line);
});

const scratch = mkdtempSync(join(tmpdir(), 'tide-judge-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Programs that bash starts of a line and that are no lookers, and files that it leaves: those on the search path only note that they were called. */
function doneBy(line: string): readonly string[] {
  const [stubs, noted, place] = ['stubs', 'noted', 'place'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  rmSync(place, { recursive: true, force: true });
  for (const folder of [stubs, place]) mkdirSync(folder, { recursive: true });
  for (const name of ['rm', 'sh', 'npm', 'env', 'xargs', 'x', 'sudo', 'git', 'ls', 'cat', 'grep']) {
    writeFileSync(join(stubs, name), `#!/bin/bash\nprintf '%s\\n' ${name} >> ${noted}\n`);
    chmodSync(join(stubs, name), 0o755);
  }
  writeFileSync(noted, '');
  spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', line], { cwd: place, env: { PATH: stubs }, timeout: 5000 });
  const started = readFileSync(noted, 'utf8').split('\n');
  return [...started.filter((name) => !['', 'git', 'ls', 'cat', 'grep'].includes(name)), ...readdirSync(place)];
}

test('of any line that only looks, bash starts nothing else and leaves nothing', () => {
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
  let looked = 0;
  fc.assert(
    fc.property(line, (text) => {
      if (!looks(text)) return;
      looked += 1;
      assert.deepEqual(doneBy(text), [], JSON.stringify(text));
    }),
    { numRuns: cases(20_000) },
  );
  assert.ok(looked > 0);
});

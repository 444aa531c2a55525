// Changes of a command, as the review has them: taken back byte for byte, told as "at least these", and put aside where it must not be made.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { diskFiles } from '../../src/edits/files/diskFiles.ts';
import { Reviews } from '../../src/edits/review/reviews.ts';
import { lookBefore } from '../../src/shell/changes/changes.ts';
import { type FenceState, tryFence } from '../../src/shell/fence/fence.ts';
import { type Allowed, askFenced, runChanging } from '../../src/shell/runInFolder.ts';
import { openStore } from '../../src/store/store.ts';
import { row, user } from '../store/samples.ts';
import { temporary } from '../temporary.ts';

const base = fs.realpathSync(temporary('tide-changes-'));
const path = process.env.PATH ?? '';
fs.mkdirSync(join(base, 'tried'));
const fence = await tryFence(join(base, 'tried'), join(base, 'storage'), { path, variables: process.env });
const skip = fence.kind === 'none' ? `no fence holds here: ${fence.because}` : false;
const linux = process.platform === 'linux' ? false : 'its commands are of bash';
const open: FenceState = { kind: 'none', because: 'a test', remedy: '' };

const files = {
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': 'export const b = 1;\r\nexport const c = 2;\r\n',
  'src/with space "and" ü.ts': 'export {};\n',
  'run.sh': '#!/bin/sh\necho hello\n',
  '.gitignore': 'out/\n',
};

function put(folder: string, all: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(all)) {
    fs.mkdirSync(dirname(join(folder, name)), { recursive: true });
    fs.writeFileSync(join(folder, name), text);
  }
}

function treeOf(folder: string): Readonly<Record<string, string>> {
  const names = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const all = names.filter((one) => !`${one.parentPath}/`.includes('/.git/') && one.name !== '.git');
  return Object.fromEntries(
    all
      .map((one): [string, string] => {
        const place = join(one.parentPath, one.name);
        return [
          place.slice(folder.length),
          one.isFile() ? `${fs.statSync(place).mode & 0o777} ${fs.readFileSync(place, 'latin1')}` : 'not a file',
        ];
      })
      .toSorted(),
  );
}

async function scene(t: TestContext, { git = true, state = fence }: { git?: boolean; state?: FenceState } = {}) {
  const home = fs.mkdtempSync(join(base, 'one-'));
  const [folder, storage] = [join(home, 'folder'), join(home, 'storage')];
  put(folder, files);
  fs.chmodSync(join(folder, 'run.sh'), 0o755);
  const inGit = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'pipe' });
  if (git) {
    inGit('init', '-q');
    inGit('add', '.');
    inGit('commit', '-qm', 'first');
  }
  const store = await openStore(join(home, 'store.sqlite'));
  t.after(() => store.close());
  store.sessions.createSession({ ...row, id: 's' });
  store.sessions.appendItem('s', user('m', null));
  const reviews = new Reviews({
    store: store.fileSnapshots,
    files: diskFiles,
    now: Date.now,
    agree: async () => false,
    failed: (error) => assert.fail(String(error)),
  });
  const keeper = {
    files: () => reviews.changedBy('s'),
    note: (changes: Parameters<Reviews['noteFound']>[2]) => reviews.noteFound('s', 'm', changes),
    setAside: (changes: Parameters<Reviews['noteFound']>[2]) => reviews.setAside('s', 'm', changes),
  };
  const command = { folder, cwd: folder, fence: state, timeoutMilliseconds: 20_000 };
  const ports = { storage, variables: process.env, more: [] };
  const look = () => lookBefore({ folder, ask: askFenced(command, ports), named: [] });
  const ran = (text: string, named: readonly string[] = [], allowed: Partial<Allowed> = {}) =>
    runChanging(
      ports,
      { ...command, text },
      { named, keeper, allowed: { repository: [], makesRepository: false, ...allowed } },
      () => undefined,
      new AbortController().signal,
    );
  return { folder, storage, reviews, look, ran, inGit };
}

const many = [
  'echo more >> src/a.ts',
  "sed -i 's/1/9/' src/b.ts",
  'rm "src/with space \\"and\\" ü.ts"',
  'mkdir -p made/deep',
  'echo new > made/deep/n.txt',
  'echo mine > untracked.txt',
  'printf "#!/bin/sh\\necho bye\\n" > run.sh',
  'mkdir -p out',
  'echo built > out/x',
].join(' && ');

test('all that Git tracks, new files and those that were not committed are told and taken back', {
  skip,
}, async (t) => {
  const { folder, reviews, ran } = await scene(t);
  put(folder, { 'untracked.txt': 'the first\n', 'src/a.ts': 'not committed\n' });
  const before = treeOf(folder);
  const done = await ran(many);
  assert.equal(done.result.code, 0, done.result.output);
  const told = ['made/deep/n.txt', 'run.sh', 'src/a.ts', 'src/b.ts', 'src/with space "and" ü.ts', 'untracked.txt'];
  assert.deepEqual([done.changed, done.aside], [told, []]);
  assert.equal((await reviews.of('s')).length, told.length);
  assert.deepEqual(await reviews.decideAll('s', 'undo'), []);
  // Git ignores it.
  fs.rmSync(join(folder, 'out'), { recursive: true });
  assert.deepEqual(treeOf(folder), before);
});

test('a change that waits goes on waiting, and what it was before is what Undo brings back', { skip }, async (t) => {
  const { folder, reviews, ran } = await scene(t);
  await ran('echo one >> src/a.ts');
  await ran('echo two >> src/a.ts');
  const [row] = await reviews.of('s');
  assert.deepEqual(
    row?.standing?.hunks.map(({ after }) => after.lines.length),
    [2],
  );
  await reviews.decideAll('s', 'undo');
  assert.equal(fs.readFileSync(join(folder, 'src/a.ts'), 'utf8'), files['src/a.ts']);
});

test('another branch and a commit are changes like others, and what is in it stays', { skip }, async (t) => {
  const { folder, reviews, ran, inGit } = await scene(t);
  inGit('checkout', '-qb', 'other');
  put(folder, { 'src/a.ts': 'export const a = 2;\n' });
  inGit('commit', '-qam', 'second');
  const moved = await ran('git checkout -q HEAD~1', [], { repository: [join(folder, '.git')] });
  assert.deepEqual(moved.changed, ['src/a.ts']);
  await reviews.decideAll('s', 'keep');
  put(folder, { 'src/b.ts': 'mine\n' });
  const committed = await ran('git -c user.name=a -c user.email=a@b commit -qam third', [], {
    repository: [join(folder, '.git')],
  });
  assert.deepEqual([committed.result.code, committed.changed], [0, []]);
});

test('a name that is run or obeyed later is put aside, and can be made again', { skip }, async (t) => {
  const { folder, reviews, ran } = await scene(t);
  const done = await ran('mkdir .vscode && echo "{}" > .vscode/tasks.json && echo x > src/x.ts && ln -s /etc .husky');
  assert.deepEqual(done.aside.toSorted(), [
    '.husky put aside as .husky.put-aside: renamed back, it is what it was',
    '.vscode/tasks.json put aside until the user keeps it',
  ]);
  assert.deepEqual(done.changed, ['src/x.ts']);
  assert.deepEqual([fs.existsSync(join(folder, '.vscode')), fs.readdirSync(folder).includes('.husky')], [false, false]);
  assert.equal(fs.readlinkSync(join(folder, '.husky.put-aside')), '/etc');
  assert.equal(reviews.news('s'), 'Since then the user has not yet kept .vscode/tasks.json.');
  assert.equal(await reviews.redo(join(folder, '.vscode/tasks.json')), true);
  assert.equal(fs.readFileSync(join(folder, '.vscode/tasks.json'), 'utf8'), '{}\n');
});

test('without a fence, or without Git, all changes are told, and new files and those that it names are taken back', {
  skip: linux,
}, async (t) => {
  for (const git of [true, false]) {
    const { folder, reviews, ran, look } = await scene(t, { git, state: open });
    const done = await ran('echo more >> src/a.ts; echo more >> src/b.ts; echo new > src/c.ts', [
      ...['echo', 'src/a.ts', '/etc/passwd', '../up'],
    ]);
    assert.deepEqual(done.changed, ['src/a.ts', 'src/b.ts', 'src/c.ts']);
    assert.deepEqual(
      (await reviews.of('s')).map(({ shown }) => shown),
      ['src/a.ts', 'src/c.ts'],
    );
    await reviews.decideAll('s', 'undo');
    assert.deepEqual(
      [fs.readFileSync(join(folder, 'src/a.ts'), 'utf8'), fs.existsSync(join(folder, 'src/c.ts'))],
      [files['src/a.ts'], false],
    );
    assert.equal((await look()).git, null);
  }
});

test('what is too large to be kept is told before, and that it changed afterwards', { skip }, async (t) => {
  const { folder, look, ran } = await scene(t);
  fs.writeFileSync(join(folder, 'large.bin'), Buffer.alloc(2_000_000));
  assert.deepEqual((await look()).unkept, ['large.bin']);
  const done = await ran('echo x >> large.bin');
  assert.deepEqual(done.changed, ['large.bin']);
});

test('a link that Git has not is told where it changed, and else it is not', { skip }, async (t) => {
  const { folder, ran } = await scene(t);
  for (const name of ['stays', 'turns']) fs.symlinkSync('src/a.ts', join(folder, name));
  assert.deepEqual((await ran('true')).changed, []);
  assert.deepEqual((await ran('ln -sf src/b.ts turns && ln -s src/b.ts fresh')).changed, ['fresh', 'turns']);
});

test('what the settings of a repository start comes out of the look at it nowhere', { skip }, async (t) => {
  const { folder, ran, look, inGit } = await scene(t);
  const mark = join(folder, 'ran');
  const program = `touch ${mark}; touch /tmp/ran-outside; cat`;
  for (const key of [
    'core.fsmonitor',
    'filter.x.clean',
    'filter.x.smudge',
    'diff.external',
    'core.sshCommand',
    'core.pager',
  ])
    inGit('config', key, program);
  put(folder, { '.gitattributes': '* filter=x\n' });
  assert.deepEqual((await look()).git?.programs.length, 5);
  await ran('true');
  assert.deepEqual([fs.existsSync(mark), fs.existsSync('/tmp/ran-outside')], [false, false]);
});

test('what Git does not show is told all the same, and taken back as it was', { skip }, async (t) => {
  for (const line of [
    'git update-index --assume-unchanged src/a.ts',
    'git update-index --skip-worktree src/a.ts',
    'echo garbage > .git/HEAD; echo garbage > .git/index; echo src/new.ts >> .git/info/exclude',
    'git init -q src',
    't=$(stat -c %y src/a.ts); echo x > src/a.ts; touch -d "$t" src/a.ts',
    'h=$(echo EVIL | git hash-object -w --stdin); git replace $(git rev-parse HEAD:src/a.ts) $h',
    'echo "*.ts" >> .gitignore',
  ]) {
    const { folder, reviews, ran } = await scene(t);
    const before = treeOf(folder);
    const done = await ran(`${line}; printf EVIL > src/a.ts; printf EVIL > src/new.ts`);
    for (const name of ['src/a.ts', 'src/new.ts']) assert.ok(done.changed.includes(name), `${line}: ${done.changed}`);
    await reviews.decideAll('s', 'undo');
    assert.deepEqual(treeOf(folder), before, line);
  }
});

test('a file that Git does not look at comes back as it was, not as the commit has it', { skip }, async (t) => {
  const { folder, reviews, ran, inGit } = await scene(t);
  inGit('update-index', '--assume-unchanged', 'src/a.ts');
  put(folder, { 'src/a.ts': 'mine\n' });
  assert.deepEqual((await ran('printf EVIL > src/a.ts')).changed, ['src/a.ts']);
  await reviews.decideAll('s', 'undo');
  assert.equal(fs.readFileSync(join(folder, 'src/a.ts'), 'utf8'), 'mine\n');
});

test('rights, links, folders in the place of files and odd names are told', { skip }, async (t) => {
  const { ran } = await scene(t);
  for (const [line, name] of [
    ['chmod 777 src/a.ts', 'src/a.ts'],
    ['rm src/b.ts; ln -s /etc/passwd src/b.ts', 'src/b.ts'],
    ['rm run.sh; mkdir run.sh; echo x > run.sh/x', 'run.sh/x'],
    ["printf x > $'src/\\xff.ts'", 'src/\ufffd.ts'],
    ["printf x > $'src/a\\nb.ts'", 'src/a\nb.ts'],
  ] as const)
    assert.ok((await ran(line)).changed.includes(name), line);
});

/** A repository whose settings start a program of the folder, in the place of one of ours. */
const evil = 'printf "[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tfsmonitor = $PWD/evil.sh\\n"';

test('no repository of a command stays, nor one that it changed: Git starts nothing of it', { skip }, async (t) => {
  for (const [line, at = '.', prepare] of [
    [`mkdir -p ev && cp -r .git/objects .git/refs ev/ && ${evil} > ev/config && echo ../ev > .git/commondir`],
    [`git init -q sub; ${evil} > sub/.git/config`, 'sub'],
    [`git init -q src; ${evil} > src/.git/config`, 'src'],
    [`mkdir -p ev/.git/refs ev/.git/objects; cp .git/HEAD ev/.git/; ${evil} > ev/.git/config; mv ev kit`, 'kit'],
    [
      `mkdir -p kit/objects kit/refs && cp .git/HEAD kit/ && ${evil} > kit/config && printf "\\tworktree = ..\\n" >> kit/config`,
      'kit',
    ],
    [`git config core.fsmonitor ./evil.sh; ${evil} > .git/config; rm -rf .git/hooks; mv .git old`],
    [`${evil} > real/config`, '.', 'linked'],
    [`rm .git; git init -q ev; ${evil} > ev/.git/config; ln -s ev/.git .git`, '.', 'linked'],
    [`echo ./evil.sh > tools/hooks/post-checkout; ${evil} > more`, '.', 'settings'],
  ] as const) {
    const { folder, ran, inGit } = await scene(t);
    put(folder, {
      'evil.sh': `#!/bin/sh\necho ran >> ${folder}/../PWNED\nexit 1\n`,
      'tools/hooks/post-checkout': '',
      more: '',
    });
    fs.chmodSync(join(folder, 'evil.sh'), 0o755);
    if (prepare === 'linked') {
      fs.renameSync(join(folder, '.git'), join(folder, 'real'));
      fs.symlinkSync('real', join(folder, '.git'));
    }
    if (prepare === 'settings') {
      inGit('config', 'core.hooksPath', 'tools/hooks');
      inGit('config', 'include.path', '../more');
    }
    await ran(line);
    for (const args of [['status'], ['checkout', '-q', '-b', 'n']])
      try {
        execFileSync('git', args, { cwd: fs.existsSync(join(folder, at)) ? join(folder, at) : folder, stdio: 'pipe' });
      } catch {
        // That folder is no repository.
      }
    assert.equal(fs.existsSync(join(folder, '../PWNED')), false, line);
  }
});

test('a command of Git writes to the repository, without its hooks, and what Git obeys is put back', {
  skip,
}, async (t) => {
  const { folder, ran, inGit } = await scene(t);
  const git = { repository: [join(folder, '.git')] };
  put(folder, { '.git/hooks/pre-commit': '#!/bin/sh\ntouch hooked\n', 'src/a.ts': 'other\n' });
  fs.chmodSync(join(folder, '.git/hooks/pre-commit'), 0o755);
  inGit('config', 'user.name', 'a');
  inGit('config', 'user.email', 'a@b');
  const config = fs.readFileSync(join(folder, '.git/config'), 'utf8');
  const refused = await ran('git add -A && git commit -qm second');
  assert.deepEqual([refused.result.code === 0, /Read-only file system/.test(refused.result.output)], [false, true]);
  assert.equal((await ran('git add -A', [], git)).result.code, 0);
  const done = await ran('git commit -qm second', [], git);
  assert.deepEqual(
    [done.result.code, done.aside, fs.existsSync(join(folder, 'hooked'))],
    [0, [], false],
    done.result.output,
  );
  assert.match(String(inGit('log', '--oneline')), /second/);
  const bad = await ran(
    'git config core.fsmonitor ./x; echo /x > .git/commondir; echo x > .git/hooks/post-merge',
    [],
    git,
  );
  assert.deepEqual(bad.aside.toSorted(), [
    '.git/commondir put back as it was',
    '.git/config put back as it was',
    '.git/hooks/post-merge put back as it was',
  ]);
  assert.deepEqual(
    [fs.readFileSync(join(folder, '.git/config'), 'utf8'), fs.existsSync(join(folder, '.git/commondir'))],
    [config, false],
  );
});

test('the author of a repository that is seen from a worktree or from a folder of it may commit there', {
  skip,
}, async (t) => {
  const { folder, inGit, storage } = await scene(t);
  inGit('config', 'user.name', 'a');
  inGit('config', 'user.email', 'a@b');
  const linked = join(folder, '../linked');
  inGit('worktree', 'add', '-q', linked);
  for (const place of [fs.realpathSync(linked), join(folder, 'src')]) {
    const command = { folder: place, cwd: place, fence, timeoutMilliseconds: 20_000 };
    const ports = { storage, variables: process.env, more: [] };
    const before = await lookBefore({ folder: place, ask: askFenced(command, ports), named: [] });
    assert.ok(before.git !== null, place);
    put(place, { 'new.ts': 'x\n' });
    for (const text of ['git add new.ts', 'git commit -qm new']) {
      const allowed = { repository: before.git.folders, makesRepository: false };
      const about = { named: [], keeper: null, allowed };
      const done = await runChanging(ports, { ...command, text }, about, () => undefined, new AbortController().signal);
      assert.equal(done.result.code, 0, done.result.output);
    }
  }
});

test('what others obey is guarded and told also where Git ignores it', { skip }, async (t) => {
  const { folder, ran } = await scene(t);
  put(folder, { '.gitignore': '.vscode/\n.envrc\n.claude\n', '.envrc': 'mine\n', '.vscode/settings.json': '{}\n' });
  const line =
    'echo EVIL > .envrc; echo EVIL > .vscode/settings.json; mkdir .claude; echo EVIL > .claude/settings.json';
  const done = await ran(`${line}; echo EVIL > .vscode/tasks.json`);
  assert.deepEqual(done.aside, ['.claude/settings.json put aside until the user keeps it']);
  assert.equal(fs.readFileSync(join(folder, '.envrc'), 'utf8'), 'mine\n');
  assert.deepEqual(fs.readdirSync(join(folder, '.vscode')), ['settings.json']);
});

test('files that the settings of the repository name are guarded, and put aside where they are new', {
  skip,
}, async (t) => {
  const { folder, ran, inGit } = await scene(t);
  inGit('config', 'include.path', '../local.gitconfig');
  inGit('config', 'core.hooksPath', 'my hooks');
  inGit('config', 'core.editor', './tools/ed');
  put(folder, { 'my hooks/pre-commit': 'mine\n', 'tools/ed': 'mine\n' });
  const done = await ran(
    'echo E > local.gitconfig; echo E > "my hooks/pre-commit"; echo E > "my hooks/post-commit"; echo E > tools/ed',
  );
  assert.deepEqual(done.aside, ['local.gitconfig put aside until the user keeps it']);
  for (const name of ['my hooks/pre-commit', 'tools/ed'])
    assert.equal(fs.readFileSync(join(folder, name), 'utf8'), 'mine\n', name);
  assert.deepEqual(
    [fs.existsSync(join(folder, 'local.gitconfig')), fs.existsSync(join(folder, 'my hooks/post-commit'))],
    [false, false],
  );
});

test('what the user does to repositories while a command runs stays, and nothing outside the folder is touched', {
  skip,
}, async (t) => {
  const { folder, ran, inGit } = await scene(t);
  const other = join(folder, '../other');
  execFileSync('git', ['init', '-q', other]);
  execFileSync('git', ['init', '-q', 'old'], { cwd: folder });
  execFileSync('git', ['init', '-q', 'lib'], { cwd: folder });
  put(folder, { 'sub/x': '' });
  const running = ran(
    `sleep 0.6; mv sub gone; ln -s ${other} sub; mkdir -p gone/.git/refs gone/.git/objects; touch gone/.git/HEAD; mv old older`,
  );
  await new Promise((resolve) => setTimeout(resolve, 350));
  inGit('remote', 'add', 'mine', 'https://example.org/x');
  put(folder, { '.git/hooks/pre-commit': 'mine\n' });
  fs.renameSync(join(folder, 'lib'), join(folder, 'library'));
  const done = await running;
  assert.deepEqual(done.aside, ['gone/.git/HEAD put aside as HEAD.put-aside: renamed back, it is what it was']);
  assert.match(String(inGit('remote')), /mine/);
  assert.equal(fs.readFileSync(join(folder, '.git/hooks/pre-commit'), 'utf8'), 'mine\n');
  for (const place of [other, join(folder, 'library'), join(folder, 'older')])
    assert.ok(fs.existsSync(join(place, '.git/HEAD')), place);
});

test('a repository that cannot be put aside is told, and all else with it', { skip }, async (t) => {
  const { ran } = await scene(t);
  const done = await ran('git init -q g; rm -rf g/.git/HEAD; mkdir g/.git/HEAD; chmod 555 g g/.git; echo x > y');
  assert.deepEqual(
    [done.aside, done.changed],
    [['g/.git/HEAD put aside as HEAD.put-aside: renamed back, it is what it was'], ['y']],
  );
});

// Changes of a command, as the review has them: taken back byte for byte, told as "at least these", and put aside where it must not be made.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { diskFiles } from '../../src/edits/files/diskFiles.ts';
import { Reviews } from '../../src/edits/review/reviews.ts';
import { changesAround, type FolderLook, unkeptBefore } from '../../src/shell/changes/around.ts';
import { type FenceState, tryFence } from '../../src/shell/fence/fence.ts';
import { runInFolder } from '../../src/shell/runInFolder.ts';
import { openStore } from '../../src/store/store.ts';
import { row, user } from '../store/samples.ts';
import { temporary } from '../temporary.ts';

const base = fs.realpathSync(temporary('tide-changes-'));
const path = process.env.PATH ?? '';
fs.mkdirSync(join(base, 'tried'));
const fence = await tryFence(join(base, 'tried'), join(base, 'storage'), path);
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
  const look: FolderLook = { folder, fence: state, storage, path, words: [], keeper };
  const ran = (text: string, words: readonly string[] = [], heard: readonly string[] = []) =>
    changesAround({ ...look, words }, { watch: () => async () => heard, allowsRepository: false }, () =>
      runInFolder(
        { storage, variables: process.env, more: [] },
        { text, folder, within: '.', looks: false, fence: state, timeoutMilliseconds: 20_000 },
        {},
        new AbortController().signal,
      ),
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
  const moved = await ran('git checkout -q HEAD~1');
  assert.deepEqual(moved.changed, ['src/a.ts']);
  await reviews.decideAll('s', 'keep');
  put(folder, { 'src/b.ts': 'mine\n' });
  const committed = await ran('git -c user.name=a -c user.email=a@b commit -qam third');
  assert.deepEqual([committed.result.code, committed.changed], [0, []]);
});

test('a name that is run or obeyed later is put aside, and can be made again', { skip }, async (t) => {
  const { folder, reviews, ran } = await scene(t);
  const done = await ran('mkdir .vscode && echo "{}" > .vscode/tasks.json && echo x > src/x.ts && ln -s /etc .husky');
  assert.deepEqual(done.aside.map((name) => name.replace(/ \(now .*/, '')).toSorted(), ['.husky', '.vscode']);
  assert.deepEqual(done.changed, ['src/x.ts']);
  assert.deepEqual([fs.existsSync(join(folder, '.vscode')), fs.readdirSync(folder).includes('.husky')], [false, false]);
  const place = /\(now (.*)\)$/.exec(done.aside.find((name) => name.startsWith('.husky')) ?? '')?.[1] ?? '';
  assert.equal(fs.readlinkSync(place), '/etc');
  assert.equal(reviews.news('s'), 'Since then the user has not yet kept .vscode/tasks.json.');
  assert.equal(await reviews.redo(join(folder, '.vscode/tasks.json')), true);
  assert.equal(fs.readFileSync(join(folder, '.vscode/tasks.json'), 'utf8'), '{}\n');
});

test('without a fence, or without Git, what it names is kept, and what was heard of is told', {
  skip: linux,
}, async (t) => {
  for (const git of [true, false]) {
    const { folder, reviews, ran, look } = await scene(t, { git, state: open });
    const heard = [join(folder, 'src/b.ts'), join(folder, 'src/a.ts'), '/elsewhere/x'];
    const done = await ran(
      'echo more >> src/a.ts; echo more >> src/b.ts',
      ['echo', 'src/a.ts', '/etc/passwd', '../up'],
      heard,
    );
    assert.deepEqual(done.changed, ['src/a.ts', 'src/b.ts']);
    assert.deepEqual(
      (await reviews.of('s')).map(({ shown }) => shown),
      ['src/a.ts'],
    );
    assert.equal(await unkeptBefore(look), null);
  }
});

test('what is too large to be kept is told before, and that it changed afterwards', { skip }, async (t) => {
  const { folder, look, ran } = await scene(t);
  fs.writeFileSync(join(folder, 'large.bin'), Buffer.alloc(2_000_000));
  assert.deepEqual(await unkeptBefore(look), [join(folder, 'large.bin')]);
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
  await unkeptBefore(look);
  await ran('true');
  assert.deepEqual([fs.existsSync(mark), fs.existsSync('/tmp/ran-outside')], [false, false]);
});

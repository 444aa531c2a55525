// Tests what becomes of files that are changed while others work on them, and in a repository: no Git, no other place, no lost words.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Say } from '../app/scenes/scriptedModel.ts';
import { applied, type Call, converse, reviewsOf, say, waiting, write } from './changing.ts';
import { folderOf, put, treeOf } from './places.ts';
import { forgetWatched, watched } from './watchedDisk.ts';

const posix = process.platform === 'win32' ? 'Windows has no modes, and links only for administrators' : false;

const reads = say(['read_file', { path: 'src/a.ts' }]);
const block = 'Here:\n\n```ts src/a.ts\nexport const one = 3;\nexport const two = 2;\n```\n';
const one = 'export const one = 1;\nexport const two = 2;\n';
const files = { 'src/a.ts': one, 'src/same.ts': one, 'other/same.ts': one };
const edit: Call = ['edit_file', { path: 'src/a.ts', old: 'one = 1', new: 'one = 3' }];
const gone = say(['delete_file', { path: 'src/a.ts' }]);
const moveOut: Call = ['move_file', { path: 'src/a.ts', to: 'other/moved.ts' }];
const moveIn: Call = ['move_file', { path: 'other/same.ts', to: 'src/moved.ts' }];
/** With the place that the question names. */
const changes: readonly (readonly [Say[], place: string])[] = [
  [[reads, say(edit), 'Done.'], 'src/a.ts'],
  [[reads, say(write('src/a.ts')), 'Done.'], 'src/a.ts'],
  [[say(write('src/new.ts')), 'Done.'], 'src/new.ts'],
  [[say(write('src/deep/er/new.ts')), 'Done.'], 'src/deep/er/new.ts'],
  [[reads, gone, 'Done.'], 'src/a.ts'],
  [[reads, say(moveOut), 'Done.'], 'other/moved.ts'],
  [[reads, say(moveIn), 'Done.'], 'src/moved.ts'],
];

test('Tidemark itself starts no Git outside a fence: it reads ignore files as text.', {
  skip: posix,
}, async () => {
  const home = folderOf();
  const app = put(join(home, 'app'), { 'a.ts': '' });
  const quiet = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    XDG_CONFIG_HOME: join(home, 'conf'),
    HOME: home,
  };
  execFileSync('git', ['init', '-q', '--template=', app], { env: { ...process.env, ...quiet } });
  const runs = `touch ${join(home, 'RAN')}`;
  const config = `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "${runs}"\n\tpager = "${runs}"\n\thooksPath = ../hooks\n[filter "x"]\n\tclean = "${runs}"\n[alias]\n\tcheck-ignore = "!${runs}"\n`;
  put(app, {
    '.gitattributes': '* filter=x\n',
    '.gitignore': '*.log\n/made/\n!keep.log\nb*/**/c.ts\n',
    'sub/.gitignore': 'x.ts\n!y.log\n',
  });
  put(app, { '.git/info/exclude': 'own.ts\n' });
  put(home, {
    'conf/git/ignore': 'mine.ts\n',
    'bin/git': `#!/bin/sh\n${runs}\n`,
    'hooks/post-index-change': `#!/bin/sh\n${runs}\n`,
  });
  const paths =
    'a.log keep.log made/a.ts sub/x.ts sub/y.log sub/deep/x.ts x.ts own.ts sub/own.ts mine.ts bc/d/c.ts a.ts src/b.ts'.split(
      ' ',
    );
  const input = paths.join('\n');
  const byGit = spawnSync('git', ['-C', app, 'check-ignore', '--no-index', '--stdin'], {
    input,
    encoding: 'utf8',
    env: { ...process.env, ...quiet },
  });
  const ignored = byGit.stdout.trim().split('\n');
  assert.equal(ignored.length, 8);
  fs.writeFileSync(join(app, '.git/config'), config);
  for (const path of ['bin/git', 'hooks/post-index-change']) fs.chmodSync(join(home, path), 0o755);
  fs.rmSync(join(home, 'RAN'), { force: true });
  const env = { ...quiet, GIT_CONFIG_GLOBAL: '', PATH: [join(home, 'bin'), process.env.PATH].join(delimiter) };
  const outcomes = applied(
    app,
    paths.map((path) => write(path)),
    { env, yes: false },
  );
  assert.deepEqual(
    paths.filter((_, i) => /Git's ignore files name it/.test(outcomes[i]?.reason ?? '')),
    ignored,
  );
  forgetWatched();
  await converse(app, [say(write('a.ts')), say(write('made/a.ts')), say(['search_code', { query: 'one' }]), 'Done.']);
  assert.ok(watched.started.size > 0);
  assert.deepEqual(
    [...watched.started].filter((program) => !/^\S*\/rg /.test(program)),
    [],
  );
  assert.ok(!fs.existsSync(join(home, 'RAN')));
});

test('A change lands where the question said, even if a link replaces the folder.', {
  skip: posix,
}, async () => {
  /** In the place of each of these a link to somewhere else in which all names are there, too. */
  const swaps: readonly (readonly [path: string, to: string])[] = [
    ['src', '../out/src'],
    ['src', 'other'],
    ['.', 'out'],
    ['src/a.ts', '../../out/src/a.ts'],
  ];
  for (const [says, place] of changes) {
    const app = join(folderOf(), 'app');
    put(app, files);
    const { asked } = await converse(app, [...says]);
    assert.ok(asked.includes(place) && fs.existsSync(join(app, place)) === (says[1] !== gone), place);
    for (const [path, to] of swaps) {
      const home = folderOf();
      for (const name of ['app', 'out']) put(join(home, name), files);
      const trees = () => ['out', 'app/other'].map((name) => treeOf(join(home, name)));
      const before = trees();
      const swap = () => {
        fs.renameSync(join(home, 'app', path), join(home, 'was'));
        fs.symlinkSync(to, join(home, path === '.' ? 'app' : `app/${path}`));
      };
      const { told } = await converse(join(home, 'app'), [...says], swap);
      const words = `${asked} ${path} -> ${to}: ${told}`;
      if (path === 'src') assert.deepEqual(trees(), before, words);
      assert.deepEqual(treeOf(join(home, 'out')), before[0], words);
    }
  }
});

test('Files that another program saved since are not overwritten.', { skip: posix }, async (t) => {
  const theirs = one.replace('1', '9');
  const saves: Readonly<Record<string, (path: string) => void>> = {
    'in place': (path) => fs.writeFileSync(path, theirs),
    'by a rename': (path) => {
      fs.writeFileSync(`${path}~`, theirs);
      fs.renameSync(`${path}~`, path);
    },
    'with its former time': (path) => {
      const { atime, mtime } = fs.statSync(path, { throwIfNoEntry: false }) ?? { atime: 1, mtime: 1 };
      fs.writeFileSync(path, theirs);
      fs.utimesSync(path, atime, mtime);
    },
    'as a link to another one': (path) => {
      fs.rmSync(path, { force: true });
      fs.writeFileSync(`${dirname(path)}/theirs.ts`, theirs);
      fs.symlinkSync('theirs.ts', path);
    },
  };
  const blocks = [[block, 'Done.'], 'src/a.ts'] as const;
  for (const [says, place] of [...changes.filter(([, path]) => !path.includes('deep')), blocks])
    for (const [how, save] of Object.entries(saves)) {
      const root = folderOf(files);
      const { asked } = await converse(root, [...says], () => save(join(root, place)));
      assert.ok(asked.includes(place), asked);
      assert.equal(fs.readFileSync(join(root, place), 'utf8'), theirs, `${how}: ${asked}`);
    }
  // Undoing a change asks first as well where its file was saved since.
  const { folder, store } = await waiting();
  t.after(() => store.close());
  for (const save of Object.values(saves)) {
    save(join(folder, 'a.txt'));
    const asked: string[] = [];
    const agree = async ({ shown }: { readonly shown: string }) => asked.push(shown) === 0;
    // A link is refused with words.
    const refused = await reviewsOf(store, agree)
      .undo(join(folder, 'a.txt'), null)
      .then(
        () => 0,
        () => 1,
      );
    assert.deepEqual([asked.length + refused, fs.readFileSync(join(folder, 'a.txt'), 'utf8')], [1, theirs]);
  }
});

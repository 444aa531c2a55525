// Tests our reading of Git's ignore files: the same paths are ignored as by `git check-ignore`, also paths that are not there.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { isIgnored, settingsIn } from '../../src/edits/files/ignored.ts';
import { temporary } from '../temporary.ts';

// A home of its own, and no settings of this machine's user.
const home = realpathSync(temporary('tide-home-'));
const former = { HOME: process.env.HOME, XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME };
process.env.HOME = home;
delete process.env.XDG_CONFIG_HOME;
after(() => Object.assign(process.env, former));

function put(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const repository = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/k': '', '.git/refs/k': '' };

function makeRepository(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(temporary('tide-ignored-'));
  put(root, { ...repository, ...files });
  return root;
}

/** Returns the paths that Git ignores, whether it tracks them or not. */
function byGit(root: string, paths: readonly string[]): readonly string[] {
  try {
    const said = execFileSync('git', ['-C', root, 'check-ignore', '--no-index', '-z', '--stdin'], {
      input: paths.join('\0'),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return said.toString('utf8').split('\0').slice(0, -1);
  } catch (error) {
    // 1: none of them.
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

async function byUs(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const ignored = await Promise.all(paths.map((path) => isIgnored(join(root, path))));
  return paths.filter((_, i) => ignored[i]);
}

const onPosix = { skip: process.platform === 'win32' ? 'no such names and pipes there' : false };
const oneOf = fc.constantFrom;
const name = oneOf('a', 'b', 'ab', 'c.o', 'a b', '!a', '#a', '[a]', 'a*', '.h', 'é', 'a\\b', 'c ', '{a}', 'a+', 'B');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const piece = oneOf(
  ...['a', 'b', 'ab', 'c.o', 'a b', 'a\\ b', '*', '**', '***', '?', '*.o', 'a*', '*b', '[ab]', '[!a]', '[^b]', '[a-c]'],
  ...['.*', '.h', '\\a', '\\*', 'a\\*', '\\[a\\]', '[[]a]', 'a\\\\b', '\\!a', '\\#a', '!a', '#a', 'é', 'c ', 'c\\ '],
  ...['{a}', '{a,b}', 'a+', '(a)', 'a**b', '[[:alpha:]]', '[]a]', '[a', 'a\\', 'B', '[A-C]', '$', 'a|b', '**a'],
);
const line = fc
  .record({
    not: oneOf('', '', '', '!', '!!'),
    start: oneOf('', '', '/', '//'),
    parts: fc.array(piece, { minLength: 1, maxLength: 3 }),
    end: oneOf('', '', '', '/', '//', ' ', '  ', '/ ', '\\ ', '\t', '/**', '/*'),
  })
  .map(({ not, start, parts, end }) => `${not}${start}${parts.join('/')}${end}`)
  // Git takes the stars of `a**/b` for a folder's, although no slash is in front of them.
  .filter((one) => !/(?:[^/*!]|!!)\*\*+\//.test(one));
const text = fc
  .record({
    lines: fc.array(
      fc.oneof({ weight: 12, arbitrary: line }, oneOf('', ' ', '# a', '!', '/', '!/', '*', '!*', '!*/')),
      {
        maxLength: 6,
      },
    ),
    start: oneOf('', '', '', '\uFEFF'),
    end: oneOf('\n', '\n', '\r\n', ''),
  })
  .map(({ lines, start, end }) => start + lines.join(end === '' ? '\n' : end) + end);

test('ignore files in any folder say of a path what Git says of it', onPosix, async (t) => {
  const counts = { repositories: 0, paths: 0, ignored: 0 };
  const folder = fc.array(oneOf('a', 'b', 'ab', 'a b', '[a]', 'a*', '!a', 'a\\b', 'c '), {
    minLength: 1,
    maxLength: 3,
  });
  const scene = fc.record({
    root: text,
    exclude: fc.option(text, { nil: '' }),
    user: fc.option(text, { nil: '' }),
    below: fc.array(fc.tuple(folder, text), { maxLength: 3 }),
    paths: fc.uniqueArray(path, { minLength: 12, maxLength: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ root: own, exclude, user, below, paths }) => {
      const root = makeRepository({ '.gitignore': own, '.git/info/exclude': exclude });
      put(home, { '.config/git/ignore': user });
      for (const [parts, lines] of below) put(root, { [`${parts.join('/')}/.gitignore`]: lines });
      const deep = below.flatMap(([parts]) => paths.slice(0, 4).map((one) => `${parts.join('/')}/${one}`));
      // Paths that are folders are left out on both sides.
      const folders = new Set(below.flatMap(([parts]) => parts.map((_, i) => parts.slice(0, i + 1).join('/'))));
      const all = [...new Set([...paths, ...deep])].filter((one) => !folders.has(one));
      const said = byGit(root, all);
      counts.repositories += 1;
      counts.paths += all.length;
      counts.ignored += said.length;
      assert.deepEqual(await byUs(root, all), said);
      rmSync(root, { recursive: true });
    }),
    { numRuns: Number(process.env.TIDE_IGNORED ?? 40) },
  );
  rmSync(join(home, '.config'), { recursive: true });
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.ignored > counts.paths / 20);
});

test('what is not there yet is ignored as it will be, and nothing without a repository', async () => {
  const files = { '.gitignore': 'dist/\n*.secret\n!kept.secret\n', 'sub/.gitignore': '/gen\n' };
  const root = makeRepository(files);
  const ignored = ['dist/deep/new.js', 'keys/a.secret', 'sub/gen', 'sub/gen/a/b.ts'];
  assert.deepEqual(await byUs(root, [...ignored, 'keys/kept.secret', 'a/sub/gen', 'src/a.ts']), ignored);
  const plain = realpathSync(temporary('tide-plain-'));
  put(plain, files);
  assert.deepEqual(await byUs(plain, ignored), []);
});

test('the innermost repository counts: a working tree and a submodule by the text in place of the folder, a nested one, no bare or broken one', async () => {
  const root = makeRepository({ '.gitignore': 'out/\n*.log\n', '.git/info/exclude': 'private/\n' });
  put(root, {
    // The layout that `git worktree add` and `git submodule add` make.
    '.git/worktrees/t/HEAD': 'ref: refs/heads/t\n',
    '.git/worktrees/t/commondir': '../..\n',
    'tree/.git': `gitdir: ${join(root, '.git/worktrees/t')}\n`,
    '.git/modules/m/HEAD': 'ref: refs/heads/main\n',
    '.git/modules/m/objects/k': '',
    '.git/modules/m/refs/k': '',
    '.git/modules/m/info/exclude': 'mine/\n',
    'mod/.git': 'gitdir: ../.git/modules/m\n',
    'bare/HEAD': 'ref: refs/heads/main\n',
    'bare/objects/k': '',
    'bare/refs/k': '',
    'bare/info/exclude': '*\n',
    'broken/.git/k': '',
    'broken/.git/info/exclude': '*\n',
    'nowhere/.git': 'gitdir: ../gone\n',
  });
  put(join(root, 'nested'), repository);
  const paths = ['a', 'out/a', 'a.log', 'private/a', 'mine/a'];
  const ignored = async (folder: string) => (await byUs(join(root, folder), paths)).join(' ');
  const outer = 'out/a a.log private/a';
  assert.equal(await ignored('.'), outer);
  assert.equal(await ignored('tree'), 'private/a');
  assert.equal(await ignored('mod'), 'mine/a');
  assert.equal(await ignored('nested'), '');
  for (const folder of ['bare', 'broken', 'nowhere']) assert.equal(await ignored(folder), outer, folder);
  for (const folder of ['.', 'tree', 'nested', 'broken'])
    assert.deepEqual(await byUs(join(root, folder), paths), byGit(join(root, folder), paths), folder);
});

test("the user's own list is where the user's settings say, and those of a repository name none", async () => {
  const root = makeRepository({ '.git/config': `[core]\n\texcludesFile = ${join(home, 'hostile')}\n` });
  put(home, {
    hostile: '*\n',
    mine: 'mine\n',
    usual: 'usual\n',
    'dots/ignore': 'dots\n',
    '.config/git/ignore': 'usual\n',
  });
  const paths = ['mine', 'usual', 'dots', 'other'];
  const said = async (settings: string) => {
    put(home, { '.gitconfig': settings });
    return (await byUs(root, paths)).join(' ');
  };
  assert.equal(await said(''), 'usual');
  for (const settings of [
    '[core]\n\texcludesFile = ~/mine\n',
    '[CORE] EXCLUDESFILE=~/mine ; why\n',
    `[core "x"]\nexcludesFile = ~/usual\n[core]\nexcludesFile = "${home}/mine" # why\n`,
    '[core]\nexcludesFile = ~/usual\nexcludesFile = ~/mi\\\nne\n',
    '[include]\npath = more\n',
  ]) {
    put(home, { more: '[core]\n\texcludesfile = ~/mine\n' });
    assert.equal(await said(settings), 'mine', settings);
    put(root, { '.git/config': '' });
    assert.deepEqual(byGit(root, paths), ['mine'], settings);
    put(root, { '.git/config': `[core]\n\texcludesFile = ${join(home, 'hostile')}\n` });
  }
  put(home, { 'dots/config': '[core]\n\texcludesFile = ~/dots/ignore\n' });
  assert.equal(await said('[include]\npath = ~/dots/config\n[include]\npath = .gitconfig\n'), 'dots');
  assert.equal(await said('[core]\n\texcludesFile =\n'), '');
  assert.deepEqual(settingsIn('[a]\nb\n= 1\n[a "b"]\nc = 1\n[a]\nc = "x # y" z ; n\n'), [['a.c', 'x # y z']]);
  rmSync(join(home, '.gitconfig'));
  rmSync(join(home, '.config'), { recursive: true });
});

test(
  'texts that are links, pipes, folders or too large ignore nothing, and lines that nobody writes hold nothing up',
  onPosix,
  async () => {
    const root = makeRepository({ all: '*\n', 'sub/.gitignore/k': '', 'large/.gitignore': '*\n'.repeat(200_000) });
    symlinkSync('all', join(root, '.gitignore'));
    mkdirSync(join(root, 'pipe'));
    execFileSync('mkfifo', [join(root, 'pipe/.gitignore'), join(root, '.git/info')]);
    assert.deepEqual(await byUs(root, ['a', 'sub/a', 'large/a', 'pipe/a']), []);
    const lines = {
      stars: '**/a/**/a/**/a/**/a/**/a/**/b\n',
      signs: `${'*?'.repeat(2000)}b\n`,
      many: '*a*a*a*b\n'.repeat(25_000),
    };
    for (const [folder, text] of Object.entries(lines)) put(root, { [`${folder}/.gitignore`]: text });
    const started = performance.now();
    const deep = Object.keys(lines).map((folder) => `${folder}/${'aa/'.repeat(60)}a`);
    // Paths that take too much work to judge count as ignored, so that they are asked about.
    assert.deepEqual(await byUs(root, deep), deep);
    const slow = {
      spaces: `${' '.repeat(250_000)}x\n`,
      backslashes: `${'\\'.repeat(250_000)}x\n`,
      signs: 'a?*'.repeat(500),
    };
    for (const [folder, text] of Object.entries(slow)) put(root, { [`slow/${folder}/.gitignore`]: text });
    await byUs(
      root,
      Object.keys(slow).map((folder) => `slow/${folder}/${'a'.repeat(250)}`),
    );
    assert.ok(performance.now() - started < 20_000, `${performance.now() - started} ms`);
  },
);

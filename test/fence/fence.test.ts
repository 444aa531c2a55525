// The fence around commands, by what it lets through: judged from outside. Where no fence holds, the reason is said and nothing can be tried.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { type FenceState, tryFence } from '../../src/shell/fence/fence.ts';
import { runChanging, runLooking } from '../../src/shell/runInFolder.ts';
import { someOf } from '../cases.ts';
import { tryAttacks } from './fenceAttacks.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tide-fence-')));
after(() => rmSync(base, { recursive: true, force: true }));
const [folder, storage] = [join(base, 'folder'), join(base, 'storage')];
mkdirSync(folder);
const around = (path = process.env.PATH ?? '') => ({ path, variables: process.env });
const fence = await tryFence(folder, storage, around());
const skip = fence.kind === 'none' ? `no fence holds here: ${fence.because}` : false;
const never = new AbortController().signal;
const ports = { storage, variables: process.env, more: [] };
const about = { named: [], keeper: null, allowed: { repository: [], makesRepository: false } };
const commandOf = (text: string, own: FenceState = fence) => ({
  text,
  folder,
  cwd: folder,
  fence: own,
  timeoutMilliseconds: 60_000,
});
const ran = async (text: string, own?: FenceState) =>
  (await runChanging(ports, commandOf(text, own), about, () => undefined, never)).result;

test('of the attacks on the fence none comes through', { skip }, async () => {
  const step = someOf(Array.from({ length: 10 }), 10).length === 10 ? 1 : 10;
  for (const { user, tried, through } of await tryAttacks(step)) {
    assert.ok(tried >= Math.floor(280 / step), `${user}: ${tried}`);
    assert.deepEqual(through, [], user);
  }
});

test('without a fence the same judge sees what comes through', {
  skip: process.platform === 'linux' ? false : 'it reads /proc',
}, async () => {
  for (const { tried, through } of await tryAttacks(1, 'open')) assert.equal(through.length, tried, through.join('\n'));
});

test('both outputs, the code and the folder are as without a fence', { skip }, async () => {
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  const done = await ran('cat a.txt; echo two >&2; echo three > b.txt; cat b.txt; exit 7');
  assert.deepEqual([done.code, done.output, done.ended, done.left], [7, 'one\ntwo\nthree\n', 'itself', []]);
});

test('a command that ends at once is heard to its end', { skip }, async () => {
  for (let round = 0; round < 20; round++) {
    const done = await ran('echo x', round % 2 === 0 ? fence : { kind: 'none', because: '', remedy: '' });
    assert.deepEqual([done.code, done.output], [0, 'x\n']);
  }
});

test('a command that only looks cannot change the folder', { skip }, async () => {
  const done = await runLooking(ports, commandOf('touch c.txt'), () => undefined, never);
  assert.equal(done.code, 1);
  assert.match(done.output, /Read-only/);
});

test('no home folder is seen, also where it is kept under Git or is the open folder', { skip }, async () => {
  const [before, home] = [process.env.HOME, join(base, 'home')];
  const project = join(home, 'work', 'project');
  mkdirSync(project, { recursive: true });
  for (const name of ['.netrc', 'notes', '.cargo/credentials.toml', '.cargo/bin/x']) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), 'CANARY');
  }
  process.env.HOME = home;
  try {
    const variables = { ...process.env, PATH: `${home}/.cargo/bin:${process.env.PATH}`, CARGO_HOME: `${home}/.cargo` };
    for (const isRepository of [false, true]) {
      if (isRepository) execFileSync('git', ['init', '-q'], { cwd: home });
      const command = { ...commandOf('grep -rls CANARY ~; true'), folder: project, cwd: project };
      const { result } = await runChanging({ ...ports, variables }, command, about, () => undefined, never);
      assert.equal(result.output.trim(), join(home, '.cargo/bin/x'));
    }
    const open = await tryFence(home, storage, around());
    assert.match(open.kind === 'none' ? open.because : '', /holds your home folder/);
  } finally {
    process.env.HOME = before;
  }
});

test('a .git that is no repository of the folder shows nothing', { skip }, async () => {
  const [project, other, home] = [join(base, 'archive'), join(base, 'elsewhere'), join(base, 'house')];
  for (const place of [project, other, home]) mkdirSync(place, { recursive: true });
  for (const place of [other, home]) writeFileSync(join(place, 'k'), 'CANARY');
  execFileSync('git', ['init', '-q'], { cwd: other });
  writeFileSync(join(other, '.git', 'k'), 'CANARY');
  const before = process.env.HOME;
  process.env.HOME = home;
  try {
    for (const leads of [other, join(other, '.git'), home, '/']) {
      writeFileSync(join(project, '.git'), `gitdir: ${leads}\n`);
      const text = `cat ${other}/k ${other}/.git/k ${home}/k; true`;
      const command = { ...commandOf(text), folder: project, cwd: project };
      const { result } = await runChanging(ports, command, about, () => undefined, never);
      assert.doesNotMatch(result.output, /CANARY/, leads);
    }
  } finally {
    process.env.HOME = before;
  }
});

test('where the open folder holds our own storage, as the whole disk does, no fence is said to hold', async () => {
  for (const above of [base, '/']) {
    const state = await tryFence(above, storage, around());
    assert.match(state.kind === 'none' ? state.because : '', /holds the editor's own data/);
  }
});

test('where bubblewrap is missing or refused, no fence holds, with the reason and the line that mends it', {
  skip: process.platform === 'linux' ? false : 'of Linux',
}, async () => {
  const missing = await tryFence(folder, storage, around('/nowhere'));
  assert.deepEqual([missing.kind, 'because' in missing && missing.because], ['none', 'bubblewrap is not installed']);
  assert.match('remedy' in missing ? missing.remedy : '', /bubblewrap/);
  const stub = join(base, 'stub');
  mkdirSync(stub);
  writeFileSync(join(stub, 'bwrap'), '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n', {
    mode: 0o755,
  });
  const refused = await tryFence(folder, storage, around(stub));
  assert.match('because' in refused ? refused.because : '', /setting up uid map: Permission denied/);
  // A program of that name that fences nothing is none.
  writeFileSync(join(stub, 'bwrap'), '#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done; shift; exec "$@"\n', {
    mode: 0o755,
  });
  const open = await tryFence(folder, storage, around(`${stub}:${process.env.PATH}`));
  assert.deepEqual(
    [open.kind, 'because' in open && open.because],
    ['none', 'what ran behind it could write outside of the folder'],
  );
  assert.equal((await tryFence('/', storage, around())).kind, 'none');
});

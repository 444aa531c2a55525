// The tool that runs commands: judged, asked about, run, told; and its permissions, which end where what they stand for changes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { grammarsFolder } from '../../lab/cli/finding.ts';
import type { ActingTool, Deed, LookingTool, TurnWords } from '../../src/core/dialog/tool.ts';
import { act } from '../../src/core/turn/gate.ts';
import { createGrammars } from '../../src/finding/cut/grammars.ts';
import { tasksOf } from '../../src/finding/tasks.ts';
import { withoutSecrets } from '../../src/secrets/lines.ts';
import { type FenceState, tryFence } from '../../src/shell/fence/fence.ts';
import { parseCommand } from '../../src/shell/judge/parse.ts';
import { Permissions, type StoredPermission } from '../../src/shell/permissions.ts';
import { ShellCommands } from '../../src/shell/tool.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tide-commands-')));
after(() => rmSync(base, { recursive: true, force: true }));
const parser = await createGrammars(grammarsFolder)({ grammar: 'bash' });
if (parser === null) throw new Error('no grammar of bash');
const open: FenceState = { kind: 'none', because: 'this is a test', remedy: 'mend it' };
mkdirSync(join(base, 'tried'));
const fence = await tryFence(join(base, 'tried'), join(base, 'storage'), {
  path: process.env.PATH ?? '',
  variables: process.env,
});
const fenced = fence.kind === 'none' ? `no fence holds here: ${fence.because}` : false;
const never = new AbortController().signal;
const mine: TurnWords = { message: 'Run npm test, please.', hasOthers: false };
const posix = process.platform === 'win32' ? 'it is for other shells' : false;
const conceal = (lines: readonly string[]) => withoutSecrets(lines, '').lines;
const known = { message: '', seen: new Map(), beside: [], failed: new Map(), days: [] };

interface SceneOptions {
  readonly state?: FenceState;
  readonly denied?: readonly (readonly string[])[];
  readonly timeoutSeconds?: number;
  /** Folders of the window, in place of a single one. */
  readonly others?: readonly string[];
}

function scene({ state = open, denied = [], timeoutSeconds = 20, others = [] }: SceneOptions = {}) {
  const folder = realpathSync(mkdtempSync(join(base, 'folder-')));
  const folders = ['', ...others].map((name) => ({ name: name || 'folder', path: join(folder, name) }));
  if (others.length > 0) folders.shift();
  for (const { path } of folders) mkdirSync(path, { recursive: true });
  let stored: readonly StoredPermission[] = [];
  const said: string[] = [];
  let reads = 0;
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const commands = new ShellCommands({
    workspace: { folders, unsaved: () => [] },
    parse: async ({ text, folder: at }) => {
      reads += 1;
      const read = (name: string) => (existsSync(join(at, name)) ? readFileSync(join(at, name), 'utf8') : null);
      const task = tasksOf({ runs: () => false, files: new Set(readdirSync(at)), read }).find(
        ({ name }) => name === text,
      );
      return parseCommand(parser as NonNullable<typeof parser>, task?.command ?? text);
    },
    fence: async () => state,
    permissions: new Permissions({
      get: () => stored,
      set: async (all) => {
        stored = all;
      },
    }),
    storage: join(base, 'storage'),
    variables: { ...process.env, MY_API_KEY: 'x', MY_SDK: 'here' },
    settings: () => ({ denied, timeoutSeconds, variables: ['MY_*'] }),
    watch: () => ({ onText: (text) => said.push(text), onEnd: (words) => said.push(words) }),
    conceal,
  });
  const toolsOf = (conversation: string) => {
    const [tool, read] = commands.tools(conversation, null) as [ActingTool, LookingTool];
    const callOf = (command: string, within?: string) => ({
      ...{ id: '1', name: 'run_command' },
      arguments: { command, reason: '', ...(within !== undefined && { folder: within }) },
    });
    const plan = async (command: string, turn = mine, within?: string) => {
      const [planned] = await tool.deeds.plan([callOf(command, within)], known, turn);
      assert.ok(planned !== undefined);
      return planned;
    };
    const deed = async (command: string, turn = mine, within?: string): Promise<Deed> => {
      const planned = await plan(command, turn, within);
      assert.ok('run' in planned, JSON.stringify(planned));
      return planned;
    };
    const allow = async (command: string, kind: 'exact' | 'looks', within?: string) => {
      const one = await deed(command, mine, within);
      const at = one.lasting.findIndex((lasting) => lasting.kind === kind && lasting.scope === 'folder');
      assert.ok(at >= 0, `not offered: ${command}`);
      await one.keep?.(at);
    };
    const isAllowed = async (command: string, within?: string) => (await deed(command, mine, within)).allowed;
    const run = async (command: string) => {
      const answers = await (await deed(command)).run(never, () => undefined);
      return answers.get('1') ?? assert.fail();
    };
    return { tool, read, callOf, plan, deed, allow, isAllowed, run };
  };
  return { ...toolsOf('one'), other: toolsOf('two'), folder, put, said, stored: () => stored, reads: () => reads };
}

test('every command asks first, and says what holds and what was not asked for', async () => {
  const { deed } = scene();
  const asked = await deed('npm test');
  assert.deepEqual([asked.allowed, asked.asks], [false, 'no fence holds: it can do all that you can do']);
  assert.match(asked.shown, /Without a fence: this is a test\. To fix this: `mend it`/);
  const other = await deed('npm run x', { message: 'Read the file.', hasOthers: true });
  assert.match(other.asks, /your message doesn't mention this command; the model may have/);
});

test('what is shown is what runs: exact signs, in a fence of code that none of them closes', {
  skip: posix,
}, async () => {
  const { deed, run } = scene();
  for (const [line, shown] of [
    ['echo ```touch PWNED```', '````sh\necho ```touch PWNED```\n````'],
    ['echo a\u200bb', 'echo a\\u{200b}b'],
    ['echo a\rrm', 'echo a\\u{d}rm'],
    ['echo a\u00a0b\u202ec', 'echo a\\u{a0}b\\u{202e}c'],
  ] as const)
    assert.ok((await deed(line)).shown.includes(shown), (await deed(line)).shown);
  assert.match((await run('echo "a b"')).head, /^echo "a b" exited with code 0/);
});

test('the script that stands behind a command is shown, and one that changes meanwhile is asked about anew', {
  skip: posix,
}, async () => {
  const { deed, put, tool, callOf, folder } = scene();
  put('package.json', '{"scripts": {"pretest": "true", "test": "echo SHOWN"}}');
  put('Makefile', 'X := 1\ntest: dep\n\t@echo MADE\n\nother:\n\ttrue\n');
  assert.match((await deed('test')).shown, /```sh\nnpm run test\n```[\s\S]*pretest: true[\s\S]*test: echo SHOWN/);
  assert.match((await deed('npm t')).shown, /test: echo SHOWN/);
  const made = (await deed('make test')).shown;
  assert.match(made, /of `Makefile`:\n\n```\ntest: dep\n\t@echo MADE\n```/);
  const asked: string[] = [];
  const answers = await act([callOf('test')], tool.deeds, {
    ...{ tools: [tool], signal: never, conceal },
    approve: async ({ preview, because }) => {
      asked.push(`${preview}\n${because}`);
      if (asked.length === 1) writeFileSync(join(folder, 'package.json'), '{"scripts": {"test": "echo OTHER"}}');
      return asked.length < 3;
    },
  });
  assert.deepEqual(
    [asked.length, /echo OTHER/.test(asked[1] ?? ''), /changed while the question/.test(asked[1] ?? '')],
    [2, true, true],
  );
  assert.match(answers.get('1')?.body ?? '', /OTHER/);
});

test('a command is read once for a run, and a manifest that comes meanwhile makes no other command of it', {
  skip: posix,
}, async () => {
  for (const denied of [[], [['npm', 'run']]]) {
    const { put, tool, callOf, reads, folder } = scene({ denied });
    put('Makefile', 'test:\n\t@echo SHOWN\n');
    const answers = await act([callOf('test')], tool.deeds, {
      ...{ tools: [tool], signal: never, conceal },
      approve: async () => {
        writeFileSync(join(folder, 'package.json'), '{"scripts": {"test": "echo OTHER COMMAND RAN"}}');
        return true;
      },
    });
    assert.deepEqual([/SHOWN/.test(answers.get('1')?.body ?? ''), reads()], [true, 1]);
  }
});

test('the settings refuse, whatever is allowed', async () => {
  const { plan } = scene({ denied: [['git', 'push']] });
  for (const line of ['git push origin', 'ls; git -C . push']) assert.ok('refused' in (await plan(line)), line);
});

test('a permission holds for what was asked: text, folder, fence and conversation', { skip: posix }, async () => {
  const { allow, isAllowed, other, put, deed, stored } = scene();
  put('package.json', '{"scripts": {"test": "true"}}');
  put('evil/package.json', '{"scripts": {"test": "touch PWNED"}}');
  await allow('npm test', 'exact');
  assert.deepEqual([await isAllowed('npm test'), await other.isAllowed('npm test')], [true, true]);
  for (const [line, within] of [
    ['npm test', 'evil'],
    ['npm  test'],
    ['npm test; npm test'],
    ['npm test -- -x'],
    ['npm run test'],
  ] as const)
    assert.equal(await isAllowed(line, within), false, line);
  const [one] = (await deed('make x')).lasting;
  assert.equal(one?.scope, 'conversation');
  await (await deed('make x')).keep?.(0);
  assert.deepEqual([await isAllowed('make x'), await other.isAllowed('make x')], [true, false]);
  assert.deepEqual(
    stored().map(({ fence: kind, within }) => [kind, within]),
    [
      ['none', '.'],
      ['none', '.'],
    ],
  );
});

test('a permission says which files it is bound to, and ends where one of them changes or one more comes', {
  skip: posix,
}, async () => {
  for (const [command, file, text] of [
    ['npm test', 'package.json', '{"scripts": {"test": "node test.js --x"}}'],
    ['npm test', 'package-lock.json', '{}'],
    ['npm test', '.npmrc', 'script-shell=./x'],
    ['npm test', 'vitest.config.ts', 'x'],
    ['npm test', 'test.js', 'other'],
    ['npm test', 'hook.mjs', 'other'],
    ['npm test', 'sub/tsconfig.json', '{}'],
    ['npm run a', 'lint.config.mjs', 'x'],
    ['make all', 'Makefile', 'all:\n\tfalse\n'],
    ['make all', 'rules.mk', 'x'],
    ['pytest', 'tests/conftest.py', 'x'],
    ['cargo test', 'build.rs', 'x'],
    ['eslint .', 'eslint.config.js', 'x'],
  ] as const) {
    const { put, allow, isAllowed, deed } = scene();
    put('package.json', '{"scripts": {"test": "node --import=./hook.mjs test.js", "a": "eslint"}}');
    for (const name of ['test.js', 'hook.mjs', 'evil.mk', 'tests/a.py', 'src/lib.rs']) put(name, 'as it was');
    put('Makefile', 'all:\n\ttrue\n');
    const [, offered] = (await deed(command)).lasting;
    assert.match(
      offered?.ends ?? '',
      /^this line in this folder, until one of these files.* changes: .*package\.json/s,
      command,
    );
    await allow(command, 'exact');
    assert.equal(await isAllowed(command), true, command);
    put('src/lib.rs', 'source');
    assert.equal(await isAllowed(command), true, command);
    put(file, text);
    assert.equal(await isAllowed(command), false, `${command} after ${file}`);
  }
});

test('what it reads to decide is not known of every command, and then nothing for good is offered', async () => {
  const { deed } = scene();
  for (const line of [
    'bash go.sh',
    './build',
    'python3 x.py',
    'node x.js',
    'npx x',
    'git push',
    'git init',
    'make --file=evil.mk',
    'make -sC sub',
    'npm test --prefix sub',
    'cd sub && npm test',
    'env npm test',
    '$x',
  ])
    assert.deepEqual((await deed(line)).lasting, [], line);
});

test('with a fence and a yes for the folder what only looks runs unasked, within the folder alone', {
  skip: fenced,
}, async () => {
  const { allow, isAllowed, put, folder, deed } = scene({ state: fence });
  put('a.txt', 'one\n');
  put('sub/b.txt', 'two\n');
  symlinkSync('/etc/passwd', join(folder, 'away'));
  symlinkSync('../..', join(folder, 'sub', 'up'));
  writeFileSync(join(base, 'x'), 'outside');
  execFileSync('git', ['init', '-q'], { cwd: folder });
  assert.deepEqual(
    (await deed('cat a.txt')).lasting.map(({ kind }) => kind),
    ['looks'],
  );
  await allow('cat a.txt', 'looks');
  for (const line of [
    'cat a.txt',
    'ls -la | head -3',
    'git status --short',
    'grep -rn one .',
    'cat sub/../a.txt',
    'grep -n /api/v1 a.txt',
  ])
    assert.equal(await isAllowed(line), true, line);
  for (const line of [
    'cat /etc/passwd',
    'ls ..',
    'ls ../tried',
    'grep -f/etc/passwd a.txt',
    'head --lines=1 /etc/hosts',
    'cat < /etc/passwd',
    'cat ~/x',
    'cd sub && ls ../../tried',
    'touch b',
  ])
    assert.equal(await isAllowed(line), false, line);
  for (const line of [
    'cat away',
    'head -1 aw*',
    'cat < /dev/tcp/example.org/80',
    'cat /e?c/pass*',
    'cat .?/x',
    'jq -n \'import "../x" as $s; $s\'',
    'cd sub && cat up/x',
    'cd sub/up && ls',
    'cat sub/up/tried/../x',
  ])
    assert.equal(await isAllowed(line), false, line);
  execFileSync('git', ['config', 'core.fsmonitor', './evil.sh'], { cwd: folder });
  assert.deepEqual([await isAllowed('git status'), await isAllowed('cat a.txt')], [false, true]);
  execFileSync('git', ['config', '--unset', 'core.fsmonitor'], { cwd: folder });
  assert.equal(await isAllowed('git status'), true);
  execFileSync('git', ['init', '-q', 'nested'], { cwd: folder });
  assert.equal(await isAllowed('git status'), false);
  assert.equal(await isAllowed('cat b.txt', 'sub'), true);
});

test('secrets in the output of a command are left out, also where the rest is read', { skip: posix }, async () => {
  const { run, read, put } = scene();
  const key = ['AK', 'IA', 'J7QZ4NXWT2LVRB6K'].join('');
  put('.env', `A=1\nAWS_ACCESS_KEY_ID=${key}\nDB_PASSWORD=Zq3vT8kLm2xW\n`);
  const done = await run('cat .env; for i in $(seq 100); do echo line $i; done; cat .env; echo end');
  const rest = await read.run({ run: 1, line: 1 }, never);
  assert.match(done.body, /\[secret left out: /);
  for (const text of [done.body, done.head, rest.body]) assert.doesNotMatch(text, new RegExp(`${key}|Zq3vT8kLm2xW`));
});

test('the shell has no words but those of the line', { skip: posix }, async () => {
  const { run } = scene();
  assert.equal((await run('echo "[$1] $#"; set -- a b; echo $2')).body, '[] 0\nb');
});

test('a command of Git that may not write is told what may', { skip: fenced }, async () => {
  const { run, folder, put, deed } = scene({ state: fence });
  put('a.txt', 'one\n');
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const chained = await run('git add a.txt && git commit -m x');
  assert.match(
    (await deed('git add a.txt && git commit -m x')).shown,
    /can't write to the repository: only one command/,
  );
  assert.match(chained.head, /Behind the fence the repository is read-only: only one git add, commit/);
  assert.match((await deed('git add a.txt')).shown, /It writes to the repository `[^`]*\.git`\. Undo doesn't/);
  assert.equal((await run('git add a.txt')).ok, true);
});

test('behind the fence programs of the project come first, but for what looks and for Git', {
  skip: fenced,
}, async () => {
  const { run, folder, put } = scene({ state: fence });
  const program = (path: string, words: string) => {
    put(path, `#!/bin/sh\necho ${words}\n`);
    chmodSync(join(folder, path), 0o755);
  };
  program('.venv/bin/pytest', 'the environment');
  program('node_modules/.bin/eslint', 'the folder');
  program('web/node_modules/.bin/eslint', 'the part');
  for (const own of ['ls', 'git', 'bwrap', 'sh', 'cat']) program(`.venv/bin/${own}`, 'NOT THE SYSTEM');
  assert.equal((await run('pytest; eslint')).body, 'the environment\nthe folder');
  assert.equal((await run('cd web && eslint; true')).body, 'the folder');
  assert.doesNotMatch((await run('ls web')).body, /NOT THE SYSTEM/);
  execFileSync('git', ['init', '-q'], { cwd: folder });
  assert.doesNotMatch((await run('git add web')).body, /NOT THE SYSTEM/);
  const inPart = scene({ state: fence });
  inPart.put('web/node_modules/.bin/eslint', '#!/bin/sh\necho the part\n');
  chmodSync(join(inPart.folder, 'web/node_modules/.bin/eslint'), 0o755);
  const answers = await (await inPart.deed('eslint', mine, 'web')).run(never, () => undefined);
  assert.equal(answers.get('1')?.body, 'the part');
});

test('a command that asks for the network behind the fence is told so, and no other one', {
  skip: fenced,
}, async () => {
  const { run } = scene({ state: fence });
  const seek = (to: string) => `python3 -c "import socket; socket.create_connection(('${to}', 80), 2)"`;
  for (const to of ['192.0.2.1', 'example.com'])
    assert.match((await run(seek(to))).head, /behind the fence there is none/, to);
  for (const other of ['false', seek('127.0.0.1'), "python3 -c 'raise KeyError'"])
    assert.doesNotMatch((await run(other)).head, /behind the fence there is none/, other);
});

test('what a command leaves running ends with it, and is told', {
  skip: process.platform === 'linux' ? false : 'it reads /proc',
}, async () => {
  for (const state of fence.kind === 'none' ? [open] : [open, fence]) {
    const { run } = scene({ state });
    const done = await run('sh -c "exec env -i setsid -f sleep 654321"; sleep 0.2');
    assert.match(done.head, /exited with code 0 after [\d.]+ s; what it left running was ended: sleep/);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const alive = readdirSync('/proc').filter((name) => {
      try {
        return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('654321');
      } catch {
        return false;
      }
    });
    assert.deepEqual(alive, []);
    assert.equal((await run('exit 7')).head.includes('code 7'), true);
    assert.match((await run('kill -9 $$')).head, /was killed|code 137/);
  }
});

test('its code, its words and the places in them are told, and the rest can be read', { skip: posix }, async () => {
  const { run, read, said } = scene();
  const done = await run(
    'mkdir src; touch src/a.ts; for i in $(seq 1 400); do echo "line $i"; done; echo "  at datetime.time(12, 30)"; echo "src/a.ts(3,4): error TS1: no" >&2; exit 3',
  );
  assert.equal(done.ok, false);
  assert.match(done.head, /exited with code 3 after [\d.]+ s[^;]*; 402 lines of output \(run 1\)\./);
  assert.match(done.body, /^Places:\nsrc\/a\.ts:3 error TS1: no\n\nline 1\n/);
  assert.match(done.body, /\[366 lines left out: read_output {"run": 1, "line": 5}\]/);
  assert.match((await read.run({ run: 1, line: 31 }, never)).body, /^line 31\n/);
  assert.equal((await read.run({ run: 9, line: 1 }, never)).ok, false);
  assert.match(said.join(''), /line 400[\s\S]*exited with code 3/);
  const repeated = await run(
    'for i in 1 2 3 4 5 6; do echo same; done; printf "\\033[31mred\\033[0m\\n10%%\\r20%%\\n"',
  );
  assert.equal(repeated.body, 'same\n[the same line 5 times more]\nred\n20%');
});

test('credentials are not handed on, the other variables that are named are', { skip: posix }, async () => {
  const { run } = scene();
  assert.equal((await run('echo "$MY_API_KEY|$MY_SDK|$CI|$NO_COLOR"')).body, '|here|1|1');
});

test('a command that takes too long is stopped with all that it started', { skip: posix }, async () => {
  const { run } = scene({ timeoutSeconds: 1 });
  const begun = performance.now();
  const done = await run('sleep 654 & setsid sleep 654 & sleep 654');
  assert.match(done.head, /was stopped after 1 s, the limit/);
  assert.ok(performance.now() - begun < 4000);
});

test('each folder of the window has commands, tasks and permissions of its own', { skip: posix }, async () => {
  const { put, deed, allow, isAllowed, plan } = scene({ others: ['api', 'web'] });
  put('api/package.json', '{"scripts": {"test": "echo API"}}');
  put('web/package.json', '{"scripts": {"test": "echo WEB", "serve": "echo S"}}');
  put('web/lib/name.txt', 'the web\n');
  const ran = async (command: string, within?: string) => {
    const answers = await (await deed(command, mine, within)).run(never, () => undefined);
    return answers.get('1') ?? assert.fail();
  };
  assert.equal((await ran('cat lib/name.txt', 'web')).body, 'the web');
  assert.equal((await ran('cat name.txt', 'web/lib')).body, 'the web');
  assert.match((await ran('pwd')).body, /\/api$/);
  assert.match((await ran('test', 'web')).body, /WEB/);
  assert.match((await ran('test')).body, /API/);
  assert.match((await ran('cd web && npm run test')).body, /WEB/);
  put('api/web/package.json', '{"scripts": {"test": "echo INNER"}}');
  assert.match((await ran('cd web && npm run test')).body, /INNER/);
  assert.match((await ran('echo x > made.txt', 'web')).head, /changed at least web\/made\.txt/);
  await allow('npm run test', 'exact', 'web');
  assert.deepEqual([await isAllowed('npm run test', 'web'), await isAllowed('npm run test')], [true, false]);
  for (const outside of ['..', '/etc', 'nowhere']) assert.ok('refused' in (await plan('ls', mine, outside)), outside);
});

test('a folder outside is refused, and what cannot be read is told to the model', async () => {
  const { plan } = scene();
  for (const [line, within] of [
    ['ls', '../..'],
    ['ls', '/etc'],
    ['ls', 'nowhere'],
    ['', undefined],
  ] as const)
    assert.ok('refused' in (await plan(line, mine, within)), `${line} in ${within}`);
});

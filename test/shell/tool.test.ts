// The tool that runs commands: judged, asked about, run, told; and its permissions, which end where what they stand for changes.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { grammarsFolder } from '../../src/cli/finding.ts';
import type { CallJudgement, Tool } from '../../src/core/dialog/tool.ts';
import { createGrammars } from '../../src/finding/cut/grammars.ts';
import type { FenceState } from '../../src/shell/fence/fence.ts';
import { parseCommand } from '../../src/shell/judge/parse.ts';
import { Permissions, type StoredPermission } from '../../src/shell/permissions.ts';
import { Survivors } from '../../src/shell/survivors.ts';
import { ShellCommands } from '../../src/shell/tool.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tide-commands-')));
after(() => rmSync(base, { recursive: true, force: true }));
const folder = join(base, 'folder');
mkdirSync(folder);
const parser = await createGrammars(grammarsFolder)({ grammar: 'bash' });
if (parser === null) throw new Error('no grammar of bash');
const open: FenceState = { kind: 'none', because: 'this is a test', remedy: 'mend it' };
const never = new AbortController().signal;
const mine = { message: 'Run npm test, please.', hasOthers: false };
const posix = process.platform === 'win32' ? 'it is for other shells' : false;

function scene({ fence = open, denied = [] as string[][], timeoutSeconds = 20 } = {}) {
  let stored: readonly StoredPermission[] = [];
  const said: string[] = [];
  const commands = new ShellCommands({
    folder: async () => folder,
    parse: async ({ text }) => parseCommand(parser as NonNullable<typeof parser>, text),
    fence: async () => fence,
    permissions: new Permissions({
      get: () => stored,
      set: async (all) => {
        stored = all;
      },
    }),
    survivors: new Survivors(join(base, 'storage')),
    storage: join(base, 'storage'),
    variables: { ...process.env, MY_API_KEY: 'x', MY_SDK: 'here' },
    settings: () => ({ denied, timeoutSeconds, variables: ['MY_*'] }),
    watchFiles: () => async () => [],
    watch: () => ({ onText: (text) => said.push(text), onEnd: (words) => said.push(words) }),
  });
  const toolsOf = (conversation: string) => {
    const [run, read] = commands.tools(conversation, null) as [Tool, Tool];
    const judged = (command: string, turn = mine) =>
      run.judged?.({ command, reason: '' }, turn) as Promise<CallJudgement>;
    const allow = async (command: string, at: number) => {
      const judgement = await judged(command);
      if (judgement.verdict !== 'asks') throw new Error('it does not ask');
      const lasting = judgement.lasting[at];
      if (lasting === undefined) throw new Error('no such permission');
      await run.allow?.({ command, reason: '' }, lasting);
    };
    return { run: (command: string) => run.run({ command, reason: '' }, never), read, judged, allow, tool: run };
  };
  return { ...toolsOf('one'), other: toolsOf('two'), said, stored: () => stored };
}

test('every command asks first, and says what holds and what was not asked for', async () => {
  const { judged } = scene();
  const asked = await judged('npm test');
  assert.deepEqual(asked.verdict === 'asks' && asked.because, 'no fence holds: it can do all that you can do');
  const other = await judged('npm run x', { message: 'Read the file.', hasOthers: true });
  assert.match(
    other.verdict === 'asks' ? other.because : '',
    /your message doesn't mention this command; the model may have/,
  );
  const fenced = await scene({ fence: { kind: 'bubblewrap' } }).judged('git log');
  assert.deepEqual(fenced.verdict === 'asks' && fenced.lasting.map(({ scope, kind }) => `${scope} ${kind}`), [
    'folder looks',
    'conversation exact',
    'folder exact',
  ]);
});

test('the settings refuse, whatever is allowed', async () => {
  const { judged, allow } = scene({ denied: [['git', 'push']] });
  assert.equal((await judged('git push origin')).verdict, 'refused');
  await assert.rejects(allow('ls; git push', 0), /does not ask/);
});

test('a permission for a conversation holds there alone, one for the folder everywhere', async () => {
  const { judged, allow, other } = scene();
  writeFileSync(join(folder, 'package.json'), '{}');
  await allow('npm test', 0);
  assert.equal((await judged('npm test')).verdict, 'allowed');
  assert.equal((await other.judged('npm test')).verdict, 'asks');
  await allow('npm run build', 1);
  assert.equal((await other.judged('npm run build')).verdict, 'allowed');
  await allow('mytool check --fast', 0);
  assert.equal((await other.judged('mytool check src')).verdict, 'allowed');
  assert.equal((await judged('mytool deploy')).verdict, 'asks');
});

test('a permission ends where a file changes that says what the command does', async () => {
  const { judged, allow } = scene();
  writeFileSync(join(folder, 'package.json'), '{"scripts": {"test": "true"}}');
  writeFileSync(join(folder, 'go.sh'), 'true');
  for (const [command, file] of [
    ['npm test', 'package.json'],
    ['bash go.sh', 'go.sh'],
    ['make all', 'Makefile'],
  ] as const) {
    await allow(command, 0);
    assert.equal((await judged(command)).verdict, 'allowed', command);
    writeFileSync(join(folder, file), 'other');
    assert.equal((await judged(command)).verdict, 'asks', command);
  }
});

test('its code, its words and the places in them are told, and the rest can be read', { skip: posix }, async () => {
  const { run, read, said } = scene();
  const done = await run(
    'for i in $(seq 1 400); do echo "line $i"; done; echo "src/a.ts(3,4): error TS1: no" >&2; exit 3',
  );
  assert.equal(done.ok, false);
  assert.match(done.head, /ended with code 3 after [\d.]+ s; 401 lines of output \(run 1\)\./);
  assert.match(done.body, /^Places:\nsrc\/a\.ts:3 error TS1: no\n\nline 1\n/);
  assert.match(done.body, /\[361 lines left out: read_output \{"run": 1, "line": 9\}\]/);
  assert.match((await read.run({ run: 1, line: 31 }, never)).body, /^line 31\n/);
  assert.equal((await read.run({ run: 9, line: 1 }, never)).ok, false);
  assert.match(said.join(''), /line 400[\s\S]*ended with code 3/);
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

test('a folder outside is refused, and what cannot be read is told to the model', async () => {
  const { tool, judged } = scene();
  assert.equal((await tool.run({ command: 'ls', folder: '../..', reason: '' }, never)).ok, false);
  assert.equal((await judged('')).verdict, 'refused');
});

// No process is left of commands that were cancelled, took too long, or whose host was killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tryFence } from '../../src/shell/fence/fence.ts';
import { runChanging } from '../../src/shell/runInFolder.ts';
import { someOf } from '../cases.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tide-ending-')));
const storage = realpathSync(mkdtempSync(join(tmpdir(), 'tide-ending-own-')));
after(() => {
  for (const place of [folder, storage]) rmSync(place, { recursive: true, force: true });
});
const skip = process.platform === 'linux' ? false : 'it reads /proc';
const open = { kind: 'none', because: '', remedy: '' } as const;
const fence = await tryFence(folder, storage, {
  path: process.env.PATH ?? '',
  variables: process.env,
});

const ports = { storage, variables: process.env, more: [] };
const about = { named: [], keeper: null, allowed: { repository: [], makesRepository: false } };

/** Each goes on for long, in its own way. */
const lines = [
  'sleep 765',
  'sleep 765 & wait',
  'trap "" TERM; sleep 765; sleep 765',
  'setsid sleep 765 & sleep 765',
  '(trap "" TERM HUP; sleep 765) & while true; do sleep 0.05; done',
  'sh -c "sh -c \'sleep 765\' & sleep 765"',
  'yes 765',
  'while true; do date 765 2>/dev/null; done',
  'nohup sleep 765 > /dev/null 2>&1 & disown; sleep 765',
  'p=$(mktemp -u pipe-XXXXXX) && mkfifo $p && cat $p 765',
] as const;

function stillThere(): readonly string[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const words = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') : '';
      return words.includes('765') ? [words] : [];
    } catch {
      return [];
    }
  });
}

for (const [kind, around] of [
  ['without a fence', open],
  ['behind a fence', fence],
] as const)
  test(`of commands ${kind} that are cancelled or take too long nothing is left`, {
    skip: kind === 'behind a fence' && around.kind === 'none' ? 'no fence holds here' : skip,
  }, async () => {
    const all = lines.flatMap((text) => Array.from({ length: 10 }, (_, at) => [text, at] as const));
    for (const [text, at] of someOf(all, 8)) {
      const stopping = new AbortController();
      const isCancelled = at % 2 === 0;
      if (isCancelled) setTimeout(() => stopping.abort(), 30 + 16 * at);
      const command = {
        text,
        folder,
        cwd: folder,
        fence: around,
        timeoutMilliseconds: isCancelled ? 60_000 : 40 + 16 * at,
      };
      const began = performance.now();
      const { result: done } = await runChanging(ports, command, about, () => undefined, stopping.signal);
      assert.equal(done.ended, isCancelled ? 'cancelled' : 'timeout', text);
      assert.ok(performance.now() - began < 2000, `${text}: ${performance.now() - began} ms`);
      assert.deepEqual(stillThere(), [], text);
    }
  });

test('of a command whose host was killed nothing is left', { skip }, async () => {
  const script = `
    import { runChanging } from '${join(import.meta.dirname, '../../src/shell/runInFolder.ts')}';
    const [, text, folder, storage, fence] = process.argv;
    const command = { text, folder, cwd: folder, fence: JSON.parse(fence), timeoutMilliseconds: 60000 };
    const about = { named: [], keeper: null, allowed: { repository: [], makesRepository: false } };
    setTimeout(() => console.log('it runs'), 400);
    await runChanging({ storage, variables: process.env, more: [] }, command, about, () => {}, new AbortController().signal);`;
  for (const text of someOf(lines, 5))
    for (const around of fence.kind === 'none' ? [open] : [open, fence]) {
      const args = ['--input-type=module', '-e', script, text, folder, storage, JSON.stringify(around)];
      const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(host.stdout, 'data');
      assert.notDeepEqual(
        stillThere().filter((words) => !words.includes('runChanging')),
        [],
        text,
      );
      host.kill('SIGKILL');
      await once(host, 'exit');
      for (let waited = 0; waited < 100 && stillThere().length > 0; waited++)
        await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual(stillThere(), [], `${text} ${around.kind}`);
    }
});

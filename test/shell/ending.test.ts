// No process and no note is left of commands that were cancelled, took too long, or whose host was killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tryFence } from '../../src/shell/fence/fence.ts';
import { runInFolder } from '../../src/shell/runInFolder.ts';
import { Survivors } from '../../src/shell/survivors.ts';
import { someOf } from '../cases.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tide-ending-')));
const storage = realpathSync(mkdtempSync(join(tmpdir(), 'tide-ending-own-')));
after(() => {
  for (const place of [folder, storage]) rmSync(place, { recursive: true, force: true });
});
const skip = process.platform === 'linux' ? false : 'it reads /proc';
const open = { kind: 'none', because: '', remedy: '' } as const;
const fence = await tryFence(folder, storage, process.env.PATH ?? '');

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
        within: '.',
        looks: false,
        fence: around,
        timeoutMilliseconds: isCancelled ? 60_000 : 40 + 16 * at,
      };
      const began = performance.now();
      const done = await runInFolder({ storage, variables: process.env, more: [] }, command, {}, stopping.signal);
      assert.equal(done.ended, isCancelled ? 'cancelled' : 'timeout', text);
      assert.ok(performance.now() - began < 2000, `${text}: ${performance.now() - began} ms`);
      assert.deepEqual(stillThere(), [], text);
    }
  });

test('what outlives a host that was killed is listed at the next start, and ended', { skip }, async () => {
  const script = `
    import { runInFolder } from '${join(import.meta.dirname, '../../src/shell/runInFolder.ts')}';
    import { Survivors } from '${join(import.meta.dirname, '../../src/shell/survivors.ts')}';
    const [, text, folder, storage] = process.argv;
    const survivors = new Survivors(storage);
    const fence = { kind: 'none', because: '', remedy: '' };
    const command = { text, folder, within: '.', looks: false, fence, timeoutMilliseconds: 60000 };
    const onStart = (started, run) => void survivors.note({ ...started, text, run }).then(() => console.log('noted'));
    await runInFolder({ storage, variables: process.env, more: [] }, command, { onStart }, new AbortController().signal);`;
  for (const text of someOf(lines, 5)) {
    const host = spawn(process.execPath, ['--input-type=module', '-e', script, text, folder, storage]);
    await once(host.stdout, 'data');
    host.kill('SIGKILL');
    await once(host, 'exit');
    const survivors = new Survivors(storage);
    const left = await survivors.left();
    for (const run of left) {
      assert.equal(run.text, text);
      await survivors.end(run);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(stillThere(), [], text);
    assert.deepEqual(await new Survivors(storage).left(), []);
  }
});

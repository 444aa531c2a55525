// Commands of a code block in a terminal: nothing runs that was only typed, and what is typed is what shows.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { commandsIn, onOneLine } from '../../../src/host/edits/terminalText.ts';
import { temporary } from '../../temporary.ts';

const typed = (code: string) => onOneLine(commandsIn(code));

test('signs that a terminal takes for keys, and signs that do not show, are left out; tabs are spaces and any line end is one', () => {
  for (let code = 0; code < 0x20; code++) assert.doesNotMatch(typed(`ls${String.fromCharCode(code)} -l`), /\p{Cc}/u);
  const invisible = [
    '\x7f',
    '\x85',
    '\x9b',
    '\u00ad',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u2028',
    '\u2066',
    '\ufeff',
    '\u{e0041}',
  ];
  for (const sign of invisible) assert.equal(typed(`l${sign}s`), 'ls', JSON.stringify(sign));
  assert.equal(typed('a\tb\rc\r\nd\n'), 'a b && c && d');
  assert.equal(commandsIn('a\rb\r\nc'), 'a\nb\nc');
  assert.equal(commandsIn('echo "é 日本 🙂"'), 'echo "é 日本 🙂"');
});

const hasTerminal = spawnSync('script', ['--version']).status === 0;

/** Types it into a shell in a terminal; whether it ran, without Enter. */
async function ranWhenTyped(text: (mark: string) => string): Promise<boolean> {
  const mark = join(temporary('tide-typed-'), 'RAN');
  const shell = spawn('script', ['-qec', 'bash --norc -i', '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const prompted = new Promise((resolve) => shell.stdout.once('data', resolve));
  await prompted;
  shell.stdin.write(text(mark));
  await wait(500);
  const ran = existsSync(mark);
  shell.kill('SIGKILL');
  return ran;
}

test('a command that is typed into a shell waits for Enter', { skip: !hasTerminal }, async () => {
  // The terminal is one: as the block has them, the keys do run the line.
  assert.equal(await ranWhenTyped((mark) => `touch ${mark}\x0f`), true);
  const tails = ['', '\x0f', '\x0f\x15ls', '\r', '\x0b', '\x1b[201~\r', '\x18\x05', '\x1b\r', '\x8d', '\u2028'];
  const ran = await Promise.all(tails.map((tail) => ranWhenTyped((mark) => typed(`touch ${mark}${tail}`))));
  assert.deepEqual(
    ran,
    tails.map(() => false),
  );
});

// Tests that no text reaches the terminal with characters that act on it, in words and in JSON, and that all lines go one way.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { say } from '../../lab/cli/say.ts';
import { command, folderWith } from './command.ts';

const acting = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u;

/** Texts by what they do to a terminal that gets them raw. */
const texts: Readonly<Record<string, string>> = {
  'colours a line': '\x1b[31mred\x1b[0m',
  'wipes the screen': 'a\x1b[2J\x1b[1;1Hb',
  'fills the clipboard': '\x1b]52;c;cm0gLXJmIH4=\x07',
  'hides where a link goes': '\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\',
  'begins a sequence in one character': '\x9b31mred\x9d0;title\x9c',
  'writes over a line': 'harmless\rrm -rf ~',
  'takes characters back': 'rm -rf ~\b\b\b\b\b\b\b\bharmless',
  'rings and feeds forms': '\x07\x0b\x0c\x7f',
  'turns code round': 'if (admin\u202e \u2066// user\u2069 \u2066) {',
  'asks the terminal to answer': '\x1b[6n\x1bP$q"p\x1b\\\x05',
};

function said(text: string): string {
  let written = '';
  const write = (chunk: string) => {
    written += chunk;
    return true;
  };
  say(text, { write });
  return written;
}

for (const [deed, text] of Object.entries(texts)) {
  test(`a text that ${deed} is spelled out instead, and means the same in JSON`, () => {
    assert.match(text, acting);
    assert.doesNotMatch(said(text), acting);
    assert.equal(said(JSON.stringify(text)).match(acting), null);
    assert.equal(JSON.parse(said(JSON.stringify(text))), text);
  });
}

test('lines, tabs, other alphabets and emoji stand as they are, and each line ends alike', () => {
  const plain = 'a\tb\n\nשלום 你好 é 👩‍👩‍👧 \u200f!';
  assert.equal(said(plain), `${plain}\n`);
  assert.equal(said('one\r\ntwo'), 'one\ntwo\n');
});

test('find shows what stands in a file and in its name, and nothing of it acts', async (t) => {
  const body = Object.values(texts).map((text) => `// tide ${text}\nexport const tide = 1;\n`);
  const folder = folderWith(t, { 'tide\x1b[31m\u202e.ts': body.join('\n') });
  const args = ['--workspace', folder, '--index', join(folder, '.index.db'), 'tide'];
  const printed = await Promise.all([command('find', ...args), command('find', ...args, '--json')]);
  for (const { code, out, err } of printed) {
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /cm0gLXJmIH4=/);
    assert.doesNotMatch(out, acting);
  }
});

test('nothing but say writes to the terminal', () => {
  const folder = fileURLToPath(new URL('../../lab/cli', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const writing = files.filter((name) =>
    /\bstd(?:out|err)\.write\b|\bconsole\./.test(readFileSync(join(folder, name), 'utf8')),
  );
  assert.deepEqual(writing, []);
});

test('a command whose output is read no further ends without an error', { skip: process.platform === 'win32' }, () => {
  const say = new URL('../../lab/cli/say.ts', import.meta.url).href;
  const lines = `import(${JSON.stringify(say)}).then(({ say }) => { for (let i = 0; i < 5000; i++) say('x'.repeat(200)); });`;
  const { stdout, stderr } = spawnSync('sh', ['-c', '"$1" -e "$2" | head -n 1', 'sh', process.execPath, lines], {
    encoding: 'utf8',
  });
  assert.deepEqual([stdout.trim(), stderr], ['x'.repeat(200), '']);
});

// search_code: what is found, in which order, and what is said when nothing is.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { runRipgrep } from '../../src/tools/search/ripgrep.ts';
import { call, makeFolder, openFolder } from './sandbox.ts';

const search = (root: string, query: string, extra = {}) => call(openFolder(root, extra), 'search_code', { query });

test('puts the definition first, then uses, then tests, comments and imports', async (t) => {
  const root = makeFolder(t, {
    'src/a.ts': "import { parseDuration } from './z.ts';\n// parseDuration is slow\nparseDuration('1h');\n",
    'src/z.ts': 'export function parseDuration(text: string): number {\n  return 1;\n}\n',
    'src/m.ts': 'const parseDurations = 1;\nexport const total = parseDuration(x);\n',
    'test/a.test.ts': 'check(parseDuration);\n',
  });
  const result = await search(root, 'parseDuration');
  assert.equal(result.head, '7 matches for "parseDuration":');
  assert.deepEqual(result.body.split('\n'), [
    '1. src/z.ts:1: export function parseDuration(text: string): number {',
    '2. src/m.ts:2: export const total = parseDuration(x);',
    "3. src/a.ts:3: parseDuration('1h');",
    '4. test/a.test.ts:1: check(parseDuration);',
    "5. src/a.ts:1: import { parseDuration } from './z.ts';",
    '6. src/a.ts:2: // parseDuration is slow',
    '7. src/m.ts:1: const parseDurations = 1;',
  ]);
});

const definitions: readonly (readonly [string, string, string])[] = [
  ['a.ts', 'tide', 'export async function tide(at: Date) {'],
  ['a.ts', 'tide', '  private async tide<T>(at: T): Promise<void> {'],
  ['a.ts', 'Tide', 'export default abstract class Tide extends Water {'],
  ['a.ts', 'Tide', 'export type Tide<T> = T[];'],
  ['a.ts', 'Tide', 'export const enum Tide {'],
  ['a.ts', 'tide', 'export const tide = async (at: Date): Promise<void> => {'],
  ['a.js', 'tide', 'module.exports.tide = tideOf;'],
  ['a.js', 'tide', '  tide: function () {'],
  ['a.py', 'tide', '    async def tide(self, at):'],
  ['a.py', 'Tide', 'class Tide(Water):'],
  ['a.py', 'TIDE', 'TIDE = 12.4'],
  ['a.go', 'Tide', 'func (s *Station) Tide(at time.Time) float64 {'],
  ['a.go', 'Tide', 'type Tide struct {'],
  ['a.go', 'Tide', 'func Tide[T any](at T) T {'],
  ['a.rs', 'tide', 'pub(crate) async fn tide<T>(at: T) -> f64 {'],
  ['a.rs', 'Tide', 'pub struct Tide {'],
  ['a.rs', 'Tide', 'pub trait Tide: Water {'],
  ['a.rs', 'tide', 'macro_rules! tide {'],
  ['a.c', 'TIDE_MAX', '#define TIDE_MAX 12'],
  ['a.c', 'tide', 'static double *tide(const struct station *s)'],
  ['a.c', 'tide', 'struct tide {'],
  ['a.c', 'tide', '} tide;'],
  ['a.cpp', 'tide', 'double Station::tide(double at) const {'],
  ['a.java', 'tide', '  public static List<Tide> tide(Date at) throws IOException {'],
  ['a.rb', 'tide', '  def self.tide(at)'],
  ['a.lua', 'tide', 'function station.tide(at)'],
  ['a.kt', 'tide', 'fun Station.tide(at: Date): Double ='],
  ['a.sh', 'tide', 'tide() {'],
];

for (const [file, name, definition] of definitions) {
  test(`takes for a definition in ${file}: ${definition.trim()}`, async (t) => {
    const root = makeFolder(t, { [`src/${file}`]: `run(${name}, 1);\nprint(${name});\n${definition}\n` });
    const first = (await search(root, name)).body.split('\n')[0];
    assert.equal(first, `1. src/${file}:3: ${definition.trim()}`);
    const symbol = await call(openFolder(root), 'find_symbol', { name });
    assert.equal(symbol.body, `1. src/${file}:3: ${definition.trim()}`);
  });
}

const manyUses: readonly (readonly [string, string])[] = [
  ['a.ts', "tide('x', () => {"],
  ['a.ts', 'if (tide(x)) {'],
  ['a.ts', '  type tide,'],
  ['a.ts', 'export { type tide };'],
  ['a.c', 'struct tide *next;'],
  ['a.c', '  return tide(x);'],
  ['a.c', '  x = tide(y);'],
  ['a.py', 'from water import tide'],
  ['a.py', '# def tide(x):'],
  ['a.md', 'function tide() {'],
];

for (const [file, use] of manyUses) {
  test(`takes for no definition in ${file}: ${use.trim()}`, async (t) => {
    const root = makeFolder(t, { [file]: `${use}\n` });
    assert.equal((await call(openFolder(root), 'find_symbol', { name: 'tide' })).head, 'No symbol named "tide".');
  });
}

test('shows the best ten and counts all', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'use(x1);\n'.repeat(14) });
  const result = await search(root, 'x1');
  assert.equal(result.head, '14 matches for "x1", best 10:');
  assert.equal(result.body.split('\n').length, 10);
});

test('says one match in the singular and none with an empty body', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'use(x1);\n' });
  assert.equal((await search(root, 'x1')).head, '1 match for "x1":');
  assert.deepEqual(await search(root, 'noSuchThing'), {
    ok: true,
    head: 'No matches for "noSuchThing" in files up to 2 MB.',
    body: '',
  });
});

test('skips ignored, hidden and binary files outside a git repository', async (t) => {
  const root = makeFolder(t, {
    '.gitignore': 'dist/\n',
    'dist/a.js': 'moon\n',
    '.secret/a.js': 'moon\n',
    'a.bin': Buffer.from('moon\n\0moon\n'),
    'src/a.js': 'moon\n',
  });
  assert.equal((await search(root, 'moon')).body, '1. src/a.js:1: moon');
});

test('sees the buffer instead of the disk, and neither ignored nor hidden buffers', async (t) => {
  const root = makeFolder(t, {
    '.gitignore': 'out/\n',
    'src/[a] b.ts': 'oldMoon\n',
    'out/b.ts': '',
    '.env': '',
  });
  const unsaved = () =>
    ['src/[a] b.ts', 'out/b.ts', '.env'].map((path) => ({ path: join(root, path), text: 'x\nnewMoon' }));
  assert.equal((await search(root, 'newMoon', { unsaved })).body, '1. src/[a] b.ts:2: newMoon');
  assert.equal((await search(root, 'oldMoon', { unsaved })).head, 'No matches for "oldMoon" in files up to 2 MB.');
});

test('falls back to the words of a phrase and puts the line with most of them first', async (t) => {
  const root = makeFolder(t, {
    'a.ts': '// the tide is late\nfunction high_tide_level() {\nconst level = tide;\n',
  });
  const result = await search(root, 'high tide level');
  assert.equal(result.head, '2 matches with most words of "high tide level":');
  assert.equal(result.body.split('\n')[0], '1. a.ts:2: function high_tide_level() {');
  const question = await search(root, 'where is the highs');
  assert.equal(question.body.split('\n')[0], '1. a.ts:2: function high_tide_level() {');
});

test('falls back to other spellings of an identifier', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'call(parseDuration);\nfunction parseDuration() {\n' });
  const result = await search(root, 'parse_duration');
  assert.equal(result.head, '2 matches spelled like "parse_duration":');
  assert.equal(result.body.split('\n')[0], '1. a.ts:2: function parseDuration() {');
});

test('takes quotes, operators, dashes and regular expressions as they are', async (t) => {
  const lines = ['say("hello")', 'a.*b', '--flag', '\\d+[', 'x ?? y'];
  const root = makeFolder(t, { 'a.ts': `${lines.join('\n')}\n` });
  for (const [index, line] of lines.entries()) {
    const result = await search(root, line);
    assert.equal(result.head, `1 match for "${line}":`);
    assert.equal(result.body, `1. a.ts:${index + 1}: ${line}`);
  }
});

test('finds non-ASCII names, also by whole word, and file names with spaces', async (t) => {
  const root = makeFolder(t, { 'source côté/marée haute.ts': 'maréeHaute();\nexport function marée() {}\n' });
  const result = await search(root, 'marée');
  assert.equal(result.body.split('\n')[0], '1. source côté/marée haute.ts:2: export function marée() {}');
});

test('reads text that is not UTF-8', async (t) => {
  const root = makeFolder(t, { 'a.c': Buffer.from('char *s = "mar\xe9e";\n', 'latin1') });
  assert.equal((await search(root, 'char')).ok, true);
});

test('cuts a long line around the match', async (t) => {
  const root = makeFolder(t, { 'a.js': `${'x'.repeat(5000)}moon${'y'.repeat(5000)}\n` });
  const { body } = await search(root, 'moon');
  assert.match(body, /^1\. a\.js:1: ….*moon.*…$/);
  assert.ok(body.length < 180);
});

test('finds the definition among more matches than it collects', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'use(moon);\n'.repeat(9000), 'z.ts': 'export function moon() {}\n' });
  const result = await search(root, 'moon');
  assert.equal(result.head, 'More than 5000 matches for "moon", best 10:');
  assert.match(result.body, /^1\. z\.ts:1: /);
});

test('names the folder in a workspace of several, and searches nested folders once', async (t) => {
  const root = makeFolder(t, { 'one/a.ts': 'moon\n', 'two/b.ts': 'moon\n', 'two/sub/c.ts': 'moon\n' });
  const folders = ['one', 'two', 'two/sub'].map((name) => ({ name, path: join(root, name) }));
  const result = await call({ folders, unsaved: () => [] }, 'search_code', { query: 'moon' });
  assert.deepEqual(result.body.split('\n'), ['1. one/a.ts:1: moon', '2. two/b.ts:1: moon', '3. two/sub/c.ts:1: moon']);
});

test('refuses a query that is missing, empty or no text', async (t) => {
  const root = makeFolder(t, {});
  for (const args of [{}, { query: '' }, { query: ' \n' }, { query: 3 }, { query: null }, { query: 'x'.repeat(501) }]) {
    const result = await call(openFolder(root), 'search_code', args);
    assert.equal(result.ok, false);
    assert.match(result.head, /"query"/);
  }
});

test('keeps heads to one line of at most 200 characters', async (t) => {
  const root = makeFolder(t, {});
  const { head } = await search(root, `a\n${'long '.repeat(90)}`);
  assert.ok(head.length <= 200 && !head.includes('\n'));
});

test('stops when aborted before it starts', async (t) => {
  const root = makeFolder(t, { 'a.ts': 'moon\n' });
  const result = await call(openFolder(root), 'search_code', { query: 'moon' }, AbortSignal.abort());
  assert.deepEqual(result, { ok: false, head: 'The search was stopped.', body: '' });
});

test('kills ripgrep on abort and after the time-out', { skip: process.platform === 'win32' }, async (t) => {
  const pipe = join(makeFolder(t, {}), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const options = { args: ['x', pipe], separator: '\n', onPiece: () => true } as const;
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  assert.equal((await runRipgrep({ ...options, signal: controller.signal })).end, 'aborted');
  const signal = new AbortController().signal;
  assert.equal((await runRipgrep({ ...options, signal, timeout: 50 })).end, 'timed out');
});

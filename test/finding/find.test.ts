// Tests what a question brings: the lines that answer it, by names in any spelling, by words, by folders; and nothing twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitFound } from '../../src/core/prompt/fitFound.ts';
import {
  type Found,
  firstLine,
  joined,
  lastLine,
  type Passage,
  passagePlace,
  passageText,
} from '../../src/core/prompt/found.ts';
import { packed } from '../../src/finding/rank/vectors.ts';
import { never, pathsOf, placesOf, scene } from './scene.ts';

const files = {
  'src/pool.ts':
    '/** Connections that wait for work. */\nexport class ConnectionPool {\n  private idle = 0;\n\n  /** The oldest goes when there are too many. */\n  evictOldest(): void {\n    this.idle -= 1;\n  }\n}\n',
  'src/retry.ts':
    "export const maxRetries = 3;\n\n/** Waits twice as long before every attempt. */\nexport function backoffDelay(attempt: number): number {\n  if (attempt < 0) throw new RangeError('attempt');\n  return 100 * 2 ** attempt;\n}\n",
  'src/plural.ts':
    'export function plural(count: number, word: string): string {\n  return count === 1 ? word : word + word.slice(-1);\n}\n',
  'src/words.ts':
    "import { plural } from './plural.ts';\nexport const days = (count: number) => plural(count, 'day');\n",
  'test/plural.test.ts':
    "import { plural } from '../src/plural.ts';\nif (plural(2, 'day') !== 'days') throw new Error('plural');\n",
  'docs/guide/start.md': '# Start\n\nCall backoffDelay with the number of the attempt.\n',
  'README.md': '# Sea\n\nTides and harbours.\n',
};

test('a name is found however the question writes it, its declaration first', async (context) => {
  const { find } = await scene(context, files);
  for (const question of [
    'what does backoffDelay do?',
    'backoff delay',
    'where is `backoff_delay`',
    'how is the backoff-delay computed',
  ])
    assert.match(placesOf(await find(question))[0] ?? '', /^src\/retry\.ts:/, question);
  const [first] = (await find('how does plural work?')).passages;
  assert.deepEqual([first?.path, first?.why], ['src/plural.ts', 'declares plural']);
});

for (const question of [
  'what calls drainPool?',
  'Where is drainPool defined and what calls it?',
  'who uses drainPool',
  'where is drainPool called',
  'callers of drainPool',
])
  test(`its uses are asked for as well: ${question}`, async (context) => {
    const { find } = await scene(context, {
      'src/pool.ts': 'export function drainPool(pool) {\n  pool.clear();\n}\n',
      'src/app.ts':
        "import { drainPool } from './pool';\n\nexport function stopAll(pools) {\n  pools.forEach(drainPool);\n}\n",
      'src/other.ts': 'export function start() {\n  return 1;\n}\n',
    });
    const found = await find(question);
    assert.equal(found.several, true);
    assert.deepEqual([...new Set(found.passages.map(({ path }) => path))].slice(0, 2), ['src/pool.ts', 'src/app.ts']);
  });

test('a plain word with a capital within a sentence is the name that the folder declares so', async (context) => {
  const { find } = await scene(context, {
    'src/span.ts': 'export class Span {\n  middle(): number {\n    return 0;\n  }\n}\n',
    'src/new.ts':
      '/** A new method returns the middle of a span: new spans, new methods of a class. */\nexport const method = 1;\n',
  });
  const [first] = (await find('Write a new method for the class Span that returns the middle of it')).passages;
  assert.equal(first?.path, 'src/span.ts');
});

test('plain words find what they describe; a test and a document stand behind the code', async (context) => {
  const { find } = await scene(context, files);
  assert.equal(pathsOf(await find('what happens when there are too many connections?'))[0], 'src/pool.ts');
  assert.equal(pathsOf(await find('what does plural do'))[0], 'src/plural.ts');
  assert.equal(pathsOf(await find('which tests are there for plural?'))[0], 'test/plural.test.ts');
});

test('a question about a folder lists it, as it is, without what is ignored', async (context) => {
  const { find, write } = await scene(context, { ...files, '.gitignore': '*.log\n' });
  write('docs/guide/run.log', 'ignored');
  const listed = async (question: string) => {
    const [first] = (await find(question)).passages;
    return first?.kind === 'folder' ? [first.path, ...first.stretches[0].lines] : null;
  };
  assert.deepEqual(await listed('which files are in src?'), ['src', 'plural.ts', 'pool.ts', 'retry.ts', 'words.ts']);
  assert.deepEqual(await listed('what is in docs/guide'), ['docs/guide', 'start.md']);
  assert.deepEqual(await listed('list the files of the guide folder'), ['docs/guide', 'start.md']);
  assert.deepEqual((await listed('what is in this folder?'))?.slice(0, 2), ['.', '.gitignore']);
  assert.equal(await listed('how does plural work?'), null);
});

test('where nothing has the words that matter, what is found is said to be weak', async (context) => {
  const { find } = await scene(context, files);
  assert.match((await find('where is the GraphQL schema?')).weak, /"GraphQL"/);
  assert.equal((await find('what does backoffDelay do?')).weak, '');
  assert.match((await find('xyzzy')).weak, /"xyzzy"/);
  assert.match((await find('what is it?')).weak, /^no indexed file matches$/);
});

test('a verb that asks for something weighs nothing where a sentence begins with it, and neither does an example', async (context) => {
  const { find } = await scene(context, files);
  for (const question of [
    'Rewrite plural.',
    'Please refactor plural and give one example.',
    'In src/plural.ts, simplify plural.',
  ])
    assert.equal((await find(question)).weak, '', question);
  assert.match((await find('where do we rewrite and refactor?')).weak, /"rewrite", "refactor"/);
});

test('below a folder only its passages are found; what the turn before was about weighs more', async (context) => {
  const { find } = await scene(context, files);
  assert.ok(pathsOf(await find('plural', { folder: 'test' })).every((path) => path.startsWith('test/')));
  const same = { 'a.ts': 'export const tide = 1;\n', 'b.ts': 'export const tide = 2;\n' };
  const two = await scene(context, same);
  assert.equal(pathsOf(await two.find('tide', { last: ['b.ts'] }))[0], 'b.ts');
  assert.equal(pathsOf(await two.find('tide', { near: ['a.ts'] }))[0], 'a.ts');
});

test('with vectors a passage is found that has none of the words', async (context) => {
  const { finder, find } = await scene(context, files);
  const passages = finder.unembedded(7, 100, ['src/retry.ts']);
  assert.match(passages[0]?.text ?? '', /^src\/retry\.ts\n/);
  const near = (text: string) => packed(Float32Array.from([text.includes('Waits twice') ? 1 : 0, 1, 0.2]));
  finder.keepVectors(
    7,
    passages.map(({ hash, part, text }) => [hash, part, near(text)] as const),
  );
  assert.deepEqual(finder.unembedded(7, 100, []), []);
  const vector = { model: 7, values: packed(Float32Array.from([1, 0, 0])) };
  assert.equal(pathsOf(await find('exponential slowdown', { vector }))[0], 'src/retry.ts');
  assert.deepEqual(pathsOf(await find('exponential slowdown')), []);
});

test('a long declaration is cut at whole lines: the line that declares, what matches, and the gap said', async (context) => {
  const body = Array.from({ length: 60 }, (_, at) => `  step${at}(); // ${'filler '.repeat(4)}`);
  body[40] = "  if (level < 0) throw new Error('negative level');";
  const { find } = await scene(context, { 'a.ts': `export function flood(level: number) {\n${body.join('\n')}\n}\n` });
  const [first] = (await find('negative level')).passages;
  const text = first === undefined ? '' : passageText(first);
  assert.match(text, /negative level/);
  for (const line of text.split('\n').slice(1))
    assert.ok(
      /^\[lines? [\d-]+ left out\]$/.test(line) ||
        body.some((one) => one.trim() === line.trim()) ||
        /flood|^}/.test(line),
      line,
    );
});

const counter = {
  count: async (texts: readonly string[]) => ({ tokens: texts.map((text) => Math.ceil(text.length / 4)), exact: true }),
};
const passage = fc
  .record({
    path: fc.constantFrom('a.ts', 'b.ts'),
    from: fc.integer({ min: 1, max: 60 }),
    length: fc.integer({ min: 1, max: 12 }),
  })
  .map(
    ({ path, from, length }): Passage => ({
      kind: 'file',
      path,
      why: 'it',
      stretches: [{ from, lines: Array.from({ length }, (_, at) => `${path} line ${from + at}`) }],
    }),
  );

test('what fits is within its tokens, has no line twice, touches nothing, and takes the most useful first', () =>
  fc.assert(
    fc.asyncProperty(fc.array(passage, { maxLength: 12 }), fc.integer({ min: 0, max: 200 }), async (passages, most) => {
      const found: Found = { passages, weak: '' };
      const fitted = await fitFound(found, most, counter);
      const sizes = fitted.passages.map((one) => Math.ceil(passageText(one).length / 4));
      assert.deepEqual(fitted.tokens, sizes);
      assert.ok(sizes.reduce((a, b) => a + b, 0) <= most);
      const lines = fitted.passages.flatMap(({ path, stretches }) =>
        stretches.flatMap(({ from, lines: all }) => all.map((_, at) => `${path}:${from + at}`)),
      );
      assert.equal(new Set(lines).size, lines.length);
      for (const one of fitted.passages)
        for (const two of fitted.passages)
          assert.ok(
            one === two ||
              one.path !== two.path ||
              lastLine(one) + 1 < firstLine(two) ||
              lastLine(two) + 1 < firstLine(one),
          );
      const [best] = passages;
      if (best !== undefined && Math.ceil(passageText(best).length / 4) <= most)
        assert.ok(fitted.passages.some(({ path }) => path === best.path));
    }),
  ));

test('two passages joined have every line of both once, in order, and say what is between them', () => {
  const at = (from: number, lines: readonly string[]): Passage => ({
    kind: 'file',
    path: 'a.ts',
    why: 'it',
    stretches: [{ from, lines }],
  });
  const both = joined(at(1, ['  a', '  b']), at(2, ['  b', '    c']));
  assert.equal(passageText(both), 'a.ts:1-3\na\nb\n  c');
  assert.equal(passageText(joined(at(9, ['z']), at(1, ['a']))), 'a.ts:1-9\na\n[lines 2-8 left out]\nz');
  assert.equal(passagePlace(both), 'a.ts:1-3');
});

test('where two passages meet at blank lines, nothing is said to be left out', async (context) => {
  const part = (name: string) =>
    `  // ${name}\n${`  this.${name} = ${name} + 1; // ${'filler '.repeat(6)}\n`.repeat(6)}`;
  const body = ['tide', 'moon', 'wind', 'wave', 'sand', 'rock', 'gull', 'boat'].map(part).join('\n');
  const { find } = await scene(context, { 'a.ts': `export function shore(all) {\n${body}}\n` });
  const { passages } = await find('tide moon wind wave sand in shore');
  const all = passages.slice(1).reduce(joined, passages[0] as Passage);
  assert.ok(all.stretches[0].lines.length > 20, passageText(all));
  assert.doesNotMatch(passageText(all), /\[line \d+ left out\]/);
});

test('a question is answered also while it is cancelled', async (context) => {
  const { finder } = await scene(context, files);
  const stop = new AbortController();
  stop.abort();
  assert.ok(Array.isArray((await finder.find({ text: 'plural' }, stop.signal)).passages));
  assert.ok(never.aborted === false);
});

test('for a change only the files that the message names are looked at, a short one whole', async (context) => {
  const long = Array.from(
    { length: 40 },
    (_, at) => `## Part ${at}\n\nThe version of part ${at} is 1.${at}.\n\nMore words.\n`,
  );
  const { find } = await scene(context, {
    ...files,
    'CHANGELOG.md': `# Changes\n\n${long.join('\n')}`,
    'docs/README.md': '# Guide\n\nThe version is 2.\n',
    ChangeLog: '# 1.0\n\nThe version is 1.\n',
    Makefile: 'all:\n\techo version\n',
    '.env': 'TOKEN=hunter2hunter2\n',
    'keys/.env.local': 'TOKEN=hunter2hunter2\n',
    'version.js': "export const version = '1.0';\n",
  });
  const message = { pointed: [], standing: [], edits: true, files: [] };
  const changed = await find('In CHANGELOG.md the version of part 7 should be 2.7.', { message });
  assert.deepEqual(new Set(pathsOf(changed)), new Set(['CHANGELOG.md']));
  assert.match(passageText(changed.passages[0] as Passage), /part 7 is 1\.7/);
  for (const text of ['In README.md change the heading.', 'Rename the heading of the README.'])
    assert.deepEqual(placesOf(await find(text, { message })), ['README.md:1-3'], text);
  assert.deepEqual(placesOf(await find('Change docs/README.md.', { message })), ['docs/README.md:1-3']);
  for (const text of ['Add the new pool to the ChangeLog.', 'Write in ChangeLog that pools wait.'])
    assert.deepEqual(placesOf(await find(text, { message })), ['ChangeLog:1-3'], text);
  assert.deepEqual(placesOf(await find('The Makefile needs a target for tests', { message })), ['Makefile:1-2']);
  assert.ok(pathsOf(await find('make the version 2', { message })).includes('version.js'), 'a word is no file');
  assert.ok(pathsOf(await find('Set the version to 2.', { message })).includes('version.js'), 'none is named');
  for (const text of ['In .env set TOKEN to 2.', 'In keys/.env.local set TOKEN to 2.'])
    assert.ok(!pathsOf(await find(text, { message })).some((path) => path.includes('.env')), text);
  assert.ok(pathsOf(await find('Is the version in version.js that of CHANGELOG.md?')).length > 1);
});

test('a file that the index leaves out is read where the message has its path, but for secrets', async (context) => {
  const { find } = await scene(context, {
    ...files,
    '.gitignore': '.ci/\nkeys/\n',
    '.ci/config.yml': 'jobs:\n  test:\n    image: python:3.8\n',
    'keys/.env': 'TOKEN=hunter2hunter2\n',
  });
  const message = { pointed: [], standing: [], edits: false, files: [] };
  const found = await find('Which image does .ci/config.yml use?', { message });
  assert.deepEqual([placesOf(found), found.weak], [['.ci/config.yml:1-3'], '']);
  assert.ok(!pathsOf(await find('What is in keys/.env?', { message })).some((path) => path.includes('.env')));
  assert.ok(!pathsOf(await find('What is in ../outside/a.ts?', { message })).some((path) => path.includes('outside')));
});

test('a name that the folder has in just this spelling is no other one, and types alone stand behind the code', async (context) => {
  const { find } = await scene(context, {
    ...files,
    'src/cache.py': 'class TideCache:\n    """Holds tides."""\n    def __init__(self):\n        self.all = {}\n',
    'src/cache.pyi': 'class TideCache:\n    def __init__(self) -> None: ...\n',
    'src/func.py': 'def tide_cache(size=3):\n    """A decorator that holds tides in a TideCache."""\n    return size\n',
  });
  const [first, ...others] = (await find('Where is TideCache defined?')).passages;
  assert.equal(first?.path, 'src/cache.py');
  assert.ok(others.every(({ path, why }) => path !== 'src/func.py' || !why.startsWith('declares')));
  assert.equal((await find('Where is tide_cache defined?')).passages[0]?.path, 'src/func.py');
  assert.equal((await find('Where is tidecache defined?')).passages.length > 1, true);
});

test('each file that a question names has its best passage in front, however well another one fits', async (context) => {
  const filler = Array.from({ length: 40 }, (_, i) => `export const other${i} = ${i};`).join('\n');
  const { find } = await scene(context, {
    'src/url.js': `export function format(url) {\n  return url.format + url.template;\n}\n${filler}\n`,
    'src/hosts.js': `${filler}\nexport const templates = ['a', 'b'];\n`,
  });
  const message = { pointed: [], standing: [], edits: false, files: [] };
  const { passages } = await find('How does format in src/url.js use src/hosts.js?', { message });
  assert.deepEqual(
    passages.slice(0, 2).map(({ path }) => path),
    ['src/url.js', 'src/hosts.js'],
  );
});

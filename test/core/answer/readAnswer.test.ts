// The code blocks of an answer: where each ends, what it is called, and what is no part of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksIn } from '../../../src/core/answer/readAnswer.ts';

const read = (answer: string) => blocksIn(answer).map(({ path, code }) => [path, code]);
const fenced = (info: string, code: string, mark = '```') => `${mark}${info}\n${code}${mark}\n`;
const readme =
  '# Tides.js\n\nText.\n\n## Install\n\n```sh\nnpm i tides\n```\n\n## Use\n\n```\ntides()\n```\n\n## License\n\nMIT\n';

test('a document ends at its own fence, whatever fences stand in it and behind it', () => {
  for (const mark of ['```', '````', '~~~']) {
    assert.deepEqual(
      read(`Here is it:\n\n${fenced('markdown README.md', readme, mark)}\nDone.`),
      [['README.md', readme]],
      mark,
    );
    const more = `In \`README.md\`:\n\n${fenced('md', readme, mark)}\nThen:\n\n${fenced('bash', 'npm i\n')}`;
    assert.deepEqual(read(more), [
      ['README.md', readme],
      [null, 'npm i\n'],
    ]);
  }
  const listed = '1. Do\n   ```sh\n   npm i\n   ```\n2. Go\n';
  assert.deepEqual(read(fenced('md README.md', listed)), [['README.md', listed]]);
});

test('code with fences in a text ends at its own', () => {
  const code = 'export const p = `\n```json\n{}\n```\nEnd`;\n';
  assert.deepEqual(read(`In \`src/p.ts\`:\n\n${fenced('ts', code)}`), [['src/p.ts', code]]);
  const doc = 'def f():\n    """\n    ```\n    x\n    ```\n    """\n';
  assert.deepEqual(read(fenced('py a.py', doc)), [['a.py', doc]]);
});

test('fences in the texts of a replacement need not balance', () => {
  const one = '<<<<<<< SEARCH\n```bash\n$ npm test\n=======\n```bash\n$ npm run test:all\n>>>>>>> REPLACE\n';
  const two = `${one}\n${one.replaceAll('SEARCH', 'README.md')}`;
  for (const code of [one, two]) {
    assert.deepEqual(read(fenced('md README.md', code)), [['README.md', code]]);
    assert.deepEqual(read(`${fenced('md README.md', code)}\n${fenced('ts src/a.ts', 'a();\n')}`), [
      ['README.md', code],
      ['src/a.ts', 'a();\n'],
    ]);
  }
});

test('what has no mate of its own is not whole', () => {
  const open = (answer: string) => blocksIn(answer).map(({ closed }) => closed);
  assert.deepEqual(open('```ts a.ts\none\n'), [false]);
  assert.deepEqual(open('```ts a.ts\none\n```ts b.ts\ntwo\n```\n'), [false]);
  assert.equal(open('```md README.md\n# A\n\n```\nnpm i\n\n## B\n\n```js\nb()\n```\n```\n\nDone.')[0], false);
  // The fence behind `text` may close the document, or begin a block in it.
  assert.equal(open('```md README.md\n# A\n\ntext\n```\nDone. Run:\n```\nnpm i\n```\n')[0], false);
  assert.deepEqual(open('```md README.md\n# A\n\ntext\n```\nThis changes the title.\n'), [true]);
});

test('the indentation of a list and the marks of a quote are no part of the code', () => {
  const code = 'def double(x):\n    return 2 * x\n';
  for (const margin of ['  ', '   ', '    ', '\t', '> ']) {
    const block = fenced('python', code)
      .split('\n')
      .map((line) => (line === '' && margin !== '> ' ? '' : margin + line))
      .join('\n');
    const lead = margin === '> ' ? '> In `util.py`:\n>\n' : '1. Create `util.py`:\n\n';
    assert.deepEqual(read(`${lead}${block}\n\n2. Use it.\n`), [['util.py', code]], JSON.stringify(margin));
  }
  assert.deepEqual(read('- ```py a.py\n  x = 1\n  ```\n'), [['a.py', 'x = 1\n']]);
});

test('the file is named by the fence, by the first line, alone or with words, or by the line before', () => {
  const code = 'const a = 1;\n';
  for (const answer of [
    fenced('ts src/a.ts', code),
    fenced('ts', `src/a.ts\n${code}`),
    fenced('ts', `// src/a.ts\n${code}`),
    fenced('ts', `src/a.ts:1-9\n${code}`),
    fenced('ts', `src/a.ts: make it one instead of two\n${code}`),
    fenced('ts src/a.ts', `// src/a.ts\n${code}`),
    `In \`src/a.ts\`:\n\n${fenced('ts', code)}`,
  ])
    assert.deepEqual(read(answer), [['src/a.ts', code]], answer);
  assert.deepEqual(read(`In \`Makefile\`:\n\n${fenced('makefile', 'build:\n\tgo build\n')}`), [
    ['Makefile', 'build:\n\tgo build\n'],
  ]);
});

test('lines that only look like names are content', () => {
  for (const [info, path, code] of [
    ['gitignore .gitignore', '.gitignore', 'node_modules/\ndebug.log\n.env\ndist/\n'],
    ['ruby app/user.rb', 'app/user.rb', 'users\n  .active\n  .first\n'],
    ['css a.css', 'a.css', '.a,\n.button\n{\n}\n'],
    ['markdown README.md', 'README.md', '# tides.js\n\nText.\n'],
    ['ts src/a.ts', 'src/a.ts', '// src/a.ts: reads it\nx();\n'],
    ['yaml a.yaml', 'a.yaml', 'a.b: c\nd: e\n'],
  ] as const)
    assert.deepEqual(read(fenced(info, code)), [[path, code]]);
  assert.deepEqual(read(fenced('', '.env\ndist/\n')), [[null, '.env\ndist/\n']]);
});

test('the time to read an answer grows with its length, not with its square', () => {
  const answer = Array.from({ length: 5000 }, (_, i) => `Then:\n\n${fenced(`ts src/a${i}.ts`, 'a();\n')}\n`).join('');
  const before = process.threadCpuUsage();
  assert.equal(read(answer).length, 5000);
  const { user, system } = process.threadCpuUsage(before);
  assert.ok(user + system < 2_000_000, `${(user + system) / 1000} ms`);
});

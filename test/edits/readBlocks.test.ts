// Which code blocks of an answer change which file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockCalls } from '../../src/edits/blocks/readBlocks.ts';

const read = (answer: string) =>
  blockCalls(answer, () => 'id').map(({ arguments: { path, content } }) => [path, content]);
const fenced = (info: string, ...lines: readonly string[]) => `\`\`\`${info}\n${lines.join('\n')}\n\`\`\`\n`;

test('the file is named by the fence, by the first line, alone or with words, or by the line before', () => {
  const code = 'const a = 1;';
  for (const answer of [
    fenced('ts src/a.ts', code),
    fenced('ts', 'src/a.ts', code),
    fenced('ts', '// src/a.ts', code),
    fenced('ts', 'src/a.ts:1-9', code),
    fenced('ts', 'src/a.ts: make it one instead of two', code),
    `In \`src/a.ts\`:\n\n${fenced('ts', code)}`,
  ])
    assert.deepEqual(read(answer), [['src/a.ts', `${code}\n`]], answer);
});

test('a comment with a path and words is code, and so is what only looks like a path', () => {
  assert.deepEqual(read(fenced('ts src/a.ts', '// src/a.ts: reads it', 'x();')), [
    ['src/a.ts', '// src/a.ts: reads it\nx();\n'],
  ]);
  assert.deepEqual(read(fenced('yaml a.yaml', 'a.b: c', 'd: e')), [['a.yaml', 'a.b: c\nd: e\n']]);
  assert.deepEqual(read(fenced('ts', 'x();')), []);
  assert.deepEqual(read(fenced('diff src/a.ts', '-a', '+b')), []);
});

test('parts of several places in one fence are changes of their own', () => {
  const answer = fenced('ts', 'src/a.ts:21-23', 'a();', '', 'src/b.ts:1-4', 'b();', 'src/a.ts:30', 'c();');
  assert.deepEqual(read(answer), [
    ['src/a.ts', 'a();\n\n'],
    ['src/b.ts', 'b();\n'],
    ['src/a.ts', 'c();\n'],
  ]);
});

test('lines that only look like names are content', () => {
  for (const [info, path, lines] of [
    ['gitignore .gitignore', '.gitignore', ['node_modules/', 'debug.log', '.env', 'dist/']],
    ['ruby app/user.rb', 'app/user.rb', ['users', '  .active', '  .first']],
    ['css a.css', 'a.css', ['.a,', '.button', '{', '}']],
    ['python a.py', 'a.py', ['x = (', '    self.value', ')']],
  ] as const)
    assert.deepEqual(read(fenced(info, ...lines)), [[path, `${lines.join('\n')}\n`]]);
  assert.deepEqual(read(fenced('', '.env', 'dist/')), []);
});

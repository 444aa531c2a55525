// Answers are drawn by the blocks that the reader finds: none is shattered, each names its file, and one without an end can only be copied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blocksIn } from '../../src/core/answer/readAnswer.ts';
import { noBlocks, splitBlocks } from '../../webview/answer/cutting.ts';
import { renderMarkdown } from '../../webview/answer/markdown.ts';
import { ownFences } from '../../webview/answer/ownFences.ts';
import { cases } from '../cases.ts';

const draw = (text: string, live = false) => renderMarkdown(ownFences(text, live), { live, edits: true });
const heads = (html: string) => html.match(/class="code-head"/g)?.length ?? 0;
const readme = '# Title\n\n```bash\nnpm i\n```\n\n## Use\n\n```\nText\n```\n';

test('a document with fences in it is one block, and the words behind it are words', () => {
  const html = draw(`Here:\n\n\`\`\`markdown README.md\n${readme}\`\`\`\n\nDone.`);
  assert.equal(heads(html), 1);
  assert.match(html, /data-path="README\.md"/);
  assert.match(html, /<p>Done\.<\/p>/);
  assert.match(html, /~{0}```bash\nnpm i\n```/);
});

test('a block stands in its list, without the indentation of the list', () => {
  for (const margin of ['   ', '    ']) {
    const block = ['```ts', 'const a = 1;', '```'].map((line) => margin + line).join('\n');
    const html = draw(`1. In \`a.ts\`:\n\n${block}\n\n2. Next.\n`);
    assert.match(html, /<li>[\s\S]*data-path="a\.ts"[\s\S]*>const a = 1;\n<[\s\S]*<\/li>\n<li>/, margin);
  }
  assert.equal(heads(draw('In `a.ts`:\n\n    ```ts\n    x\n    ```\n')), 1);
});

test('a line that only names the file is the title of the block, and no line of it', () => {
  const html = draw('```js\n// lib/option.js\nfoo();\n```\n');
  assert.match(html, /class="code-path">lib\/option\.js</);
  assert.doesNotMatch(html, /\/\/ lib\/option\.js/);
});

test('a block whose end is not its own can only be copied', () => {
  const acts = (text: string) => [...draw(text).matchAll(/data-act="(\w+)"/g)].map(([, act]) => act);
  assert.deepEqual(acts('```ts a.ts\none\n```ts b.ts\ntwo\n```\n'), ['copyCode']);
  assert.deepEqual(acts('```ts a.ts\none\n```\n'), ['applyCode', 'insertCode', 'createFile', 'copyCode']);
});

test('while it is written the last block has no buttons', () => {
  assert.doesNotMatch(draw('```ts a.ts\none\n', true), /<button/);
  assert.match(draw('```ts a.ts\none\n```\n', true), /<button/);
});

test('the file and line that words name are a link', () => {
  assert.match(draw('See `lib/help.js` line 454.'), /data-path="lib\/help\.js" data-line="454">lib\/help\.js</);
  assert.match(draw('See `lib/help.js`.'), /data-path="lib\/help\.js" data-line="">lib\/help\.js</);
  assert.doesNotMatch(draw('See `help.js`, `a/b` and `lib/`.'), /data-line/);
});

const parts = fc.constantFrom(
  '```ts\n',
  '```\n',
  '~~~\n',
  '   ```\n',
  '- ',
  'a\n',
  '\n',
  '1. b\n',
  '```md README.md\n',
  '    c\n',
);

test('an answer that arrives in pieces ends as the whole one, and no block of code is lost', () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), fc.array(fc.nat(9), { minLength: 1 }), (words, steps) => {
      const text = words.join('');
      let split = noBlocks;
      for (let at = 0, i = 0; at < text.length; i++) {
        at += 1 + (steps[i % steps.length] ?? 0);
        split = splitBlocks(ownFences(text.slice(0, at), true), split);
      }
      const whole = ownFences(text, false);
      split = splitBlocks(whole, split);
      assert.equal(split.blocks.map((block) => block.text).join(''), whole);
      const drawn = heads(
        split.blocks.map((block) => renderMarkdown(block.text, { live: false, edits: true })).join(''),
      );
      assert.equal(drawn, blocksIn(text).length, text);
    }),
    { numRuns: cases(500) },
  );
});

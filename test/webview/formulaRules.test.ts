// Which dollars and brackets are formulas: prices, shells and code are words, and so is what is not finished.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noBlocks, splitBlocks } from '../../webview/answer/cutting.ts';
import { renderMarkdown } from '../../webview/answer/markdown.ts';
import { cpuTime } from '../harness/cpuTime.ts';

const answer = { live: false, edits: true, before: '' };

/** The formulas of an answer as they were written; those with a row of their own begin with `=`. */
const found = (text: string) =>
  [...renderMarkdown(text, answer).matchAll(/<span class="formula( display)?">(.*?)<\/span>/gs)].map(
    ([, row, words = '']) => (row === undefined ? words : `=${words}`),
  );

test('prices, variables of a shell and code are words', () => {
  for (const text of [
    'It costs $5 and $10.',
    'From $5-$10, US$5 to US$10, or 5$',
    'Between $5 or 6$ a piece',
    'Set $HOME:$PATH and $HOME/$USER',
    'Run $(cmd) and $(other), then echo $? or $$',
    'echo $$ and $$',
    'Use `$a$` and `$b`',
    'Use $a and `$b`',
    '```sh\necho $A$B\n$$\nx\n$$\n```',
    '    $$\n    x\n    $$',
    'An $ alone $ and \\$a\\$',
    'x$a$ and $a$3 and the $n$th',
    '\\\\(a\\\\)',
  ])
    assert.deepEqual(found(text), [], text);
});

test('formulas among words, in tables, lists and emphasis are found', () => {
  assert.deepEqual(found('Is $x^2$, ($y_1$) or $z$-like?'), ['$x^2$', '$y_1$', '$z$']);
  assert.deepEqual(found('**$a$** and \\(b\\) at $2\\pi r$'), ['$a$', '\\(b\\)', '$2\\pi r$']);
  assert.deepEqual(found('| $a$ | b |\n|---|---|\n| `$c$` | $d$ |'), ['$a$', '$d$']);
  assert.deepEqual(found('- one $\\$5$\n  $$\n  x\n  $$'), ['$\\$5$', '=$$x\n$$']);
  assert.deepEqual(found('So $$x + y$$ holds, and \\[z\\] too.'), ['=$$x + y$$', '=\\[z\\]']);
});

test('a formula of its own goes over empty lines and is one block', () => {
  for (const [open, close] of [
    ['$$', '$$'],
    ['\\[', '\\]'],
  ]) {
    const text = `before\n${open}\na\n\nb\n${close}\nafter`;
    assert.deepEqual(found(text), [`=${open}a\n\nb\n${close}`]);
    assert.equal(splitBlocks(text).blocks[1]?.text, `${open}\na\n\nb\n${close}\n`);
  }
});

test('an opening mark without its end takes nothing with it', () => {
  assert.deepEqual(found('$$ is the process id\n\nand $x$ a formula'), ['$x$']);
  assert.deepEqual(found('$$a$$ is one.\n\n$$b$$'), ['=$$a$$', '=$$b\n$$']);
  assert.deepEqual(found(`$$\n${'a\n'.repeat(150)}$$`), []);
  assert.equal(found('\\[\na\n\nb').length, 0);
});

test('while it arrives a formula is text, and earlier blocks wait for its end', () => {
  const parts = ['$$\n', 'a\n', '\n', 'b', '\n$$', '\n\nend'];
  let split = noBlocks;
  let text = '';
  for (const part of parts.slice(0, 4)) {
    text += part;
    split = splitBlocks(text, split);
    assert.deepEqual(
      split.blocks.flatMap(({ text: block }) => found(block)),
      [],
      text,
    );
  }
  for (const part of parts.slice(4)) {
    text += part;
    split = splitBlocks(text, split);
    assert.deepEqual(
      split.blocks.flatMap(({ text: block }) => found(block)),
      ['=$$a\n\nb\n$$'],
      text,
    );
  }
});

test('where nothing is drawn the text stays as it was written', () => {
  const html = renderMarkdown('It is $x^2$ and $$y$$', { ...answer, edits: false });
  assert.equal(html, '<p>It is $x^2$ and $$y$$</p>\n');
});

test('marks without end cost no more than reading them', async () => {
  for (const mark of ['$a ', '$$ ', '$$\n', '\\[a\n'])
    assert.ok((await cpuTime(() => renderMarkdown(mark.repeat(2000), answer))) < 1500, mark);
});

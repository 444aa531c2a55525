// Markdown of answers: fences with names, places, links, tasks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitBlocks } from '../../webview/answer/cutting.ts';
import { renderMarkdown } from '../../webview/answer/markdown.ts';

const sample = `# Title

Some words with **stars**,
on two lines.

- one
- two

  inside two

1. first

   \`\`\`ts
   const a = 1;
   \`\`\`

| a | b |
|---|--:|
| 1 | 2 |

> quoted

\`\`\`py src/a.py
def f():

    return 1
\`\`\`
    indented

Set
===
[x]: http://example.invalid
end \`code\` [x]
`;

test('rendering block by block gives what rendering at once gives', () => {
  const apart = splitBlocks(sample)
    .blocks.map(({ text }) => renderMarkdown(text))
    .join('');
  // The one link is defined in another block and is a text in both.
  const plain = (html: string) => html.replace(/<[^>]+>|\[x\]|x/g, '');
  assert.equal(plain(apart), plain(renderMarkdown(sample)));
});

test('an unclosed fence is code while it is written, without colours and buttons, and has both when it is closed', () => {
  const drawing = { live: true, edits: true };
  const open = renderMarkdown('```ts\nconst a = "<b>";', drawing);
  assert.match(open, /<code>const a = &quot;&lt;b&gt;&quot;;/);
  assert.doesNotMatch(open, /<button|code-plain/);
  const closed = renderMarkdown('```ts\nconst a = 1;\n```', drawing);
  assert.match(closed, /class="code-plain"/);
  assert.equal(closed.match(/<button/g)?.length, 4);
  assert.equal(renderMarkdown('```ts\na\n```', { ...drawing, live: false, edits: false }).match(/<button/g)?.length, 1);
});

test('a closed fence that is still the last block is whole', () => {
  assert.match(renderMarkdown('```ts\na\n```', { live: true, edits: true }), /code-plain/);
  assert.match(renderMarkdown('```ts\n\n\n```\n', { live: true, edits: true }), /code-plain/);
});

test('pictures and HTML are words, and a link names its host and its whole address', () => {
  const html = renderMarkdown('[a](https://example.invalid/) ![b](c.png) <i>d</i> [e](javascript:alert(1))');
  assert.doesNotMatch(html, /<a|<img|<i>|\shref|src=/);
  assert.match(
    html,
    /data-href="https:\/\/example\.invalid\/"[^>]*>a<\/button><span class="link-host"> \(example\.invalid\)/,
  );
  assert.doesNotMatch(html, /data-href="javascript/);
  assert.match(html, /title="https:\/\/example\.invalid\/"/);
});

test('a place in words and in code is a button', () => {
  assert.equal(renderMarkdown('see src/a.ts:12 or `b.ts:3`').match(/class="place"/g)?.length, 2);
});

test('a task shows whether it is done', () => {
  const html = renderMarkdown('- [x] one\n- [ ] two\n- three');
  assert.equal(html.match(/class="task"/g)?.length, 2);
  assert.match(html, /codicon-pass task-box[\s\S]*one[\s\S]*codicon-circle-large-outline task-box[\s\S]*two/);
  assert.doesNotMatch(html, /\[x\]/);
});

test('a shell block can be run, a patch applied, and neither made a file', () => {
  const acts = (text: string) =>
    [...renderMarkdown(text, { live: false, edits: true }).matchAll(/data-act="(\w+)"/g)].map(([, act]) => act);
  assert.deepEqual(acts('```sh\nnpm test\n```'), ['runCode', 'typeCode', 'copyCode']);
  assert.deepEqual(acts('```diff\n-a\n+b\n```'), ['applyCode', 'copyCode']);
  assert.deepEqual(acts('```py a.py\n\n```'), []);
  assert.deepEqual(acts('```sh run.sh\nnpm test\n```'), ['applyCode', 'insertCode', 'createFile', 'copyCode']);
});

test('marks of emphasis work beside Chinese, Japanese and Korean signs', () => {
  for (const text of [
    '**真，**她',
    '这是**我想做的事。**所以继续。',
    'これは**「重要なこと」**です。',
    '**마크다운(Markdown)**을',
    '不如**《电影》**已经',
  ])
    assert.match(renderMarkdown(text), /<strong>/, text);
  assert.doesNotMatch(renderMarkdown('my_var_name and a*b*c'), /<strong>|_<em>/);
});

test('characters that hide, or turn the order of others, stand behind their numbers in code, and the code is as it was', () => {
  const code = 'echo "\u202E}\u2066 harmless"\u200B # \u001B[31m caf\u00E9 \u{1F469}\u200D\u{1F4BB}\tx';
  for (const language of ['sh', 'whatever']) {
    const html = renderMarkdown(`\`\`\`${language}\n${code}\n\`\`\``, { live: false, edits: true });
    assert.deepEqual(
      [...html.matchAll(/class="hidden-character" data-code="(U\+\w+)">/g)].map(([, number]) => number),
      ['U+202E', 'U+2066', 'U+200B', 'U+001B'],
    );
    const shown = /<code[^>]*>([\s\S]*)<\/code>/.exec(html)?.[1] ?? '';
    assert.equal(
      shown
        .replace(/<[^>]+>/g, '')
        .replaceAll('&quot;', '"')
        .trimEnd(),
      code,
    );
  }
});

test('commands without a language run in the terminal, code without one does not', () => {
  const acts = (code: string) =>
    [...renderMarkdown(`\`\`\`\n${code}\n\`\`\``, { live: false, edits: true }).matchAll(/data-act="(\w+)"/g)].map(
      ([, act]) => act,
    );
  for (const code of ['npm install cac', '$ npm test', '# first\ncd app\n\nnpm run build -- --watch', 'pip install x'])
    assert.deepEqual(acts(code), ['runCode', 'typeCode', 'copyCode'], code);
  for (const code of ['const a = 1;', 'npm', 'go is a language', 'npm install cac\nconst a = 1;', 'make(1)', ''])
    assert.ok(!acts(code).includes('runCode'), code);
});

// How a text is cut into blocks, and a huge block into parts: nothing is lost, each part is small, and a stream is cut like the whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CutSizes, noBlocks, splitBlocks } from '../../webview/answer/cutting.ts';
import { codeOfPart, renderBlock, renderMarkdown } from '../../webview/answer/markdown.ts';
import { cases } from '../cases.ts';

const sizes: CutSizes = { whole: 60, most: 120, part: 30 };
const still = { live: false, edits: true, continued: false };
const joined = (blocks: readonly { readonly text: string }[]) => blocks.map(({ text }) => text).join('');
const cut = (text: string, by = sizes) => splitBlocks(text, noBlocks, undefined, by).blocks;
const html = (text: string, by = sizes) => cut(text, by).map((block) => renderBlock(block, still));
/** The words that are seen. */
const seen = (drawn: string) =>
  drawn
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const usual = [
  ...['# a\n', '- b\n', '1. c\n', '\n', '```ts\n', '```\n', '> d\n', '    e\n', 'f', '---\n', '|a|\n', '|-|\n', '\n\n'],
  ...['* ', '**g**', '~~~\n', '  h\n', '\t', '<b>', '===\n', '😀 ', '\r\n'],
];
const formulas = ['$$\n', '$$x$$\n', 'y$$', '\\[\n', '\\]\n', '$x$'];
const huge = [
  ...['|a|b|\n|-|-|\n', '|c|d|\n'.repeat(9), '- i\n'.repeat(20), '> q\n'.repeat(30), 'w '.repeat(70), 'x'.repeat(140)],
  ...[`~~~ ts\n${'code\n'.repeat(30)}`, `- a\n${'  - b\n'.repeat(30)}`],
];
const textsOf = (...words: readonly string[]) =>
  fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(''));
const texts = textsOf(...usual, ...huge);

/** The blocks of a text that arrives by so many characters, and of one that is read in steps. */
function streamed(text: string, lengths: readonly number[], by?: CutSizes) {
  let [arrived, stepped] = [noBlocks, noBlocks];
  for (let at = 0, i = 0; at < text.length; i++) {
    at += 1 + (lengths[i % lengths.length] ?? 0);
    arrived = splitBlocks(text.slice(0, at), arrived, undefined, by);
  }
  for (let step = 0; stepped.text !== text; step++) {
    assert.ok(step < 500, 'it goes on');
    stepped = splitBlocks(text, stepped, () => false, by);
    assert.equal(joined(stepped.blocks), stepped.text);
  }
  return [arrived.blocks, stepped.blocks];
}

test('a text that arrives in pieces is cut into the same blocks as the whole, also where it is read in several steps', () => {
  const lengths = fc.array(fc.nat(9), { minLength: 1, maxLength: 40 });
  const same = (of: fc.Arbitrary<string>, by?: CutSizes) =>
    fc.assert(
      fc.property(of, lengths, (text, steps) => {
        const whole = splitBlocks(text, noBlocks, undefined, by).blocks;
        assert.equal(joined(whole), text);
        if (text !== '') assert.deepEqual(streamed(text, steps, by), [whole, whole]);
      }),
      { numRuns: cases(500) },
    );
  same(textsOf(...usual, ...formulas));
  same(texts, sizes);
});

test('no block is longer than what stays whole', () => {
  fc.assert(
    fc.property(texts, (text) => cut(text).every((block) => block.text.trimEnd().length <= sizes.most)),
    { numRuns: cases(500) },
  );
});

test('a text without a huge block is cut where it begins new ones, wherever the windows end', () => {
  const small = fc
    .array(
      fc.constantFrom(
        '# a\n',
        'words\nmore\n\n',
        '- b\n- c\n\n',
        '> d\n\n',
        '|a|\n|-|\n|b|\n\n',
        '~~~ ts\ncode\n~~~\n',
      ),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(small, (text) => assert.deepEqual(cut(text), cut(text, { whole: 1e6, most: 1e6, part: 1e6 }))),
    { numRuns: cases(300) },
  );
});

test('a huge table is tables of rows under the same head', () => {
  const rows = Array.from({ length: 40 }, (_, i) => `| row ${i} | ${i} |\n`).join('');
  const tables = html(`| a | b |\n|---|--:|\n${rows}\nAfter.\n`, { whole: 200, most: 400, part: 100 });
  const last = tables.pop() ?? '';
  assert.ok(
    tables.length > 5 && tables.every((table) => /^<table>\n<thead>[\s\S]*a<\/th>[\s\S]*<\/table>/.test(table)),
  );
  assert.deepEqual(
    [...tables.join('').matchAll(/<td>row (\d+)<\/td>\n<td class="right">\1</g)].map(([, row]) => Number(row)),
    Array.from({ length: 40 }, (_, i) => i),
  );
  assert.equal(last, '<p>After.</p>\n');
});

test('a huge list goes on with its numbers, and what stands in an item stays there', () => {
  const items = Array.from({ length: 30 }, (_, i) => `1. item ${i}\n   more\n   - in it\n`).join('');
  const lists = html(items, { whole: 200, most: 400, part: 100 });
  assert.ok(lists.length > 5);
  let count = 1;
  for (const list of lists) {
    assert.match(list, count === 1 ? /^<ol>/ : new RegExp(`^<ol start="${count}">`));
    count += list.match(/<li>item/g)?.length ?? 0;
    assert.equal(list.match(/<li>item/g)?.length, list.match(/<li>in it/g)?.length);
  }
  assert.equal(count, 31);
});

test('no word of a huge paragraph becomes anything else where it is cut', () => {
  const text = `${'some - words 1. and # signs > of | all `kinds` **here** '.repeat(30)}\nnext line\n\nAfter.`;
  const drawn = html(text);
  assert.ok(drawn.length > 20 && drawn.every((part) => /^<p>/.test(part)));
  assert.equal(seen(drawn.join('')).replaceAll(' ', ''), seen(renderMarkdown(text)).replaceAll(/ |\*\*/g, ''));
});

test('the code of a huge block is its parts together, to its own fence', () => {
  const code = `${'const a = 1;\n~~~\n\n'.repeat(20)}${'y'.repeat(200)}\n`;
  const blocks = cut(`Before.\n\n~~~~ ts\n${code}~~~~\nAfter.\n`);
  const at = blocks.findIndex(({ text }) => text.startsWith('~~~~ ts'));
  const rest = blocks.filter(({ part }) => part?.kind === 'code');
  const first = /<code>([\s\S]*)<\/code>/.exec(
    renderBlock(blocks[at] ?? { text: '', part: null }, { ...still, continued: true }),
  );
  const parts = rest.map(({ text, part }) => codeOfPart(text, part?.kind === 'code' && part.closed));
  assert.equal(`${first?.[1]}${parts.join('')}`, code);
  assert.deepEqual(
    [rest.length > 10, rest.at(-1)?.part, blocks.at(-1)?.text],
    [true, { kind: 'code', fence: '~~~~', closed: true }, 'After.\n'],
  );
  assert.match(
    renderBlock(rest[0] ?? { text: '', part: null }, still),
    /^<pre class="code-rest" tabindex="0"><code>const a/,
  );
});

test('what fits no kind is plain text until a paragraph begins at the edge', () => {
  const blocks = cut(`- a\n${'  - <b>\n'.repeat(60)}\nAfter *it*.\n`);
  const plain = blocks.filter(({ part }) => part?.kind === 'plain');
  assert.ok(plain.length > 5);
  assert.match(renderBlock(plain[0] ?? { text: '', part: null }, still), /^<div class="plain">- a\n {2}- &lt;b&gt;/);
  assert.equal(blocks.at(-1)?.text, 'After *it*.\n');
  assert.equal(blocks.at(-1)?.part, null);
});

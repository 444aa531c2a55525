// Places in tool results and in what was looked up: found as in answers, and nothing of the text becomes markup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderMarkdown } from '../../webview/answer/markdown.ts';
import { splitPlaces } from '../../webview/answer/placeText.ts';
import { cpuTime } from '../harness/cpuTime.ts';

test('each place of a search leads to its file and line', () => {
  const text = 'src/a.ts:12: export const a\n2. src/deep/b-c.test.ts:3:7: error ts: no\nNode.js: 4';
  assert.deepEqual(
    splitPlaces(text).flatMap(({ to }) => to ?? []),
    [
      { path: 'src/a.ts', line: 12 },
      { path: 'src/deep/b-c.test.ts', line: 3 },
    ],
  );
});

test('a range is one place, and a line may be said in words', () => {
  for (const [text, whole, line] of [
    ['see src/a.ts:12-90, then', 'src/a.ts:12-90', 12],
    ['in the deno/cli.ts file, line 14.', 'deno/cli.ts file, line 14', 14],
    ['(src/a.ts, lines 3-9)', 'src/a.ts, lines 3-9', 3],
    ['src/a.ts#L3-L9', 'src/a.ts#L3-L9', 3],
    ['at lib/b.js line 7', 'lib/b.js line 7', 7],
  ] as const)
    assert.deepEqual(
      splitPlaces(text).flatMap((piece) => (piece.to === null ? [] : [[piece.text, piece.to.line]])),
      [[whole, line]],
    );
  assert.equal(splitPlaces('Node.js, line by line, and a.ts lines of code').length, 1);
});

test('the pieces together are the text, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a.ts:1', '<b>', '"', 'src/', '.ts', ':', '12', '\n', ' ', '&amp;')),
      (parts) => {
        const text = parts.join('');
        const pieces = splitPlaces(text);
        assert.equal(pieces.map((piece) => piece.text).join(''), text);
        for (const { to } of pieces) assert.doesNotMatch(to?.path ?? '', /[<>"&\s]/);
      },
    ),
  );
});

test('what was looked up has places, the code of an answer has none, and neither has markup', () => {
  const text = '```\nsrc/a.ts:12: <img src=x onerror=alert(1)>\n```';
  const drawn = (edits: boolean) => renderMarkdown(text, { live: false, edits });
  assert.match(
    drawn(false),
    /<button class="place" data-path="src\/a\.ts" data-line="12">src\/a\.ts:12<\/button>: &lt;img/,
  );
  assert.doesNotMatch(drawn(true), /class="place"/);
  assert.doesNotMatch(drawn(false) + drawn(true), /<img/);
});

test('an address is none, and 200 kB without any are read in no time', async () => {
  assert.equal(splitPlaces('https://host.example/src/a.js:10').length, 1);
  for (const part of ['a', 'a.', 'a/', 'a.b/', '[a', '(a)/']) {
    const took = await cpuTime(() => assert.equal(splitPlaces(part.repeat(50_000)).length, 1));
    assert.ok(took < 500, `${part}: ${took} ms`);
  }
});

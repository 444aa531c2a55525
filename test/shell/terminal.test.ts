// The lines that a terminal shows of an output: written over, erased, steered, and nothing that is no text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { terminalLines } from '../../src/shell/terminal.ts';

const shown = (output: string) => terminalLines(output).join('\n');

test('a line is written over where it is begun anew, and only as far as something came', () => {
  for (const [output, wanted] of [
    ['alpha\r\r\nbeta\r\r\n', 'alpha\nbeta'],
    ['50%\r100%\n', '100%'],
    ['aaaaaa\rbbb\n', 'bbbaaa'],
    ['compiled\r\n', 'compiled'],
    ['Downloading 100%\r', 'Downloading 100%'],
    ['one\rtwo\rthree\r', 'one\ntwo\nthree'],
    ['wait |\b/\b-\b\\\bdone\n', 'wait done'],
    ['N\bNA\bA\n', 'NA'],
    ['a\tb\n', 'a\tb'],
    ['', ''],
    ['\n\n', ''],
  ] as const)
    assert.equal(shown(output), wanted, JSON.stringify(output));
});

test('the cursor moves and erases as ECMA-48 has it, and what else steers the terminal is not shown', () => {
  for (const [output, wanted] of [
    ['50%\r\x1b[2Kdone\n', 'done'],
    ['abcdef\x1b[3D\x1b[K\n', 'abc'],
    ['a\x1b[3Cb\n', 'a   b'],
    ['abc\x1b[1GX\n', 'Xbc'],
    ['a: 1%\nb: 1%\n\x1b[2A\x1b[2Ka: 100%\n\x1b[2Kb: 100%\n', 'a: 100%\nb: 100%'],
    ['a\nb\nc\n\x1b[2A\x1b[Jx\n', 'a\nx'],
    ['\x1b[38:2::1:2:3mred\x1b[0m\n', 'red'],
    ['\x9b31mred\x9b0m\n', 'red'],
    ['\x1b(B\x1b[mplain\n', 'plain'],
    ['\x1b]0;title\x07hello\n', 'hello'],
    ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n', 'link'],
    ['\x1bP1$r0m\x1b\\hello\n', 'hello'],
    ['\x0e\x0fbell\x07\n', 'bell'],
    ['a\0b\0c\n', 'a\nb\nc'],
    ['Stra\u00c3\u009fe 12: FAILED\n', 'Stra\u00c3e 12: FAILED'],
    ['before \x1b]0;title and FAILED\n', 'before 0;title and FAILED'],
  ] as const)
    assert.equal(shown(output), wanted, JSON.stringify(output));
});

test('what is no text is said in a line, and text around it stays', () => {
  const bytes = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919 + (i >> 3)) % 256)).toString('utf8');
  assert.match(
    shown(`before\n${bytes}\nafter it all came\n\nthe end\n`),
    /^before\n+\[.+ of bytes that are no text\]\n[\s\S]*the end$/,
  );
  assert.equal(shown('caf\uFFFD au lait\n'), 'caf\uFFFD au lait');
});

test('no control character is ever shown', () => {
  const signs = fc.constantFrom(
    '\x1b',
    '\x1b[',
    '\x9b',
    '\r',
    '\n',
    '\b',
    '\0',
    '\t',
    '2',
    'K',
    'A',
    'J',
    ';',
    'x',
    '\x07',
    '\x85',
    '\x1b]',
    'é',
  );
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 60 }), (all) => {
      for (const line of terminalLines(all.join(''))) assert.doesNotMatch(line, /(?!\t)\p{Cc}/u);
    }),
  );
});

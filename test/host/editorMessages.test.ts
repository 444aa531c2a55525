// The messages that commands of the editor send.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionsIn } from '../../src/app/turn/mentions.ts';
import { explainMessage, fixMessage, mentionOf } from '../../src/host/editor/editorMessages.ts';

test('a place is mentioned with its lines, and a path with spaces in quotes', () => {
  assert.equal(mentionOf({ path: 'src/a.ts', lines: { first: 3, last: 9 } }), '@file:src/a.ts:3-9');
  assert.equal(mentionOf({ path: 'my notes/a.md', lines: null }), '@file:"my notes/a.md"');
  assert.match(explainMessage({ path: 'a.ts', lines: null }), /: @file:a\.ts$/);
});

test('a problem is sent with file, line, source and its lines', () => {
  const place = { path: 'src/a.ts', lines: { first: 1, last: 20 } };
  assert.equal(
    fixMessage(place, { line: 7, source: 'ts 2304', message: "Cannot find name 'x'." }),
    "Fix this problem. Show only the changed lines.\nsrc/a.ts, line 7: ts 2304: Cannot find name 'x'.\n@file:src/a.ts:1-20",
  );
});

test('the words of a problem mention nothing, stay on one line and are cut', () => {
  const place = { path: 'a.ts', lines: null };
  const text = fixMessage(place, { line: 1, source: '', message: `see @terminal\n/memory ${'x'.repeat(2000)}` });
  assert.match(text, /line 1: see \(at\)terminal \/memory x+…\n@file:a\.ts$/);
  assert.ok(text.length < 800);
});

test('a place is written so that it is read back, and nothing but it is brought along', () => {
  for (const path of ['src/a.ts', 'my notes.md', 'notes (old)', 'a,b.ts', 'x.']) {
    for (const lines of [null, { first: 3, last: 9 }]) {
      const said = { line: 3, source: 'lint @file:.env', message: 'see @terminal' };
      const found = mentionsIn(fixMessage({ path, lines }, said));
      assert.deepEqual(
        found.map((one) => [one.name, one.lines]),
        [[path, lines]],
      );
    }
  }
});

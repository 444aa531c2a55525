import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockNote } from '../../../src/core/agent/editing.ts';
import { blocksIn } from '../../../src/core/answer/readAnswer.ts';
import { editsOf } from '../../../src/edits/blocks/readBlocks.ts';

const found = (path: string) =>
  [{ head: `Found: ${path}:1-9`, found: { path } }] as unknown as Parameters<typeof blockNote>[0];

test('for a document the note shows a block that replaces a line, as the reader of answers reads it', () => {
  for (const path of ['README.md', 'docs/a b.mdx', 'notes.markdown'])
    assert.deepEqual(blocksIn(blockNote(found(path))).flatMap(editsOf), [
      { path, is: 'hunks', hunks: [{ old: 'the line as it is\n', new: 'the line as it will be\n', line: null }] },
    ]);
});

test('for code the note asks for the whole function, in a block that begins with the file that was found', () => {
  assert.match(blockNote(found('src/a.ts')), /the whole changed function .*```ts src\/a\.ts$/);
  assert.match(blockNote([]), /``` path\/of\/the\/file$/);
});

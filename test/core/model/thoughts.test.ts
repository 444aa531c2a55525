// Thoughts that take too long are ended, by the mark that the model opened them with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allMarks } from '../../../src/core/answer/readThoughts.ts';
import { openedBy, thinkingIn, watchThoughts } from '../../../src/core/model/thoughts.ts';

/** Returns the text that closes the thoughts, and behind how many pieces; `null` where nothing closes them. */
function closes(
  pieces: readonly string[],
  budget: number,
  promptEnd = '',
  channels = false,
  begun: readonly string[] = [],
) {
  const watch = watchThoughts({ budget, promptEnd, channels, begun });
  const said = pieces.map((piece) => watch.hear(piece));
  const at = said.findIndex((close) => close !== null);
  assert.ok(said.filter((close) => close !== null).length <= 1, 'once');
  return at < 0 ? null : { behind: at + 1, close: said[at] };
}

const words = (n: number) => Array.from({ length: n }, (_, i) => ` word${i}`);

test('each mark that opens thoughts is closed by its own once the budget is used up', () => {
  for (const { open, close } of allMarks)
    assert.deepEqual(closes([open, ...words(40)], 20), { behind: 20, close: `\n${close}\n\n` }, open);
});

test('thoughts that end in time are left alone, and so is an answer without any', () => {
  assert.equal(closes(['<think>', ...words(10), '</think>', ...words(60)], 20), null);
  assert.equal(closes(words(60), 20), null);
  assert.equal(closes(['The mark', ' `<think>`', ' opens', ...words(60)], 20), null);
});

test('a template that opens the thoughts itself has the model begin within them', () => {
  assert.deepEqual(openedBy('<|im_start|>assistant\n<think>\n'), { open: '<think>', close: '</think>', from: 0 });
  assert.equal(openedBy('<|im_start|>assistant\n<think>\n\n</think>\n\n'), null);
  assert.deepEqual(closes(words(40), 20, 'assistant\n<think>\n'), { behind: 20, close: '\n</think>\n\n' });
});

test('the analysis channel of gpt-oss ends with the final one', () => {
  const open = ['<|channel|>', 'analysis', '<|message|>'];
  const close = '<|end|><|start|>assistant<|channel|>final<|message|>';
  assert.deepEqual(closes([...open, ...words(40)], 20, '', true), { behind: 20, close });
  assert.equal(closes([...open, ...words(5), '<|end|>', ...words(40)], 20, '', true), null);
  assert.equal(closes(['<|channel|>', 'final', '<|message|>', ...words(40)], 20, '', true), null);
});

test('a message that goes on within its thoughts has them counted from their beginning', () => {
  const close = '\n</think>\n\n';
  const goesOn = (begun: readonly string[]) => closes(words(40), 20, '', false, begun);
  assert.deepEqual(goesOn(['<think>', ...words(9)]), { behind: 10, close });
  // These thoughts were ended already, by us or by the model.
  assert.equal(goesOn(['<think>', ...words(19), close, ' Yes']), null);
  assert.equal(goesOn(['<think>', ...words(5), '</think>', ' Yes']), null);
  // Another budget let them grow longer.
  assert.deepEqual(goesOn(['<think>', ...words(30)]), { behind: 1, close });
});

test('a mark is known however it is cut into pieces, and nothing else becomes one', () => {
  const text = fc.constantFrom(...allMarks.map(({ open }) => `${open}well, then`), 'plain', '<thanks>', '[T', '◁');
  fc.assert(
    fc.property(text, (whole) => {
      const final = thinkingIn(whole);
      for (let n = 0; n < whole.length; n++) {
        const sofar = thinkingIn(whole.slice(0, n));
        assert.ok(sofar === undefined || sofar?.open === final?.open, whole.slice(0, n));
      }
    }),
  );
});

test('a piece without a whole character is waited for', () => {
  assert.deepEqual(closes(['<think>', ...words(18), '', '', ' é'], 20), { behind: 22, close: '\n</think>\n\n' });
});

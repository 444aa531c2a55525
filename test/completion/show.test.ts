// The part of a generated text that is shown at a caret, and why nothing is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atCaret, type OpenText } from '../../src/completion/caret.ts';
import { leastProbability, shownOf, silenceBefore } from '../../src/completion/show.ts';
import { cases } from '../cases.ts';

/** `|` is the caret. */
function scene(marked: string, language = 'typescript') {
  const before = marked.slice(0, marked.indexOf('|')).split('\n');
  const text: OpenText = { path: 'a.ts', language, lines: marked.replace('|', '').split('\n') };
  const caret = { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
  return { text, caret, at: atCaret(text, caret) };
}

function shown(marked: string, generated: string, probability = 0.9): string {
  const { text, caret, at } = scene(marked);
  const found = shownOf(
    text,
    caret,
    at,
    { text: generated, pieces: [{ text: generated, probability }], isCut: false },
    leastProbability,
  );
  return 'text' in found ? found.text : `(${found.why})`;
}

const rows: readonly (readonly [what: string, marked: string, generated: string, shown: string])[] = [
  ['a line where code stands in front', 'const a = |\n', 'read(name);\nconst b = 2;\n', 'read(name);'],
  ['a block on an empty line', 'f() {\n  |\n}', '  const a = 1;\n  return a;\n}\n\ng();', 'const a = 1;\n  return a;'],
  ['a block behind what opens one, with its end', 'if (a) {|\n', '\n  b();\n}\nc();', '\n  b();\n}'],
  ['a block behind a colon', 'def f():|\n\nx = 1', '\n    return 1\n\ndef g():\n    return 2', '\n    return 1'],
  ['no line that is further out', 'f() {\n    |\n', '    a();\n  b();', 'a();'],
  ['up to the line below', 'f() {\n  |\n  last();\n}', '  first();\n  last();\n}', 'first();'],
  ['nothing where the line below comes first', 'f() {\n  |\n  last();\n}', '  last();\n}', '(it stands there already)'],
  ['nothing on a line that the model begins further out', 'f() {\n  |\n', '}\n', '(the model has nothing to add)'],
  ['without what stands behind the caret', 'call(|);', 'one, two);', 'one, two'],
  ['nothing that stands behind the caret', 'call(|one);'.replace('one', ''), ');', '(it stands there already)'],
  ['nothing where nothing was written', 'const a = 1;|\n', '\n\n', '(the model has nothing to add)'],
  ['no third line of the same', 'a();\na();\n|\n', 'a();', '(it repeats what stands above)'],
  [
    'no block of one line again and again',
    'f() {\n  |\n',
    '  go(1);\n  go(1);\n  go(1);\n  go(1);',
    '(it repeats what stands above)',
  ],
];
for (const [what, marked, generated, expected] of rows)
  test(`shown is ${what}`, () => assert.equal(shown(marked, generated), expected));

test('a text of which the model is not sure is not shown', () => {
  assert.equal(shown('const a = |', 'read();', 0.2), '(the model is not sure)');
});

test('signs alone are not shown, unless the user asks by hand', () => {
  assert.equal(shown('/|', '**', 0.9), '(the model has nothing to add)');
  assert.equal(shown('call(a|', ');', 0.9), '(the model has nothing to add)');
  const { text, caret, at } = scene('call(a|');
  assert.deepEqual(shownOf(text, caret, at, { text: ');', pieces: [], isCut: false }, 0), {
    text: ');',
    isPart: false,
  });
});

test('of a block the first lines are shown as far as the model is sure of them', () => {
  const { text, caret, at } = scene('f() {\n  |\n');
  const pieces = [
    { text: '  const a = 1;', probability: 0.9 },
    { text: '\n', probability: 0.9 },
    { text: '  return b;', probability: 0.1 },
    { text: '', probability: 1 },
  ];
  const whole = { text: '  const a = 1;\n  return b;', pieces, isCut: false };
  assert.deepEqual(shownOf(text, caret, at, whole, leastProbability), { text: 'const a = 1;', isPart: false });
  assert.deepEqual(shownOf(text, caret, at, whole, 0), { text: 'const a = 1;\n  return b;', isPart: false });
});

test('of a line the words are shown of which the model is sure, the more the better, and never a part of a word', () => {
  const { text, caret, at } = scene('const a = |');
  const shownAs = (...pieces: readonly (readonly [text: string, probability: number])[]) => {
    const all = pieces.map(([one, probability]) => ({ text: one, probability }));
    const found = shownOf(
      text,
      caret,
      at,
      { text: all.map((one) => one.text).join(''), pieces: all, isCut: true },
      leastProbability,
    );
    return 'text' in found ? [found.text, found.isPart] : found.why;
  };
  assert.deepEqual(shownAs(['read', 0.9], ['(name', 0.9], [', other', 0.2]), ['read(name', true]);
  assert.deepEqual(shownAs(['par', 0.95], ['seDur', 0.4]), 'the model is not sure');
  assert.deepEqual(
    shownAs(['read', 0.95], ['File', 0.9], ['(path', 0.55], [');', 0.3]),
    ['readFile', true],
    'worth less for the risk',
  );
  assert.deepEqual(shownAs(['read', 0.95], ['(path.name.length', 0.6], [');', 0.3]), ['read(path.name.length', true]);
  assert.deepEqual(shownAs(['read', 0.99], ['(name);', 0.99], ['\n', 0.9]), ['read(name);', false]);
});

test('nothing is asked within a word, in front of one, or with much behind the caret', () => {
  const silence = (marked: string) => silenceBefore(scene(marked).at);
  assert.equal(silence('const na|me = 1;'), 'inside a word');
  assert.equal(silence('call(|name)'), 'inside a word');
  assert.equal(silence('const a = | + someVeryLongExpression(withArguments) * more;'), 'too much behind the caret');
  for (const marked of ['const a = |;', 'call(|);', 'call(a|)', '|', '  |', 'return|'])
    assert.equal(silence(marked), null, marked);
});

test('whatever is generated, what is shown is a part of it, says something and is not longer than eight lines', () => {
  const piece = fc.constantFrom('a();', ' ', '\n', '  b', '}', ')', '{', 'return x;', '\n\n', ';');
  const some = (most: number) => fc.array(piece, { maxLength: most }).map((all) => all.join(''));
  fc.assert(
    fc.property(some(8), some(8), some(20), (before, behind, generated) => {
      const found = shown(`${before}|${behind}`, generated);
      if (found.startsWith('(') && found.endsWith(')') && /^\((?:the|it) /.test(found)) return;
      assert.ok(generated.includes(found) && found.trim() !== '' && found.split('\n').length <= 8, found);
    }),
    { numRuns: cases(500) },
  );
});

// Left-out code: filled in where a line says so and lines are missing, asked about where it does not, and never seen where nothing is missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerCases } from '../../../lab/bench/edits/answers/answers.ts';
import { gapCases, replacementCases } from '../../../lab/bench/edits/answers/gaps.ts';
import { judgeAnswer, judgeGap, judgeReplacement } from '../../../lab/bench/edits/answers/measure.ts';
import { fitCode } from '../../../src/edits/blocks/fitCode.ts';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { notOpen } from '../../../src/edits/blocks/places.ts';
import { type AnswerEdit, blockEdits } from '../../../src/edits/blocks/readBlocks.ts';
import { applied } from '../../../src/edits/calls/steps.ts';

const path = 'src/total.ts';
const total = (body: string) =>
  `export function total(items: Item[]): number {\n  let sum = 0;\n${body}\n  return sum;\n}\n`;
const loop = '  for (const item of items) {\n    sum += item.price * item.count;\n  }';
const base = `import { Item } from "./item.ts";\n\n${total(loop)}\nexport function count(items: Item[]): number {\n  return items.length;\n}\n`;
const subject = { path, text: base, seen: 'all', target: null } as const;

/** Returns the changed file, 'asked', or what `fitCode` gives in place of a change. */
function outcome(code: string): string {
  const fit = fitCode(base, code, path, notOpen);
  if (fit.is !== 'change') return fit.is;
  return fit.doubt !== '' ? 'asked' : changedText(base, fit.change);
}

test('a line that says that code was left out is filled with what is missing there', () => {
  for (const mark of [
    '// ... existing code ...',
    '// …',
    '...',
    '/* ... */',
    '// rest of the function',
    '// (rest of the code remains the same)',
    '// [previous code remains unchanged]',
    '// Keep the existing loop here',
    '// same as before',
    '// --- existing code ---',
    '// code omitted for brevity',
    '// other logic...',
    '# ... rest of code ...',
  ])
    assert.equal(outcome(total(`  ${mark}`)), base, mark);
});

test('any other comment in the place of code is asked about, with the lines that would go', () => {
  for (const mark of [
    '// sums it up',
    '// removed: see parse()',
    '// TODO: implement the rest',
    '// 其余代码不变',
    '// Rest bleibt unverändert',
  ])
    assert.equal(outcome(total(`  ${mark}`)), 'asked', mark);
  const step = applied('1', { name: 'write_file', path, content: base.replace(loop, '  // sums it up') }, subject);
  assert.ok(step.ok && step.doubt.includes('sum += item.price * item.count;'), 'the lines are named');
});

test('a comment that such words stand in is one like any other where nothing is missing', () => {
  for (const words of [
    '// existing functions are called by name',
    '// Other functions below are private',
    '# The rest of the file is generated',
    '// The previous method removed the file',
    '// rest of the function',
  ]) {
    const code = total(`  ${words}\n${loop}`);
    assert.equal(outcome(code), base.replace(total(loop), code), words);
  }
});

test('code around a part, and between parts, is left out as well as within one', () => {
  const count = 'export function count(items: Item[]): number {\n  return items.size;\n}\n';
  const wanted = base.replace('items.length', 'items.size');
  for (const code of [
    `// ... existing code ...\n\n${count}`,
    `${count}\n// ... other functions ...\n`,
    `import { Item } from "./item.ts";\n\n// ... rest of the code ...\n\n${count}`,
    `${total('  // ...')}\n${count}`,
  ])
    assert.equal(outcome(code), wanted, code);
});

test('tools that write know left-out code as well', () => {
  const short = base.replace(loop, '  // ... rest of the loop ...').replace('length', 'size');
  const wrote = applied('1', { name: 'write_file', path, content: short }, subject);
  assert.equal(wrote.ok && wrote.text, base.replace('length', 'size'));
  const old = total(loop);
  const edited = applied(
    '1',
    {
      name: 'edit_file',
      path,
      old,
      new: total('  // ... existing code ...').replace('sum = 0', 'sum = 1'),
      all: false,
    },
    subject,
  );
  assert.equal(edited.ok && edited.text, base.replace('sum = 0', 'sum = 1'));
  const cut = applied('1', { name: 'write_file', path, content: base.slice(0, base.indexOf('  return sum')) }, subject);
  assert.match(cut.words, /ends where line 7 of src\/total\.ts stands/);
});

test('marks of a merge are put into no file', () => {
  const code = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n';
  const [edit] = blockEdits(`\`\`\`ts ${path}\n${code}\`\`\`\n`) as readonly [AnswerEdit];
  for (const text of [base, null])
    assert.equal(applied('1', { name: 'apply_block', path, edit }, { ...subject, text }).ok, false);
});

test('each kind of line end stays where it is', () => {
  for (const text of ['a\r\nb\nc\r\nd\n', 'a\rb\rc\rd\r', 'a\r\nb\r\nc\r\nd\r\n', 'a\nb\nc\nd']) {
    const content = 'a\nb\nC\nd\n';
    const step = applied(
      '1',
      { name: 'write_file', path: 'a.txt', content },
      { path: 'a.txt', text, seen: 'all', target: null },
    );
    assert.equal(step.ok && step.text, text.replace('c', 'C'), JSON.stringify(text));
  }
});

test('every answer, gap and comment of the seen half ends as it should', async () => {
  const judged = [...gapCases.map(judgeGap), ...replacementCases.map(judgeReplacement)];
  for (const one of answerCases) judged.push(await judgeAnswer(one));
  assert.deepEqual(
    judged.filter(({ right }) => !right).map(({ id, verdict }) => [id, verdict]),
    [],
  );
});

// Tests of a block in another indentation than the file's: what is put into the file has the file's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitCode, inUnitsOf } from '../../../src/edits/blocks/fitCode.ts';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { notOpen } from '../../../src/edits/blocks/places.ts';

const tabbed = 'export function first(list) {\n\tfor (const one of list) {\n\t\tif (one) return one;\n\t}\n}\n';
const spaced = (unit: string, text = tabbed) => text.replaceAll('\t', unit);

test('a function that is indented with spaces goes into a file with tabs with tabs', () => {
  for (const unit of ['  ', '    ']) {
    const code = spaced(unit).replace('if (one)', 'if (one !== null)');
    const fit = fitCode(tabbed, code, 'first.js', notOpen);
    assert.equal(
      fit.is === 'change' && changedText(tabbed, fit.change),
      tabbed.replace('if (one)', 'if (one !== null)'),
    );
  }
});

test('tabs become the spaces of the file, and two spaces four', () => {
  const wanted = spaced('    ').replace('if (one)', 'if (one.ok)');
  const changed = tabbed.replace('if (one)', 'if (one.ok)');
  assert.equal(inUnitsOf(spaced('    '), changed, 'first.js'), wanted);
  assert.equal(inUnitsOf(spaced('    '), spaced('  ', changed), 'first.js'), wanted);
});

test('four spaces become two only where no two levels become one', () => {
  const file = spaced('  ');
  assert.equal(inUnitsOf(file, 'def f():\n    if x:\n        return y\n', 'f.py'), 'def f():\n  if x:\n    return y\n');
  const mixed = 'a:\n    b:\n        c: 1\n  d:\n    e: 1\n';
  assert.equal(inUnitsOf(file, mixed, 'f.yml'), mixed);
});

test('comments and lines that go on keep their own columns behind the levels', () => {
  const code = '/**\n * One.\n */\nfunction a() {\n  call(one,\n       two);\n}\n';
  assert.equal(inUnitsOf(tabbed, code, 'a.js'), '/**\n * One.\n */\nfunction a() {\n\tcall(one,\n\t\t\t two);\n}\n');
});

test('a line that stands in a file with tabs as it is stays', () => {
  const base = `${tabbed}const text = \`\n  two spaces\n\`;\n`;
  const code = 'function a() {\n  return 1;\n}\nconst text = `\n  two spaces\n`;\n';
  assert.equal(inUnitsOf(base, code, 'a.js'), 'function a() {\n\treturn 1;\n}\nconst text = `\n  two spaces\n`;\n');
});

test('nothing changes in a document, without indentation, and where both have the same', () => {
  const list = '- one\n    - two\n';
  assert.equal(inUnitsOf('- a\n  - b\n', list, 'README.md'), list);
  assert.equal(inUnitsOf('a = 1\n', spaced('    '), 'a.js'), spaced('    '));
  assert.equal(inUnitsOf(tabbed, 'const a = 1;\n', 'a.js'), 'const a = 1;\n');
  assert.equal(inUnitsOf(tabbed, tabbed, 'a.js'), tabbed);
});

test('lines of a file that has four spaces keep the block as the model wrote it', () => {
  const base = 'def f():\n    return 1\n';
  const code = 'def f():\n    return 1\n\ndef g():\n  return 2\n\ndef h():\n  return 3\n';
  assert.equal(inUnitsOf(base, code, 'f.py'), code);
});

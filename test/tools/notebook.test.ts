// A notebook as its cells: read, found and changed as text, and written back into its own JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitCode } from '../../src/edits/blocks/fitCode.ts';
import { changedText } from '../../src/edits/blocks/placeChange.ts';
import { notOpen } from '../../src/edits/blocks/places.ts';
import { applied } from '../../src/edits/calls/steps.ts';
import { decoded, encoded } from '../../src/tools/files/encoding.ts';
import { cellsText, withCells } from '../../src/tools/files/notebook.ts';
import { cases } from '../cases.ts';
import { call, makeFolder, openFolder } from './sandbox.ts';

const cells = [
  { cell_type: 'markdown', id: 'a1', metadata: {}, source: ['# Areas\n', '\n', 'Of circles.'] },
  {
    cell_type: 'code',
    execution_count: 3,
    id: 'b2',
    metadata: { collapsed: false },
    outputs: [{ output_type: 'stream', name: 'stdout', text: ['def area(r):\n', '12.5\n'] }],
    source: ['import math\n', '\n', 'def area(r):\n', '    return math.pi * r * r\n'],
  },
  { cell_type: 'code', execution_count: null, id: 'c3', metadata: {}, outputs: [], source: 'print(area(2))' },
  { cell_type: 'code', execution_count: null, id: 'd4', metadata: {}, outputs: [], source: [] },
];
const notebook = (indent?: number) =>
  `${JSON.stringify({ cells, metadata: { kernelspec: { name: 'python3' } }, nbformat: 4, nbformat_minor: 5 }, null, indent)}\n`;
const json = notebook(1);
const text = cellsText(json) ?? assert.fail();

const shown = `[cell 1, markdown]
# Areas

Of circles.

[cell 2, code]
import math

def area(r):
    return math.pi * r * r


[cell 3, code]
print(area(2))

[cell 4, code]

`;

test('a notebook reads as the sources of its cells, each below its number', () => {
  assert.equal(text, shown);
  for (const other of ['{"a": 1}', 'no JSON', '{"cells": 3}', '{"cells": [{}], "nbformat": 4}', ''])
    assert.equal(cellsText(other), null);
});

test('changed lines go into their cell, and every other byte stays', () => {
  for (const indent of [undefined, 1, 2, 4]) {
    const own = notebook(indent);
    assert.equal(withCells(own, text), own);
    const now =
      withCells(own, text.replace('r * r\n', 'r**2  # "round"\n').replace('area(2)', 'area(3)')) ?? assert.fail();
    const wanted = own
      .replace('return math.pi * r * r\\n', 'return math.pi * r**2  # \\"round\\"\\n')
      .replace('area(2)', 'area(3)');
    assert.equal(now, wanted);
    assert.equal(withCells(now, text), own);
  }
});

test('a cell may lose all of its lines and get others', () => {
  const emptied = withCells(json, text.replace('print(area(2))\n', '')) ?? assert.fail();
  assert.equal(JSON.parse(emptied).cells[2].source, '');
  const filled = withCells(json, text.replace('[cell 4, code]\n', '[cell 4, code]\nx = 1\ny = 2')) ?? assert.fail();
  assert.deepEqual(JSON.parse(filled).cells[3].source, ['x = 1\n', 'y = 2']);
});

test('text that has not the same cells is none of the notebook', () => {
  for (const other of [
    text.replace('[cell 3, code]\n', ''),
    `${text}[cell 5, code]\nx\n`,
    text.replace('[cell 2, code]', '[cell 2, markdown]'),
    `x\n${text}`,
    'def area(r):\n    return 1\n',
  ])
    assert.equal(withCells(json, other), null);
});

test('a law: whatever the sources are, the text leads back to the same bytes', () => {
  const line = fc.constantFrom('a = 1', '', '  b("é\\n")', '\u2028', '# [cell 1, code] x', '"""', '\t', '😀');
  const source = fc.oneof(
    fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n')),
    fc
      .array(line, { maxLength: 5 })
      .map((lines) => lines.map((one, i) => (i < lines.length - 1 ? `${one}\n` : one)).filter(Boolean)),
  );
  fc.assert(
    fc.property(
      fc.array(source, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(undefined, 1, 2),
      (sources, indent) => {
        const own = JSON.stringify(
          { cells: sources.map((one) => ({ cell_type: 'code', source: one })), nbformat: 4 },
          null,
          indent,
        );
        const bytes = Buffer.from(own);
        const found = decoded(bytes) ?? assert.fail();
        assert.ok(encoded(found.text, found).equals(bytes));
      },
    ),
    { numRuns: cases(200) },
  );
});

const subject = { path: 'n.ipynb', text, seen: 'all', target: null } as const;
const edited = (old: string, wanted: string) =>
  applied('1', { name: 'edit_file', path: 'n.ipynb', old, new: wanted, all: false }, subject);

test('an edit lands in its cell, a block over the function of its name, and neither adds a cell', () => {
  const step = edited('    return math.pi * r * r', '    return f"{r} m"');
  assert.equal(step.ok && step.text, text.replace('math.pi * r * r', 'f"{r} m"'));
  const block = 'import math\n\ndef area(r):\n    """Of a circle."""\n    return math.pi * r ** 2\n';
  const fit = fitCode(text, block, 'n.ipynb', notOpen);
  assert.equal(fit.is, 'change', JSON.stringify(fit));
  if (fit.is === 'change')
    assert.equal(
      withCells(json, changedText(text, fit.change)),
      withCells(
        json,
        text.replace('    return math.pi * r * r', '    """Of a circle."""\n    return math.pi * r ** 2'),
      ),
    );
  for (const one of [
    edited('[cell 4, code]', 'x = 1'),
    edited('print(area(2))', 'print(area(2))\n\n[cell 4, code]\nprint(1)'),
    applied(
      '1',
      {
        name: 'apply_block',
        path: 'n.ipynb',
        edit: { path: 'n.ipynb', is: 'code', code: 'def other():\n    return 1\n' },
      },
      subject,
    ),
    applied('1', { name: 'write_file', path: 'n.ipynb', content: 'print(1)\n' }, { ...subject, text: null }),
  ])
    assert.equal(one.ok, false, one.words);
  const other = edited('[cell 4, code]', 'x = 1');
  assert.match(other.ok ? '' : `${other.words}\n${other.body}`, /is a notebook[\s\S]*\[cell 2, code\] import math/);
});

test('read_file gives the cells, whose lines count as those that an edit replaces', async (t) => {
  const workspace = openFolder(makeFolder(t, { 'n.ipynb': json }));
  const { body } = await call(workspace, 'read_file', { path: 'n.ipynb', startLine: 6, endLine: 9 });
  assert.match(body, /6: \[cell 2, code\]\n7: import math\n8: \n9: def area\(r\):/);
});

test('a search names the lines of cells, and nothing of outputs', async (t) => {
  const root = makeFolder(t, { 'n.ipynb': json, 'one.ipynb': notebook() });
  const { body } = await call(openFolder(root), 'search_code', { query: 'area' });
  const line = (words: string) => text.split('\n').indexOf(words) + 1;
  const lines = ['def area(r):', 'print(area(2))', '# Areas'].map((words) => `:${line(words)}: ${words}`);
  assert.deepEqual(
    body
      .split('\n')
      .map((row) => row.replace(/^\d+\. /, ''))
      .toSorted(),
    ['n.ipynb', 'one.ipynb'].flatMap((name) => lines.map((row) => name + row)).toSorted(),
  );
});

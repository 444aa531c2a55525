// Tests where an edit lands: each rung with what it changes, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { placeEdit, type Replacement } from '../../src/edits/ladder/ladder.ts';
import { cases } from '../cases.ts';

const file = [
  'export function rise(first: Turn, second: Turn): number {',
  '  // The sea is “never” still.',
  "  const unit = first.feet ? 'ft' : 'm';   ",
  '  return second.metres - first.metres;',
  '}',
  '',
  'export function fall(first: Turn, second: Turn): number {',
  '  return first.metres - second.metres;',
  '}',
  '',
].join('\n');

function landed(text: string, replacement: Replacement) {
  const placed = placeEdit(text, replacement);
  assert.ok(placed.ok, JSON.stringify(placed));
  return placed;
}

function refused(text: string, replacement: Replacement) {
  const placed = placeEdit(text, replacement);
  assert.ok(!placed.ok, JSON.stringify(placed));
  return placed;
}

test('what stands once word for word is replaced, and its lines are named as they are afterwards', () => {
  const { rung, text, lines } = landed(file, {
    old: '  return second.metres - first.metres;\n',
    new: '  const change = second.metres - first.metres;\n  return change;\n',
  });
  assert.deepEqual([rung, lines], ['exact', [{ first: 4, last: 5 }]]);
  assert.equal(
    text,
    file.replace(
      '  return second.metres - first.metres;',
      '  const change = second.metres - first.metres;\n  return change;',
    ),
  );
});

test('what stands twice is refused with both places, and replaced in both where all are meant', () => {
  const twice = { old: 'first: Turn, second: Turn', new: 'one: Turn, other: Turn' };
  const { reason, places } = refused(file, twice);
  assert.deepEqual([reason, places.map(({ first }) => first)], ['several', [1, 7]]);
  assert.equal(landed(file, { ...twice, all: true }).text, file.replaceAll(twice.old, twice.new));
});

test('a part of a longer word is no place', () => {
  assert.equal(refused('return amount;\n', { old: 'return a', new: 'return b' }).reason, 'missing');
  assert.equal(landed('return a + b;\n', { old: 'return a', new: 'return c' }).text, 'return c + b;\n');
});

test('line ends are the file’s, whatever the model writes, also where a file has both', () => {
  const dos = file.replaceAll('\n', '\r\n');
  const edit = { old: '  return second.metres - first.metres;\n}', new: '  return 0;\n}' };
  assert.equal(landed(dos, edit).text, dos.replace('  return second.metres - first.metres;', '  return 0;'));
  assert.equal(landed(dos, edit).rung, 'exact');
  assert.equal(landed('a\r\nb\nc\r\n', { old: 'b\nc', new: 'x\ny' }).text, 'a\r\nx\ny\r\n');
  assert.equal(landed('a\nb', { old: 'b\n', new: 'c\nd\n' }).text, 'a\nc\nd');
});

test('blanks at line ends do not matter, and stay where nothing changes', () => {
  const { rung, text } = landed(file, {
    old: "  const unit = first.feet ? 'ft' : 'm';\n  return second.metres - first.metres;",
    new: "  const unit = first.feet ? 'ft' : 'm';\n  return second.metres;",
  });
  assert.equal(rung, 'trailing-blanks');
  assert.equal(text, file.replace('  return second.metres - first.metres;', '  return second.metres;'));
});

test('an indentation that differs alike in all lines is the file’s, for new lines too', () => {
  const nested = file.replace(/^(?=.)/gm, '    ');
  const { rung, text, lines } = landed(nested, {
    old: 'export function fall(first: Turn, second: Turn): number {\n  return first.metres - second.metres;\n}',
    new: 'export function fall(first: Turn, second: Turn): number {\n  if (first === second) {\n    return 0;\n  }\n  return first.metres - second.metres;\n}',
  });
  assert.deepEqual([rung, lines], ['indentation', [{ first: 7, last: 12 }]]);
  assert.match(text, /^ {6}if \(first === second\) \{\n {8}return 0;\n {6}\}\n {6}return first/m);
});

test('tabs stand for spaces and spaces for tabs, level by level', () => {
  const tabs = 'class A {\n\tb() {\n\t\treturn 1;\n\t}\n}\n';
  for (const unit of ['  ', '    ']) {
    const written = (body: string) => `${unit}b() {\n${unit}${unit}${body}\n${unit}}`;
    const { rung, text } = landed(tabs, {
      old: written('return 1;'),
      new: written(`if (x) {\n${unit.repeat(3)}return 2;\n${unit}${unit}}`),
    });
    assert.equal(rung, 'indentation');
    assert.equal(text, 'class A {\n\tb() {\n\t\tif (x) {\n\t\t\treturn 2;\n\t\t}\n\t}\n}\n');
  }
  const spaces = tabs.replaceAll('\t', '    ');
  const { text } = landed(spaces, { old: '\tb() {\n\t\treturn 1;\n\t}', new: '\tb() {\n\t\tc();\n\t\treturn 1;\n\t}' });
  assert.equal(text, spaces.replace('        return 1;', '        c();\n        return 1;'));
});

test('an indentation that differs unlike is another text', () => {
  assert.equal(refused('if a:\n    b()\n    c()\n', { old: '  b()\n      c()', new: '  d()' }).reason, 'missing');
});

test('one line that is named without its indentation may become several, which stand as far in', () => {
  const { rung, text } = landed('def f():\n    return x\n', { old: 'return x', new: 'y = x + 1\nreturn y' });
  assert.deepEqual([rung, text], ['indentation', 'def f():\n    y = x + 1\n    return y\n']);
  const whole = landed('def f():\n    return x\n', { old: 'return x', new: 'y = x + 1\n    return y' });
  assert.deepEqual([whole.rung, whole.text], ['exact', 'def f():\n    y = x + 1\n    return y\n']);
});

test('quotes and dashes of another kind are the file’s where its words stay, and plain where it has plain ones', () => {
  const curly = landed(file, { old: '  // The sea is "never" still.', new: '  // The sea is "never" calm.' });
  assert.equal(curly.rung, 'punctuation');
  assert.equal(curly.text, file.replace('still', 'calm'));
  const straight = landed("say('hi');\nsay('you');\n", { old: 'say(‘hi’);', new: 'say(‘hello’);\nsay(‘again’);' });
  assert.equal(straight.text, "say('hello');\nsay('again');\nsay('you');\n");
});

test('a bracket or a blank line alone is found nowhere but word for word', () => {
  assert.equal(refused('a {\n    }\n', { old: '}  \n', new: '};' }).reason, 'missing');
  assert.equal(refused(file, { old: '   \n  ', new: 'x' }).reason, 'missing');
});

test('nothing, the same, and what would change nothing are refused as such', () => {
  assert.equal(refused(file, { old: '', new: 'x' }).reason, 'empty');
  assert.equal(refused(file, { old: 'first', new: 'first' }).reason, 'same');
  assert.equal(refused('it’s\n', { old: "it's", new: 'it’s' }).reason, 'same');
});

test('blanks that do not break are plain ones in front of a line, where the file has plain ones there', () => {
  const nbsp = '\u00A0'.repeat(4);
  const { text } = landed('def f():\n    a()\n    b()\n', { old: `${nbsp}a()`, new: `${nbsp}a(1)` });
  assert.equal(text, 'def f():\n    a(1)\n    b()\n');
});

test('where nothing fits, the lines that are most like it are shown with their numbers, and nothing where none are', () => {
  const { reason, nearest } = refused(file, {
    old: '  const unit = first.foot ? "ft" : "m";\n  return second.metres;',
    new: 'x',
  });
  assert.equal(reason, 'missing');
  assert.ok(nearest !== null && nearest.first <= 3 && nearest.first + nearest.lines.length > 4);
  assert.equal(nearest?.lines[3 - (nearest?.first ?? 0)], "  const unit = first.feet ? 'ft' : 'm';   ");
  assert.equal(refused(file, { old: 'SELECT * FROM tides WHERE harbour', new: 'x' }).nearest, null);
});

test('a law: outside of the lines that are named nothing changes, and at most one place does', () => {
  const line = fc.constantFrom('a();', '  b("x");', '\tc(‘y’); ', '', '    d — e', 'return f;  ', '}');
  const texts = fc.array(line, { minLength: 1, maxLength: 14 });
  fc.assert(
    fc.property(
      texts,
      fc.nat(12),
      fc.nat(4),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('x();', '  y()\n  z()', ''),
      (rows, at, more, end, wanted) => {
        const text = rows.map((row) => row + end).join('');
        const old = rows
          .slice(at % rows.length, (at % rows.length) + 1 + more)
          .join('\n')
          .trim();
        const placed = placeEdit(text, { old, new: wanted });
        if (!placed.ok) return;
        const [before, after] = [text.split('\n'), placed.text.split('\n')];
        let [front, back] = [0, 0];
        while (front < Math.min(before.length, after.length) && before[front] === after[front]) front += 1;
        while (back < Math.min(before.length, after.length) - front && before.at(-1 - back) === after.at(-1 - back))
          back += 1;
        assert.ok(before.length - front - back <= old.split('\n').length + 1);
        assert.equal(placed.lines.length, 1);
      },
    ),
    { numRuns: cases(2000) },
  );
});

for (const [what, old, wanted, line] of [
  ['behind', 'The port is 8080', 'The port is 9090, and can be set.', 'The port is 9090, and can be set.'],
  ['in front', 'and can be set.', 'The port is 8080, and must be set.', 'The port is 8080, and must be set.'],
  ['around', 'is 8080, and', 'The port is 9090, and can be set.', 'The port is 9090, and can be set.'],
] as const)
  test(`the rest of a line does not stand twice where the replacement has it too: ${what}`, () => {
    for (const indent of ['', '    ']) {
      const placed = placeEdit(`one\n${indent}The port is 8080, and can be set.\nthree\n`, { old, new: wanted });
      assert.equal(placed.ok && placed.text, `one\n${indent}${line}\nthree\n`);
    }
  });

test('a sign or a short word behind a part may be meant twice', () => {
  for (const [text, old, wanted, after] of [
    ['f(a)', 'f(a', 'f(a, g(b)', 'f(a, g(b))'],
    ['x.map(y);', 'x', 'x.map(y)', 'x.map(y).map(y);'],
    ['run the run', 'run the', 'run run the run', 'run run the run run'],
  ] as const) {
    const placed = placeEdit(`${text}\n`, { old, new: wanted });
    assert.equal(placed.ok && placed.text, `${after}\n`, text);
  }
});

const page = '# Cable\n\nA tiny parser.\n\n\n## Install\n\n- npm\n- yarn\n\n## Use\n';

for (const [what, old, wanted, after] of [
  ['left out', '# Cable\nA tiny parser.', '# Cable\nA small parser.', page.replace('tiny', 'small')],
  [
    'left out, two of them',
    'A tiny parser.\n## Install',
    'A tiny parser.\n## Set up',
    page.replace('Install', 'Set up'),
  ],
  ['put in', '- npm\n\n- yarn', '- npm\n\n- pnpm', page.replace('yarn', 'pnpm')],
  ['left out in front of a new line', '# Cable\nA tiny', '# Cable\n\nNew.\n\nA tiny', null],
  [
    'left out by the old lines alone',
    'A tiny parser.\n## Install',
    'A tiny parser.\n\n## Add',
    page.replace('\n\n\n## Install', '\n\n\n## Add'),
  ],
  [
    'left out beside a line that goes',
    '# Cable\nA tiny parser.\n## Install',
    '# Cable\n## Install',
    page.replace('\n\nA tiny parser.', ''),
  ],
  ['left out beside a line that comes', '- yarn\n## Use', '- yarn\n- bun\n## Use', page.replace('yarn', 'yarn\n- bun')],
] as const)
  test(`blank lines between the lines stay as the file has them: ${what}`, () => {
    for (const end of ['\n', '\r\n']) {
      const placed = placeEdit(page.replaceAll('\n', end), { old, new: wanted });
      if (after === null) assert.equal(placed.ok, false);
      else assert.deepEqual(placed.ok && [placed.rung, placed.text], ['blank-lines', after.replaceAll('\n', end)]);
    }
  });

test('lines that fit twice but for blank lines are refused with both places', () => {
  const twice = 'a = 1\n\nb = 2\n\nc\n\na = 1\n\n\nb = 2\n';
  const { reason, places } = refused(twice, { old: 'a = 1\nb = 2', new: 'a = 1\nb = 3' });
  assert.deepEqual([reason, places.map(({ first }) => first)], ['several', [1, 7]]);
});

test('signs of the file stay in its words and are put into no other text', () => {
  for (const [text, old, wanted, after] of [
    [
      '// don’t run twice\nrun();\n',
      "// don't run twice\nrun();",
      "// don't run twice\nrun('once');",
      "// don’t run twice\nrun('once');\n",
    ],
    [
      '// 2020–2024\nconst y = a;\n',
      '// 2020-2024\nconst y = a;',
      '// 2020-2024\nconst y = a - b;',
      '// 2020–2024\nconst y = a - b;\n',
    ],
    ['“Ebb”, he said.\n', '"Ebb", he said.', '"Ebb", he said. f("x")', '“Ebb”, he said. f("x")\n'],
    ['It is “old”.\n', 'It is "old".', 'It is "new".', 'It is “new”.\n'],
    ['“Hello”\n', '"Hello"', '"Goodbye"', '“Goodbye”\n'],
    ['« 5\u00A0% »\n', '« 5 % »', '« 6 % »', '« 6\u00A0% »\n'],
  ] as const)
    assert.equal(landed(text, { old, new: wanted }).text, after);
});

test('lines of which only the first was named with too little indentation stand as far in as each other', () => {
  const file =
    'class A:\n    def f(self):\n        try:\n            return 1\n        except E:\n            return 2\n';
  const old = 'try:\n            return 1\n        except E:\n            return 2';
  const placed = placeEdit(file, { old, new: 'one = 1\nif one:\n    return one\nreturn 2' });
  assert.ok(placed.ok);
  assert.equal(
    placed.text,
    'class A:\n    def f(self):\n        one = 1\n        if one:\n            return one\n        return 2\n',
  );
});

test('a replacement that has what stands around its place is the whole line', () => {
  for (const [text, old, wanted, after] of [
    ['const total = sum(items);', 'sum(items)', 'const total = sum(items, tax);', 'const total = sum(items, tax);'],
    [
      'const rows = [{ id: 1 }];',
      '[{ id: 1 }',
      'const rows = [{ id: 1 }, { id: 2 }];',
      'const rows = [{ id: 1 }, { id: 2 }];',
    ],
    [
      '  return compute(first);',
      'return compute(first',
      '  return compute(first, second)',
      '  return compute(first, second);',
    ],
    ['total = sum(items)', 'sum(items)', 'total = sum(items, tax)', 'total = sum(items, tax)'],
    ['    return sum(items)', 'sum(items)', '    return sum(items, tax)', '    return sum(items, tax)'],
    ['assert f(x) == 1', 'f(x)', 'assert f(x, y)', 'assert f(x, y) == 1'],
    ['- mix', 'mix', '- mix\n- rest', '- mix\n- rest'],
    ['PORT=80', '80', 'PORT=81', 'PORT=81'],
    ['name: x', 'x', 'name: y', 'name: y'],
    ['  bar)', 'bar', 'baz()', '  baz())'],
    ['b,c', 'b', 'b,', 'b,,c'],
    ['a;b;c', 'b', 'b;', 'a;b;;c'],
  ] as const)
    assert.equal(landed(`${text}\n`, { old, new: wanted }).text, `${after}\n`);
});

test('letters with marks match in either normal form, and the file keeps its own', () => {
  const [composed, apart] = ['café = 1\n'.normalize('NFC'), 'café = 1\n'.normalize('NFD')];
  for (const [text, asked] of [
    [composed, apart],
    [apart, composed],
  ] as const) {
    const { text: after } = landed(text, { old: asked.trim(), new: asked.trim().replace('1', '"é"') });
    assert.equal(after, text.replace('1', '"é"').normalize(text === composed ? 'NFC' : 'NFD'));
  }
  // A file without such letters has no form.
  for (const letter of ['\u00e9', 'e\u0301'])
    assert.equal(landed('a = 1\n', { old: 'a = 1', new: `a = "${letter}"` }).text, `a = "${letter}"\n`);
});

test('escapes that stand doubled are read once more where only that fits', () => {
  const doubled = (text: string) => JSON.stringify(text).slice(1, -1);
  for (const [text, old, wanted] of [
    ['a("x");\nb();\n', 'a("x");\nb();', 'a("y");\nb();'],
    ['if x:\n\tgo()\n', 'if x:\n\tgo()', 'if x:\n\tstop()'],
    ["say('\\n');\nend();\n", "say('\\n');\nend();", "say('\\t');\nend();"],
  ] as const) {
    const { text: after, rung } = landed(text, { old: doubled(old), new: doubled(wanted) });
    assert.deepEqual([after, rung], [text.replace(old, wanted), 'escapes']);
  }
  for (const wanted of ['say("bye\\n");', 'say("a"); // C:\\new', 'say(/\\//, "a");'])
    assert.equal(landed('say("hi");\n', { old: 'say(\\"hi\\");', new: wanted }).text, `${wanted}\n`);
  assert.equal(landed("say('\\n');\n", { old: "say('\\n')", new: "say('\\t')" }).text, "say('\\t');\n");
});

// Tests where Apply puts a block: at the part that it is another version of, at a selection only where that is meant, and with a question where it is not
// sure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredPart } from '../../../src/edits/blocks/declaredPart.ts';
import { fitCode } from '../../../src/edits/blocks/fitCode.ts';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { appended, type Editing, isNewHere, notOpen, placesFor } from '../../../src/edits/blocks/places.ts';

const base = [
  '// Prints turns.',
  'import { write } from "./write.ts";',
  '',
  '/** One line. */',
  'export function printTurn(turn: Turn) {',
  '  write(turn.text);',
  '}',
  '',
  'export class Report {',
  '  close() {',
  '    this.end();',
  '  }',
  '}',
  '',
].join('\n');
const path = 'src/report.ts';
const block = 'export function printTurn(turn: Turn, wide = false) {\n  if (wide) write("");\n  write(turn.text);\n}\n';
const at = (text: string) => ({ from: base.indexOf(text), to: base.indexOf(text) + text.length });
const selecting = (text: string, wasSent = false): Editing => ({ selected: at(text), wasSent, cursor: at(text).to });
const words = (code: string, editing: Editing = notOpen) =>
  placesFor(base, code, path, editing).map((change) => change.words);

test('a block of a named file goes over the function that it declares, whatever is selected', () => {
  for (const editing of [notOpen, selecting('// Prints turns.\n'), selecting('write(turn.text);', true)]) {
    const [change, other] = placesFor(base, block, path, editing);
    assert.equal(other, undefined);
    assert.equal(changedText(base, change), base.replace(/export function printTurn[\s\S]*?\n}\n/, block));
  }
});

test('a function that stands within another one is that function, and a member of a class is not', () => {
  const file = [
    'module.exports = function (args) {',
    '\tfunction setKey(obj, key) {',
    '\t\tobj[key] = 1;',
    '\t}',
    '\tsetKey(args, 1);',
    '};',
    '',
    'class Store {',
    '\tstatic find(key) {',
    '\t\treturn key;',
    '\t}',
    '}',
    '',
  ].join('\n');
  const changed = (code: string) => {
    const fit = fitCode(file, code, 'index.js', notOpen);
    return fit.is === 'change' ? changedText(file, fit.change) : fit.is;
  };
  const early = 'function setKey(obj, key) {\n  if (!key) return;\n  obj[key] = 1;\n}\n';
  assert.equal(changed(early), file.replace('\t\tobj[key]', '\t\tif (!key) return;\n\t\tobj[key]'));
  assert.equal(changed('function find(key) {\n  return [key];\n}\n'), 'choice');
});

test('a block that has nothing of the selection that was sent is asked about: it may be of another file', () => {
  const other = "export default [\n  ['&', ' and '],\n  ['🦄', ' unicorn '],\n];\n";
  assert.deepEqual(words(other, selecting('write(turn.text);', true)), [
    'replace the selection',
    'append to the end',
    'replace the whole file',
  ]);
  assert.deepEqual(words('print(turn.text);\n', selecting('write(turn.text);', true)), ['replace the selection']);
});

test('a block goes over the function that it declares, and not over a line that happens to be selected', () => {
  for (const wasSent of [false, true])
    assert.deepEqual(words(block, selecting('// Prints turns.\n', wasSent)), ['replace lines 5–7']);
});

test('a block that is a beginning of the file never takes its place, and neither does one that lacks most of a document', () => {
  const lines = Array.from({ length: 12 }, (_, i) => `setting_${i} = ${i}`);
  const text = `${lines.join('\n')}\n`;
  const half = `${lines.slice(0, 7).join('\n').replace('= 3', '= 33')}\n`;
  const kinds = placesFor(text, half, 'a.conf', notOpen).map((change) => change.words);
  assert.deepEqual(kinds, ['append to the end', 'replace the whole file']);
  const sql = ['create function get_job(worker_id text) as $$', 'begin', ...lines, 'end;', '$$ language plpgsql;'];
  const cutSql = `${sql.slice(0, 10).join('\n').replace('= 3', '= 33')}\n`;
  assert.equal(placesFor(`${sql.join('\n')}\n`, cutSql, 'job.sql', notOpen).length, 2);
  const readme = '# Tides\n\nWhat they do.\n\n## Install\n\nnpm i\n\n## License\n\nMIT\n';
  const cut = '# Tides\n\nWhat they all do.\n\n## Install\n\nnpm i\n';
  assert.ok(placesFor(readme, cut, 'README.md', notOpen).length > 1);
});

test('lines that follow each other in the file, with a change in them, go over those lines', () => {
  const readme = '# Tides\n\nText.\n\n## Install\n\n```sh\nnpm install tides\n```\n\n## License\n\nMIT\n';
  const [change, other] = placesFor(readme, '```sh\npnpm install tides\n```\n\n## License\n', 'README.md', notOpen);
  assert.equal(other, undefined);
  assert.equal(changedText(readme, change), readme.replace('npm', 'pnpm'));
  assert.ok(placesFor(readme, '## License\n\nMIT\n\nNew.\n', 'README.md', notOpen).length === 1, 'a section');
  assert.ok(placesFor(readme, 'Text.\n\nMIT\n', 'README.md', notOpen).length > 1, 'lines between are missing');
});

test('a section of a document is replaced by its heading, with all of its own headings', () => {
  const readme = '# Tides\n\nText.\n\n## Install\n\nnpm i\n\n### Why\n\nSo.\n\n## License\n\nMIT\n';
  const [change, other] = placesFor(readme, '## Install\n\npnpm add tides\n\n### Why\n\nSo.\n', 'README.md', notOpen);
  assert.equal(other, undefined);
  assert.equal(changedText(readme, change), readme.replace('npm i', 'pnpm add tides'));
});

test('without a part of its own a block asks, and never takes a selection that is just there', () => {
  const code = 'const total = 1;\n';
  for (const wasSent of [true, false])
    assert.deepEqual(words(code, selecting('// Prints turns.\n', wasSent)), [
      'replace the selection',
      'append to the end',
      'replace the whole file',
    ]);
  assert.deepEqual(words(code), ['append to the end', 'replace the whole file']);
  assert.deepEqual(words(code, { selected: null, wasSent: false, cursor: 10 }), [
    'insert at the cursor',
    'append to the end',
    'replace the whole file',
  ]);
});

test('a block that has most lines of the file is its new version', () => {
  assert.deepEqual(words(base.replace('this.end();', 'this.finish();').replace('Prints', 'Writes')), [
    'replace the whole file',
  ]);
});

test('a method comes to its class with the margin that it has there, and a comment in front of it goes over the old one', () => {
  const method = declaredPart(base, 'close() {\n  this.end();\n\n  this.done = true;\n}\n', path);
  assert.ok(method !== null);
  assert.match(
    changedText(base, method),
    /class Report \{\n {2}close\(\) \{\n {4}this\.end\(\);\n\n {4}this\.done = true;\n {2}\}\n\}\n$/,
  );
  const told = declaredPart(base, `/** Two lines. */\n${block}`, path);
  assert.ok(
    told !== null && !changedText(base, told).includes('One line') && changedText(base, told).includes('Two lines'),
  );
});

test('the head of a section above a function stays where the block has a comment of its own', () => {
  const text = 'class A:\n    ##\n    # Alias properties\n    ##\n    def name(self):\n        return self.n\n';
  const change = declaredPart(text, '    # Gives it.\n    def name(self):\n        return self.n\n', 'a.py');
  assert.ok(change !== null);
  assert.equal(changedText(text, change), text.replace('    def', '    # Gives it.\n    def'));
  const own = declaredPart(text, '    # Alias of the name\n    def name(self):\n        return self.n\n', 'a.py');
  assert.ok(own !== null && !changedText(text, own).includes('##'));
});

test('a block with two declarations, or one that stands twice in the file, has no part', () => {
  assert.equal(declaredPart(base, `${block}\nfunction other() {\n}\n`, path), null);
  assert.equal(declaredPart(`${base}\nfunction printTurn() {\n}\n`, block, path), null);
});

test('a block in Python ends where its lines stand further out again', () => {
  const text = 'def a(x):\n    return x\n\n\ndef b():\n    pass\n';
  const change = declaredPart(text, 'def a(x, y):\n    z = x\n    return z\n', 'a.py');
  assert.equal(
    change === null ? '' : changedText(text, change),
    'def a(x, y):\n    z = x\n    return z\n\n\ndef b():\n    pass\n',
  );
});

test('a new head alone goes over the head, and a line alone over a body is asked about', () => {
  const file = 'def f(x):\n    a = 1\n    return a + x\n\n\ndef g():\n    return 2\n';
  const put = (code: string) => fitCode(file, code, 'f.py', notOpen);
  const head = put('def f(x, y):\n');
  assert.equal(head.is === 'change' && changedText(file, head.change), file.replace('f(x)', 'f(x, y)'));
  const line = put('def f(x): return 1 + x\n');
  assert.ok(line.is === 'change' && /a = 1 ⏎ return a \+ x/.test(line.doubt), JSON.stringify(line));
});

test('methods that are new come to the end of the only class, with the margin of its members', () => {
  const python = 'class Bag:\n    def size(self):\n        return 1\n\n\nbag = Bag()\n';
  const script = 'export class Bag {\n  size() {\n    return 1;\n  }\n}\n';
  for (const [file, code, name, after] of [
    [
      python,
      '@property\ndef keys(self):\n    return []\n',
      'bag.py',
      python.replace('return 1\n', 'return 1\n\n    @property\n    def keys(self):\n        return []\n'),
    ],
    [
      script,
      'keys(): string[] {\n  return [];\n}\n',
      'bag.ts',
      script.replace('  }\n}', '  }\n\n  keys(): string[] {\n    return [];\n  }\n}'),
    ],
  ] as const) {
    const fitted = fitCode(file, code, name, notOpen);
    assert.equal(fitted.is === 'change' && changedText(file, fitted.change), after);
    const two = `${file}\n${file.replace('Bag', 'Box')}`;
    assert.equal(fitCode(two, code, name, notOpen).is, 'choice');
  }
});

test('a declaration over several lines goes as a whole', () => {
  for (const [file, old, code] of [
    [
      'a.ts',
      'export function foo(\n  a: string,\n): void {\n  old(a);\n}',
      'export function foo(\n  a: string,\n  b: string,\n): void {\n  fresh(a, b);\n}\n',
    ],
    [
      'a.ts',
      'export const foo = async (\n  a: string,\n) => {\n  old(a);\n};',
      'export const foo = async () => {\n  fresh();\n};\n',
    ],
    ['a.py', 'def foo(\n    a,\n):\n    return old(a)', 'def foo(a):\n    return fresh(a)\n'],
  ] as const) {
    const text = `before();\n\n${old}\n\nbar();\n`;
    const change = declaredPart(text, code, file);
    assert.equal(change === null ? '' : changedText(text, change), `before();\n\n${code}\nbar();\n`, file);
  }
});

test('what only looks like a comment stays, and a part that ends otherwise than the block is none', () => {
  const counter = 'class Counter {\n  #count = 0;\n  bump() {\n    this.#count++;\n  }\n}\n';
  const bumped = declaredPart(counter, '/** Bumps. */\nbump() {\n  this.#count += 2;\n}\n', 'a.js');
  assert.ok(bumped !== null && changedText(counter, bumped).includes('#count = 0;'));
  const quoted = 'function foo() {\n  return `\nno end\n`;\n}\n';
  assert.equal(declaredPart(quoted, 'function foo() {\n  return 1;\n}\n', 'a.ts'), null);
});

test('a method of a class is no version of the file, and code at its very beginning gets a line of its own', () => {
  const text =
    'import a;\n\nexport class Runner {\n  run(\n    x: number,\n  ) {\n    a(x);\n  }\n\n  stop() {\n    end();\n  }\n}\n';
  const method = 'launch(\n  x: number,\n) {\n  b(x);\n}\n';
  const kinds = placesFor(text, method, 'a.ts', notOpen).map((change) => change.words);
  assert.deepEqual(kinds, ['append to the end', 'replace the whole file']);
  const [cursor] = placesFor(text, 'hello();\n', 'a.ts', { selected: null, wasSent: false, cursor: 0 });
  assert.ok(changedText(text, cursor).startsWith('hello();\nimport a;'));
});

const greet = [
  '// Greets whoever comes.',
  "import { welcome } from './messages.ts';",
  '',
  "const greeting = 'Hello';",
  '',
  '/** Greets one. */',
  'export function greet(name: string): string {',
  "  return greeting + ', ' + name + '!';",
  '}',
  '',
  'export function welcomeAll(names: readonly string[]): string {',
  "  return welcome + ': ' + names.join(', ');",
  '}',
  '',
];
const lines = (from: number, to: number) => `${greet.slice(from - 1, to).join('\n')}\n`;
const greeted = greet.join('\n');

test('a block with a part of a short file takes nothing else of it along', () => {
  for (const [from, to] of [
    [1, 9],
    [2, 9],
    [4, 9],
    [4, 13],
    [6, 13],
    [7, 13],
    [7, 9],
  ] as const) {
    const code = lines(from, to).replace("'Hello'", "'Good morning'").replace("'!'", "'?'");
    const changes = placesFor(greeted, code, 'src/greet.ts', notOpen);
    assert.equal(changes.length, 1, `${from}-${to}`);
    const wanted = `${lines(1, from - 1)}${code}${lines(to + 1, 14)}`.replace(/^\n/, '').replace(/\n\n$/, '\n');
    assert.equal(changedText(greeted, changes[0]), from === 1 ? code + lines(to + 1, 13) : wanted, `${from}-${to}`);
  }
});

test('a block that lacks what the file declares is not the whole file, unless it begins and ends as the file does', () => {
  const half = placesFor(greeted, lines(1, 4) + lines(11, 13), 'src/greet.ts', notOpen);
  assert.deepEqual(
    half.map(({ words: text }) => text),
    ['replace the whole file'],
  );
  const other = placesFor(greeted, lines(1, 5).replace('greeting', 'other'), 'src/greet.ts', notOpen);
  assert.ok(other.length > 1);
});

test('a block that declares only what is new to the file is told from another version of what stands there', () => {
  const code = 'export function farewell(): string {\n  return "Bye";\n}\n';
  assert.equal(isNewHere(greeted, code, 'src/greet.ts'), true);
  assert.equal(changedText(greeted, appended(greeted, code)), `${greeted}\n${code}`);
  assert.equal(isNewHere(greeted, lines(7, 9).replace('greet(', 'salute('), 'src/greet.ts'), false);
  assert.equal(isNewHere(greeted, 'x();\n', 'src/greet.ts'), false);
});

const twice = `class A:
    def get(self, key):
        return self[key]

    def pop(self):
        pass


class B(A):
    def get(self, key):
        return 1
`;
const getter = 'def get(self, key):\n    """Get it."""\n    return self[key]\n';
const getterIn = '    def get(self, key):\n        """Get it."""\n        return self[key]\n';

test('code over a selection of lines stands as far in as they do, wherever the selection begins in their indentation', () => {
  const [from, to] = [twice.indexOf('    def get'), twice.indexOf('    def pop')];
  const wanted = twice.replace(/ {4}def get\(self, key\):\n {8}return self\[key\]\n/, getterIn);
  for (const selected of [
    { from, to },
    { from: from + 4, to: to - 2 },
    { from: from + 4, to: to - 1 },
  ]) {
    const fit = fitCode(twice, getter, 'a.py', { selected, wasSent: true, cursor: selected.to });
    assert.equal(fit.is === 'change' && changedText(twice, fit.change), wanted, JSON.stringify(selected));
  }
});

test('of a name that the file has several times the user chooses one, the first one first', () => {
  const fit = fitCode(twice, getter, 'a.py', notOpen);
  assert.ok(fit.is === 'choice');
  const [first, second] = fit.places.map((place) => changedText(twice, place));
  assert.equal(first, twice.replace(/ {4}def get\(self, key\):\n {8}return self\[key\]\n/, getterIn));
  assert.equal(second, twice.replace(/ {4}def get\(self, key\):\n {8}return 1\n/, getterIn));
});

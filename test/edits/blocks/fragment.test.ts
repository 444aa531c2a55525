// Blocks that show a few lines of a file: where they go, and where nobody can tell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fragmentPart } from '../../../src/edits/blocks/fragment.ts';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';

const placed = (base: string, code: string, path = 'a.yaml') => {
  const found = fragmentPart(base, code, path);
  return found === null ? null : changedText(base, found.change);
};
const yaml = 'server:\n  host: a\n  timeout: 30\nclient:\n  host: b\n  timeout: 10\n  retries: 3\n';
const table = '| name | port |\n| --- | --- |\n| api | 8080 |\n| web | 8081 |\n| metrics | 9100 |\n';
const rows = 'year,source,sum\n2001,Fossil,35361\n2001,Nuclear,3853\n2002,Fossil,35991\n';

test('a changed line alone goes over the line of its name, where the file has the name once', () => {
  assert.equal(placed(yaml, '  retries: 5\n'), yaml.replace('3\n', '5\n'));
  assert.equal(placed(yaml, 'retries: 5\n'), yaml.replace('retries: 3', 'retries: 5'), 'as far in as the file');
  assert.equal(placed(yaml, '  timeout: 60\n'), null, 'two of them');
});

test('the name above says which of several is meant, and what lies between stays', () => {
  assert.equal(placed(yaml, 'client:\n  timeout: 20\n'), yaml.replace('timeout: 10', 'timeout: 20'));
  assert.equal(placed('[a]\nx = 1\ny = 2\n\n[b]\nz = 1\ny = 3\n', '[b]\ny = 9\n', 'a.toml')?.endsWith('y = 9\n'), true);
});

test('a new line behind one of the file is added, and takes no other line’s place', () => {
  const ports = placed(table, '| web | 8081 |\n| admin | 8082 |\n', 'a.md');
  assert.equal(ports, table.replace('| web | 8081 |\n', '| web | 8081 |\n| admin | 8082 |\n'));
  const list = 'tags:\n  - csv\n  - parse\n';
  assert.equal(placed(list, '  - csv\n  - tsv\n'), 'tags:\n  - csv\n  - tsv\n  - parse\n');
  const added = placed('[a]\nx = 1\n\n[b]\ny = 2\n', '[a]\nz = 3\n', 'a.toml');
  assert.equal(added, '[a]\nx = 1\nz = 3\n\n[b]\ny = 2\n', 'at the end of its section');
});

test('a row is told by what it shares with no other row', () => {
  assert.equal(placed(table, '| metrics | 9200 |\n', 'a.md'), table.replace('9100', '9200'));
  assert.equal(placed(rows, '2001,Fossil,35316\n', 'a.csv'), rows.replace('35361', '35316'));
  assert.equal(placed(rows, '2003,Solar,1\n', 'a.csv'), null);
});

test('lines between two of the block that it lacks are told as left out', () => {
  const found = fragmentPart(rows, '2001,Fossil,35361\n2002,Fossil,35991\n', 'a.csv');
  assert.deepEqual(found?.left, ['2001,Nuclear,3853']);
});

test('lines that stand twice, and lines that would only move, have no place', () => {
  assert.equal(placed('a: 1\nb: 2\na: 1\n', 'a: 1\nc: 3\n'), null);
  const steps = '- one\n- two\n- three\n';
  assert.equal(placed(steps, '- one\n- three\n- two\n'), null);
});

test('a beginning of a file says so, and its rest stays', () => {
  const text = Array.from({ length: 9 }, (_, i) => `setting_${i} = ${i}\n`).join('');
  const half = text.split('\n').slice(0, 5).join('\n').replace('= 3', '= 33');
  const found = fragmentPart(text, half, 'a.conf');
  assert.equal(found?.stops, true);
  assert.equal(found === null ? '' : changedText(text, found.change), text.replace('= 3', '= 33'));
});

test('in code a block begins and ends with lines of the file, and half of it stands there', () => {
  const code = 'function f() {\n  a();\n  b();\n  c();\n}\n\nfunction g() {\n  d();\n}\n';
  assert.equal(placed(code, '  a();\n  b2();\n  c();\n', 'a.ts'), code.replace('b()', 'b2()'));
  assert.equal(placed(code, '  c();\n}\nnew();\n', 'a.ts'), null);
});

test('JSON keeps its commas: the last line of a block, and a new entry below the bracket that opens', () => {
  const json = '{\n  "name": "a",\n  "scripts": {\n    "test": "t"\n  }\n}\n';
  assert.equal(placed(json, '"name": "b"\n', 'a.json'), json.replace('"a"', '"b"'));
  const added = placed(json, '  "scripts": {\n    "lint": "l",\n', 'a.json') ?? '';
  assert.deepEqual(JSON.parse(added), { name: 'a', scripts: { lint: 'l', test: 't' } });
});

// Files are cut along their declarations: by a grammar, by the look of the lines, or by headings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutFile, cutPlain, linesOf } from '../../src/finding/cut/cut.ts';
import { languages } from '../../src/finding/cut/languages.ts';
import { outlineText, readOutline } from '../../src/finding/db/outlineText.ts';
import { cases } from '../cases.ts';
import { grammars } from './scene.ts';

const now = () => performance.now();
const declared = async (path: string, text: string) =>
  (await cutFile(path, text, grammars, now)).declarations.map(({ name, container }) =>
    container === '' ? name : `${container}.${name}`,
  );

test('every grammar that is named loads', async () => {
  for (const language of languages) assert.notEqual(await grammars(language), null, language.grammar);
});

test('each language names what it declares', async () => {
  const sources: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    'a.js': [
      'function tide() {}\nconst rise = () => 1;\nexports.ebb = function () {};\nclass Sea {\n  flow() {}\n}\n',
      ['tide', 'rise', 'ebb', 'Sea', 'Sea.flow'],
    ],
    'a.ts': [
      'interface Tide {\n  at: number;\n}\nexport type Sea = string;\nenum Moon { New }\n',
      ['Tide', 'Tide.at', 'Sea', 'Moon'],
    ],
    'a.tsx': ['export function View() {\n  return <p>tide</p>;\n}\n', ['View']],
    'a.py': ['LIMIT = 3\n\nclass Sea:\n    def flow(self):\n        here = 1\n', ['LIMIT', 'Sea', 'Sea.flow']],
    'a.go': [
      'package sea\n\ntype Tide struct {\n\tat int\n}\n\nfunc (t *Tide) Rise() {}\n\nconst Low = 1\n',
      ['Tide', 'Rise', 'Low'],
    ],
    'A.java': [
      'class Sea {\n  int level;\n  void flow() {\n    int here = 1;\n  }\n}\n',
      ['Sea', 'Sea.level', 'Sea.flow'],
    ],
    'a.rs': [
      'struct Tide {\n    at: u8,\n}\nimpl Tide {\n    fn rise(&self) {}\n}\nconst LOW: u8 = 1;\n',
      ['Tide', 'Tide.at', 'Tide', 'Tide.rise', 'LOW'],
    ],
    'a.cs': [
      'namespace Sea {\n  class Tide {\n    public int Level { get; set; }\n    void Rise() {}\n  }\n}\n',
      ['Sea', 'Sea.Tide', 'Tide.Level', 'Tide.Rise'],
    ],
    'a.cpp': [
      '#define LOW 1\nclass Tide {\n  void rise();\n};\nint *flow(int a) {\n  int here = 1;\n  return 0;\n}\n',
      ['LOW', 'Tide', 'Tide.rise', 'flow'],
    ],
    'a.php': ['<?php\nclass Sea {\n  public function flow() {}\n}\nfunction tide() {}\n', ['Sea', 'Sea.flow', 'tide']],
    'a.rb': ['module Sea\n  class Tide\n    def rise\n    end\n  end\nend\n', ['Sea', 'Sea.Tide', 'Tide.rise']],
    'a.kt': ['class Sea {\n  fun flow() {}\n}\n', ['Sea', 'Sea.flow']],
    'a.md': ['# Sea\n\ntext\n\n## Tide\n\nmore\n', ['Sea', 'Sea.Tide']],
  };
  for (const [path, [text, names]] of Object.entries(sources))
    assert.deepEqual(await declared(path, text), names, path);
});

test('a declaration begins with its comment, and ends where it ends', async () => {
  const { declarations } = await cutFile(
    'a.ts',
    '\n/** The tide. */\nexport function tide() {\n  return 1;\n}\n\nlet x;\n',
    grammars,
    now,
  );
  assert.deepEqual([declarations[0]?.from, declarations[0]?.line, declarations[0]?.to], [2, 3, 5]);
});

test('imports are kept as they are written', async () => {
  const imports = async (path: string, text: string) => (await cutFile(path, text, grammars, now)).imports;
  assert.deepEqual(
    await imports('a.ts', "import { a } from './sea';\nconst b = require('./tide');\nexport * from './moon';\n"),
    ['./sea', './tide', './moon'],
  );
  assert.deepEqual(await imports('a.py', 'from sea.tide import rise\n'), ['sea.tide']);
  assert.deepEqual(await imports('a.go', 'package a\n\nimport (\n\t"net/http"\n)\n'), ['net/http']);
});

test('a file that does not parse is still text', async () => {
  const { passages } = await cutFile('a.ts', `${'}}} not code {{{ \n'.repeat(30)}`, grammars, now);
  assert.equal(passages.at(0)?.from, 1);
  assert.equal(passages.at(-1)?.to, 30);
});

const line = fc.constantFrom(
  '',
  '  ',
  'function tide() {',
  '}',
  '  rise();',
  'const a = 1;',
  '# Sea',
  `x${'y'.repeat(300)}`,
  'class A {',
  '\tfoo: 1,',
);

test('the passages of a file cover every line that is not blank exactly once, in order', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 120 }),
      fc.constantFrom('a.ts', 'a.py', 'a.md', 'a.txt', 'a.kt', 'a.go'),
      async (all, path) => {
        const text = all.join('\n');
        for (const { passages } of [await cutFile(path, text, grammars, now), cutPlain(path, text)]) {
          let next = 1;
          for (const { from, to } of passages) {
            assert.ok(from >= next && to >= from, `${from}-${to} after ${next - 1}`);
            assert.ok(
              linesOf(path, text)
                .slice(next - 1, from - 1)
                .every((one) => one.trim() === ''),
            );
            next = to + 1;
          }
          assert.ok(
            linesOf(path, text)
              .slice(next - 1)
              .every((one) => one.trim() === ''),
          );
        }
      },
    ),
    { numRuns: cases(60) },
  ));

test('an outline that was written reads as it was', async () => {
  const { declarations } = await cutFile(
    'a.py',
    'class A:\n    @x\n    def f(self):\n        pass\n\nB = 1\n',
    grammars,
    now,
  );
  assert.deepEqual(readOutline(outlineText(declarations)), declarations);
  assert.deepEqual(readOutline(''), []);
});

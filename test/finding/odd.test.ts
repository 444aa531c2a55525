// Files that are not as most are: lines that nobody writes by hand, notebooks, names that look generated; and what is left out says why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passageText } from '../../src/core/prompt/found.ts';
import { linesOf } from '../../src/finding/cut/cut.ts';
import { pathsOf, scene } from './scene.ts';

const filler = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`src/part${at}.ts`, `// part ${at}\nexport const part${at} = ${at};\n`]),
);
const picture = `iVBORw0KGgo${'A1b2'.repeat(60_000)}`;

function notebook(indent: number): string {
  const cells = [
    { cell_type: 'markdown', metadata: {}, source: ['# Quarterly churn\n', 'Customers that left.'] },
    {
      cell_type: 'code',
      execution_count: 1,
      metadata: {},
      outputs: [{ output_type: 'display_data', data: { 'image/png': picture, 'text/plain': ['secretiveoutput'] } }],
      source: ['def churn_rate(customers, lost):\n', '    return lost / max(1, "customers")\n'],
    },
    { cell_type: 'code', metadata: {}, outputs: [], source: 'print(churn_rate(10, 2))\n# "quoted" \\ slash' },
  ];
  return JSON.stringify(
    { cells, metadata: { kernelspec: { name: 'python3' } }, nbformat: 4, nbformat_minor: 5 },
    null,
    indent,
  );
}

test('a notebook is found by its cells, which say their numbers, without what they put out', async (context) => {
  const { find } = await scene(context, { ...filler, 'study/churn.ipynb': notebook(1) });
  const [first] = (await find('where is churn_rate?')).passages;
  assert.equal(first?.path, 'study/churn.ipynb');
  const text = first === undefined ? '' : passageText(first);
  assert.match(text, /\[cell 2, code\]\ndef churn_rate\(customers, lost\):\n {4}return lost \/ max\(1, "customers"\)$/);
  assert.match(passageText((await find('customers that left')).passages[0] ?? assert.fail()), /cell 1, markdown/);
  assert.deepEqual(pathsOf(await find('secretiveoutput')), []);
});

test('a line that is too long is cut, and the file around it is found', async (context) => {
  const icon = `export const closePath = "${'M10 10 L20 20 '.repeat(400)}";\n\nexport function CloseButton() {\n  return icon(closePath);\n}\n`;
  const { find } = await scene(context, {
    ...filler,
    'src/icon.tsx': icon,
    'src/short.py': `LONG = "${'x'.repeat(4200)}"\n\ndef needle_parser(text):\n    return text.split()\n`,
    'src/template.ts': `const page = \`${'<p>sea</p>'.repeat(600)}\`;\n\nexport function renderHarbour() {\n  return page;\n}\n`,
  });
  for (const [name, path] of [
    ['CloseButton', 'src/icon.tsx'],
    ['needle_parser', 'src/short.py'],
    ['renderHarbour', 'src/template.ts'],
  ] as const) {
    const [first] = (await find(`What does ${name} do?`)).passages;
    assert.deepEqual([first?.path, first?.why], [path, `declares ${name}`]);
    assert.ok(passageText(first ?? assert.fail()).length < 1400);
  }
  const [line = ''] = linesOf('src/icon.tsx', icon);
  assert.match(line, /^export const closePath.{1,1100} … \(line cut\)$/);
});

test('a passage says in which line it declares the name', async (context) => {
  const { find } = await scene(context, {
    ...filler,
    'src/speed.ts': '/** Reads a speed. */\nexport function knotsOf(text: string) {\n  return Number(text);\n}\n',
    'src/depth.ts': 'export function fathomsOf(text: string) {\n  return Number(text);\n}\n',
  });
  const head = async (name: string) => {
    const [first] = (await find(`Where is ${name} defined?`)).passages;
    return passageText(first ?? assert.fail()).split('\n', 1)[0];
  };
  assert.equal(await head('knotsOf'), 'src/speed.ts:2 knotsOf (lines 1-4)');
  assert.equal(await head('fathomsOf'), 'src/depth.ts:1 fathomsOf (lines 1-3)');
});

test('a member is the one of its owner', async (context) => {
  const shop = (name: string, does: string) =>
    `class ${name}:\n    """${name} of goods."""\n\n    def restock(self, goods):\n        return ${does}\n\n    def empty(self):\n        return []\n\n\n`;
  const { find } = await scene(context, {
    ...filler,
    'src/shops.py': `${shop('Barn', 'goods.hay()')}${shop('Mill', 'Barn.restock(self, goods)')}${shop('Forge', 'Barn.restock(goods, self)')}`,
    'src/other.py': `${shop('Dock', 'Barn.restock(Barn, goods)')}`,
  });
  for (const [asked, line] of [
    ['What does Barn.restock do?', 4],
    ['What does `Mill.restock` do?', 14],
    ['What does Forge::restock do?', 24],
  ] as const) {
    const [first] = (await find(asked)).passages;
    assert.deepEqual(first?.declares, [{ name: 'restock', line }], asked);
  }
});

test('a name that looks generated leaves no file out', async (context) => {
  const { find } = await scene(context, {
    ...filler,
    'src/my_bundle.ts': 'export function unpackParcel(parcel: string) {\n  return parcel.trim();\n}\n',
    'src/arg-min.ts': 'export function smallestIndex(all: number[]) {\n  return all.indexOf(Math.min(...all));\n}\n',
    'src/ui-designer.tsx': 'export function dragToolbox(x: number) {\n  return x;\n}\n',
  });
  assert.equal(pathsOf(await find('unpackParcel'))[0], 'src/my_bundle.ts');
  assert.equal(pathsOf(await find('smallestIndex'))[0], 'src/arg-min.ts');
  assert.equal(pathsOf(await find('dragToolbox'))[0], 'src/ui-designer.tsx');
});

test('what is left out is listed with its reason', async (context) => {
  const { finder } = await scene(context, {
    ...filler,
    'dist/a.js': `/*! a */\n${'function a(b){return b};'.repeat(2000)}\n`,
    'go.sum': 'a v1\n',
    'api/x.pb.go': '// Code generated by protoc-gen-go. DO NOT EDIT.\npackage api\n',
    'config/secrets.yaml': 'a: b\n',
  });
  assert.deepEqual(finder.leftOutFiles(), {
    files: [
      { path: 'api/x.pb.go', reason: 'says at its beginning that a program writes it' },
      { path: 'config/secrets.yaml', reason: 'its name says that it holds secrets' },
      { path: 'dist/a.js', reason: 'hardly more than lines that nobody writes by hand' },
      { path: 'go.sum', reason: 'a lock file, which a package manager writes' },
    ],
    over: 0,
  });
});

test('a file in UTF-16 is found by its words', async (context) => {
  const bytes = (name: string) =>
    Buffer.from(`\ufeffexport function ${name}(height: number) {\r\n  return height * 2;\r\n}\r\n`, 'utf16le');
  const { find } = await scene(context, {
    ...filler,
    'src/le.ts': bytes('seawall'),
    'src/be.ts': bytes('jetty').swap16(),
  });
  assert.deepEqual(pathsOf(await find('what does seawall return?')), ['src/le.ts']);
  assert.deepEqual(pathsOf(await find('what does jetty return?')), ['src/be.ts']);
});

// get_diagnostics and find_symbol over what an editor answers, and the list of tools.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTools, type Diagnostic, type SymbolHit } from '../../src/tools/index.ts';
import { call, makeFolder, openFolder } from './sandbox.ts';

const fileTexts = { 'src/a.ts': 'let x;\nexport class Tide {\n', 'src/b.ts': 'function moon() {}\n' };

function problems(root: string): Diagnostic[] {
  const a = join(root, 'src/a.ts');
  const b = join(root, 'src/b.ts');
  return [
    { path: a, line: 9, column: 1, severity: 'warning', message: 'Unused.', source: 'lint' },
    { path: b, line: 2, column: 3, severity: 'error', message: 'Two\n  lines.' },
    { path: a, line: 4, column: 10, severity: 'error', message: "Cannot find name 'x'.", source: 'TS2304' },
    { path: '/elsewhere/lib.d.ts', line: 1, column: 1, severity: 'error', message: 'Not ours.' },
  ];
}

test('lists the tools by name, with get_diagnostics only where there is an editor', () => {
  const names = (extra: object) => createTools(openFolder('/', extra)).map((tool) => tool.schema.name);
  assert.deepEqual(names({}), ['find_symbol', 'list_files', 'read_file', 'search_code']);
  assert.deepEqual(names({ diagnostics: async () => [] })[1], 'get_diagnostics');
});

test('describes the tools in fixed words, which templates and prompts are measured with', () => {
  const tools = createTools(openFolder('/', { diagnostics: async () => [] }));
  const words = tools.map(({ schema }) => [
    schema.description,
    ...Object.values(schema.parameters.properties).map((parameter) => parameter.description),
  ]);
  assert.deepEqual(words, [
    ['Find where a function, class, type or variable is declared.', 'Name of the symbol'],
    ['Get the errors and warnings the editor reports, for one file or all.', 'Path of the file'],
    ['List the files and folders in a folder of the workspace.', 'Path of the folder'],
    ['Read a file of the workspace, or a range of its lines.', 'Path of the file', 'First line', 'Last line'],
    [
      'Search the workspace code for an identifier or phrase and return the best matching lines.',
      'Identifier or phrase to search for',
    ],
  ]);
});

test('shows the errors before the warnings', async (t) => {
  const root = makeFolder(t, fileTexts);
  const diagnostics = async (path?: string) => problems(root).filter((one) => path === undefined || one.path === path);
  const workspace = openFolder(root, { diagnostics });
  const all = await call(workspace, 'get_diagnostics', {});
  assert.equal(all.head, '3 problems in the workspace:');
  assert.deepEqual(all.body.split('\n'), [
    "src/a.ts:4:10: error TS2304: Cannot find name 'x'.",
    'src/b.ts:2:3: error: Two   lines.',
    'src/a.ts:9:1: warning lint: Unused.',
  ]);
  assert.equal((await call(workspace, 'get_diagnostics', { path: 'src/a.ts' })).head, '2 problems in src/a.ts:');
  assert.equal((await call(workspace, 'get_diagnostics', { path: 'src' })).head, '3 problems in src:');
  const none = await call(openFolder(root, { diagnostics: async () => [] }), 'get_diagnostics', { path: 'src/a.ts' });
  assert.deepEqual(none, { ok: true, head: 'No problems in src/a.ts.', body: '' });
});

test('says when the editor fails, is stopped, or the path is wrong', async (t) => {
  const root = makeFolder(t, fileTexts);
  const broken = openFolder(root, { diagnostics: () => Promise.reject(new Error('not ready')) });
  assert.equal((await call(broken, 'get_diagnostics', {})).head, 'The editor gave no problems: not ready');
  const hung = openFolder(root, { diagnostics: () => new Promise<Diagnostic[]>(() => undefined) });
  const stopped = await call(hung, 'get_diagnostics', {}, AbortSignal.timeout(20));
  assert.equal(stopped.head, 'The editor gave no problems: it was stopped');
  assert.match((await call(broken, 'get_diagnostics', { path: 7 })).head, /"path" must be a text/);
  assert.match((await call(broken, 'get_diagnostics', { path: 'none.ts' })).head, /There is no "none\.ts"/);
});

test("shows the line the editor's index points at, for this name only", async (t) => {
  const root = makeFolder(t, fileTexts);
  const hit = (name: string, path: string, line: number): SymbolHit => ({ name, kind: 'class', path, line });
  const symbols = async () => [
    hit('Tides', join(root, 'src/a.ts'), 1),
    hit('Tide', join(root, 'src/a.ts'), 2),
    hit('Tide', join(root, 'src/gone.ts'), 2),
    hit('Tide', '/elsewhere/lib.d.ts', 2),
  ];
  const result = await call(openFolder(root, { symbols }), 'find_symbol', { name: 'Tide' });
  assert.deepEqual([result.head, result.body], ['1 symbol named "Tide":', '1. src/a.ts:2: export class Tide {']);
});

test('searches the text where the index knows nothing or fails', async (t) => {
  const root = makeFolder(t, fileTexts);
  const found = await call(openFolder(root, { symbols: async () => [] }), 'find_symbol', { name: 'moon()' });
  assert.deepEqual([found.head, found.body], ['1 symbol named "moon":', '1. src/b.ts:1: function moon() {}']);
  const broken = openFolder(root, { symbols: () => Promise.reject(new Error('not ready')) });
  const result = await call(broken, 'find_symbol', { name: 'moon' });
  assert.equal(result.head, '1 symbol named "moon" by text search, as the editor\'s failed:');
});

test('shows a definition rather than local variables of the same name', async (t) => {
  const root = makeFolder(t, {
    'a.ts': 'function f() {\n  const tide = 1;\n}\n',
    'b.ts': 'export const tide = 2;\n',
  });
  const result = await call(openFolder(root), 'find_symbol', { name: 'tide' });
  assert.equal(result.body, '1. b.ts:1: export const tide = 2;');
});

test('refuses a name that is missing or no name', async (t) => {
  const root = makeFolder(t, fileTexts);
  for (const args of [{}, { name: 1 }, { name: '' }, { name: '+-' }]) {
    const result = await call(openFolder(root), 'find_symbol', args);
    assert.equal(result.ok, false);
    assert.match(result.head, /"name"/);
  }
});

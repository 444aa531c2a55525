// Exports of the product: a value that no other file names is no part of what its file offers, and is not exported, or is dead.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const calledByEditor: ReadonlySet<string> = new Set(['activate', 'deactivate']);

/** Values alone: exported types name the shapes of what is exported. */
function exportsOf(source: string): readonly string[] {
  const found = source.matchAll(/^export (?:async |abstract )*(?:function|const|class) ([A-Za-z_$][\w$]*)/gm);
  return [...found].map(([, name = '']) => name);
}

function unusedIn(sources: ReadonlyMap<string, string>): readonly string[] {
  const users = new Map<string, number>();
  for (const source of sources.values())
    for (const word of new Set(source.match(/[A-Za-z_$][\w$]*/g))) users.set(word, (users.get(word) ?? 0) + 1);
  return [...sources].flatMap(([path, source]) =>
    /^(?:src|webview)\//.test(path)
      ? exportsOf(source)
          .filter((name) => users.get(name) === 1 && !calledByEditor.has(name))
          .map((name) => `${path} exports ${name}`)
      : [],
  );
}

test('what a file of the product exports is named by another file', () => {
  const paths = globSync('{src,webview,test,lab}/**/*.{ts,tsx}', { cwd: root });
  assert.ok(paths.length > 1000);
  assert.deepEqual(unusedIn(new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))), []);
});

test('an export that is used nowhere is named; those of tests are not looked at', () => {
  const sources = new Map([
    ['src/a.ts', 'export function used() {}\nexport const dead = used;\nexport async function deactivate() {}\n'],
    ['src/b.ts', "import { used } from './a.ts';\n"],
    ['test/c.ts', 'export const own = 1;\n'],
  ]);
  assert.deepEqual(unusedIn(sources), ['src/a.ts exports dead']);
});

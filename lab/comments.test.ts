// The comparison of two sources without their comments.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementsOf } from './comments.ts';

const same = async (path: string, one: string, two: string) =>
  assert.deepEqual(await statementsOf(path, one), await statementsOf(path, two));
const differ = async (path: string, one: string, two: string) =>
  assert.notDeepEqual(await statementsOf(path, one), await statementsOf(path, two));

test('a comment that is written anew, moved or deleted changes no statement', async () => {
  await same(
    'a.ts',
    '/** A thing. */\nconst a: number = 1; // Old words.\n',
    '// The number.\nconst a: number =\n  1;\n',
  );
  await same('a.tsx', 'const a = <p>{/* Old words. */}{b}</p>;', 'const a = <p>{/* The paragraph. */}{b}</p>;');
  await same('a.css', '/* It grows. */ a { color: red; }', 'a { /* The link. */ color: red; }');
});

test('a word, a type or a sign changes one, also within a string that looks like a comment', async () => {
  await differ('a.ts', 'const a = 1;', 'const b = 1;');
  await differ('a.ts', 'const a: number = b;', 'const a: string = b;');
  await differ('a.ts', "const a = '// It is.';", "const a = '// The name.';");
  await differ('a.ts', 'const a = `/* It is. */`;', 'const a = `/* The name. */`;');
  await differ('a.css', 'a { color: red; }', 'a { color: blue; }');
});

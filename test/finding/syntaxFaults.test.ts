// Places of a text that its grammar does not take, so that a change which breaks a file is seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syntaxFaults } from '../../src/finding/cut/syntaxFaults.ts';
import { grammars } from './scene.ts';

for (const [path, right, wrong] of [
  ['a.js', 'class A {\n  one() {\n    return 1;\n  }\n}\n', 'class A {\n  one() {\n    return 1;\n  }\n}\n}\n'],
  ['a.ts', 'const a: number = f(1);\n', 'const a: number = f(1;\n'],
  ['a.py', 'def f():\n    return 1\n', 'def f(:\n    return 1\n'],
  ['a.go', 'package a\n\nfunc f() int { return 1 }\n', 'package a\n\nfunc f() int { return 1\n'],
  ['a.rs', 'fn f() -> u8 { 1 }\n', 'fn f() -> u8 { 1 }}\n'],
] as const)
  test(`${path} has none where it is right, and some where it is broken`, async () => {
    assert.equal(await syntaxFaults(grammars, path, right), 0);
    assert.ok(((await syntaxFaults(grammars, path, wrong)) ?? 0) > 0);
  });

test('of a file without a grammar nobody can tell', async () => {
  assert.equal(await syntaxFaults(grammars, 'a.unknown', '{{{'), null);
});

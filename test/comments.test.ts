// The words that no comment begins with: a sentence that does leaves out its subject, or names nothing that one could look up.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from './harness/program.ts';

const refused = 'What|Where|Of|As|By|Null|Whoever|Those|It|They|One';
/** A block, a run of line comments, or a comment behind code; each with its first word. */
const comment = new RegExp(
  String.raw`(?:(?:^|[\s{])/\*[*\s]*|(?<!^[ \t]*//.*\n)^[ \t]*// *|\S[ \t]+// *)(?:${refused})\b.*`,
  'gm',
);

function wrongComments(source: string): readonly string[] {
  return [...source.matchAll(comment)].map(([text]) => text.trim());
}

test('every comment begins with a subject', () => {
  const paths = globSync('{src,webview,test,lab}/**/*.{ts,tsx,mjs,css}', { cwd: projectRoot })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)(node_modules|fixtures|goldens|contextGoldens|\.[^/]*)(\/|$)/.test(path));
  assert.ok(paths.length > 1000);
  const wrong = paths.flatMap((path) =>
    wrongComments(readFileSync(join(projectRoot, path), 'utf8')).map((text) => `${path}: ${text}`),
  );
  assert.deepEqual(wrong, []);
});

test('the first word counts in each kind of comment, and no other word does', () => {
  const wrong = [
    '/** # it is. */',
    '/**\n * # a slot.\n */',
    'a;\n// # waits.\n// # one more line says.\n',
    'const a = 1; // # bytes.',
    'call(a, /* # read. */ b);',
    '<p>{/* # it stands. */}</p>',
    'body {} /* # grows. */',
  ].flatMap((source) => refused.split('|').map((word) => source.replaceAll('#', word)));
  for (const source of wrong) assert.equal(wrongComments(source).length, 1, source);
  const right = [
    '/** The slot # waits for. */',
    '// A line.\n// # goes on here is no beginning.\n',
    '// #ever waits.\n',
  ].map((source) => source.replaceAll('#', 'What'));
  for (const source of right) assert.deepEqual(wrongComments(source), [], source);
});

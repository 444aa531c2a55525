// The words that no comment begins with: a sentence that does leaves out its subject, or names nothing that one could look up.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { projectRoot } from './harness/program.ts';
import { countsOf, lowered, problems, problemsIn } from './harness/shrinking.ts';

const refused = 'What|Where|Of|As|By|Null|Whoever|Those|It|They|One';
/** A block, a run of line comments, or a comment behind code; each with its first word. */
const comment = new RegExp(
  String.raw`(?:(?:^|[\s{])/\*[*\s]*|(?<!^[ \t]*//.*\n)^[ \t]*// *|\S[ \t]+// *)(?:${refused})\b.*`,
  'gm',
);

function wrongComments(source: string): readonly string[] {
  return [...source.matchAll(comment)].map(([text]) => text.trim());
}

test('no more comments than the list says begin without a subject', () => {
  const paths = globSync('{src,webview,test,lab}/**/*.{ts,tsx,mjs,css}', { cwd: projectRoot })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)(node_modules|fixtures|goldens|contextGoldens|\.[^/]*)(\/|$)/.test(path));
  assert.ok(paths.length > 1000);
  const found = countsOf(paths, (source) => wrongComments(source).length);
  assert.deepEqual(problemsIn('test/fixtures/comments.json', found, `comments begin with one of ${refused}`), []);
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

test('a number in the list is neither passed nor kept when it is too high, and is never raised', () => {
  const allowed = { 'a.ts': 2, 'b.ts': 2, 'c.ts': 2 };
  const found = { 'a.ts': 3, 'b.ts': 1, 'd.ts': 1 };
  assert.deepEqual(
    problems(allowed, found, 'comments').map((text) => text.slice(0, 12)),
    ['a.ts: 3 comm', 'b.ts: 1 inst', 'c.ts: 0 inst', 'd.ts: 1 comm'],
  );
  assert.deepEqual(lowered(allowed, found), { 'a.ts': 2, 'b.ts': 1 });
});

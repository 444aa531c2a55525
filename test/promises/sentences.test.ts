// Each sentence that SECURITY.md lists, and each of README's privacy part, is held by tests: named in `held.txt`, or by the sentence as a title.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../harness/program.ts';
import { testFiles } from '../sets.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const plain = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');

const listed = [...read('SECURITY.md').matchAll(/^- (.*)$/gm)].map(([, sentence = '']) => plain(sentence));
const privacy = plain(/^## Privacy\n([\s\S]*?)\n## /m.exec(read('README.md'))?.[1] ?? '');
const promised = new Set([...listed, ...(privacy.match(/[A-Z][^.]*\./g) ?? [])]);

/** The titles of a file's tests, as they stand in it. */
const titles = (path: string) =>
  [...read(path).matchAll(/^\s*test\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm)].map(([, , title = '']) =>
    title.replace(/\\(.)/g, '$1'),
  );

interface Holding {
  readonly sentence: string;
  /** Path of a test file. */
  readonly path: string;
  readonly title: string;
}

/** A sentence stands at the edge, and below it the tests that hold it: the file, and the title as it stands there. */
function holdingsIn(text: string): readonly Holding[] {
  let sentence = '';
  return text.split('\n').flatMap((line): readonly Holding[] => {
    const [, file = '', title = ''] = /^ {2}(\S+): (.*)$/.exec(line) ?? [];
    if (file === '') sentence = line;
    return file === '' ? [] : [{ sentence, path: `test/${file}.test.ts`, title }];
  });
}

const holdings = holdingsIn(read('test/promises/held.txt'));

test('each sentence is held by a test, and the table has no other sentence', () => {
  assert.ok(promised.size > 40, `${promised.size} sentences`);
  const known = new Set([...holdings.map(({ sentence }) => sentence), ...testFiles.flatMap(titles)]);
  assert.deepEqual(
    [...promised].filter((sentence) => !known.has(sentence)),
    [],
  );
  assert.deepEqual(
    holdings.filter(({ sentence }) => !promised.has(sentence)),
    [],
  );
});

test('each test that the table names is one test of its file, which runs in a step', () => {
  const isThere = ({ path, title }: Holding) =>
    testFiles.includes(path) && titles(path).filter((one) => one === title).length === 1;
  assert.deepEqual(
    holdings.filter((one) => !isThere(one)),
    [],
  );
});

test('each test of this folder has the name of a sentence', () => {
  const here = testFiles.filter((path) => path.startsWith('test/promises/') && !path.endsWith('/sentences.test.ts'));
  assert.deepEqual(
    here.flatMap(titles).filter((title) => !promised.has(title)),
    [],
  );
});

// Each sentence that SECURITY.md lists, and each of README's privacy part, is held by tests: named in `held.txt`, or by the sentence as a title.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../harness/program.ts';
import { testFiles } from '../sets.ts';
import { holdingsIn, isThere, titlesIn } from './holdings.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const plain = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');

const listed = [...read('SECURITY.md').matchAll(/^- (.*)$/gm)].map(([, sentence = '']) => plain(sentence));
const privacy = plain(/^## Privacy\n([\s\S]*?)\n## /m.exec(read('README.md'))?.[1] ?? '');
const promised = new Set([...listed, ...(privacy.match(/[A-Z][^.]*\./g) ?? [])]);

const holdings = holdingsIn('test/promises/held.txt');

test('each sentence is held by a test, and the table has no other sentence', () => {
  assert.ok(promised.size > 40, `${promised.size} sentences`);
  const known = new Set([...holdings.map(({ sentence }) => sentence), ...testFiles.flatMap(titlesIn)]);
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
  assert.deepEqual(
    holdings.filter((one) => !isThere(one)),
    [],
  );
});

test('each test of this folder has the name of a sentence', () => {
  const here = testFiles.filter((path) => path.startsWith('test/promises/') && !path.endsWith('/sentences.test.ts'));
  assert.deepEqual(
    here.flatMap(titlesIn).filter((title) => !promised.has(title)),
    [],
  );
});

// The inputs of the two measurements keep their own rules: counts, places, and texts that can be right.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AnswerCase, answerCases, refuseOrAsk, storedBytes } from './answers.ts';
import { unseenAnswerCases } from './answersUnseen.ts';
import { type GapCase, gapCases, replacementCases } from './gaps.ts';
import { moreGapCases, moreReplacementCases } from './gapsMore.ts';
import { unseenGapCases, unseenReplacementCases } from './gapsUnseen.ts';

const here = import.meta.dirname;
const answers = [...answerCases, ...unseenAnswerCases];
const gaps = [...gapCases, ...unseenGapCases, ...moreGapCases];
const replacements = [...replacementCases, ...unseenReplacementCases, ...moreReplacementCases];
const refused = (all: readonly AnswerCase[]) => all.filter(({ expected }) => expected === refuseOrAsk).length;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const texts = ({ expected }: AnswerCase) => (typeof expected === 'string' ? [] : expected);

test('each half of the answers holds 75 that land and 25 that must be refused or asked', () => {
  for (const half of [answerCases, unseenAnswerCases]) assert.deepEqual([half.length, refused(half)], [100, 25]);
});

test('each half of the gaps holds 30 gaps and 30 replacements', () => {
  const lengths = [gapCases, unseenGapCases, replacementCases, unseenReplacementCases].map((all) => all.length);
  assert.deepEqual(lengths, [30, 30, 30, 30]);
});

test('the second set holds 90 gaps and 60 replacements', () => {
  assert.deepEqual([moreGapCases.length, moreReplacementCases.length], [90, 60]);
});

test('no two cases have the same id', () => {
  const ids = [...answers, ...gaps, ...replacements].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test('an expectation in words is "refuse-or-ask"', () => {
  const words = answers.map(({ expected }) => expected).filter((expected) => typeof expected === 'string');
  assert.deepEqual([...new Set(words)], [refuseOrAsk]);
});

test('every stored file is used, is named with its licence, and has at most 400 lines', () => {
  const stored = readdirSync(join(here, 'files')).filter((name) => name.endsWith('.txt'));
  const used = new Set(answers.flatMap(({ files }) => files.map((file) => file.stored)));
  const readme = readFileSync(join(here, 'files/README.md'), 'utf8');
  assert.equal(stored.length, 60);
  assert.deepEqual([...used].toSorted(), stored.toSorted());
  for (const name of stored) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    assert.match(row, /\| (MIT|BSD-[23]-Clause|Apache-2\.0) \|/, name);
    assert.ok(storedBytes(name).toString('latin1').split('\n').length <= 400, name);
  }
});

test('every expected text differs from the file, and none holds a replacement character', () => {
  for (const made of answers) {
    for (const { path, text } of texts(made)) {
      const before = made.files.find((file) => file.path === path)?.stored;
      assert.notEqual(text, before === undefined ? null : strict.decode(storedBytes(before)), made.id);
      assert.ok(!text?.includes('\ufffd'), made.id);
    }
  }
});

test('every expected text keeps the byte order mark, the kind of line ends and the last line end of its file', () => {
  const marks = (text: string) => [
    text.startsWith('\ufeff'),
    text.includes('\r\n'),
    /[^\r]\n/.test(text),
    /\n$/.test(text),
  ];
  for (const made of answers) {
    for (const { path, text } of texts(made)) {
      const before = made.files.find((file) => file.path === path)?.stored;
      if (before === undefined || text === null) continue;
      assert.deepEqual(marks(text), marks(strict.decode(storedBytes(before))), made.id);
    }
  }
});

test('three stored files are neither UTF-8 nor UTF-16, and every answer that names one must be refused', () => {
  const foreign = new Set(
    readdirSync(join(here, 'files')).filter((name) => {
      try {
        strict.decode(storedBytes(name));
        return false;
      } catch {
        return true;
      }
    }),
  );
  assert.equal(foreign.size, 3);
  for (const made of answers) {
    const named = made.files.filter((file) => foreign.has(file.stored));
    if (named.length > 0) assert.equal(made.expected, refuseOrAsk, made.id);
  }
});

test('every prompt holds files of its folder only, and an answer that was cut off ends by its length', () => {
  for (const made of answers) {
    const paths = made.files.map((file) => file.path);
    assert.deepEqual(
      made.sent.filter((path) => !paths.includes(path)),
      [],
      made.id,
    );
    assert.ok(made.end === undefined || (made.end === 'length' && made.expected === refuseOrAsk), made.id);
  }
});

test('a gap has a line that its file lacks and lacks lines of its file, and its expected text loses no line but those changed', () => {
  const lines = (text: string) => text.split('\n').map((line) => line.trim());
  for (const { id, file, block, expected } of [...gaps, ...replacements] satisfies readonly GapCase[]) {
    assert.ok(
      lines(block).some((line) => !lines(file).includes(line)),
      id,
    );
    assert.ok(file !== expected && block !== file, id);
  }
  for (const { id, file, block, expected } of gaps) {
    if (expected === null) continue;
    const [left, kept] = [lines(block), lines(expected)];
    assert.ok(
      lines(file).some((line) => kept.includes(line) && !left.includes(line)),
      id,
    );
    assert.ok(
      left.some((line) => !kept.includes(line)),
      id,
    );
  }
  for (const { id, block, expected } of replacements) {
    for (const line of lines(block)) assert.ok(lines(expected).includes(line), `${id}: ${line}`);
  }
});

// Words: names are found whole and in parts, in any spelling.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proseOf } from '../../src/finding/embed.ts';
import { indexWordsOf, wordOf } from '../../src/finding/text/words.ts';

test('a name is one word without case and separators, and the stems of its parts', () => {
  assert.deepEqual(wordOf('parseDurations'), { whole: 'parsedurations', parts: ['pars', 'durat'] });
  assert.deepEqual(wordOf('parse_durations').whole, wordOf('parseDurations').whole);
  assert.deepEqual(wordOf('HTTPServer2').parts, ['http', 'server', '2']);
  assert.deepEqual(wordOf('$scope').parts, ['scope']);
});

test('a text has each token once, names of several parts as a whole too', () => {
  assert.deepEqual([...indexWordsOf('retry retries maxRetries')], ['retri', 'max', 'maxretries']);
});

test('words of other scripts are words, those that no blanks tell apart characters and pairs of them', () => {
  assert.deepEqual(wordOf('größe').parts, ['größe']);
  assert.deepEqual(wordOf('時間帯').parts, ['時', '間', '帯', '時間', '間帯']);
  assert.deepEqual([...indexWordsOf('サーバーへ送る')], ['サー', 'ーバ', 'バー', 'へ', '送', 'る']);
  assert.deepEqual([...indexWordsOf('결제를')], ['결', '제', '를', '결제', '제를']);
});

test('code reads as prose: names in their parts, signs gone, numbers and comparisons left', () => {
  assert.equal(
    proseOf('if (pool.maxIdle_ms >= 2) { throw new HTTPError("x"); }'),
    'if pool max Idle ms >= 2 throw new HTTP Error x',
  );
});

test('a name ends where letters of another script begin', () => {
  assert.deepEqual([...indexWordsOf('withRetry在哪里')].slice(0, 3), ['with', 'retri', 'withretry']);
  assert.deepEqual(wordOf('get注文一覧').parts.slice(0, 2), ['get', '注']);
});

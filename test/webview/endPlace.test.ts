// Whether the user left the end of the list, told by the place before its event comes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLeft } from '../../webview/chat/endPlace.ts';

const before = { scrollHeight: 2000, clientHeight: 500, scrollTop: 1500 };

test('who scrolled up has left, also where a word was drawn before the event came', () => {
  assert.equal(isLeft({ ...before, scrollTop: 0 }, before), true);
  assert.equal(isLeft({ ...before, scrollTop: 1200, scrollHeight: 2020 }, before), true);
});

test('words that arrive, a view that changes its size and a list that gets shorter are nobody leaving', () => {
  assert.equal(isLeft(before, before), false);
  assert.equal(isLeft({ ...before, scrollHeight: 2300 }, before), false);
  assert.equal(isLeft({ ...before, clientHeight: 300 }, before), false);
  assert.equal(isLeft({ scrollHeight: 900, clientHeight: 500, scrollTop: 400 }, before), false);
  assert.equal(isLeft({ ...before, scrollTop: 1490 }, before), false);
});

// When a session was written to, in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { when } from '../../webview/sessions/sessionsWhen.ts';

test('near times are told by their distance, far ones by their date', () => {
  const now = Date.UTC(2026, 4, 20, 12);
  const ago = (minutes: number) => when(now - minutes * 60_000, now);
  assert.equal(ago(0), 'just now');
  assert.equal(ago(1), '1 minute ago');
  assert.equal(ago(59.9), '59 minutes ago');
  assert.equal(ago(60), '1 hour ago');
  assert.equal(ago(24 * 60), 'yesterday');
  assert.equal(ago(6 * 24 * 60), '6 days ago');
  assert.equal(ago(7 * 24 * 60), 'May 13, 2026');
});

test('a clock that went back is no trouble', () => {
  assert.equal(when(1000, 0), 'just now');
});

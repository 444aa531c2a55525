// Words that come back to the message box, beside those that stand there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withReturned } from '../../webview/composer/composerArea.ts';

test('a mention stands in front of what is typed while it comes, behind other mentions', () => {
  assert.equal(withReturned('', '@selection '), '@selection ');
  assert.equal(withReturned('e', '@selection '), '@selection e');
  assert.equal(withReturned('what is this?', '@selection '), '@selection what is this?');
  assert.equal(
    withReturned('@file:"a b.ts":1-2 compare', '@file:c.ts @terminal '),
    '@file:"a b.ts":1-2 @file:c.ts @terminal compare',
  );
});

test('a message that comes back stands below what is typed, or takes the place of its own beginning', () => {
  assert.equal(withReturned('and then?', 'what is this?'), 'and then?\nwhat is this?');
  assert.equal(withReturned('what is', 'what is this?'), 'what is this?');
  assert.equal(withReturned('and then?', '@selection what is this?'), 'and then?\n@selection what is this?');
});

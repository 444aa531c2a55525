// Tests that a webview's message is looked at before anything trusts it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseViewMessage } from '../../src/host/views/viewMessage.ts';

test('a message keeps its own fields and no others', () => {
  assert.deepEqual(parseViewMessage({ type: 'send', text: 'hi', path: '/etc/passwd' }), { type: 'send', text: 'hi' });
  assert.deepEqual(parseViewMessage({ type: 'sendAlone', text: 'hi' }), { type: 'sendAlone', text: 'hi' });
  assert.deepEqual(parseViewMessage({ type: 'stop', text: 1 }), { type: 'stop' });
  const code = { type: 'createFile', code: 'x', language: '', path: null, message: 'm1' };
  assert.deepEqual(parseViewMessage(code), code);
});

test('a missing field, one of another type, a broken number and an unknown type are no messages', () => {
  for (const wrong of [
    { type: 'send' },
    { type: 'edit', item: 'a', text: 3 },
    { type: 'open', path: 'a.ts', line: 1.5 },
    { type: 'unqueue', id: Number.NaN },
    { type: 'switchTool', name: 'list_files', on: 'yes' },
    { type: 'createFile', code: 'x', language: '' },
    { type: 'constructor' },
    { type: '__proto__' },
    { type: 'ask', id: 1, question: 'toString', params: {} },
    { type: 'ask', id: 1, question: 'item', params: { at: 'first' } },
    ['send'],
    null,
  ])
    assert.equal(parseViewMessage(wrong), null, JSON.stringify(wrong));
});

test('nothing that can be sent makes it throw', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, maxDepth: 3 }), fc.string(), (value, type) => {
      parseViewMessage(value);
      parseViewMessage({ type, id: value, question: type, params: value, text: value });
    }),
  );
});

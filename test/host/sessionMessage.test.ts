// Tests what a webview may ask about sessions, models and settings, and what is refused before anything trusts it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseViewMessage } from '../../src/host/views/viewMessage.ts';

const change = (params: object) => parseViewMessage({ type: 'ask', id: 1, question: 'changeSession', params });

test('a change of a session names it, what to do, and a title', () => {
  const params = { id: 's1', what: 'rename', title: 'Tides' };
  assert.deepEqual(change(params), { type: 'ask', id: 1, question: 'changeSession', params });
  for (const wrong of [{ what: 'shred' }, { what: 'toString' }, { title: 7 }, { id: null }, { title: undefined }])
    assert.equal(change({ ...params, ...wrong }), null, JSON.stringify(wrong));
});

test('the list is shown or not, and a setting is named by a text', () => {
  assert.deepEqual(parseViewMessage({ type: 'listSessions', shown: true }), { type: 'listSessions', shown: true });
  assert.equal(parseViewMessage({ type: 'listSessions' }), null);
  const asked = { type: 'openSetting', key: 'model.contextSize' };
  assert.deepEqual(parseViewMessage({ ...asked, more: 1 }), asked);
  assert.equal(parseViewMessage({ type: 'openSetting', key: 1 }), null);
  assert.deepEqual(parseViewMessage({ type: 'importSession', path: '/etc' }), { type: 'importSession' });
});

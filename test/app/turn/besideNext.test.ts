// What goes with the next message unasked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Programs } from '../../../src/app/ports/project.ts';
import type { Session } from '../../../src/app/session/session.ts';
import { besideNext } from '../../../src/app/turn/besideNext.ts';
import { emptyConversation } from '../../../src/core/conversation/conversation.ts';
import { type AttachmentItem, emptyDialog } from '../../../src/core/dialog/dialog.ts';

const beside = (said: string | null, runs: ReturnType<Programs['of']>) => {
  const item: AttachmentItem = {
    origin: 'attachment',
    id: 'a',
    head: said ?? '',
    body: '',
    of: 'running',
  } as AttachmentItem;
  const dialog = { ...emptyDialog, path: said === null ? [] : [item] };
  const session = { id: 's', state: { ...emptyConversation, dialog } } as unknown as Session;
  return besideNext(session, null, { programs: { of: () => runs } as unknown as Programs }).map(({ head }) => head);
};

test('the model is told of what runs once, and again when that has changed', () => {
  const server = { run: 3, command: 'npm start', ports: [3000], began: 0 };
  const words = 'Still running: npm start (run 3, port 3000).';
  assert.deepEqual(beside(null, []), []);
  assert.deepEqual(beside(null, [server]), [words]);
  assert.deepEqual(beside(words, [server]), []);
  assert.deepEqual(beside(words, []), ['No command is running any more.']);
  assert.deepEqual(beside('No command is running any more.', []), []);
});

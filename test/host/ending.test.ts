// The end of a window: the running answer stops, what the slots hold is stored, then the engine ends, whatever happens before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chat } from '../../src/app/chat.ts';
import { ending } from '../../src/host/ending.ts';

function windowWith(keep: () => Promise<void>) {
  const log: string[] = [];
  const storing = async () => {
    log.push('store');
    await keep();
  };
  const chat = { cancel: () => void log.push('cancel'), snapshots: { keep: storing } } as unknown as Chat;
  return { log, end: ending(chat, { close: async () => void log.push('close') }) };
}

test('the engine ends once the slots are stored, and once only', async () => {
  let stored: () => void = () => undefined;
  const { log, end } = windowWith(
    () =>
      new Promise((resolve) => {
        stored = resolve;
      }),
  );
  const ended = [end(), end()];
  assert.deepEqual(log, ['cancel', 'store']);
  stored();
  await Promise.all(ended);
  assert.deepEqual(log, ['cancel', 'store', 'close']);
});

test('storing that takes too long is not waited for', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { log, end } = windowWith(() => new Promise(() => undefined));
  const ended = end();
  context.mock.timers.tick(3000);
  await ended;
  assert.deepEqual(log, ['cancel', 'store', 'close']);
});

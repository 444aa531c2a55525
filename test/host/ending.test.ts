// The end of a window, in its order, whatever fails or takes too long on the way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chat } from '../../src/app/conversation/chat.ts';
import { ending } from '../../src/host/system/ending.ts';

interface Slow {
  readonly answer?: Promise<unknown>;
  readonly keep?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}

function windowWith({ answer = Promise.resolve(), keep = async () => undefined, close = async () => undefined }: Slow) {
  const log: string[] = [];
  const chat = {
    sessions: { dispose: () => void log.push('dispose') },
    sending: { ended: answer.then(() => log.push('answered')), interrupt: () => void log.push('interrupt') },
  };
  const said = (step: string, work: () => Promise<void>) => () => {
    log.push(step);
    return work();
  };
  const snapshots = { keep: said('keep', keep) };
  const engine = { close: said('close', close) };
  const below = [() => void log.push('release'), () => void log.push('store')];
  return { log, end: ending({ chats: () => [chat as unknown as Chat], snapshots, engine, below }) };
}

const all = ['interrupt', 'answered', 'keep', 'close', 'dispose', 'release', 'store'];

test('answers stop and are stored before the slots, then the engine ends, and the store closes last, once', async () => {
  const { log, end } = windowWith({});
  await Promise.all([end(), end()]);
  assert.deepEqual(log, all);
});

test('what takes too long is not waited for', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const never = new Promise<never>(() => undefined);
  const { log, end } = windowWith({ answer: never, keep: () => never });
  const ended = end();
  for (let i = 0; i < 20; i++) {
    context.mock.timers.tick(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  assert.deepEqual(
    log,
    all.filter((step) => step !== 'answered'),
  );
});

test('an engine that does not end well leaves nothing open', async () => {
  const { log, end } = windowWith({
    close: () => Promise.reject(new Error('gone')),
    keep: () => Promise.reject(new Error('full')),
  });
  await assert.rejects(end(), /gone/);
  assert.deepEqual(log, all);
});

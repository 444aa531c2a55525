// Each subscriber hears what happens, also where another listener fails or goes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../src/core/emitter.ts';

/** Rejections that nobody handles while the work runs. */
async function unhandled(work: () => void): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const hear = (error: unknown) => void found.push(error);
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', hear);
  work();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', hear);
  for (const one of before) process.on('unhandledRejection', one);
  return found;
}

test('a listener that fails keeps no other from hearing, and its failure is not hidden', async () => {
  const emitter = new Emitter<number>();
  const heard: number[] = [];
  emitter.subscribe(() => {
    throw new Error('disposed');
  });
  emitter.subscribe((value) => heard.push(value));
  const errors = await unhandled(() => emitter.emit(1));
  assert.deepEqual(heard, [1]);
  assert.match(String(errors[0]), /disposed/);
});

test('who goes while others are told hears nothing more; who comes then hears the next', () => {
  const emitter = new Emitter<string>();
  const heard: string[] = [];
  const second: { end: () => void } = { end: () => undefined };
  emitter.subscribe((value) => {
    heard.push(`a ${value}`);
    second.end();
    if (value === '1') emitter.subscribe((later) => heard.push(`c ${later}`));
  });
  const subscription = emitter.subscribe((value) => heard.push(`b ${value}`));
  second.end = () => subscription.dispose();
  emitter.emit('1');
  emitter.emit('2');
  assert.deepEqual(heard, ['a 1', 'a 2', 'c 2']);
});

test('one function may subscribe twice, and each subscription ends by itself', () => {
  const emitter = new Emitter<number>();
  let heard = 0;
  const count = () => {
    heard += 1;
  };
  const first = emitter.subscribe(count);
  emitter.subscribe(count);
  first.dispose();
  first.dispose();
  emitter.emit(1);
  assert.equal(heard, 1);
  emitter.dispose();
  emitter.emit(2);
  assert.equal(heard, 1);
});

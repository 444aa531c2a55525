// Asserts that something is refused with a `storeUnavailable` fault in certain words.
import assert from 'node:assert/strict';
import { FaultError } from '../../src/core/faults/faults.ts';

export function isRefusal(error: unknown, words: RegExp): true {
  assert.ok(error instanceof FaultError, String(error));
  assert.equal(error.fault.kind, 'storeUnavailable');
  assert.match(error.message, /^Nothing can be stored: /);
  assert.match(error.message, words);
  return true;
}

export function refuses(work: () => unknown, words: RegExp): void {
  assert.throws(work, (error) => isRefusal(error, words));
}

// Compares a text with the accepted one beside the test. TIDEMARK_ACCEPT=1 accepts what is new.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export function golden(file: URL, now: string): void {
  if (process.env.TIDEMARK_ACCEPT === '1') writeFileSync(file, now);
  assert.ok(existsSync(file), `${file.pathname} is missing: accept it with TIDEMARK_ACCEPT=1`);
  assert.equal(now, readFileSync(file, 'utf8'));
}

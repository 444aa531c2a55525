// Whether what arrived is what was meant: begins as a GGUF, has its size, has its SHA-256.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { FaultError } from '../core/faults/faults.ts';

/** The comparison that was made; `nothing` where neither hash nor size was known, `before` where the file was there already. */
export type Checked = 'sha256' | 'size' | 'nothing' | 'before';

/** Returns the SHA-256 of a file as it lies on the disk, so that bytes that were written wrong are found as well. */
export async function fileHash(path: string, onBytes: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(bytes);
  }
  return hash.digest('hex');
}

/** `start`: the first bytes of a file, or all it has. */
export function checkStart(start: Uint8Array, from: { readonly host: string; readonly name: string }): void {
  const words = Buffer.from(start).toString('latin1');
  if (words.startsWith('GGUF')) return;
  const page = /^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(words);
  const found = words === '' ? 'nothing (it is empty)' : JSON.stringify(words.slice(0, 4));
  throw new FaultError({
    kind: 'download',
    problem: page ? { is: 'page', ...from } : { is: 'notGguf', ...from, found },
  });
}

/** The words of a check that was made. */
export function checkedWords(checked: Checked): string {
  if (checked === 'before') return 'it was already here';
  if (checked === 'sha256') return 'its SHA-256 matches';
  return checked === 'size'
    ? 'its size matches; no SHA-256 is available, so it is not verified'
    : 'the server gave neither size nor SHA-256, so it is not verified';
}

// The header of an open file, walked before any library reads it.
import { readSync } from 'node:fs';
import { type Header, readHeader } from '../../../core/machine/ggufHeader.ts';

export function headerOf(file: number, bytes: number): Header {
  return readHeader(bytes, (into, at) => readSync(file, into, 0, into.length, at));
}

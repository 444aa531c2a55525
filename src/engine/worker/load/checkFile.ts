// Looks at a model file before llama.cpp does: clear words for what is no GGUF, and a fingerprint of what is.

import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { FaultError } from '../../../core/faults/faults.ts';
import { type Header, type Purpose, readHeader } from '../../../core/machine/ggufHeader.ts';

export interface ModelFile {
  readonly bytes: number;
  /** Hash of size, beginning, middle and end: it tells files apart without reading gigabytes. */
  readonly fingerprint: string;
}

const sample = 256 * 1024;

/** `wanted`: what it is to be loaded for. */
export async function checkFile(path: string, wanted: Purpose): Promise<ModelFile> {
  if (path.trim() === '') throw new FaultError({ kind: 'noModel' });
  const found = await stat(path).catch(() => null);
  if (found === null) throw new FaultError({ kind: 'modelMissing', path });
  if (found.isDirectory()) throw new FaultError({ kind: 'modelIsFolder', path });
  const file = await open(path, 'r').catch((error: Error) => {
    throw new FaultError({ kind: 'modelDamaged', path, reason: error.message });
  });
  try {
    const magic = await read(file, 0, 4);
    if (magic.toString('latin1') !== 'GGUF') throw new FaultError({ kind: 'modelNotGguf', path, found: quote(magic) });
    if (found.size < 1024)
      throw new FaultError({ kind: 'modelDamaged', path, reason: `it has only ${found.size} bytes` });
    const header = headerOf(file.fd, found.size);
    if (header.problem !== null) throw new FaultError({ kind: 'modelDamaged', path, reason: header.problem });
    if (header.use !== wanted) throw new FaultError({ kind: 'modelOfOtherUse', path, is: header.use, wanted });
    return { bytes: found.size, fingerprint: await fingerprintOf(file, found.size) };
  } finally {
    await file.close();
  }
}

async function fingerprintOf(file: FileHandle, bytes: number): Promise<string> {
  const hash = createHash('sha256').update(String(bytes));
  for (const at of [0, Math.max(0, Math.floor(bytes / 2)), Math.max(0, bytes - sample)]) {
    hash.update(await read(file, at, sample));
  }
  return hash.digest('hex').slice(0, 16);
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position, length });
  return buffer.subarray(0, bytesRead);
}

function quote(bytes: Buffer): string {
  return bytes.length === 0 ? 'nothing (it is empty)' : JSON.stringify(bytes.toString('latin1'));
}

// The header of an open file, walked before any library reads it.
export function headerOf(file: number, bytes: number): Header {
  return readHeader(bytes, (into, at) => readSync(file, into, 0, into.length, at));
}

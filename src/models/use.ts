// Tells a model file's use by its header, so that no file is offered, or set, for what it cannot do.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { FaultError } from '../core/faults/faults.ts';
import { type ModelUse, type Purpose, readHeader } from '../core/machine/ggufHeader.ts';

/** Files beside a model that begin as one and are none, by their names: their headers may say no more than the model's own. */
const besideModel = /(^|[-_.])(mmproj|imatrix|dflash|eagle\d?)([-_.]|$)|^mtp[-_.]|[-_.]draft([-_.]|$)/i;

/** Whether a repository has it beside its models. */
export function liesBeside(path: string): boolean {
  return besideModel.test(basename(path));
}

/** Returns null where the file does not tell: loading says what is wrong with it. `name` is that of a link that leads to it. */
export function useOf(path: string, name = path): ModelUse | null {
  const use = usedFor(path);
  return use === 'chat' && liesBeside(name) ? 'draft' : use;
}

function usedFor(path: string): ModelUse | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const read = reader(file);
    const magic = Buffer.alloc(4);
    if (read(magic, 0) < 4 || magic.toString('latin1') !== 'GGUF') return null;
    const header = readHeader(fstatSync(file).size, read);
    return header.problem === null ? header.use : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Throws a `modelOfOtherUse`. */
export function checkUse(path: string, wanted: Purpose): void {
  const is = useOf(path);
  if (is !== null && is !== wanted) throw new FaultError({ kind: 'modelOfOtherUse', path, is, wanted });
}

const reader = (file: number) => (into: Uint8Array, at: number) => readSync(file, into, 0, into.length, at);

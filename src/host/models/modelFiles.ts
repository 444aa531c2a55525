// The GGUF files a user may want: the one in use, those used before, and what else lies in their folders.
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Purpose } from '../../core/machine/ggufHeader.ts';
import { isRecord } from '../../core/record.ts';
import { useOf } from '../../models/use.ts';

/** A model that was loaded once. */
export interface UsedModel {
  readonly path: string;
  /** The memory that it took, in words; '' while unknown. */
  readonly memory: string;
}

export interface ListedModel extends UsedModel {
  readonly group: 'current' | 'used' | 'near';
  readonly bytes: number;
}

/** So many are remembered. */
const mostUsed = 12;

/** The latest first, none twice. */
export function withUsed(used: readonly UsedModel[], model: UsedModel): readonly UsedModel[] {
  return [model, ...used.filter(({ path }) => path !== model.path)].slice(0, mostUsed);
}

/** Reads the list that an earlier window, or another release, has stored. */
export function readUsed(value: unknown): readonly UsedModel[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) =>
    isRecord(one) && typeof one.path === 'string' && typeof one.memory === 'string'
      ? [{ path: one.path, memory: one.memory }]
      : [],
  );
}

/**
 * The current one first, then those used before, then their neighbours and what lies in `folder`, by name. What is gone is left
 * out, and so is what is for something else.
 */
export async function findModels(
  current: string,
  used: readonly UsedModel[],
  folder: string,
  purpose: Purpose,
): Promise<readonly ListedModel[]> {
  const known = [current, ...used.map(({ path }) => path)].filter((path) => path !== '');
  const near = await Promise.all([...new Set([...known.map(dirname), folder])].map(modelsIn));
  const found = await Promise.all([...new Set([...known, ...near.flat()])].map(sizeOf));
  return found.flatMap(({ path, bytes }): readonly ListedModel[] => {
    if (bytes === null || (path !== current && !serves(path, purpose))) return [];
    const before = used.find((one) => one.path === path);
    const group = path === current ? 'current' : before === undefined ? 'near' : 'used';
    return [{ path, bytes, group, memory: before?.memory ?? '' }];
  });
}

/** Takes a file whose purpose cannot be told for a chat model, because most are; loading it says more. */
function serves(path: string, purpose: Purpose): boolean {
  return (useOf(path) ?? 'chat') === purpose;
}

/** Lists the models of a folder. Only the first of a model's several files can be loaded, and a projector for pictures is no model. */
async function modelsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /\.gguf$/i.test(name) && !/-(?!00001)\d{5}-of-\d{5}\.gguf$/i.test(name) && !/^mmproj/i.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

async function sizeOf(path: string): Promise<{ readonly path: string; readonly bytes: number | null }> {
  const found = await stat(path).catch(() => null);
  return { path, bytes: found?.isFile() === true ? found.size : null };
}

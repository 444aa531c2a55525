// Finds the GGUF files that other programs brought here, and what each is for, by its header alone.
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ModelUse } from '../../core/machine/ggufHeader.ts';
import { shardsOf } from '../source.ts';
import { useOf } from '../use.ts';
import { ollamaModels } from './ollama.ts';
import { ollamaFolders, placesIn, type Surroundings, theseSurroundings } from './places.ts';
import { type HomeFile, HomeWalk } from './walk.ts';

/** A file that another program keeps. */
export interface DiskModel {
  readonly path: string;
  /** The program's own name for it. */
  readonly name: string;
  /** The program or the folder, as a user knows it. */
  readonly place: string;
  /** All its files together. */
  readonly bytes: number;
  /** A file that is damaged or not whole has null. */
  readonly use: ModelUse | null;
}

type Named = HomeFile & Pick<DiskModel, 'name' | 'place'>;

export class DiskModels {
  private readonly around: () => Surroundings;
  /** The headers' words, as long as their files stay as they are. */
  private readonly uses = new Map<string, ModelUse | null>();

  constructor(around: () => Surroundings = theseSurroundings) {
    this.around = around;
  }

  /** Files come by place and name; one that is found twice counts once. */
  async find(): Promise<readonly DiskModel[]> {
    const found: DiskModel[] = [];
    const real = new Set<string>();
    for (const seen of await this.all()) {
      if (real.has(seen.real)) continue;
      real.add(seen.real);
      const { path, name, place } = seen;
      found.push({ path, name, place, bytes: seen.bytes, use: await this.useOf(seen) });
    }
    return inWhole(found);
  }

  private async all(): Promise<readonly Named[]> {
    const around = this.around();
    const walk = await HomeWalk.begin(around.home);
    if (walk === null) return [];
    const all: Named[] = [];
    for (const { name: place, folders, depth } of placesIn(around))
      for (const folder of folders)
        for (const seen of await walk.files(folder, depth, /\.gguf$/i))
          all.push({ ...seen, place, name: basename(seen.path) });
    for (const folder of ollamaFolders(around))
      all.push(...(await ollamaModels(folder, walk)).map((seen) => ({ ...seen, place: 'Ollama' })));
    return all;
  }

  private async useOf({ stamp, real, path }: HomeFile): Promise<ModelUse | null> {
    const known = this.uses.get(stamp);
    if (known !== undefined) return known;
    // A large vocabulary takes milliseconds to walk over: whoever waits for the editor comes between.
    await setImmediate();
    const use = useOf(real, basename(path));
    this.uses.set(stamp, use);
    return use;
  }
}

/** The first file of several stands for all, if they are all there; else none can be loaded. */
function inWhole(found: readonly DiskModel[]): readonly DiskModel[] {
  const byPath = new Map(found.map((one) => [one.path, one]));
  return found.flatMap((one): readonly DiskModel[] => {
    const names = shardsOf(one.name);
    if (names.length === 1) return [one];
    const parts = names.map((name) => byPath.get(join(dirname(one.path), name)));
    if (names[0] !== one.name) return parts.every((part) => part !== undefined) ? [] : [{ ...one, use: 'part' }];
    if (parts.some((part) => part === undefined || part.use === null)) return [{ ...one, use: null }];
    return [{ ...one, bytes: parts.reduce((sum, part) => sum + (part?.bytes ?? 0), 0) }];
  });
}

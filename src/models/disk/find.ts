// Finds the GGUF files that other programs brought here, and what each is for, by its header alone.

import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ModelUse } from '../../core/machine/ggufHeader.ts';
import { isRecord } from '../../core/record.ts';
import { shardsOf } from '../source.ts';
import { useOf } from '../use.ts';
import { ollamaFolders, placesIn, type Surroundings, theseSurroundings } from './places.ts';

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

// Ollama's models: manifests name them, and say which of its files, named by their content, has the weights.

/** A manifest lists a dozen layers. */
const longest = 64 * 1024;
const digest = /^sha256:[0-9a-f]{64}$/;

/** Names as `ollama list` has them. What is no manifest, or whose weights are not whole, is left out. */
async function ollamaModels(
  folder: string,
  walk: HomeWalk,
): Promise<readonly (HomeFile & { readonly name: string })[]> {
  const manifests = join(folder, 'manifests');
  const found = [];
  for (const manifest of await walk.files(manifests, 6, /./)) {
    const layer = manifest.bytes > longest ? null : weightsIn(await readFile(manifest.real, 'utf8').catch(() => ''));
    const seen = layer === null ? null : await walk.look(join(folder, 'blobs', layer.digest.replace(':', '-')));
    if (seen !== null && seen.bytes === layer?.size)
      found.push({ ...seen, name: nameOf(relative(manifests, manifest.path)) });
  }
  return found;
}

/** The one layer with weights: of several nobody here can make one. */
function weightsIn(manifest: string): { readonly digest: string; readonly size: number } | null {
  let value: unknown;
  try {
    value = JSON.parse(manifest);
  } catch {
    return null;
  }
  const layers: readonly unknown[] = isRecord(value) && Array.isArray(value.layers) ? value.layers : [];
  const weights = layers.flatMap((layer) =>
    isRecord(layer) && layer.mediaType === 'application/vnd.ollama.image.model' ? [layer] : [],
  );
  const [{ digest: hash, size } = {}] = weights;
  if (weights.length !== 1 || typeof hash !== 'string' || !digest.test(hash) || typeof size !== 'number') return null;
  return { digest: hash, size };
}

/** `registry.ollama.ai/library/qwen3.5/9b` is `qwen3.5:9b`. */
function nameOf(path: string): string {
  const parts = path.split(sep);
  const short = parts.slice(parts[0] === 'registry.ollama.ai' ? (parts[1] === 'library' ? 2 : 1) : 0);
  return `${short.slice(0, -1).join('/')}:${short.at(-1) ?? ''}`;
}

// Walks folders under the user's home. Links to folders are not followed, and no link leads out of the home.

/** A file, perhaps behind a link. */
interface HomeFile {
  /** The path that the program put it at. */
  readonly path: string;
  /** The path where its bytes lie. */
  readonly real: string;
  readonly bytes: number;
  /** Changes with its content. */
  readonly stamp: string;
}

/** A folder with more entries than that is no folder of models. */
const mostEntries = 20_000;
/** Hugging Face's cache has these besides models. */
const passedBy = /^(datasets|spaces)--/;

class HomeWalk {
  private readonly home: string;
  private left = mostEntries;

  private constructor(home: string) {
    this.home = home;
  }

  /** Returns null without a home of the user's own. */
  static async begin(home: string): Promise<HomeWalk | null> {
    const real = await realpath(home).catch(() => null);
    // Below the root lies everything.
    return real === null || dirname(real) === real ? null : new HomeWalk(real);
  }

  /** All files with such a name, by name; none of a folder that lies or leads elsewhere. */
  async files(folder: string, depth: number, wanted: RegExp): Promise<readonly HomeFile[]> {
    this.left = mostEntries;
    return (await this.within(folder)) === null ? [] : this.below(folder, depth, wanted);
  }

  /** Returns null for what is no file, or lies outside of the home. */
  async look(path: string): Promise<HomeFile | null> {
    const real = await this.within(path);
    const found = real === null ? null : await stat(real).catch(() => null);
    if (real === null || found?.isFile() !== true) return null;
    return { path, real, bytes: found.size, stamp: `${real} ${found.size} ${found.mtimeMs}` };
  }

  private async below(folder: string, depth: number, wanted: RegExp): Promise<readonly HomeFile[]> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const seen: HomeFile[] = [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      this.left -= 1;
      if (this.left < 0) break;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth > 1 && !passedBy.test(entry.name))
        seen.push(...(await this.below(path, depth - 1, wanted)));
      const file = (entry.isFile() || entry.isSymbolicLink()) && wanted.test(entry.name) ? await this.look(path) : null;
      if (file !== null) seen.push(file);
    }
    return seen;
  }

  /** Returns where a path leads; null where that is not in the home. */
  private async within(path: string): Promise<string | null> {
    const real = await realpath(path).catch(() => null);
    return real?.startsWith(this.home + sep) === true ? real : null;
  }
}

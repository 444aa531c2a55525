// Ollama's models: manifests name them, and say which of its files, named by their content, has the weights.
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isRecord } from '../../core/record.ts';
import type { HomeFile, HomeWalk } from './walk.ts';

/** A manifest lists a dozen layers. */
const longest = 64 * 1024;
const digest = /^sha256:[0-9a-f]{64}$/;

/** Names as `ollama list` has them. What is no manifest, or whose weights are not whole, is left out. */
export async function ollamaModels(
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

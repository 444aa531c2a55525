// Gives passages their vectors, a few at a time, and questions theirs: the engine computes, the index keeps.
import { createHash } from 'node:crypto';
import type { Signal } from '../core/dialog/tool.ts';
import type { EmbeddingInfo } from '../protocol/engine.ts';
import type { FindingClient } from './client.ts';
import type { Query } from './finder.ts';
import { packed } from './rank/vectors.ts';
import { proseOf } from './text/prose.ts';

/** Computes vectors of texts; fewer than asked for where it was stopped. */
export type Embed = (texts: readonly string[], signal: Signal) => Promise<readonly Float32Array[]>;

/** Texts between two looks at whether to go on. */
const batch = 8;

/** The number under which the vectors of a model stand: of its file, and of how texts are prepared for it. */
export function modelNumber({ fingerprint }: Pick<EmbeddingInfo, 'fingerprint'>): number {
  return Number.parseInt(createHash('sha256').update(`3 ${fingerprint}`).digest('hex').slice(0, 12), 16);
}

/** Embeds what has no vector yet, the passages of `first` before others, parts last. True when nothing is left. */
export async function embedAll(
  finding: Pick<FindingClient, 'request'>,
  model: number,
  embed: Embed,
  first: readonly string[],
  signal: Signal,
  onProgress: (done: number) => void = () => undefined,
): Promise<boolean> {
  for (let done = 0; ; ) {
    if (signal.aborted) return false;
    const texts = await finding.request('unembedded', { model, most: batch, first });
    if (texts.length === 0) return true;
    const vectors = await embed(
      texts.map(({ text }) => text),
      signal,
    );
    const kept = vectors.flatMap((vector, at) => {
      const text = texts[at];
      return text === undefined ? [] : [[text.hash, text.part, packed(vector)] as const];
    });
    await finding.request('keepVectors', { model, vectors: kept });
    done += kept.length;
    onProgress(done);
    if (kept.length < texts.length) return false;
  }
}

export async function questionVector(
  text: string,
  model: number,
  embed: Embed,
  signal: Signal,
): Promise<Query['vector']> {
  const [vector] = await embed([proseOf(text)], signal);
  return vector === undefined ? undefined : { model, values: packed(vector) };
}

// Gives passages their vectors, a few at a time, and questions theirs: the engine computes, the index keeps.
import { createHash } from 'node:crypto';
import type { Signal } from '../core/tool.ts';
import type { EmbeddingInfo } from '../protocol/engine.ts';
import type { FindingClient } from './client.ts';
import type { Query } from './finder.ts';
import { packed } from './rank/vectors.ts';
import { proseOf } from './text/prose.ts';

/** Computes vectors of texts; fewer than asked for where it was stopped. */
export type Embed = (texts: readonly string[], signal: Signal) => Promise<readonly Float32Array[]>;

/** Texts between two looks at whether to go on. */
const BATCH = 8;

/** The number under which the vectors of a model stand: of its file, and of how texts are prepared for it. */
export function modelNumber({ fingerprint }: Pick<EmbeddingInfo, 'fingerprint'>): number {
  return Number.parseInt(createHash('sha256').update(`2 ${fingerprint}`).digest('hex').slice(0, 12), 16);
}

/** Embeds what has no vector yet, the passages of `first` before all others. True when nothing is left. */
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
    const passages = await finding.request('unembedded', { model, most: BATCH, first });
    if (passages.length === 0) return true;
    const vectors = await embed(
      passages.map(({ text }) => text),
      signal,
    );
    const kept = vectors.map((vector, at) => [passages[at]?.hash ?? 0, packed(vector)] as const);
    await finding.request('keepVectors', { model, vectors: kept });
    done += kept.length;
    onProgress(done);
    if (kept.length < passages.length) return false;
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

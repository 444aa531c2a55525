// An embedding model beside the chat model: texts to vectors, one after the other, so that a request for a slot waits for one text at most.
import { basename } from 'node:path';
import type { LlamaEmbeddingContext, LlamaModel } from 'node-llama-cpp';
import { FaultError, reasonOf } from '../../core/faults/faults.ts';
import type { EmbeddingInfo, EmbeddingParams } from '../../protocol/engine.ts';
import { checkFile } from './load/checkFile.ts';
import { startLibrary } from './load/library.ts';
import { usableCores } from './slot/allowed.ts';

export interface EmbeddingContext {
  readonly info: EmbeddingInfo;
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  dispose(): Promise<void>;
}

/** Tokens; passages of the index are shorter, and more would only take time. */
const longestWindow = 512;

export async function loadEmbedding({ modelPath, gpu, packs, threads }: EmbeddingParams): Promise<EmbeddingContext> {
  const file = await checkFile(modelPath, 'embedding');
  const { llama } = await startLibrary({ gpu, ...(packs === undefined ? {} : { packs }) });
  let model: LlamaModel | null = null;
  try {
    model = await llama.loadModel({ modelPath });
    const window = Math.min(longestWindow, model.trainContextSize);
    const context = await model.createEmbeddingContext({
      contextSize: window,
      batchSize: window,
      threads: threads ?? usableCores(llama),
    });
    return await opened(model, context, { file: basename(modelPath), fingerprint: file.fingerprint, window });
  } catch (error) {
    await model?.dispose();
    if (error instanceof FaultError) throw error;
    throw new FaultError({ kind: 'modelDamaged', path: modelPath, reason: reasonOf(error) });
  }
}

async function opened(
  model: LlamaModel,
  context: LlamaEmbeddingContext,
  about: Pick<EmbeddingInfo, 'file' | 'fingerprint' | 'window'>,
): Promise<EmbeddingContext> {
  // The library puts what begins and ends a text around it.
  const most = Math.max(1, about.window - 4);
  const vectorOf = async (text: string) => {
    const { vector } = await context.getEmbeddingFor(model.tokenize(text).slice(0, most));
    const length = Math.hypot(...vector) || 1;
    return Float32Array.from(vector, (value) => value / length);
  };
  const { general } = model.fileInfo.metadata;
  const { length: dimensions } = await vectorOf('tide');
  return {
    info: { ...about, name: general?.name ?? 'embedding model', architecture: general?.architecture ?? '', dimensions },
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (signal.aborted) break;
        vectors.push(await vectorOf(text));
        // Requests that came meanwhile are seen between two texts.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return vectors;
    },
    dispose: () => model.dispose(),
  };
}

// Gets the embedding model that is offered, and goes on with downloads that were not finished.
import { readCatalogue } from '../../models/catalogue.ts';
import { readSource } from '../../models/source.ts';
import { type FetchParts, fetchListed, sayOffline } from './fetchSource.ts';

/** The one embedding model that is offered beside the chat model, without a list. */
export async function getEmbedding(parts: FetchParts): Promise<void> {
  const [model] = readCatalogue().embeddings;
  const [quantisation] = model.quantisations;
  if (quantisation !== undefined) await fetchListed(parts, model, quantisation, 'embedding');
}

/** Goes on with a download that was not finished, without asking what was agreed to before. */
export async function resumeModel(parts: FetchParts, name: string, url: string): Promise<void> {
  const { offline, huggingFace, folder } = parts.settings();
  const listed = readCatalogue().embeddings.some(({ repository }) => url.includes(`/${repository}/`));
  const purpose = listed ? 'embedding' : 'chat';
  if (offline) return sayOffline(purpose);
  const source = readSource(url, huggingFace);
  if (source.kind === 'remote') await parts.downloads.start({ name, files: source.files, folder, purpose });
}

// How the publisher of a model advises to draw tokens, where the catalogue has it.
import type { SomeSampling } from '../core/model/sampling.ts';
import catalogueJson from './catalogue.json' with { type: 'json' };
import type { CatalogueModel } from './catalogue.ts';

/** What the publisher of a file's model advises, by the file's name; undefined where the catalogue does not know. */
export function publishedSampling(path: string): SomeSampling | undefined {
  const letters = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const file = letters(path.split(/[\\/]/).at(-1) ?? '');
  const models: readonly Pick<CatalogueModel, 'name' | 'sampling'>[] = catalogueJson.models;
  const found = models.find(({ name, sampling: said }) => said !== undefined && file.includes(letters(name)))?.sampling;
  if (found === undefined) return undefined;
  const { source: _source, read: _read, ...values } = found;
  return values;
}

// How the publisher of a model advises to draw tokens, where the catalogue has it.
import catalogueJson from './catalogue.json' with { type: 'json' };
import type { CatalogueModel, PublishedSampling } from './catalogue.ts';

type ModeSampling = Omit<PublishedSampling, 'source' | 'read'>;

type Advised = Pick<CatalogueModel, 'name' | 'sampling' | 'quantisations'>;

/**
 * Returns the sampling that the publisher of a file's model advises, by the file's name; undefined where the catalogue has none.
 * `thinks`: the model may write thoughts, as it does where nobody switched them off.
 */
export function publishedSampling(path: string, thinks = true): ModeSampling | undefined {
  const letters = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const name = path.split(/[\\/]/).at(-1) ?? '';
  const isOf = ({ name: model, quantisations }: Advised) =>
    quantisations.some(({ file }) => file === name) || letters(name).includes(letters(model.replace(/ \(.*/, '')));
  const models: readonly Advised[] = catalogueJson.models;
  const said = models.find((model) => model.sampling !== undefined && isOf(model))?.sampling;
  const found = thinks ? (said?.thinking ?? said?.plain) : said?.plain;
  if (found === undefined) return undefined;
  const { source: _source, read: _read, ...values } = found;
  return values;
}

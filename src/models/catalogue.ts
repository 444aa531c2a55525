// The models that Tidemark knows by name: what they are, where they lie, and the figures an estimate needs before anything is fetched.
import { Ajv } from 'ajv';
import type { SomeSampling } from '../core/model/sampling.ts';
import catalogueJson from './catalogue.json' with { type: 'json' };

export interface Quantisation {
  /** Its name in those of files: `Q4_K_M`, `UD-Q4_K_M`. */
  readonly name: string;
  /** Its file in the repository; left out where only the server's list tells. */
  readonly file?: string;
  /** The commit of the repository whose file was looked at: some were uploaded anew under the same name. */
  readonly revision?: string;
  /** About, where `sha256` is not known. */
  readonly bytes: number;
  readonly sha256?: string;
}

/** Layers of a kind, and the numbers that each keeps of a token. */
interface LayerCache {
  readonly layers: number;
  readonly kvHeads: number;
  /** Numbers of a head in the cache's keys and values. */
  readonly keySize: number;
  readonly valueSize: number;
}

/** The layers that keep something, by what becomes of it as a conversation grows. */
export interface Caches {
  /** Their cache grows with each token. */
  readonly attention: Pick<LayerCache, 'layers'> & Partial<LayerCache>;
  /** Their cache has the last `window` tokens. */
  readonly windowed?: LayerCache & { readonly window: number };
  /** Their state stays as large as it is: so many bytes in all. */
  readonly recurrent?: { readonly layers: number; readonly bytes?: number };
}

/** A row leaves out what no text that was read says. */
export interface CatalogueModel {
  readonly name: string;
  readonly licence: string;
  /** Trained for code above all. */
  readonly code: boolean;
  /** `owner/name` at Hugging Face. */
  readonly repository: string;
  /** The name that llama.cpp has for it. */
  readonly architecture: string;
  /** This project loaded that file and asked it. */
  readonly ran: boolean;
  /** In how many of the lists and threads that were read it is named for local use. */
  readonly named?: number;
  /** Year and month of its release, or of the first text that names it. */
  readonly released?: string;
  /** In billions; `active`: those that a token goes through, where not all. */
  readonly parameters?: number;
  readonly active?: number;
  readonly embedding?: number;
  readonly vocabulary?: number;
  /** Tokens. */
  readonly trainContext?: number;
  readonly caches: Caches;
  /** Words on anything else; '' for nothing. */
  readonly note: string;
  readonly quantisations: readonly Quantisation[];
  /** How its publisher advises to draw tokens, with thoughts and without; `plain` alone counts for both. */
  readonly sampling?: { readonly thinking?: PublishedSampling; readonly plain?: PublishedSampling };
}

export interface PublishedSampling extends SomeSampling {
  /** Taken off the score of each token that the message has already. */
  readonly presencePenalty?: number;
  /** The text that says it, and the day when that was read, as YYYY-MM-DD. */
  readonly source: string;
  readonly read: string;
}

/** A model beside the one that answers. */
export interface OtherModel {
  readonly name: string;
  readonly licence: string;
  /** `owner/name` at Hugging Face. */
  readonly repository: string;
  readonly ran: boolean;
  /** Words on anything else; '' for nothing. */
  readonly note: string;
  readonly quantisations: readonly Quantisation[];
}

/** Gives vectors, and no words: nothing that is asked of a chat model holds for it. */
export interface EmbeddingModel extends OtherModel {
  /** Numbers of a vector. */
  readonly dimensions: number;
  /** Tokens. */
  readonly trainContext?: number;
}

export interface Catalogue {
  /** The day it was written, as YYYY-MM-DD. */
  readonly date: string;
  /** Models that answer. */
  readonly models: readonly CatalogueModel[];
  /** Models that find by meaning beside them; the first is the one that is offered. */
  readonly embeddings: readonly [EmbeddingModel, ...EmbeddingModel[]];
  /** Base models that fill in code between a beginning and an end. Nothing of Tidemark asks one yet, so none is offered. */
  readonly completions: readonly OtherModel[];
}

type Schema<T> = { readonly [K in keyof T]?: object };

const words = { type: 'string', minLength: 1 } as const;
const whole = { type: 'integer', minimum: 1 } as const;
const some = { type: 'number', exclusiveMinimum: 0 } as const;

const quantisation = exactly(
  { name: { type: 'string', pattern: '^(UD-)?[A-Z0-9_]+$' }, bytes: whole } satisfies Schema<Quantisation>,
  {
    file: { type: 'string', pattern: '^(?!.*\\.\\.)[\\w.-]+(/[\\w.-]+)*\\.gguf$' },
    revision: { type: 'string', pattern: '^[0-9a-f]{40}$' },
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  } satisfies Schema<Quantisation>,
);

const repository = { type: 'string', pattern: '^[\\w-][\\w.-]*/[\\w-][\\w.-]*$' } as const;
const other = {
  name: words,
  licence: words,
  repository,
  ran: { type: 'boolean' },
  note: { type: 'string' },
  quantisations: { type: 'array', minItems: 1, items: quantisation },
} as const satisfies Schema<OtherModel>;

const cache = { kvHeads: whole, keySize: whole, valueSize: whole } as const;
const caches = exactly({ attention: exactly({ layers: whole }, cache) } satisfies Schema<Caches>, {
  windowed: exactly({ layers: whole, ...cache, window: whole }),
  recurrent: exactly({ layers: whole }, { bytes: whole }),
});

const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const samplingValues = {
  temperature: { type: 'number', minimum: 0, maximum: 2 },
  topK: { type: 'integer', minimum: 0 },
  topP: share,
  minP: share,
  repeatPenalty: { type: 'number', minimum: 1, maximum: 2 },
  presencePenalty: { type: 'number', minimum: 0, maximum: 2 },
} as const satisfies Schema<PublishedSampling>;
const day = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' } as const;
const sampling = exactly({ source: words, read: day }, samplingValues);

const model = exactly(
  { ...other, code: { type: 'boolean' }, architecture: words, caches } satisfies Schema<CatalogueModel>,
  {
    named: whole,
    released: { type: 'string', pattern: '^\\d{4}-\\d\\d$' },
    parameters: some,
    active: some,
    embedding: whole,
    vocabulary: whole,
    trainContext: whole,
    sampling: exactly({}, { thinking: sampling, plain: sampling }),
  } satisfies Schema<CatalogueModel>,
);
const embedding = exactly({ ...other, dimensions: whole }, { trainContext: whole });

const list = (items: object) => ({ type: 'array', minItems: 1, items });
const catalogueSchema = exactly({
  note: words,
  date: day,
  models: list(model),
  embeddings: list(embedding),
  completions: list(exactly(other)),
});

/** Throws an Error in words for what is no catalogue. */
export function readCatalogue(value: unknown = catalogueJson): Catalogue {
  const ajv = new Ajv();
  if (!ajv.validate<Catalogue>(catalogueSchema, value)) throw new Error(`The catalogue is wrong: ${ajv.errorsText()}`);
  return value;
}

/** All of these, perhaps the optional ones, and nothing else. */
function exactly(properties: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) {
  const required = Object.keys(properties);
  return { type: 'object', required, additionalProperties: false, properties: { ...properties, ...optional } };
}

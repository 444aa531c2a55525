// Gives passages their vectors, a few at a time, and questions theirs: the engine computes, the index keeps.

import { createHash } from 'node:crypto';
import type { Signal } from '../core/dialog/tool.ts';
import type { EmbeddingInfo } from '../protocol/engine.ts';
import type { FindingClient } from './client.ts';
import type { Query } from './finder.ts';
import { packed } from './rank/vectors.ts';

/** Computes vectors of texts; fewer than asked for where it was stopped. */
export type Embed = (texts: readonly string[], signal: Signal) => Promise<readonly Float32Array[]>;

/** Texts between two looks at whether to go on. */
const batch = 8;

/** A model with how texts are prepared for it. */
export interface TextModel {
  /** Its vectors stand under this number: of its file, and of how texts are prepared for it. */
  readonly number: number;
  readonly prefixes: Prefixes;
  /** For the log. */
  readonly words: string;
}

export type ToldModel = Pick<EmbeddingInfo, 'name' | 'file' | 'architecture' | 'fingerprint'>;

export function textModelOf(info: ToldModel): TextModel {
  const { known, ...prefixes } = prefixesOf(info);
  const key = `4 ${info.fingerprint} ${JSON.stringify(prefixes)}`;
  const number = Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 12), 16);
  const { question, passage } = prefixes;
  const [before, beside] = [JSON.stringify(question), JSON.stringify(passage)];
  const said = known
    ? `${before} before questions, ${beside} before passages`
    : 'no prefixes are known of it, so none is used';
  return { number, prefixes, words: `${info.name} (${info.architecture}): ${said}` };
}

function prepared(text: string, prefix: string, { code }: Prefixes): string {
  return `${prefix}${code ? text : proseOf(text)}`;
}

/** Embeds what has no vector yet, the passages of `first` before others, parts last. True when nothing is left. */
export async function embedAll(
  finding: Pick<FindingClient, 'request'>,
  { number: model, prefixes }: TextModel,
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
      texts.map(({ text }) => prepared(text, prefixes.passage, prefixes)),
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
  { number: model, prefixes }: TextModel,
  embed: Embed,
  signal: Signal,
): Promise<Query['vector']> {
  const [vector] = await embed([prepared(text, prefixes.question, prefixes)], signal);
  return vector === undefined ? undefined : { model, values: packed(vector) };
}

// Code as prose, for a model that was trained on prose: names in their parts, and no more signs than carry a meaning.

/** Rewrites a text for a small embedding model: `maxIdle_ms(x);` becomes `max Idle ms x`. */
export function proseOf(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_$/\\{}()[\];`"'|#*]+|-{2,}|={3,}|\.(?=\p{L})/gu, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

// Prefixes of embedding models: the words that a model was trained to read before a question and before a passage, as its card gives them.

interface Prefixes {
  readonly question: string;
  readonly passage: string;
  /** Read code as it is written; others read it as prose. */
  readonly code: boolean;
}

interface Row extends Prefixes {
  /** Stands in the file's header. A name alone is no proof. */
  readonly architecture: RegExp;
  /** In the name that the file has in its header, or on the disk, in lower case and without signs. */
  readonly name: RegExp;
}

const forCode = 'Represent this query for searching relevant code: ';

const rows: readonly Row[] = [
  {
    architecture: /^qwen2$/,
    name: /jinacodeembeddings/,
    question: 'Find the most relevant code snippet given the following query:\n',
    passage: 'Candidate code snippet:\n',
    code: true,
  },
  {
    architecture: /^qwen3$/,
    name: /qwen3embedding/,
    question: 'Instruct: Given a question about a code base, retrieve the code or text that answers it\nQuery:',
    passage: '',
    code: true,
  },
  { architecture: /^nomic-bert/, name: /coderankembed/, question: forCode, passage: '', code: true },
  { architecture: /^qwen2$/, name: /nomicembedcode/, question: forCode, passage: '', code: true },
  {
    architecture: /^nomic-bert/,
    name: /nomicembedtext/,
    question: 'search_query: ',
    passage: 'search_document: ',
    code: false,
  },
  {
    architecture: /^gemma-?embedding$/,
    name: /embeddinggemma/,
    question: 'task: code retrieval | query: ',
    passage: 'title: none | text: ',
    code: true,
  },
  {
    architecture: /^bert$/,
    name: /bge(?:small|base|large)en/,
    question: 'Represent this sentence for searching relevant passages: ',
    passage: '',
    code: false,
  },
  {
    architecture: /^(?:xlm-roberta|bert)$/,
    name: /e5(?:small|base|large)(?!.*instruct)/,
    question: 'query: ',
    passage: 'passage: ',
    code: false,
  },
];

const none: Prefixes = { question: '', passage: '', code: false };

/** None for a model that is not known, which `known` says. */
function prefixesOf(model: Pick<EmbeddingInfo, 'name' | 'file' | 'architecture'>): Prefixes & {
  readonly known: boolean;
} {
  const names = [model.name, model.file].map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const row = rows.find(
    ({ architecture, name }) => architecture.test(model.architecture) && names.some((one) => name.test(one)),
  );
  if (row === undefined) return { ...none, known: false };
  const { question, passage, code } = row;
  return { question, passage, code, known: true };
}

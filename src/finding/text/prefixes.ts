// Prefixes of embedding models: the words that a model was trained to read before a question and before a passage, as its card gives them.
import type { EmbeddingInfo } from '../../protocol/engine.ts';

export interface Prefixes {
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
export function prefixesOf(model: Pick<EmbeddingInfo, 'name' | 'file' | 'architecture'>): Prefixes & {
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

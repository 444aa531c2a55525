// A GGUF tokenizer from js-tiktoken's cl100k ranks: any prefix of the ranks is itself a valid byte-pair encoding.
import cl100k from 'js-tiktoken/ranks/cl100k_base';

export interface Vocabulary {
  readonly tokens: readonly string[];
  /** GGUF token types: 1 normal, 3 control, 4 user-defined, 5 unused. */
  readonly types: readonly number[];
  readonly merges: readonly string[];
  readonly id: (token: string) => number;
}

export interface Added {
  readonly text: string;
  readonly type: 3 | 4;
}

/** The first `size` ranks plus added special tokens. */
export function createVocabulary(size: number, added: readonly Added[]): Vocabulary {
  const ranks = readRanks().slice(0, size);
  const rankOf = new Map(ranks.map((bytes, rank) => [bytes, rank]));
  const merges = ranks.flatMap((bytes, rank) => (bytes.length === 1 ? [] : [mergeOf(bytes, rank, rankOf)]));
  const tokens = [...ranks.map(printable), ...added.map(({ text }) => text)];
  const types = [...ranks.map(() => 1), ...added.map(({ type }) => type)];
  while (tokens.length % 32 !== 0) {
    types.push(5);
    tokens.push(`[unused${tokens.length}]`);
  }
  const id = (token: string) => tokens.indexOf(token);
  return { tokens, types, merges, id };
}

/** Lines of `! <first rank> <base64> <base64> ...`; bytes come back as latin1 strings. */
function readRanks(): readonly string[] {
  const ranks: string[] = [];
  for (const line of cl100k.bpe_ranks.split('\n')) {
    const [, first, ...encoded] = line.split(' ');
    encoded.forEach((text, i) => {
      ranks[Number(first) + i] = Buffer.from(text, 'base64').toString('latin1');
    });
  }
  return ranks;
}

/** Encoding a token with only the ranks below its own leaves exactly two parts: the merge that makes it. */
function mergeOf(bytes: string, rank: number, rankOf: ReadonlyMap<string, number>): string {
  const parts = [...bytes];
  while (parts.length > 2) {
    const pairs = parts.slice(1).map((part, i) => rankOf.get(`${parts[i]}${part}`) ?? Infinity);
    const best = pairs.reduce((min, pair, i) => (pair < (pairs[min] ?? Infinity) ? i : min), 0);
    if ((pairs[best] ?? Infinity) >= rank) throw new Error(`token ${rank} has no merge`);
    parts.splice(best, 2, `${parts[best]}${parts[best + 1]}`);
  }
  return parts.map(printable).join(' ');
}

/** GPT-2's printable stand-ins for bytes: visible latin1 stays, the rest moves above 255. */
function printable(latin1: string): string {
  return [...latin1].map((char) => byteNames[char.charCodeAt(0)]).join('');
}

const byteNames = (() => {
  let next = 256;
  const visible = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(visible(byte) ? byte : next++));
})();

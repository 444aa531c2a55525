// Tokenises so that content cannot act: only template glue and our own call markup may become special tokens.
import type { Vocabulary } from './vocabulary.ts';

export interface SafeTokens {
  /** Template glue: special strings become their ids. */
  glue(text: string): readonly number[];
  /** Anything a user, file, tool or model wrote: special strings stay plain text. */
  content(text: string): readonly number[];
  /** The id of a special string, or undefined when the vocabulary has none. */
  special(text: string): number | undefined;
  /** Matches every special string. */
  readonly anySpecial: RegExp;
  /** The special strings that end a generation. */
  readonly endings: readonly string[];
}

/** Texts remembered per kind; at the limit the oldest goes. */
const cacheLimit = 8192;

export function createSafeTokens(vocabulary: Vocabulary): SafeTokens {
  const safe = safeTokens(vocabulary, learnSpecials(vocabulary));
  return { ...safe, glue: remember(safe.glue), content: remember(safe.content) };
}

/** The same without a memory of its own. */
export function safeTokens(
  vocabulary: Pick<Vocabulary, 'tokenise' | 'isEnd'>,
  { ids, anySpecial, anyActing }: Specials,
): SafeTokens {
  const plain = (text: string) => (text === '' ? [] : vocabulary.tokenise(text, false));
  // Some vocabularies begin each text with a blank of their own, which the text has only once.
  const further = (text: string) => (text === '' ? [] : vocabulary.tokenise(text, true));
  const glue = (text: string) =>
    text.split(anySpecial).flatMap((piece) => {
      const id = ids.get(piece);
      return id === undefined ? plain(piece) : [id];
    });
  return {
    glue,
    content: (text) => neutralRuns(text, anyActing).flatMap((run, i) => (i === 0 ? plain : further)(run)),
    special: (text) => ids.get(text),
    anySpecial,
    endings: [...ids].filter(([, id]) => vocabulary.isEnd(id)).map(([text]) => text),
  };
}

/**
 * llama.cpp matches USER_DEFINED tokens (`<tool_call>` in Qwen2.5) even when special tokens are switched off, so each
 * that could act is cut after its first character and the two sides are tokenised apart. Detokenised, the text is the same.
 */
function neutralRuns(text: string, acting: RegExp): readonly string[] {
  const runs: string[] = [];
  let from = 0;
  const search = new RegExp(acting);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    const first = (text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1;
    runs.push(text.slice(from, match.index + first));
    from = match.index + first;
    // The rest of this match may be the beginning of another one.
    search.lastIndex = from;
  }
  return [...runs, text.slice(from)];
}

/** The special strings of a vocabulary. */
export interface Specials {
  readonly ids: ReadonlyMap<string, number>;
  /** Matches any of them. */
  readonly anySpecial: RegExp;
  /** Matches those that an engine takes for themselves although special tokens are switched off. */
  readonly anyActing: RegExp;
}

export function learnSpecials(vocabulary: Pick<Vocabulary, 'ids' | 'kind' | 'detokenise' | 'chatTemplate'>): Specials {
  const ids = new Map<string, number>();
  const acting: string[] = [];
  for (const id of vocabulary.ids()) {
    const { control, userDefined, unknown } = vocabulary.kind(id);
    if (!(control || userDefined || unknown)) continue;
    const text = vocabulary.detokenise([id]);
    const matched = !(control || unknown);
    if (text === '' || (matched && isText(text, vocabulary.chatTemplate ?? ''))) continue;
    ids.set(text, id);
    if (matched) acting.push(text);
  }
  return { ids, anySpecial: matcher([...ids.keys()]), anyActing: matcher(acting) };
}

const whiteSpace = /^\s+$/;
/** Without `<s>`, which begins a sequence in other vocabularies. */
const htmlTag =
  /^<\/?(?:a|b|blockquote|body|caption|code|div|em|footer|h[1-6]|html|i|iframe|img|li|span|strong|su[bp]|t[dhr]|table|tbody|tfoot|thead|u|ul)>$/;

/**
 * USER_DEFINED strings that models read as text like any other: Gemma and mpt have runs of white space, Gemma has tags of
 * HTML. A tag that the chat template writes is a part of its frame and may act.
 */
function isText(text: string, template: string): boolean {
  return whiteSpace.test(text) || (htmlTag.test(text) && !template.includes(text));
}

/** Matches the longest of the strings, capturing it so that `split` keeps it. */
function matcher(texts: readonly string[]): RegExp {
  if (texts.length === 0) return /(?!)/g;
  const longestFirst = texts
    .toSorted((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(${longestFirst.join('|')})`, 'g');
}

function remember(tokenise: (text: string) => readonly number[]): (text: string) => readonly number[] {
  const cache = new Map<string, readonly number[]>();
  return (text) => {
    const known = cache.get(text);
    if (known !== undefined) {
      cache.delete(text);
      cache.set(text, known);
      return known;
    }
    const tokens = tokenise(text);
    cache.set(text, tokens);
    const oldest = cache.size > cacheLimit ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    return tokens;
  };
}

// Ranks passages by the words of a question: BM25 over several fields (Robertson and Zaragoza 2009), counted in the text of
// each, with more for declaring what is asked for.
import { readOutline } from '../db/outlineText.ts';
import { fileKindOf } from '../text/accept.ts';
import type { IndexedDeclaration } from '../text/passage.ts';
import { indexWordsOf, wordOf, wordsIn } from '../text/words.ts';
import type { PassageRow, Weighed } from './propose.ts';
import type { Question } from './question.ts';
import { weights } from './weights.ts';

/** A passage that may answer. Lines count from 1, both ends included. */
export interface Candidate {
  readonly id: number;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  /** The declarations of its file. */
  readonly outline: readonly IndexedDeclaration[];
  /** The imports of its file, as they are written. */
  readonly imports: readonly string[];
  /** The score by words, at least 0; about 1 where the passage has every word of the question. */
  readonly lexical: number;
  /** How much of the question each of its lines holds. */
  readonly lineScores: readonly number[];
  /** Words of the question in it, the most valuable first. */
  readonly matched: readonly string[];
  /** The names of the question that it declares, each with its line. */
  readonly declares: readonly IndexedDeclaration[];
}

/** `linesOf` gives a file's lines, null where it cannot be read. `mean` is the distinct tokens of a passage in the mean. */
export function scoreAll(
  rows: readonly PassageRow[],
  question: Question,
  terms: readonly Weighed[],
  mean: number,
  linesOf: (path: string) => readonly string[] | null,
): readonly Candidate[] {
  const scorer = new Scorer({ ...question, names: asDeclared(question, rows) }, terms, mean);
  const paths = new Set(rows.map(({ path }) => path));
  return rows.flatMap((row) => {
    const lines = linesOf(row.path)?.slice(row.start - 1, row.end);
    if (lines === undefined) return [];
    const found = scorer.score(row, lines);
    return [isStub(row.path, paths) ? { ...found, lexical: found.lexical * weights.stub } : found];
  });
}

export function priorOf(path: string, { wants }: Question): number {
  const kind = fileKindOf(path);
  if ((kind === 'test' && wants.tests) || (kind === 'docs' && wants.docs)) return 1;
  return kind === 'code' ? 1 : weights[kind];
}

/** Types alone, where the file with the code may answer as well. */
function isStub(path: string, paths: ReadonlySet<string>): boolean {
  const [, stem = '', ending] = /^(.*)(\.pyi|\.d\.ts)$/.exec(path) ?? [];
  return ending === '.pyi' ? paths.has(`${stem}.py`) : ending === '.d.ts' && paths.has(`${stem}.js`);
}

/**
 * The names as the folder has them: one that it declares just as it is written means no other spelling (`FIFOCache` is no `fifo_cache`), and a member
 * that it declares means that owner's, and not the owner.
 */
function asDeclared({ names, members }: Question, rows: readonly PassageRow[]): Question['names'] {
  const outlines = new Map(rows.map(({ path, outline }) => [path, outline]));
  const declared = [...outlines.values()].flatMap(readOutline);
  const spelled = new Set(declared.map(({ name }) => name));
  const owned = members.filter(({ owner, name }) =>
    declared.some((one) => one.name === name && one.container === owner),
  );
  const named = new Map(
    [...names].map(([whole, one]) => {
      const own = one.spelled !== undefined && spelled.has(one.spelled) ? one.spelled : null;
      const exact = own !== null || (one.sure && spelled.has(one.written));
      return [whole, { ...one, ...(own !== null && { written: own, sure: true }), exact }];
    }),
  );
  for (const { owner } of owned) named.delete(wordOf(owner).whole);
  for (const { name } of owned) {
    const owners = owned.filter((one) => one.name === name).map(({ owner }) => owner);
    named.set(wordOf(name).whole, { written: name, sure: true, exact: true, owners });
  }
  return named;
}

interface Counted {
  /** How often each term comes, over all lines. */
  readonly counts: Float64Array;
  /** Words in all. */
  readonly length: number;
  /** The terms in each line. */
  readonly hits: readonly ReadonlySet<number>[];
}

class Scorer {
  private readonly question: Question;
  private readonly terms: readonly Weighed[];
  private readonly mean: number;
  private readonly byToken: ReadonlyMap<string, number>;
  /** The score of a passage that has every word of the question. */
  private readonly most: number;
  private readonly outlines = new Map<string, readonly IndexedDeclaration[]>();
  private readonly paths = new Map<string, ReadonlySet<string>>();

  constructor(question: Question, terms: readonly Weighed[], mean: number) {
    this.question = question;
    this.terms = terms;
    this.mean = mean;
    this.byToken = new Map(terms.map(({ token }, at) => [token, at]));
    const own = terms.filter((term) => term.own && term.frequency > 0);
    this.most = own.reduce((sum, { value }) => sum + value, 0) || 1;
  }

  score(row: PassageRow, lines: readonly string[]): Candidate {
    const { path, start, end } = row;
    const outline = remembered(this.outlines, path, () => readOutline(row.outline));
    const counted = this.count(lines);
    const inside = outline.filter(({ line }) => line >= start && line <= end);
    const own = inside.map(({ name }) => name);
    const around = outline.filter(({ from, to }) => from < start && to >= end).map(({ name }) => name);
    const { words, matched } = this.words(counted, path, own, around);
    const declares = inside.filter(({ name, container }) => {
      const one = this.question.names.get(wordOf(name).whole);
      if (one === undefined || (one.exact === true && one.written !== name)) return false;
      return one.owners === undefined || one.owners.includes(container);
    });
    const named = Math.max(0, ...declares.map(({ name }) => this.named(wordOf(name).whole)));
    return {
      id: row.id,
      path,
      from: start,
      to: end,
      lines,
      outline,
      imports: row.imports === '' ? [] : row.imports.split('\n'),
      lexical: (words + named) * priorOf(path, this.question),
      lineScores: counted.hits.map((seen) => this.value(seen)),
      matched: [...new Set(matched.map((at) => this.terms[at]?.written ?? ''))],
      declares,
    };
  }

  private count(lines: readonly string[]): Counted {
    const counts = new Float64Array(this.terms.length);
    let length = 0;
    const hits = lines.map((line) => {
      const seen = new Set<number>();
      for (const { whole, parts } of wordsIn(line)) {
        length += 1;
        for (const token of parts.length > 1 ? [whole, ...parts] : parts) {
          const at = this.byToken.get(token);
          if (at === undefined) continue;
          counts[at] = (counts[at] ?? 0) + 1;
          seen.add(at);
        }
      }
      return seen;
    });
    return { counts, length, hits };
  }

  /** The sum over the terms, less where many of them are missing; and which are there, the most valuable first. */
  private words({ counts, length }: Counted, path: string, own: readonly string[], around: readonly string[]) {
    const inPath = remembered(this.paths, path, () => indexWordsOf(path));
    const [declared, within] = [nameTokens(own), nameTokens(around)];
    const { k1, b, coverage } = weights;
    const long = 1 - b + (b * length) / (this.mean * 1.6);
    let total = 0;
    let covered = 0;
    const matched: number[] = [];
    for (const [at, { token, value }] of this.terms.entries()) {
      const frequency =
        (counts[at] ?? 0) / long +
        (declared.has(token) ? weights.declares : 0) +
        (within.has(token) ? weights.within : 0) +
        (inPath.has(token) ? weights.path : 0);
      if (frequency === 0) continue;
      matched.push(at);
      covered += value;
      total += (value * frequency) / (frequency + k1);
    }
    const words = (total / this.most) * (1 - coverage + coverage * Math.min(1, covered / this.most));
    return { words, matched: matched.toSorted((one, two) => this.valueOf(two) - this.valueOf(one)) };
  }

  /** For declaring what is asked for: the more, the rarer it is. */
  private named(name: string): number {
    if (this.question.names.get(name)?.sure === true) return weights.named;
    const value = this.terms.find(({ written }) => written === name)?.value ?? 0;
    return (weights.namedWord * value * 3) / (this.most + value);
  }

  private value(terms: ReadonlySet<number>): number {
    return [...terms].reduce((sum, at) => sum + this.valueOf(at), 0);
  }

  private valueOf(term: number): number {
    return this.terms[term]?.value ?? 0;
  }
}

function nameTokens(names: readonly string[]): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const name of names) indexWordsOf(name, tokens).add(wordOf(name).whole);
  return tokens;
}

function remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

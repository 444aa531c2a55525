// Finding: the passages of the folder that a message is about, the most useful first.

import { posix } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Signal } from '../core/dialog/tool.ts';
import { type Found, firstLine, lastLine, nothingFound, type Passage, stretchesOf } from '../core/prompt/found.ts';
import type { Root } from '../tools/files/paths.ts';
import { linesOf } from './cut/cut.ts';
import { type Part, partsOf, sizeOf } from './cut/parts.ts';
import type { Files } from './db/files.ts';
import { foldersOf, listFolder, namedFolders } from './rank/listing.ts';
import { namedFiles, wholeFile } from './rank/named.ts';
import { type FindMessage, lookedAt } from './rank/pointed.ts';
import { passageIds, passageRows, propose, type Weighed, weighWords } from './rank/propose.ts';
import { type Question, readQuestion } from './rank/question.ts';
import { type Candidate, priorOf, scoreAll } from './rank/score.ts';
import { countPassages, rarity, Statistics } from './rank/statistics.ts';
import type { Near, PartsNear } from './rank/vectors.ts';
import { weights } from './rank/weights.ts';
import { refusePath } from './text/accept.ts';
import { locate, staysInside } from './text/folders.ts';
import { type Buffers, readText } from './text/read.ts';
import { wordOf } from './text/words.ts';

export interface FindRequest {
  readonly text: string;
  readonly folder?: string;
  readonly message?: FindMessage;
  readonly near?: readonly string[];
  readonly last?: readonly string[];
  readonly around?: number;
  /** The nearness by vectors, or `null` without an embedding model. */
  readonly meaning: Meaning | null;
}

/** How near passages are to the question by their vectors. */
export interface Meaning {
  /** The nearest first. */
  readonly passages: readonly Near[];
  /** Returns how near the parts of these passages are. */
  readonly parts: (passages: readonly number[]) => PartsNear;
}

export interface FindGround {
  readonly db: DatabaseSync;
  readonly roots: readonly Root[];
  readonly buffers: Buffers;
  readonly overall: Overall;
}

/** Figures on all passages and files. */
export interface Overall {
  readonly passages: number;
  /** Distinct tokens that a passage has in the mean. */
  readonly tokens: number;
  /** Paths of files, and the folders that hold them. */
  readonly files: readonly string[];
  readonly folders: ReadonlySet<string>;
  /** How many passages contain each token, for the tokens that were asked about so far. */
  readonly frequencies: Map<string, number>;
}

export function overallOf(db: DatabaseSync, files: Files): Overall {
  const paths = files.all().map(({ path }) => path);
  return { ...countPassages(db), files: paths, folders: foldersOf(paths), frequencies: new Map() };
}

/** Passages handed on: more than fit, so that exact counts decide. */
const most = 90;
/** A folder that is listed is the answer: so many passages come beside. */
const besideAnswer = 3;

export async function find(asked: FindRequest, ground: FindGround, signal: Signal): Promise<Found> {
  const { text, folder = '', message, meaning } = asked;
  const { db, overall } = ground;
  const question = readQuestion(text);
  const statistics = new Statistics(db, overall.passages, overall.frequencies);
  const terms = weighWords(question, statistics);
  const read = reader(ground);
  const named = namedFiles(question, overall.files);
  const looked = message ? lookedAt(question, terms, message, named, { db, statistics, read }) : null;
  const unlisted = message === undefined ? [] : unlistedFiles(question, overall.files, read);
  if (unlisted.length > 0) return { passages: unlisted, weak: '' };
  if (looked === 'nowhere') return message?.pointed.length === 0 ? { ...nothingFound, goesOn: true } : nothingFound;
  const near = meaning?.passages ?? [];
  const ids =
    looked === null
      ? [...propose(question, terms, statistics), ...near.map(({ id }) => id)]
      : passageIds(db, looked.files);
  const rows = passageRows(db, [...new Set(ids)]).filter(({ path }) => isBelow(folder, path));
  const candidates = scoreAll(rows, question, terms, overall.tokens, read);
  const nearParts: PartsNear = meaning?.parts(ids) ?? new Map();
  const around = { near: asked.near ?? [], last: asked.last ?? [], passages: near, parts: nearParts };
  const rankedIn = (file: string) =>
    fuse(
      candidates.filter(({ path }) => path === file),
      around,
      question,
    );
  // Files that are to be changed are ranked each for itself: one that fits the words less has its place too.
  if (looked?.whole === true) return { passages: toChange(looked.files, looked.files.map(rankedIn), read), weak: '' };
  const listings = looked === null ? await listingsFor(text, question, ground, signal) : [];
  const ranked = fuse(candidates, around, question);
  // A file that the question names has its best passage in front.
  const first = [...named.flatMap((path) => rankedIn(path).slice(0, 1)), ...ranked].slice(0, most);
  const passages = distinct(first.map((one) => shown(one, ranked, read, asked.around ?? 0)));
  if (looked !== null) return { passages, weak: '' };
  return {
    passages: [...listings, ...(listings.length === 0 ? passages : passages.slice(0, besideAnswer))],
    several: listings.length > 0 || question.several,
    weak: listings.length > 0 ? '' : weakness(question, terms, passages.length > 0, near, overall.passages),
  };
}

/** Files that the question names by their whole path and that the index leaves out, as what an ignore file names though it is kept: as they begin. */
function unlistedFiles({ paths }: Question, files: readonly string[], read: Read): readonly Passage[] {
  return paths.flatMap((named) => {
    const path = posix.normalize(named).replace(/^\.?\//, '');
    if (files.includes(path) || !path.includes('/') || path.startsWith('../') || refusePath(path) !== null) return [];
    const lines = read(path);
    if (lines === null || lines.length === 0) return [];
    const stretches = stretchesOf(lines.slice(0, mostUnlisted).map((line, at) => [1 + at, line]));
    return wholeFile(path, lines) ?? { kind: 'file' as const, path, why: 'named in the message', stretches };
  });
}

/** Lines of a file that the index leaves out. */
const mostUnlisted = 80;

/** Folders that the question names. */
async function listingsFor(
  text: string,
  question: Question,
  { roots, overall: { folders } }: FindGround,
  signal: Signal,
): Promise<readonly Passage[]> {
  const listings: Passage[] = [];
  for (const named of namedFolders(text, question, folders)) {
    const listed = await listFolder(roots, named, signal);
    if (listed !== null) listings.push(listed);
  }
  return listings;
}

/** With its share of the best score, and so many lines around it. */
function shown(one: Ranked, [best]: readonly Ranked[], read: Read, around: number): Passage {
  const passage = { ...excerpt(one, whyOf(one)), score: one.score / (best?.score ?? 1) };
  return widened(passage, read(passage.path) ?? [], around);
}

/** Returns files that are to be changed: a short one whole, and each other one with its best part before any has a second one. */
function toChange(files: readonly string[], ranked: readonly (readonly Ranked[])[], read: Read): readonly Passage[] {
  const whole = files.flatMap((path) => wholeFile(path, read(path) ?? []) ?? []);
  const parts = ranked.flatMap((own) => own.map((part, turn) => ({ part, turn })));
  const inTurn = parts.toSorted((one, two) => one.turn - two.turn).map(({ part }) => part);
  const others = inTurn.filter(({ candidate: { path } }) => !whole.some((one) => one.path === path)).slice(0, most);
  return distinct([...whole, ...others.map((one) => excerpt(one, whyOf(one)))]);
}

/** Without those that show what another one shows. */
function distinct(passages: readonly Passage[]): readonly Passage[] {
  const seen = new Set<string>();
  return passages.filter((passage) => {
    const text = passage.stretches.map(({ lines }) => lines.join('\n')).join('\n');
    return seen.has(text) ? false : seen.add(text).size > 0;
  });
}

function isBelow(folder: string, path: string): boolean {
  return folder === '' || folder === '.' || path.startsWith(`${folder.replace(/\/$/, '')}/`);
}

type Read = (path: string) => readonly string[] | null;

/** Lines of files as the index sees them, each read once; null where there is no such file. */
export function reader({ roots, buffers }: FindGround): Read {
  const read = new Map<string, readonly string[] | null>();
  return (path) => {
    const known = read.get(path);
    if (known !== undefined) return known;
    const place = locate(roots, path);
    const file = staysInside(roots, place) ? readText(place, buffers, roots) : null;
    const lines = file === null || 'refused' in file ? null : linesOf(path, file.text);
    read.set(path, lines);
    return lines;
  };
}

function whyOf({ candidate, meant }: Ranked): string {
  const { declares, matched } = candidate;
  const names = [...new Set(declares.map(({ name }) => name))].slice(0, 2);
  if (names.length > 0) return `declares ${names.join(', ')}`;
  if (meant > 0.8 || matched.length === 0) return 'close in meaning';
  return `matches ${matched.slice(0, 3).join(', ')}`;
}

// Whether what was found may not be what was asked for: much of the question is nowhere in the folder, and nothing stands out by meaning.

/** How many passages behind the nearest one the others are taken to begin. */
const othersLookedAt = 10;
/** A word that is asked for in pieces is there where such a share of them is: the others may be of what stands beside it. */
const leastShare = 1 / 3;

/** Words for the user and the model; empty where what was found holds. `any`: something was found, in so many passages in all. */
function weakness(
  { names }: Question,
  terms: readonly Weighed[],
  any: boolean,
  byMeaning: readonly Near[],
  passages: number,
): string {
  const [nearest] = byMeaning;
  const other = byMeaning[Math.min(othersLookedAt, byMeaning.length - 1)];
  if (nearest !== undefined && other !== undefined && nearest.cosine - other.cosine >= weights.standsOut) return '';
  const own = terms.filter((term) => term.own);
  const pieces = Map.groupBy(own, ({ written }) => written);
  const missing = [...pieces.values()].filter((all) => shareOf(all) < leastShare).flat();
  if (missing.length === 0) return any ? '' : 'no indexed file matches';
  // A name written as code says what is meant, whatever words stand around it.
  const coded = [...names.values()].filter(({ sure, written }) => sure && pieces.has(written));
  if (any && coded.length > 0 && coded.every(({ written }) => missing.every((one) => one.written !== written)))
    return '';
  if (any && worthOf(missing, passages) < weights.missing * worthOf(own, passages)) return '';
  return `no indexed file has ${[...new Set(missing.map(({ written }) => `"${written}"`))].join(', ')}`;
}

/** How many of them stand somewhere. */
function shareOf(terms: readonly Weighed[]): number {
  return terms.filter(({ frequency }) => frequency > 0).length / terms.length;
}

function worthOf(terms: readonly Weighed[], passages: number): number {
  return terms.reduce((sum, { weight, frequency }) => sum + weight * rarity(frequency, passages), 0);
}

// Cuts out what is shown of a ranked part: its whole passage where that is short, else its own lines and the one that declares them.
function excerpt({ candidate, part }: Ranked, why: string): Passage {
  const { path, from, to, lines, outline } = candidate;
  const shown = sizeOf(lines) <= weights.whole ? { from, to } : part;
  const declared = outline.findLast(({ line, to: end }) => line >= from && line < shown.from && end >= shown.from);
  const above = declared === undefined ? [] : [declared.line];
  const numbered = [...above, ...numbers(shown.from, shown.to)].map(
    (number) => [number, lines[number - from] ?? ''] as const,
  );
  const kept = withoutBlankEnds(numbered);
  const isKept = new Set(kept.map(([number]) => number));
  const near = Array.from({ length: shown.to - shown.from + 5 }, (_, at) => shown.from - 2 + at);
  const blanks = near.filter((number) => !isKept.has(number) && lines[number - from]?.trim() === '');
  const below = candidate.declares.filter(({ line }) => isKept.has(line));
  const named = below.slice(0, 2).map(({ name, line }) => ({ name, line }));
  return {
    ...{ kind: 'file', path, why, blanks, stretches: stretchesOf(kept) },
    ...(named.length > 0 && { declares: named }),
  };
}

/** Lines of a passage with those around it. */
const mostLines = 90;

/** With so many lines above and below: in one stretch, where that is not too long. `lines`: those of its file. */
function widened(passage: Passage, lines: readonly string[], around: number): Passage {
  if (around === 0 || lines.length === 0) return passage;
  const to = Math.min(lines.length, lastLine(passage) + around);
  const near = passage.stretches.at(-1) ?? passage.stretches[0];
  const whole = Math.max(1, firstLine(passage) - around);
  const from = to - whole < mostLines ? whole : Math.max(1, near.from - around);
  const numbered = numbers(from, Math.min(to, from + mostLines - 1)).map((at) => [at, lines[at - 1] ?? ''] as const);
  const above = passage.stretches.filter((one) => one.from + one.lines.length <= from);
  const declared = above.flatMap((one) => one.lines.map((line, at) => [one.from + at, line] as const));
  return { ...passage, stretches: stretchesOf([...declared, ...withoutBlankEnds(numbered)]) };
}

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

function withoutBlankEnds(lines: readonly (readonly [number, string])[]): readonly (readonly [number, string])[] {
  const first = lines.findIndex(([, text]) => text.trim() !== '');
  const last = lines.findLastIndex(([, text]) => text.trim() !== '');
  return first < 0 ? lines : lines.slice(first, last + 1);
}

// Merges two rankings of the parts of passages, by words and by meaning. Which of them leads depends on what the question names.

interface Ranked {
  readonly candidate: Candidate;
  /** The lines of the candidate that the score is about. */
  readonly part: Part;
  readonly score: number;
  /** How near the part is among those that are near, from 0 to 1; 0 without vectors. */
  readonly meant: number;
}

/** Everything but the words that adds to a score. */
interface Around {
  readonly passages: readonly Near[];
  readonly parts: PartsNear;
  /** Paths of files that are open or were changed lately. */
  readonly near: readonly string[];
  /** Paths of files that the turn before was about. */
  readonly last: readonly string[];
}

/** A candidate with what it is cut into. */
interface Parted {
  readonly candidate: Candidate;
  readonly parts: readonly Part[];
}

function fuse(candidates: readonly Candidate[], around: Around, question: Question): readonly Ranked[] {
  const { near, last } = around;
  const best = Math.max(...candidates.map(({ lexical }) => lexical), 1e-6);
  const parted = candidates.map((candidate) => ({ candidate, parts: partsOf(candidate.lines, candidate.from) }));
  const meaning = meaningOf(parted, around);
  const named = names(candidates, question);
  const share = around.passages.length === 0 ? 0 : named ? weights.shareNamed : weights.shareUnnamed;
  const scored = parted.flatMap(({ candidate, parts }) => {
    const { path, lexical } = candidate;
    const prior = priorOf(path, question);
    const place = (near.includes(path) ? weights.open : 1) * (last.includes(path) ? weights.last : 1);
    const words = wordsOf(candidate, parts);
    return parts.map((part, at) => {
      const meant = meaning(candidate, at);
      const byWords = (lexical / best) * (1 - weights.partWords + weights.partWords * (words[at] ?? 0));
      return { candidate, part, meant, score: place * ((1 - share) * byWords + share * meant * prior) };
    });
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.candidate.id - b.candidate.id || a.part.from - b.part.from)
    .filter(({ score }, _, all) => score >= (named ? weights.leastNamed : weights.least) * (all[0]?.score ?? 0));
}

/** Returns, part by part, how much of the question its lines contain, as a share of the part that contains the most. */
function wordsOf({ lineScores, from }: Candidate, parts: readonly Part[]): readonly number[] {
  const sums = parts.map((part) =>
    lineScores.slice(part.from - from, part.to - from + 1).reduce((sum, score) => sum + score, 0),
  );
  const most = Math.max(...sums, 1e-6);
  return sums.map((sum) => sum / most);
}

/** How near a part is, from its own vector and the one of its passage: 0 for the farthest of those that are looked at. */
function meaningOf(parted: readonly Parted[], { passages, parts: ofParts }: Around) {
  const near = new Map(passages.map(({ id, cosine }) => [id, cosine]));
  const nearness = scaled([...near.values()]);
  const cosineOf = ({ id }: Candidate, at: number) => ofParts.get(id)?.[at] ?? near.get(id) ?? 0;
  const cosines = parted.flatMap(({ candidate, parts }) => parts.map((_, at) => cosineOf(candidate, at)));
  const partNearness = scaled(cosines.toSorted((a, b) => b - a).slice(0, weights.partsNear));
  return (candidate: Candidate, at: number): number =>
    weights.partMeant * partNearness(cosineOf(candidate, at)) +
    (1 - weights.partMeant) * nearness(near.get(candidate.id) ?? 0);
}

/** From 0 at the smallest of some cosines to 1 at the largest. */
function scaled(cosines: readonly number[]): (cosine: number) => number {
  const top = Math.max(...cosines, 1e-6);
  const floor = Math.min(...cosines, top);
  return (cosine) => (Math.max(0, cosine - floor) / Math.max(top - floor, 1e-6)) ** weights.sharpness;
}

/** Whether the question names something that the folder declares. */
function names(candidates: readonly Candidate[], { names: asked }: Question): boolean {
  return candidates.some(({ declares }) => declares.some(({ name }) => asked.get(wordOf(name).whole)?.sure === true));
}

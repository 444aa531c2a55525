// Finding: the passages of the folder that a message is about, the most useful first.
import type { DatabaseSync } from 'node:sqlite';
import type { Signal } from '../core/dialog/tool.ts';
import { type Found, nothingFound, type Passage } from '../core/prompt/found.ts';
import type { Root } from '../tools/files/paths.ts';
import { linesOf } from './cut/cut.ts';
import type { Files } from './db/files.ts';
import { excerpt, widened } from './rank/excerpt.ts';
import { fuse, type Ranked } from './rank/fuse.ts';
import { foldersOf, listFolder, namedFolders } from './rank/listing.ts';
import { wholeFile } from './rank/named.ts';
import { type FindMessage, lookedAt } from './rank/pointed.ts';
import { passageIds, passageRows, propose, weighWords } from './rank/propose.ts';
import { type Question, readQuestion } from './rank/question.ts';
import { scoreAll } from './rank/score.ts';
import { countPassages, Statistics } from './rank/statistics.ts';
import type { Near, PartsNear } from './rank/vectors.ts';
import { weakness } from './rank/weak.ts';
import { locate, staysInside } from './text/folders.ts';
import { type Buffers, readText } from './text/read.ts';

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
  const looked = message ? lookedAt(question, terms, message, { db, statistics, read, files: overall.files }) : null;
  if (looked === 'nowhere') return nothingFound;
  const near = meaning?.passages ?? [];
  const ids =
    looked === null
      ? [...propose(question, terms, statistics), ...near.map(({ id }) => id)]
      : passageIds(db, looked.files);
  const rows = passageRows(db, [...new Set(ids)]).filter(({ path }) => isBelow(folder, path));
  const candidates = scoreAll(rows, question, terms, overall.tokens, read);
  const nearParts: PartsNear = meaning?.parts(ids) ?? new Map();
  const around = { near: asked.near ?? [], last: asked.last ?? [], passages: near, parts: nearParts };
  // Files that are to be changed are ranked each for itself: one that fits the words less has its place too.
  if (looked?.whole === true) {
    const own = looked.files.map((file) =>
      fuse(
        candidates.filter(({ path }) => path === file),
        around,
        question,
      ),
    );
    return { passages: toChange(looked.files, own, read), weak: '' };
  }
  const listings = looked === null ? await listingsFor(text, question, ground, signal) : [];
  const ranked = fuse(candidates, around, question);
  const passages = distinct(ranked.slice(0, most).map((one) => shown(one, ranked, read, asked.around ?? 0)));
  if (looked !== null) return { passages, weak: '' };
  return {
    passages: [...listings, ...(listings.length === 0 ? passages : passages.slice(0, besideAnswer))],
    several: listings.length > 0 || question.several,
    weak: listings.length > 0 ? '' : weakness(terms, passages.length > 0, near, overall.passages),
  };
}

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

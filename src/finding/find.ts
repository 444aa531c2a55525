// Finding: the passages of the folder that a message is about, the most useful first.
import type { DatabaseSync } from 'node:sqlite';
import type { Signal } from '../core/dialog/tool.ts';
import type { Found, Passage } from '../core/prompt/found.ts';
import type { Root } from '../tools/files/paths.ts';
import { linesOf } from './cut/cut.ts';
import type { Files } from './db/files.ts';
import { factsFor } from './facts/facts.ts';
import { excerpt } from './rank/excerpt.ts';
import { fuse, type Ranked } from './rank/fuse.ts';
import { foldersOf, listFolder, namedFolders } from './rank/listing.ts';
import { namedFiles, wholeFile } from './rank/named.ts';
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
  readonly onlyNamed?: boolean;
  readonly near?: readonly string[];
  readonly last?: readonly string[];
  /** Null without an embedding model. */
  readonly meaning: Meaning | null;
}

/** How near passages are to the question by their vectors. */
export interface Meaning {
  /** The nearest first. */
  readonly passages: readonly Near[];
  /** Of the parts of some passages. */
  readonly parts: (passages: readonly number[]) => PartsNear;
}

export interface FindGround {
  readonly db: DatabaseSync;
  readonly roots: readonly Root[];
  readonly buffers: Buffers;
  readonly overall: Overall;
}

/** What is known of all passages and files. */
export interface Overall {
  readonly passages: number;
  /** Distinct tokens that a passage has in the mean. */
  readonly tokens: number;
  /** Paths of files, and the folders that hold them. */
  readonly files: readonly string[];
  readonly folders: ReadonlySet<string>;
  /** By token: the passages that hold it, as far as that was asked. */
  readonly frequencies: Map<string, number>;
}

export function overallOf(db: DatabaseSync, files: Files): Overall {
  const paths = files.all().map(({ path }) => path);
  return { ...countPassages(db), files: paths, folders: foldersOf(paths), frequencies: new Map() };
}

/** Passages handed on: more than fit, so that exact counts decide. */
const most = 90;
/** Where a folder is listed, or a manifest says it, that is the answer. */
const besideAnswer = 3;

export async function find(asked: FindRequest, ground: FindGround, signal: Signal): Promise<Found> {
  const question = readQuestion(asked.text);
  const statistics = new Statistics(ground.db, ground.overall.passages, ground.overall.frequencies);
  const read = reader(ground);
  const named = asked.onlyNamed === true ? namedFiles(question, ground.overall.files) : [];
  const facts = named.length > 0 ? null : factsOf(asked, question, statistics, ground, read);
  const listings: Passage[] = [];
  for (const folder of namedFolders(asked.text, question, ground.overall.folders)) {
    const listed = facts === null || folder !== '.' ? await listFolder(ground.roots, folder, signal) : null;
    if (listed !== null) listings.push(listed);
  }
  const terms = weighWords(question, statistics);
  const near = asked.meaning?.passages ?? [];
  const ids =
    named.length > 0
      ? passageIds(ground.db, named)
      : [...new Set([...propose(question, terms, statistics), ...near.map(({ id }) => id)])];
  const rows = passageRows(ground.db, ids).filter(({ path }) => isBelow(asked.folder ?? '', path));
  const candidates = scoreAll(rows, question, terms, ground.overall.tokens, read);
  const { near: open = [], last = [] } = asked;
  const nearParts: PartsNear = asked.meaning?.parts(ids) ?? new Map();
  const ranked = fuse(candidates, { near: open, last, passages: near, parts: nearParts }, question);
  const whole = named.flatMap((path) => wholeFile(path, read(path) ?? []) ?? []);
  const parts = ranked.filter(({ candidate: { path } }) => !whole.some((one) => one.path === path));
  const passages = [...whole, ...parts.slice(0, most).map((one) => excerpt(one, whyOf(one)))];
  const seen = new Set<string>();
  const distinct = passages.filter((passage) => {
    const text = passage.stretches.map(({ lines }) => lines.join('\n')).join('\n');
    return seen.has(text) ? false : seen.add(text).size > 0;
  });
  const answers = [...(facts?.passages ?? []), ...listings];
  const others = distinct.filter(({ path }) => facts?.passages.some((one) => one.path === path) !== true);
  const besides = answers.length === 0 ? distinct : others.slice(0, besideAnswer);
  const weak = () => facts?.weak ?? weakness(terms, passages.length > 0, near, ground.overall.passages);
  return { passages: [...answers, ...besides], weak: listings.length > 0 ? '' : weak() };
}

function factsOf(
  { text, folder = '', near = [] }: FindRequest,
  question: Question,
  statistics: Statistics,
  { db, overall: { files } }: FindGround,
  read: Read,
) {
  const declaring = (name: string) => passageRows(db, statistics.idsThatDeclare(name)).map(({ path }) => path);
  return factsFor(text, question, { folder, near }, { files, read, declaring });
}

function isBelow(folder: string, path: string): boolean {
  return folder === '' || folder === '.' || path.startsWith(`${folder.replace(/\/$/, '')}/`);
}

type Read = (path: string) => readonly string[] | null;

function reader({ roots, buffers }: FindGround): Read {
  const read = new Map<string, readonly string[] | null>();
  return (path) => {
    const known = read.get(path);
    if (known !== undefined) return known;
    const place = locate(roots, path);
    const file = staysInside(roots, place) ? readText(place, buffers, roots) : null;
    const lines = file === null || 'refused' in file ? null : linesOf(file.text);
    read.set(path, lines);
    return lines;
  };
}

function whyOf({ candidate, meant }: Ranked): string {
  const { declares, matched } = candidate;
  if (declares.length > 0) return `declares ${declares.slice(0, 2).join(', ')}`;
  if (meant > 0.8 || matched.length === 0) return 'close in meaning';
  return `matches ${matched.slice(0, 3).join(', ')}`;
}

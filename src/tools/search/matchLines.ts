// Matching lines of the whole workspace: the disk through ripgrep, and the unsaved buffers in their place.

import { readFile } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import type { Signal } from '../../core/dialog/tool.ts';
import { decoded } from '../files/encoding.ts';
import { isNotebook } from '../files/notebook.ts';
import { findRoots, isInside, ownerOf, type Root, showPath, unsavedByReal } from '../files/paths.ts';
import type { Workspace } from '../files/workspace.ts';
import { listing } from './listing.ts';
import { type Pattern, patternArgs, patternRegExp } from './pattern.ts';
import { type RipgrepRun, runRipgrep } from './ripgrep.ts';

/** A line of a file. `line` counts from 1; a very long `text` is cut around the match. */
export interface CodeLine {
  readonly path: string;
  readonly shown: string;
  readonly line: number;
  readonly text: string;
}

/** `end` is `enough` when there were more matches than are collected. */
export interface MatchedLines {
  readonly lines: readonly CodeLine[];
  readonly end: RipgrepRun['end'];
  readonly error?: string;
}

/** The most lines that one search collects. */
export const matchLimit = 5000;

const fileLimit = '2M';
const textLimit = 600;
/** Characters of a line that are shown at most, so the match must be among them. */
const seenCharacters = 160;
const outputLimit = 32 * 1024 * 1024;

/** Collects the lines that match, at most 5000 of them. Never rejects. */
export async function matchLines(workspace: Workspace, pattern: Pattern, signal: Signal): Promise<MatchedLines> {
  const roots = await findRoots(workspace);
  const folders = outermost(roots);
  if (folders.length === 0) return { lines: [], end: 'done' };
  const buffers = await unsavedByReal(workspace);
  const regExp = patternRegExp(pattern);
  const collector = createCollector(roots, regExp, new Set(buffers.keys()));
  const run = await runRipgrep({
    args: ['--json', `--max-filesize=${fileLimit}`, ...patternArgs(pattern), '--', ...folders],
    separator: '\n',
    onPiece: collector.take,
    signal,
  });
  for (const [path, text] of await searchable(roots, folders, buffers, signal)) collector.search(path, text);
  for (const path of collector.notebooks) {
    const cells = await readFile(path).then(decoded, () => null);
    if (cells !== null) collector.search(path, cells.text);
  }
  const end = collector.full() && run.end === 'done' ? 'enough' : run.end;
  return { lines: collector.lines(), end, ...(run.error === undefined ? {} : { error: run.error }) };
}

interface Collector {
  /** Notebooks with a match in their JSON; the lines that a reader knows are those of their cells. */
  readonly notebooks: ReadonlySet<string>;
  readonly take: (piece: string) => boolean;
  readonly search: (path: string, text: string) => void;
  readonly lines: () => readonly CodeLine[];
  readonly full: () => boolean;
}

function createCollector(roots: readonly Root[], regExp: RegExp, skipped: ReadonlySet<string>): Collector {
  const found = new Map<string, CodeLine[]>();
  const notebooks = new Set<string>();
  let total = 0;
  let size = 0;
  const add = (path: string, line: number, text: string): void => {
    if (total >= matchLimit) return;
    total += 1;
    const lines = found.get(path) ?? [];
    lines.push({ path, shown: showPath(roots, path), line, text: aroundMatch(text, regExp) });
    found.set(path, lines);
  };
  return {
    notebooks,
    take: (piece) => {
      size += piece.length;
      const event = readEvent(piece);
      if (event?.kind === 'match' && isNotebook(event.path)) {
        if (!skipped.has(event.path)) notebooks.add(event.path);
      } else if (event?.kind === 'match' && !skipped.has(event.path)) add(event.path, event.line, event.text);
      // Ripgrep prints the lines before it meets a NUL byte, which shows that the file is not text.
      if (event?.kind === 'binary') {
        total -= found.get(event.path)?.length ?? 0;
        found.delete(event.path);
      }
      return total < matchLimit && size < outputLimit;
    },
    search: (path, text) => {
      for (const [index, line] of text.split(/\r?\n/).entries()) if (regExp.test(line)) add(path, index + 1, line);
    },
    lines: () => [...found.values()].flat(),
    full: () => total >= matchLimit || size >= outputLimit,
  };
}

type Event = { kind: 'match'; path: string; line: number; text: string } | { kind: 'binary'; path: string };

/** Text in ripgrep's output, or its bytes in base64 where they are not UTF-8. */
interface Encoded {
  readonly text?: string;
  readonly bytes?: string;
}

interface Message {
  readonly type: string;
  readonly data: {
    readonly path?: Encoded;
    readonly lines?: Encoded;
    readonly line_number?: number;
    readonly binary_offset?: number | null;
  };
}

function readEvent(piece: string): Event | undefined {
  const { type, data } = JSON.parse(piece) as Message;
  const path = decode(data.path);
  if (type === 'match') return { kind: 'match', path, line: data.line_number ?? 1, text: decode(data.lines) };
  return type === 'end' && typeof data.binary_offset === 'number' ? { kind: 'binary', path } : undefined;
}

function decode(encoded: Encoded | undefined): string {
  return encoded?.text ?? Buffer.from(encoded?.bytes ?? '', 'base64').toString('utf8');
}

function aroundMatch(text: string, regExp: RegExp): string {
  const line = text.replace(/\r?\n$/, '');
  if (line.length <= seenCharacters) return line;
  const index = regExp.exec(line)?.index ?? 0;
  const start = index < seenCharacters / 2 ? 0 : index - 40;
  return (start === 0 ? '' : '…') + line.slice(start, start + textLimit).toWellFormed();
}

/** Folders without those that lie in another one, by real path. */
function outermost(roots: readonly Root[]): string[] {
  const reals = [...new Set(roots.map((root) => root.real))];
  return reals.filter((real) => !reals.some((other) => other !== real && isInside(other, real)));
}

/** The buffers that a search of the disk would see: inside the workspace, not hidden, not ignored. */
async function searchable(
  roots: readonly Root[],
  folders: readonly string[],
  buffers: ReadonlyMap<string, string>,
  signal: Signal,
): Promise<[string, string][]> {
  const inside = [...buffers].filter(([path]) => {
    const root = ownerOf(roots, path);
    return (
      root !== undefined &&
      !path
        .slice(root.real.length)
        .split(sep)
        .some((part) => part.startsWith('.'))
    );
  });
  if (inside.length === 0) return [];
  const seen = new Set<string>();
  const names = inside.map(([path]) => basename(path));
  const onFile = (path: string): boolean => seen.add(path).size > 0;
  await listing({ folders, hidden: false, names, onFile, signal });
  return inside.filter(([path]) => seen.has(path));
}

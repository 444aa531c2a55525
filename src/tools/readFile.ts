// The tool read_file: a file of the workspace, or a range of its lines, with what it declares.

import { basename, dirname, extname } from 'node:path';
import type { LookingTool, MayShow, Signal, ToolResult } from '../core/dialog/tool.ts';
import { withoutSecrets } from '../secrets/lines.ts';
import { type Arguments, readOptionalLine, textArgument } from './argument.ts';
import { hashOfPlace } from './files/hash.ts';
import { findRoots, type PathRefusal, type Place, resolvePath, showPath } from './files/paths.ts';
import { accept, cutEnd, refuse, shortPath, systemReason } from './files/result.ts';
import type { Workspace } from './files/workspace.ts';
import { cutMark, type LineRange, placeRange } from './lineRange.ts';
import { linesBefore } from './linesBefore.ts';
import { definedName } from './search/definition.ts';
import { listing } from './search/listing.ts';

const defaultLines = 200;
const mostCharacters = 24_000;
/** Kept free for the line of declarations. */
const declaresLimit = 400;

/** A tool that reads at most 24,000 characters a call, and 200 lines where no last line is given. */
export function createReadFile(workspace: Workspace): LookingTool {
  return {
    schema: {
      name: 'read_file',
      description: 'Read a file of the workspace, or a range of its lines.',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Path of the file' },
          startLine: { type: 'integer', description: 'First line' },
          endLine: { type: 'integer', description: 'Last line' },
        },
        required: ['path'],
      },
    },
    effect: 'read',
    touches: async ({ path }) => {
      const found = typeof path === 'string' ? await resolvePath(workspace, path) : null;
      return found?.ok === true ? [found.place.real] : null;
    },
    async run(args, signal, mayShow) {
      const path = textArgument(args, 'path', 'src/index.ts');
      if (!path.ok) return path.refusal;
      const found = await resolvePath(workspace, path.value);
      if (!found.ok) return refuseWithNearNames(workspace, path.value, found, signal);
      try {
        return await read(found.place, args, signal, mayShow);
      } catch (error) {
        return refuse(`${shortPath(found.place.shown)} could not be read: ${systemReason(error)}`);
      }
    },
  };
}

async function read(place: Place, args: Arguments, signal: Signal, mayShow?: MayShow): Promise<ToolResult> {
  const shown = shortPath(place.shown);
  const start = readOptionalLine(args, 'startLine');
  if (!start.ok) return start.refusal;
  const end = readOptionalLine(args, 'endLine');
  if (!end.ok) return end.refusal;
  const first = start.value ?? 1;
  const last = end.value ?? first + defaultLines - 1;
  if (last < first) return refuse(`The argument "endLine" (${last}) is before "startLine" (${first}).`);
  if (place.kind === 'folder') return refuse(`${shown} is a folder; list it with list_files.`);
  if (place.kind === 'other') return refuse(`${shown} is not a regular file, so it cannot be read.`);
  // Before its lines: a version that was replaced meanwhile vouches for nothing that the model has not seen.
  const hash = await hashOfPlace(place);
  const options = { first, last, most: mostCharacters - declaresLimit, signal };
  const read = await placeRange(place, options);
  const before = await linesBefore(place, first, signal);
  const range = read === null ? null : { ...read, lines: await shownLines(place, read.lines, before, mayShow) };
  if (range === null) return refuse(`${shown} is a binary file, so it cannot be read as text.`);
  const result = report(place, first, range);
  if (hash === null || !result.ok) return result;
  const whole = first === 1 && range.counted && range.lines.length === range.total && !range.lines.some(isCut);
  return { ...result, seen: [{ file: place.real, hash, whole }] };
}

/** Lines that hold a secret are shown where the user says so. */
async function shownLines(
  { real, shown }: Place,
  lines: readonly string[],
  before: readonly string[],
  mayShow?: MayShow,
): Promise<readonly string[]> {
  const hidden = withoutSecrets(lines, real, before);
  if (hidden.kinds.length === 0 || mayShow === undefined) return hidden.lines;
  const because = `${shown} holds ${hidden.kinds.join(', ')}`;
  return (await mayShow({ about: real, because, lines })) ? lines : hidden.lines;
}

const isCut = (line: string) => line.endsWith(cutMark);

function report(place: Place, first: number, range: LineRange): ToolResult {
  const shown = shortPath(place.shown);
  if (range.aborted) return refuse(`Reading ${shown} was stopped.`);
  if (range.total === 0) return accept(`${shown} is empty (0 lines).`);
  const total = range.counted ? String(range.total) : `more than ${range.total}`;
  if (range.lines.length === 0) return refuse(`${shown} has ${total} lines; line ${first} is past its end.`);
  const numbered = range.lines.map((text, index) => `${first + index}: ${text}`);
  const head = `${shown} (lines ${first}-${first + range.lines.length - 1} of ${total})`;
  return accept(head, [cutEnd(declares(range.lines, first, place.shown), declaresLimit - 1), ...numbered]);
}

async function refuseWithNearNames(
  workspace: Workspace,
  given: string,
  refusal: PathRefusal,
  signal: Signal,
): Promise<ToolResult> {
  if (refusal.reason !== 'missing' || workspace.folders.length === 0) return refuse(refusal.head);
  const names = await nearNames(workspace, given, signal);
  const advice =
    names.length === 0 ? 'Find it with list_files or search_code.' : `Near names: ${names.map(shortPath).join(', ')}.`;
  return refuse(`${refusal.head} ${advice}`);
}

// The declarations at the top level of a range of lines, as the line that sums up a read.

interface Declaration {
  readonly name: string;
  readonly line: number;
  readonly rank: number;
}

const mostShown = 5;
const callablePattern = /\b(?:function|class|def|fn|func|fun|sub|proc)\b|\(/;
const typePattern = /\b(?:interface|type|enum|struct|trait|union|record|protocol|namespace|mod|module)\b/;
const exportedPattern =
  /^(?:export|pub|public|module\.exports|exports\.)\b|^(?:func|type|var|const)\s+(?:\([^)]*\)\s*)?\p{Lu}/u;

/** `Declares: parseDuration (line 12), Duration (line 3)`: at most 5, exported and callable ones first. */
export function declares(lines: readonly string[], firstLine: number, path: string): string {
  const found = new Map<string, Declaration>();
  for (const [index, text] of lines.entries()) {
    const name = /^\s/.test(text) ? undefined : definedName(text, path);
    if (name !== undefined && !found.has(name)) found.set(name, { name, line: firstLine + index, rank: rankOf(text) });
  }
  if (found.size === 0) return 'Declares: nothing at the top level';
  const best = [...found.values()].sort((a, b) => a.rank - b.rank || a.line - b.line).slice(0, mostShown);
  return `Declares: ${best.map(({ name, line }) => `${name} (line ${line})`).join(', ')}`;
}

function rankOf(text: string): number {
  const kind = typePattern.test(text.slice(0, 60)) ? 1 : callablePattern.test(text) ? 0 : 2;
  return (exportedPattern.test(text) ? 0 : 3) + kind;
}

// Near names: files of the workspace that a wrong path may have meant.
const mostFiles = 50_000;
const offered = 3;

/** Up to 3 files, as the model sees them, whose names are like the last part of `given`, nearest first. */
async function nearNames(workspace: Workspace, given: string, signal: Signal): Promise<readonly string[]> {
  const asked = given.trim().replaceAll('\\', '/').toLowerCase();
  const wanted = basename(asked);
  const folder = `/${dirname(asked)}`;
  const roots = await findRoots(workspace);
  const near: { shown: string; distance: number }[] = [];
  let left = mostFiles;
  const onFile = (path: string): boolean => {
    const distance = distanceOf(basename(path).toLowerCase(), wanted);
    if (distance !== undefined) {
      const shown = showPath(roots, path);
      const isBeside = `/${dirname(shown.toLowerCase())}`.endsWith(folder);
      near.push({ shown, distance: isBeside ? distance - 0.6 : distance });
    }
    left -= 1;
    return left > 0;
  };
  await listing({ folders: [...new Set(roots.map((root) => root.real))], hidden: true, onFile, signal });
  near.sort((a, b) => a.distance - b.distance || (a.shown < b.shown ? -1 : 1));
  return [...new Set(near.map((file) => file.shown))].slice(0, offered);
}

/** How far a file name is from the wanted one; undefined when it is not near. */
function distanceOf(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0;
  const stem = name.slice(0, name.length - extname(name).length);
  const wantedStem = wanted.slice(0, wanted.length - extname(wanted).length);
  if (wantedStem === '') return undefined;
  if (stem === wantedStem) return 0.5;
  const edits = countEdits(stem, wantedStem);
  if (edits <= Math.max(1, Math.floor(wantedStem.length / 3))) return edits;
  const longer = Math.max(stem.length, wantedStem.length);
  const contained =
    Math.min(stem.length, wantedStem.length) > 2 && (stem.includes(wantedStem) || wantedStem.includes(stem));
  return contained ? longer : undefined;
}

/** The Levenshtein distance, of names up to 100 characters. */
function countEdits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 33 || a.length > 100) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

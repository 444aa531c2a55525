// Files and folders of the workspace as texts beside a message, and their names. Never a place outside of it.

import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mention, MentionText } from '../app/ports/mention.ts';
import { countOf } from '../core/count.ts';
import type { Signal, ToolResult } from '../core/dialog/tool.ts';
import { leftOut } from '../core/prompt/leftOut.ts';
import { textWithoutSecrets } from '../secrets/lines.ts';
import { findRoots, type Place, resolvePath, showPath, unsavedByReal } from '../tools/files/paths.ts';
import { accept, refuse, shortPath } from '../tools/files/result.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import { type LineRange, placeRange } from '../tools/lineRange.ts';
import { linesBefore } from '../tools/linesBefore.ts';
import { listing } from '../tools/search/listing.ts';

/** UTF-16 units. */
const fileLimit = 1_000_000;
/** UTF-16 units of a file that goes beside a message: no window takes more of it. */
const startLimit = 300_000;
const tailLines = 400;
const beginningsLimit = 12_000;
const mostListed = 200;
const mostNames = 20_000;
const linesOfBeginning = 8;
const keptMilliseconds = 5000;

type Named = Pick<Mention, 'name' | 'lines'>;

/** The lines of a file that are meant, as far as they are read. */
export async function fileText(workspace: Workspace, named: Named, signal: Signal): Promise<ToolResult> {
  const found = await fileRange(workspace, named, fileLimit, signal);
  return 'head' in found ? found : titled(found, found.first + found.range.lines.length - 1, found.range.lines);
}

/** Reads a file as it goes beside a message: of a large one the beginning and the end, with the numbers of the first and the last line. */
export async function attachedFile(workspace: Workspace, named: Named, signal: Signal): Promise<MentionText> {
  const found = await fileRange(workspace, named, startLimit, signal);
  if ('head' in found) return found;
  const { place, first, range } = found;
  const of = { path: place.real, before: await linesBefore(place, first, signal) };
  const end = first + range.lines.length - 1;
  const last = Math.min(named.lines?.last ?? range.total, range.total);
  if (end >= last || !range.counted)
    return { ...titled(found, end, range.lines), span: { first, last: end, behind: null }, of };
  const from = Math.max(end + 1, last - tailLines + 1);
  const tail = (await placeRange(place, { first: from, last, most: fileLimit, signal }))?.lines ?? [];
  const gap = from > end + 1 ? [leftOut(`lines ${end + 1} to ${from - 1}`)] : [];
  const behind = gap.length === 0 ? null : tail.length;
  return { ...titled(found, last, [...range.lines, ...gap, ...tail]), span: { first, last, behind }, of };
}

interface FileRange {
  readonly place: Place;
  readonly first: number;
  readonly range: LineRange;
}

/** Words where there is no such file, no text in it, or no such line. */
async function fileRange(
  workspace: Workspace,
  { name, lines }: Named,
  left: number,
  signal: Signal,
): Promise<FileRange | ToolResult> {
  const found = await resolvePath(workspace, name);
  if (!found.ok) return refuse(found.head);
  const { place } = found;
  const shown = shortPath(place.shown);
  if (place.kind === 'folder') return refuse(`${shown} is a folder: write @folder: in front of it.`);
  if (place.kind === 'other') return refuse(`${shown} is not a regular file.`);
  const { first, last } = lines ?? { first: 1, last: Number.MAX_SAFE_INTEGER };
  if (first < 1 || last < first)
    return refuse(`Lines ${first}-${last} are not a valid range. Lines count from 1, and the first one comes first.`);
  const range = await placeRange(place, { first, last, most: left, signal });
  if (range === null) return refuse(`${shown} is a binary file.`);
  if (range.total === 0) return accept(`${shown} is empty (0 lines)`);
  if (range.lines.length === 0)
    return refuse(`${shown} has ${countOf(range.total, 'line', 'lines')}; line ${first} is past its end.`);
  return { place, first, range };
}

function titled({ place, first, range }: FileRange, last: number, lines: readonly string[]): ToolResult {
  const whole = first === 1 && last === range.total;
  const part = whole ? countOf(range.total, 'line', 'lines') : `lines ${first}-${last} of ${range.total}`;
  const unsaved = place.unsaved === undefined ? '' : ', not saved yet';
  return accept(`${shortPath(place.shown)} (${part}${unsaved})`, lines);
}

/** The files below a folder, and how the first of them begin. */
export async function folderText(workspace: Workspace, name: string, signal: Signal): Promise<ToolResult> {
  const found = await resolvePath(workspace, name);
  if (!found.ok) return refuse(found.head);
  const { kind, real } = found.place;
  const shown = shortPath(found.place.shown);
  if (kind !== 'folder') return refuse(`${shown} is a file: write @file: in front of it.`);
  const files: string[] = [];
  const onFile = (path: string) => files.push(path) < mostNames;
  const run = await listing({ folders: [join(real, sep)], hidden: true, onFile, signal });
  if (run.end === 'failed') return refuse(`${shown} could not be listed: ${run.error ?? 'ripgrep gave no reason'}`);
  if (files.length === 0) return refuse(`${shown} has no files, or only ignored ones.`);
  const below = { name: '', path: real, real };
  const listed = files.sort().slice(0, mostListed);
  const first = files.length > mostListed ? `, the first ${mostListed}` : '';
  const head = `${shown}/ (${countOf(files.length, 'file', 'files')}${first}, and how they begin)`;
  const names = listed.map((path) => showPath([below], path));
  return accept(head, [...names, ...(await beginnings(workspace, listed, names, signal))]);
}

async function beginnings(
  workspace: Workspace,
  files: readonly string[],
  names: readonly string[],
  signal: Signal,
): Promise<readonly string[]> {
  const buffers = await unsavedByReal(workspace);
  const texts: string[] = [];
  let left = beginningsLimit;
  for (const [i, path] of files.entries()) {
    if (left <= 0 || signal.aborted) break;
    const unsaved = buffers.get(path);
    // A file that cannot be read is in the list still.
    const options = { first: 1, last: linesOfBeginning, most: fileLimit, signal };
    const range = await placeRange({ real: path, unsaved }, options).catch(() => null);
    const text = textWithoutSecrets(range?.lines.join('\n') ?? '', path).trim();
    if (text !== '') texts.push(`\n${names[i]} begins:\n${text}`);
    left -= text.length;
  }
  return texts;
}

interface Names {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The workspace's files by their names, those that are open first. */
export class FileNames {
  private readonly workspace: Workspace;
  private readonly open: () => readonly string[];
  private known: { readonly until: number; readonly names: Promise<Names> } | null = null;

  constructor(workspace: Workspace, open: () => readonly string[]) {
    this.workspace = workspace;
    this.open = open;
  }

  async files(): Promise<readonly string[]> {
    const roots = await findRoots(this.workspace);
    const open = this.open().filter((path) => showPath(roots, path) !== path);
    return [...new Set([...open.map((path) => showPath(roots, path)), ...(await this.list()).files])];
  }

  /** Lists the folders that have files in them. */
  async folders(): Promise<readonly string[]> {
    return (await this.list()).folders;
  }

  /** While the user types a name the list is the same for some seconds: 20,000 names take a tenth of a second to make. */
  private list(): Promise<Names> {
    const now = Date.now();
    if (this.known !== null && now < this.known.until) return this.known.names;
    const names = namesIn(this.workspace);
    this.known = { until: now + keptMilliseconds, names };
    return names;
  }
}

async function namesIn(workspace: Workspace): Promise<Names> {
  const found: string[] = [];
  const onFile = (path: string) => found.push(path) < mostNames;
  const folders = workspace.folders.map(({ path }) => join(path, sep));
  const { signal } = new AbortController();
  if (folders.length > 0) await listing({ folders, onFile, signal });
  const roots = await findRoots(workspace);
  const files = [...new Set(found.sort().map((path) => showPath(roots, path)))];
  const holding = new Set<string>();
  for (const file of files) {
    // The parents of a folder that is known are known too.
    for (
      let end = file.lastIndexOf('/');
      end > 0 && !holding.has(file.slice(0, end));
      end = file.lastIndexOf('/', end - 1)
    )
      holding.add(file.slice(0, end));
  }
  return { files, folders: [...holding].sort() };
}

/** Returns the file or folder that a path or URI names in the workspace; null outside of it. */
export async function mentionAt(workspace: Workspace, given: string): Promise<Pick<Mention, 'kind' | 'name'> | null> {
  const path = pathOf(given);
  const found = path === null ? null : await resolvePath(workspace, path);
  if (found === null || !found.ok || found.place.kind === 'other') return null;
  return { kind: found.place.kind, name: found.place.shown };
}

/** Returns the path of a URI, also of a remote window's: what stands at the path is looked at anyway. */
function pathOf(given: string): string | null {
  if (!/^[a-z][\w+.-]+:\/\//i.test(given)) return given;
  try {
    return fileURLToPath(`file://${new URL(given).pathname}`);
  } catch {
    return null;
  }
}

/** The texts of a folder's files with this ending, by name without it; of two with one name the first folder's. Rejects where it cannot be read. */
export async function filesIn(workspace: Workspace, folder: string, ending: string, signal: Signal) {
  const found = new Map<string, { readonly name: string; readonly text: string }>();
  for (const { path } of workspace.folders) {
    const at = await resolvePath(workspace, join(path, folder));
    if (!at.ok || at.place.kind !== 'folder') continue;
    const names = (await readdir(at.place.real)).filter((name) => name.endsWith(ending));
    for (const file of names.sort().slice(0, mostListed)) {
      const read = await fileText(workspace, { name: join(at.place.real, file), lines: null }, signal);
      const name = file.slice(0, -ending.length);
      if (read.ok && !found.has(name)) found.set(name, { name, text: textWithoutSecrets(read.body, file) });
    }
  }
  return [...found.values()];
}

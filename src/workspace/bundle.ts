// Makes the workspace bundle: instructions, the README and the main entities, cut to the tokens they may take.

import { createHash } from 'node:crypto';
import type { Signal } from '../core/dialog/tool.ts';
import { type Bundle, type BundlePart, emptyBundle, type MappedFile } from '../core/prompt/bundle.ts';
import type { TokenCounter } from '../core/prompt/counter.ts';
import { textWithoutSecrets } from '../secrets/lines.ts';
import { headLine } from '../tools/files/result.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import { findFiles, matchesFiles } from './bundleFiles.ts';
import { mainEntities, overviewText } from './entities.ts';
import { type FileStart, readStart } from './fileStart.ts';
import { isSource } from './sourceFiles.ts';

export { defaultFiles, headFiles } from './bundleFiles.ts';

/** The parts of a bundle, and the tokens that they may take. */
export interface BundleRequest {
  /** Relative paths, and `dir/*.md` for every such file of a folder. */
  readonly files: readonly string[];
  /** Whether the main entities of the code come last, where there is no map. */
  readonly overview: boolean;
  /** The map of the folder, which then comes last, in so many tokens; null without an index. */
  readonly map: { readonly files: readonly MappedFile[]; readonly maxTokens: number } | null;
  readonly maxTokens: number;
  readonly fileMaxTokens: number;
}

/** The share of the whole that a single file may take, so that a long README leaves space for instructions. */
export const fileShare = 0.6;

/** Tokens of the map of the folder, unless a setting says otherwise. */
export const defaultMapTokens = 300;

type Entities = Awaited<ReturnType<typeof mainEntities>>;
type Count = (text: string) => Promise<number>;

interface Source extends FileStart {
  readonly shown: string;
}

const bytesRead = 256 * 1024;

/** Rejects only when it is aborted. `raw` of a file over 256 kB counts what was read of it. */
export async function createBundle(
  workspace: Workspace,
  request: BundleRequest,
  counter: TokenCounter,
  signal: Signal,
): Promise<Bundle> {
  const parts: BundlePart[] = [];
  let exact = true;
  let left = request.maxTokens;
  const count: Count = async (text) => {
    stopIfAborted(signal);
    const counts = await counter.count([text]);
    exact &&= counts.exact;
    return counts.tokens[0] ?? 0;
  };
  const add = (part: BundlePart): void => {
    parts.push(part);
    left -= part.injected;
  };
  const mostNow = (): number => Math.min(left, request.fileMaxTokens);
  const sources = await readSources(workspace, request.files, signal);
  for (const source of sources) add(await filePart(source, mostNow(), count));
  const map = request.map?.files ?? [];
  if (request.map !== null && map.length > 0)
    add(await mapPart(map, Math.min(mostNow(), request.map.maxTokens), count));
  const entities = request.overview && map.length === 0 ? await mainEntities(workspace, signal) : [];
  if (entities.length > 0) add(await overviewPart(entities, mostNow(), count));
  stopIfAborted(signal);
  if (parts.length === 0) return emptyBundle;
  const texts = sources.map(({ shown, text }) => [shown, text]);
  return { parts, key: keyOf(request, texts, entities), files: hashOf(texts), exact };
}

/** Whether a change of the file, by its absolute path, may change the bundle. */
export function mayChangeBundle(
  workspace: Workspace,
  request: Pick<BundleRequest, 'files' | 'overview'>,
  path: string,
): boolean {
  if (matchesFiles(workspace, request.files, path)) return true;
  return request.overview && workspace.folders.some((folder) => isSource(folder.path, path));
}

/** The files with something in them, none twice, whether by name or by text. */
async function readSources(workspace: Workspace, files: readonly string[], signal: Signal): Promise<readonly Source[]> {
  const reals = new Set<string>();
  const texts = new Map<string, Source>();
  for (const place of await findFiles(workspace, files)) {
    stopIfAborted(signal);
    if (reals.has(place.real)) continue;
    reals.add(place.real);
    const start = await readStart(place, bytesRead);
    const read = start?.text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd() ?? '';
    const text = textWithoutSecrets(read, place.real);
    if (start === undefined || text === '' || texts.has(text)) continue;
    texts.set(text, { shown: headLine(place.shown), text, whole: start.whole });
  }
  return [...texts.values()];
}

async function filePart({ shown, text: all, whole }: Source, limit: number, count: Count): Promise<BundlePart> {
  const text = /\.(?:md|markdown)$/i.test(shown) ? readableMarkdown(all) : all;
  const lines = text.split('\n');
  const render = (kept: number): string => {
    if (kept === lines.length && whole) return `# ${shown}\n${text}`;
    const start = lines.slice(0, kept).join('\n').trimEnd();
    const total = lines.length;
    const cut = whole ? `${total - start.split('\n').length} of ${total}` : `the rest of more than ${total}`;
    return `# ${shown}\n${start}\n[cut: ${cut} lines]`;
  };
  const raw = await count(all);
  const rate = raw > limit ? raw / all.length : 0;
  const fitted = await fitStart({ total: lines.length, render, limit, rate, count });
  return { name: shown, text: fitted.text, raw, injected: fitted.tokens };
}

async function overviewPart(entities: Entities, limit: number, count: Count): Promise<BundlePart> {
  const render = (kept: number): string => `# overview\n${overviewText(entities.slice(0, kept))}`;
  const raw = await count(overviewText(entities));
  const fitted = await fitStart({ total: entities.length, render, limit, count });
  return { name: 'overview', text: fitted.text, raw, injected: fitted.tokens };
}

async function mapPart(files: readonly MappedFile[], limit: number, count: Count): Promise<BundlePart> {
  const lines = files.map(({ path, names }) => `${headLine(path)}: ${names.join(', ')}`);
  const render = (kept: number): string => ['# map', 'Most used declarations:', ...lines.slice(0, kept)].join('\n');
  const raw = await count(render(lines.length));
  const fitted = await fitStart({ total: lines.length, render, limit, rate: raw / render(lines.length).length, count });
  return { name: 'map', text: fitted.text, raw, injected: fitted.tokens };
}

/**
 * Returns a key of the texts as they were there, not as they were cut: an estimate may cut elsewhere than an exact count, and no file
 * changed. What the map says is left out: nearly every change of the code would make the texts out of date, and the map is near enough.
 */
function keyOf(
  { maxTokens, fileMaxTokens, map }: BundleRequest,
  texts: readonly (readonly string[])[],
  entities: Entities,
): string {
  return hashOf([maxTokens, fileMaxTokens, texts, overviewText(entities), map?.maxTokens ?? 0]);
}

function hashOf(content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}

function stopIfAborted(signal: Signal): void {
  if (signal.aborted) throw new Error('Making the bundle was stopped');
}

// The longest start of something that fits into a number of tokens, found in a few counts.

interface FittedText {
  readonly text: string;
  readonly tokens: number;
}

interface Fitting {
  /** Lines, or entries, there are in all. */
  readonly total: number;
  /** The text with the first `kept` of them. */
  readonly render: (kept: number) => string;
  /** Tokens the text may have. */
  readonly limit: number;
  /** About how many tokens a character has, where that is known before. */
  readonly rate?: number;
  readonly count: (text: string) => Promise<number>;
}

const tries = 6;
/** From here on the text is no longer even, so that an estimate by its length does not come near. */
const halvedFrom = 3;
const margin = 0.97;

/** An empty text of no tokens where not even the first one fits. */
export async function fitStart({ total, render, limit, rate = 0, count }: Fitting): Promise<FittedText> {
  let kept = limit <= 0 ? 0 : longest(total, render, rate === 0 ? Number.POSITIVE_INFINITY : (limit / rate) * margin);
  for (let tried = 0; tried < tries && kept > 0; tried++) {
    const text = render(kept);
    const tokens = await count(text);
    if (tokens <= limit) return { text, tokens };
    const most = tried < halvedFrom ? kept - 1 : Math.floor(kept / 2);
    kept = longest(most, render, text.length * (limit / tokens) * margin);
  }
  return { text: '', tokens: 0 };
}

/** How many can be kept, at most `most`, for a text of no more than `length` characters. */
function longest(most: number, render: (kept: number) => string, length: number): number {
  if (length === Number.POSITIVE_INFINITY) return most;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (render(middle).length <= length) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Markdown as a model needs it: without what is there for the eye. Pictures, badges, tags of HTML, comments and lists of contents go; words
// and code stay. Every pattern is bounded: a folder's README is not ours.
const fence = /^\s*(`{3,}|~{3,})/;
/** A picture, also as a link: badges are such. */
const target = String.raw`(?:\([^)\n]{0,500}\)|\[[^\]\n]{0,200}\])`;
const image = String.raw`!\[[^\]\n]{0,200}\]${target}`;
const picture = new RegExp(String.raw`\[${image}\]${target}|${image}`, 'g');
/** Names that Markdown files write. A tag counts where it has an attribute, stands alone in HTML, or is closed somewhere. */
const names =
  'a|abbr|article|audio|b|blockquote|br|center|code|dd|details|div|dl|dt|em|figure|font|footer|h[1-6]|header|hr|i|img|kbd|li|nav|ol|p|picture|section|small|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video';
const attributed = new RegExp(String.raw`(?<![\w$])<(?:${names})\s[^<>\n]{0,500}=[^<>\n]{0,1000}>`, 'g');
const lone = /<(?:br|hr)\s?\/?>/g;
const opening = new RegExp(String.raw`(?<![\w$])<(${names})>`, 'g');
const closing = new RegExp(String.raw`<\/(${names})>`, 'g');
/** An entry of a list of contents. */
const entry = /^\s*(?:[-*+]|\d+[.)])\s+\[[^\]\n]{0,200}\]\(#[^)\n]{0,200}\)\s*$/;
const contents = /^\s{0,3}(?:#{1,6}\s+|\*\*)?(?:table of contents|contents|toc)(?:\*\*|:)?\s*$/i;
/** A line that defines where a reference link leads. */
const reference =
  /^\s{0,3}\[(?!\^)[^\]\n]{1,200}\]:\s+<?(?:https?:\/\/|[./#]|[\w-]{1,100}[/.]\w)\S{0,1000}(?:\s+"[^"\n]{0,200}")?\s*$/;
/** Lines that a comment may go over. */
const longestComment = 200;

export function readableMarkdown(text: string): string {
  const lines = text.split('\n');
  const closed = new Set(lines.flatMap((line) => [...line.matchAll(closing)].map(([, name = '']) => name)));
  const kept: string[] = [];
  let open = '';
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const mark = fence.exec(line)?.[1] ?? '';
    const end = open === '' && mark === '' ? commentEnd(lines, i) : i;
    if (end > i) i = end;
    else if (mark !== '' || open !== '') {
      if (mark !== '') open = open === '' ? mark : mark.startsWith(open) ? '' : open;
      kept.push(line);
    } else if (!entry.test(line) && !reference.test(line)) kept.push(...readableLine(line, closed));
  }
  return withoutEmptyContents(kept)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The last line of a comment that begins with this line and goes over several; the line itself where none does. */
function commentEnd(lines: readonly string[], at: number): number {
  const line = lines[at] ?? '';
  if (!line.trimStart().startsWith('<!--') || line.includes('-->')) return at;
  const behind = lines
    .slice(at + 1, at + longestComment)
    .findIndex((other) => other.includes('-->') || fence.test(other));
  const end = at + 1 + behind;
  return behind >= 0 && (lines[end] ?? '').trimEnd().endsWith('-->') ? end : at;
}

/** Nothing where nothing to read was in it but pictures and tags. Code within it, and code that stands further in, stays. */
function readableLine(line: string, closed: ReadonlySet<string>): readonly string[] {
  if (/^(?: {4}|\t)/.test(line)) return [line];
  const pair = (tag: string, name: string) => (closed.has(name) ? '' : tag);
  const plain = (part: string) =>
    part
      .replace(/<!--[^\n]{0,2000}?-->/g, '')
      .replace(picture, '')
      .replace(attributed, '')
      .replace(lone, '')
      .replace(opening, pair)
      .replace(closing, '');
  const kept = line
    .split(/(`+[^`\n]{1,1000}`+)/)
    .map((part) => (part.startsWith('`') ? part : plain(part)))
    .join('');
  if (kept === line) return [line];
  const margin = line.slice(0, line.length - line.trimStart().length);
  return /[\p{L}\p{N}]/u.test(kept) ? [margin + kept.trim()] : [];
}

function withoutEmptyContents(lines: readonly string[]): readonly string[] {
  return lines.filter((line, i) => {
    if (!contents.test(line)) return true;
    const next = lines.slice(i + 1).find((other) => other.trim() !== '');
    return next !== undefined && !/^\s{0,3}#/.test(next);
  });
}

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
import { fitStart } from './fitStart.ts';
import { readableMarkdown } from './readableMarkdown.ts';
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
  return parts.length === 0 ? emptyBundle : { parts, key: keyOf(request, sources, entities), exact };
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
  sources: readonly Source[],
  entities: Entities,
): string {
  const texts = sources.map(({ shown, text }) => [shown, text]);
  const content = JSON.stringify([maxTokens, fileMaxTokens, texts, overviewText(entities), map?.maxTokens ?? 0]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

function stopIfAborted(signal: Signal): void {
  if (signal.aborted) throw new Error('Making the bundle was stopped');
}

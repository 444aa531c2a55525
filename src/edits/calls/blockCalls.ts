// The code blocks of an answer as calls: what a model writes that does not call tools, and what small models write better than calls.
import type { BatchedCall } from '../../core/dialog/tool.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { fitCode } from '../blocks/fitCode.ts';
import { changedText } from '../blocks/placeChange.ts';
import { notOpen } from '../blocks/places.ts';
import { type AnswerEdit, blockEdits } from '../blocks/readBlocks.ts';
import type { EditableFiles } from '../files/editable.ts';
import { filePlace } from '../files/filePlace.ts';
import { blockCall } from './arguments.ts';

export interface FilePorts {
  readonly workspace: Workspace;
  readonly files: EditableFiles;
}

/**
 * `file`: the one that the message changes; null where there are several, or none. A block that names no file, and that nothing of `among`
 * declares, is for it where it is the answer's only one; else it is no call: it may be an example. One that names a file without a place for its
 * code means the only one of `among` that has one: a note of ours names the likeliest file, and models copy it. Never rejects.
 */
export async function blockCalls(
  answer: string,
  among: readonly string[],
  newId: () => string,
  ports: FilePorts,
  file: string | null = null,
): Promise<readonly BatchedCall[]> {
  const calls: BatchedCall[] = [];
  const quoted: BatchedCall[] = [];
  const edits = blockEdits(answer);
  for (const { path, ...edit } of edits) {
    const call = (at: string, given: object = edit) => ({
      id: newId(),
      name: blockCall,
      arguments: { path: at, ...given },
    });
    if (path === null) {
      const home = await homeOf(edit, among, ports);
      if (home !== null) (home.isThere ? quoted : calls).push(call(home.path));
      else if (file !== null && edits.length === 1) calls.push(call(file));
      continue;
    }
    const meant = await meantBy(path, among, ports);
    const [at = path, another] = meant;
    const words = `Several files of the message are called ${path}: ${meant.join(', ')}.`;
    const home = another === undefined ? await homeElsewhere(at, edit, among, ports) : null;
    calls.push(another === undefined ? call(home?.path ?? at) : call(at, { is: 'unreadable', words }));
  }
  // Code that stands there already is quoted, beside other code.
  return calls.length > 0 ? calls : quoted;
}

/** The only other file in which code has its place, where the one that it names has none. */
async function homeElsewhere(
  path: string,
  edit: Omit<AnswerEdit, 'path'>,
  among: readonly string[],
  ports: FilePorts,
): Promise<BlockHome | null> {
  const named = await filePlace(ports.workspace, path);
  if (!named.ok || named.place.is === 'absent' || (await homeOf(edit, [path], ports)) !== null) return null;
  const home = await homeOf(edit, among, ports);
  return home?.isThere === false ? home : null;
}

/** Files of the message that a path means which leads to none by itself: models leave out folders. */
export async function meantBy(
  path: string,
  among: readonly string[],
  { workspace }: Pick<FilePorts, 'workspace'>,
): Promise<readonly string[]> {
  const found = await filePlace(workspace, path);
  if (!found.ok || found.place.is === 'file') return [];
  const places = await Promise.all(among.map((one) => filePlace(workspace, one)));
  const shown = places.flatMap((one) => (one.ok && one.place.is === 'file' ? [one.place.shown] : []));
  return [...new Set(shown)].filter((one) => one.endsWith(`/${path}`));
}

interface BlockHome {
  readonly path: string;
  /** The file has this code already. */
  readonly isThere: boolean;
}

/** The only one of the files in which code has one place: one that it would change, or else one that has it. Null where there is none, or several. */
export async function homeOf(
  edit: Omit<AnswerEdit, 'path'> & { readonly code?: string },
  among: readonly string[],
  { workspace, files }: FilePorts,
): Promise<BlockHome | null> {
  const { is, code } = edit;
  // A single line may be an example of how something is used.
  if (is !== 'code' || code === undefined || code.trim().split('\n').length < 2) return null;
  const found = new Map<string, BlockHome>();
  for (const path of among) {
    const place = await filePlace(workspace, path);
    if (!place.ok || place.place.is === 'absent' || found.has(place.place.real)) continue;
    const read = await files.read(place.place.real);
    if (read.is !== 'text') continue;
    const fit = fitCode(read.text, code, place.place.shown, notOpen);
    if (fit.is !== 'change' || fit.doubt !== '') continue;
    found.set(place.place.real, { path: place.place.shown, isThere: changedText(read.text, fit.change) === read.text });
  }
  const homes = [...found.values()];
  const changed = homes.filter(({ isThere }) => !isThere);
  const [only, another] = changed.length > 0 ? changed : homes;
  return only !== undefined && another === undefined ? only : null;
}

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

/** A block that names no file, and that nothing of `among` declares, is no call: it may be an example. Never rejects. */
export async function blockCalls(
  answer: string,
  among: readonly string[],
  newId: () => string,
  ports: FilePorts,
): Promise<readonly BatchedCall[]> {
  const calls: BatchedCall[] = [];
  for (const { path, ...edit } of blockEdits(answer)) {
    if (path === null) {
      const home = await homeOf(edit, among, ports);
      // Code that stands there already is quoted.
      if (home?.isThere === false)
        calls.push({ id: newId(), name: blockCall, arguments: { path: home.path, ...edit } });
      continue;
    }
    const meant = await meantBy(path, among, ports);
    const [at = path, another] = meant;
    const words = `Several files of the message are called ${path}: ${meant.join(', ')}.`;
    const given = another === undefined ? edit : { is: 'unreadable', words };
    calls.push({ id: newId(), name: blockCall, arguments: { path: at, ...given } });
  }
  return calls;
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

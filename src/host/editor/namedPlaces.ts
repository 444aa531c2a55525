// Whether the places that an answer names are there: small models make up paths and lines that look right.
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type Place, resolvePath } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';

/**
 * `places`: each as `path:line`. `shown`: files that the conversation was shown, as it shows them; a place may name one without its folders.
 * Gives the file of each place, null where there is none, or it has fewer lines, and '' where nothing
 * may be looked at. Never rejects.
 */
export async function namedPlaces(
  workspace: Workspace,
  places: readonly string[],
  shown: readonly string[],
): Promise<readonly (string | null)[]> {
  const lines = new Map<string, Promise<number>>();
  const linesOf = (place: Place) => {
    const known = lines.get(place.real) ?? linesIn(place);
    lines.set(place.real, known);
    return known;
  };
  return Promise.all(
    places.map(async (named) => {
      const [, path = named, line = '1'] = /^(.+):(\d+)$/.exec(named) ?? [];
      if (!vscode.workspace.isTrusted || workspace.folders.length === 0) return '';
      for (const one of [path, ...withFolders(path, shown)]) {
        const found = await resolvePath(workspace, one);
        if (
          found.ok &&
          found.place.kind === 'file' &&
          Number(line) >= 1 &&
          Number(line) <= (await linesOf(found.place))
        )
          return one;
      }
      return null;
    }),
  );
}

/** Models leave out folders: the one file that was shown and ends so is meant. */
function withFolders(path: string, shown: readonly string[]): readonly string[] {
  const ending = shown.filter((one) => one.endsWith(`/${path}`));
  return ending.length === 1 ? ending : [];
}

/** Counts a last line without an end as well; a file that cannot be read has as many as anybody says. */
async function linesIn({ real, unsaved }: Place): Promise<number> {
  const text = unsaved ?? (await readFile(real, 'utf8').catch(() => null));
  return text === null ? Number.POSITIVE_INFINITY : text.split(/\r\n|\n|\r/).length;
}

// Names that the code of a folder declares, by a part of them: for the list behind an `@`, also where the editor has no language service.
import type { DatabaseSync } from 'node:sqlite';
import { readOutline } from './db/outlineText.ts';
import { fileKindOf } from './text/accept.ts';

export interface FoundSymbol {
  readonly name: string;
  readonly path: string;
}

/** Each name once, those that begin with what was typed first. Nothing was typed: nothing is found. */
export function symbolsNamed(db: DatabaseSync, typed: string, most: number): readonly FoundSymbol[] {
  const part = typed.toLowerCase();
  if (part === '') return [];
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  const files = db
    .prepare("select path, outline from files where stage = 2 and outline like ? escape '\\' order by path")
    .all(pattern) as unknown as readonly { readonly path: string; readonly outline: string }[];
  const found = new Map<string, FoundSymbol>();
  // A heading of a document is no symbol.
  for (const { path, outline } of files.filter(
    ({ path: file }) => !['docs', 'data', 'history'].includes(fileKindOf(file)),
  ))
    for (const { name } of readOutline(outline))
      if (name.toLowerCase().includes(part) && !found.has(name)) found.set(name, { name, path });
  const begins = ({ name }: FoundSymbol) => (name.toLowerCase().startsWith(part) ? 0 : 1);
  return [...found.values()].toSorted((a, b) => begins(a) - begins(b) || a.name.length - b.name.length).slice(0, most);
}

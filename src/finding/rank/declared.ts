// Places that declare a name as it is written.
import type { DatabaseSync } from 'node:sqlite';
import type { FileLines } from '../../core/dialog/filesNamed.ts';
import { readOutline } from '../db/outlineText.ts';
import { wordOf } from '../text/words.ts';
import { passageRows } from './propose.ts';
import type { Statistics } from './statistics.ts';

/** A declaration, and the line with its name. */
interface Declaration extends FileLines {
  readonly line: number;
}

/** A name in more passages is none in particular. */
const mostPassages = 12;

export function declaredIn(db: DatabaseSync, statistics: Statistics, name: string): readonly Declaration[] {
  const ids = statistics.idsThatDeclare(wordOf(name).whole);
  if (ids.length === 0 || ids.length > mostPassages) return [];
  return passageRows(db, ids).flatMap(({ path, start, end, outline }) =>
    readOutline(outline)
      .filter((one) => one.name === name && one.line >= start && one.line <= end)
      .map(({ from, to, line }) => ({ path, from, to, line })),
  );
}

// Finds where names are declared: the line that says it, for names that one place of the folder declares.
import type { DeclaringLine } from '../core/prompt/declaring.ts';
import { type FindGround, reader } from './find.ts';
import { declaredIn } from './rank/declared.ts';
import { Statistics } from './rank/statistics.ts';
import { fileKindOf } from './text/accept.ts';

export interface DeclaringRequest {
  readonly names: readonly string[];
  /** The file that uses them: what it declares itself is left out. */
  readonly path: string;
  readonly most: number;
}

/** In the order of the names. A name that several places declare is none in particular. */
export function declaringLines({ names, path, most }: DeclaringRequest, ground: FindGround): readonly DeclaringLine[] {
  const statistics = new Statistics(ground.db, ground.overall.passages, ground.overall.frequencies);
  const read = reader(ground);
  const found: DeclaringLine[] = [];
  for (const name of names) {
    if (found.length >= most) break;
    const [place, ...others] = declaredIn(ground.db, statistics, name).filter((one) => fileKindOf(one.path) === 'code');
    if (place === undefined || others.length > 0 || place.path === path) continue;
    const text = read(place.path)?.[place.line - 1];
    if (text !== undefined) found.push({ path: place.path, line: place.line, text });
  }
  return found;
}

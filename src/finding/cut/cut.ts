// Cuts one file: by its grammar where one ships, by the look of its lines elsewhere.
import type { Cut } from '../text/passage.ts';
import type { Grammars } from './grammars.ts';
import { languageOf } from './languages.ts';
import { type Outline, outlineOf } from './outline.ts';
import { passagesOf } from './passages.ts';
import { plainOutline } from './plainOutline.ts';

/** Characters; a larger file takes a parser too long. */
const mostParsed = 600_000;

export async function cutFile(path: string, text: string, grammars: Grammars, now: () => number): Promise<Cut> {
  const language = text.length > mostParsed ? undefined : languageOf(path);
  const parser = language === undefined ? null : await grammars(language);
  const outline = language === undefined || parser === null ? undefined : outlineOf(text, parser, language, now);
  return outline === undefined ? cutPlain(path, text) : cutBy(text, outline);
}

/** Without any grammar: what is fast, and serves until the grammars have been through. */
export function cutPlain(path: string, text: string): Cut {
  return cutBy(text, { declarations: plainOutline(linesOf(text), path), imports: [] });
}

function cutBy(text: string, { declarations, imports }: Outline): Cut {
  return { passages: passagesOf(linesOf(text), declarations), declarations, imports };
}

/** The lines of a text; the end of the last one begins no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

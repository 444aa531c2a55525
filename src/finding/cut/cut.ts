// Cuts one file: by its grammar where one ships, by the look of its lines elsewhere.
import { cellsIn, isNotebook } from '../../tools/files/notebook.ts';
import { cutMark, longestLine } from '../../tools/lineRange.ts';
import { isProse } from '../../tools/search/definition.ts';
import type { Cut } from '../text/passage.ts';
import type { Grammars } from './grammars.ts';
import { languageOf } from './languages.ts';
import { type Outline, outlineOf } from './outline.ts';
import { passagesOf } from './passages.ts';
import { plainOutline } from './plainOutline.ts';

/** Characters; a larger file takes a parser too long. */
const mostParsed = 600_000;

/** Characters of a line that a writer of prose ends with a paragraph. */
const longestParagraph = 4000;

export async function cutFile(path: string, text: string, grammars: Grammars, now: () => number): Promise<Cut> {
  const language = text.length > mostParsed ? undefined : languageOf(path);
  const parser = language === undefined ? null : await grammars(language);
  const outline = language === undefined || parser === null ? undefined : outlineOf(text, parser, language, now);
  return outline === undefined ? cutPlain(path, text) : cutBy(path, text, outline);
}

/** Without any grammar: what is fast, and serves until the grammars have been through. */
export function cutPlain(path: string, text: string): Cut {
  return cutBy(path, text, { declarations: plainOutline(linesOf(path, text), path), imports: [] });
}

function cutBy(path: string, text: string, { declarations, imports }: Outline): Cut {
  const lines = linesOf(path, text);
  const cells = isNotebook(path) ? cellsIn(lines) : [];
  return { passages: passagesOf(lines, declarations, cells), declarations, imports };
}

/** The lines of a text, each as far as it is shown; the end of the last one begins no further line. */
export function linesOf(path: string, text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const most = isProse(path) ? longestParagraph : longestLine;
  return lines.map((line) => (line.length > most ? line.slice(0, most).toWellFormed() + cutMark : line));
}

// A terminal's output as plain text: without colours, cursor moves and lines that were written over.
import { stripVTControlCharacters } from 'node:util';

/** At most so many UTF-16 units of its end, at a whole line. */
export function plainOutput(text: string, most: number): string {
  const plain = stripVTControlCharacters(text)
    .replace(/\r+\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .trim();
  if (plain.length <= most) return plain;
  const end = plain.slice(-most);
  return `[the beginning is left out]\n${end.slice(end.indexOf('\n') + 1)}`;
}

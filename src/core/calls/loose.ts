// Literals of a call syntax as patterns for what models really write: white space and ids may differ.
import { type CallSyntax, idMark, typeMark } from './syntax.ts';

/** Matches the literal with any white space where it has some and behind its tags, any id for an id, any number for a number. */
export function loose(literal: string): string {
  const parts = literal.trim().split(/(\s+|[\uE002\uE003]|\d+)/);
  // No two patterns for blanks may meet: many blanks would match them in too many ways.
  const pattern = parts.filter(Boolean).map((part) => {
    if (part === idMark) return '[^\\s"<>\\[\\]{},]*';
    if (part === typeMark) return '\\w+';
    if (/^\d+$/.test(part)) return '\\d+';
    return /^\s+$/.test(part) ? '\\s*' : quoted(part).replace(/>(?!$)/g, '>\\s*');
  });
  return pattern.join('');
}

export function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Whether a text between two calls is made of the syntax's own marks. */
export function isBetweenCalls(syntax: CallSyntax, gap: string): boolean {
  const literals = [...syntax.section, syntax.before, syntax.after, syntax.between];
  const marks = literals.flatMap((literal) => literal.match(/<[^>]*>|\[[A-Z_]+\]|[^\s{}[\],":<>\uE002]+/g) ?? []);
  const rest = marks.reduce((text, mark) => text.replaceAll(mark, ''), gap);
  return /^[\s,;[\]{}]*$/.test(rest);
}

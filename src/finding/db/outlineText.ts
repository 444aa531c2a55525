// The declarations of a file as one text: a line each, numbers as differences, which keeps them short.
import type { IndexedDeclaration } from '../text/passage.ts';

/** `name TAB from TAB line - from TAB to - from TAB container TAB holds`, the container by its number among them. */
export function outlineText(declarations: readonly IndexedDeclaration[]): string {
  const places = new Map(declarations.map(({ name }, at) => [name, at]));
  return declarations
    .map(({ name, line, from, to, container, holds }) => {
      const around = container === '' ? '' : String(places.get(container) ?? '');
      return [name.replace(/\s+/g, ' '), from, line - from || '', to - from || '', around, holds ? 1 : ''].join('\t');
    })
    .join('\n');
}

export function readOutline(text: string): readonly IndexedDeclaration[] {
  if (text === '') return [];
  const rows = text.split('\n').map((row) => row.split('\t'));
  return rows.map(([name = '', start, line, length, around = '', holds]) => {
    const from = Number(start);
    const container = around === '' ? '' : (rows[Number(around)]?.[0] ?? '');
    return { name, line: from + Number(line), from, to: from + Number(length), container, holds: holds === '1' };
  });
}

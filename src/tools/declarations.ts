// The declarations at the top level of a range of lines, as the line that sums up a read.

import { definedName } from './search/definition.ts';

export interface Declaration {
  readonly name: string;
  readonly line: number;
  readonly rank: number;
}

const mostShown = 5;
const callablePattern = /\b(?:function|class|def|fn|func|fun|sub|proc)\b|\(/;
const typePattern = /\b(?:interface|type|enum|struct|trait|union|record|protocol|namespace|mod|module)\b/;
const exportedPattern =
  /^(?:export|pub|public|module\.exports|exports\.)\b|^(?:func|type|var|const)\s+(?:\([^)]*\)\s*)?\p{Lu}/u;

/** `Declares: parseDuration (line 12), Duration (line 3)`: at most 5, exported and callable ones first. */
export function declares(lines: readonly string[], firstLine: number, path: string): string {
  const found = new Map<string, Declaration>();
  for (const [index, text] of lines.entries()) {
    const name = /^\s/.test(text) ? undefined : definedName(text, path);
    if (name !== undefined && !found.has(name)) found.set(name, { name, line: firstLine + index, rank: rankOf(text) });
  }
  if (found.size === 0) return 'Declares: nothing at the top level';
  const best = [...found.values()].sort((a, b) => a.rank - b.rank || a.line - b.line).slice(0, mostShown);
  return `Declares: ${best.map(({ name, line }) => `${name} (line ${line})`).join(', ')}`;
}

function rankOf(text: string): number {
  const kind = typePattern.test(text.slice(0, 60)) ? 1 : callablePattern.test(text) ? 0 : 2;
  return (exportedPattern.test(text) ? 0 : 3) + kind;
}

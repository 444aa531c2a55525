// Tells what the working tree has that the last commit has not: staged, not staged, and new files by name.
import { countOf } from '../../core/count.ts';
import type { ToolResult } from '../../core/dialog/tool.ts';
import { accept, refuse } from '../../tools/files/result.ts';
import { newFiles, repositories } from '../git/repositories.ts';

/** Names of new files at most. */
const mostNames = 50;

export async function changesText(): Promise<ToolResult> {
  const all = await repositories();
  if (all === null) return refuse('Git is not available. Enable the built-in Git extension.');
  if (all.length === 0) return refuse('No Git repository is open.');
  const diffs = await Promise.all(all.flatMap((one) => [one.diff(true), one.diff(false)]));
  const created = all.flatMap(newFiles);
  const text = diffs.filter((diff) => diff.trim() !== '').join('\n');
  if (text === '' && created.length === 0) return refuse('There are no changes since the last commit.');
  return accept(`Changes since the last commit (${changesInWords(text, created.length)})`, bodyOf(text, created));
}

function bodyOf(text: string, created: readonly string[]): readonly string[] {
  const names = created.slice(0, mostNames);
  const more = created.length > names.length ? [`and ${created.length - names.length} more`] : [];
  return [
    ...(names.length === 0 ? [] : [`New files: ${[...names, ...more].join(', ')}`]),
    ...(text === '' ? [] : [text]),
  ];
}

/** How many files differ and by how many lines, counted from the diff itself. */
export function changesInWords(diff: string, created: number): string {
  const lines = diff.split('\n');
  const files = lines.filter((line) => line.startsWith('diff --git ')).length;
  const count = (sign: string, head: string) =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(head)).length;
  return [
    ...(files === 0 ? [] : [`${countOf(files, 'file', 'files')}, +${count('+', '+++ ')} −${count('-', '--- ')} lines`]),
    ...(created === 0 ? [] : [countOf(created, 'new file', 'new files')]),
  ].join(', ');
}

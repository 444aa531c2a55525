// Shows what edits would change, as a diff in Markdown.
import { t } from '@vscode/l10n';
import { createTwoFilesPatch } from 'diff';
import type { StagedFile } from './stage.ts';

/** Lines of a diff that are shown at most, for each file. */
const most = 200;

export function previewOf(files: readonly StagedFile[]): string {
  const unsaved = files.filter(({ before }) => before?.unsaved === true);
  const notes = unsaved.map(({ shown }) =>
    t(
      '{0} has unsaved changes. The change applies to the text in the editor: what is shown as removed is removed there, and nothing is saved.',
      `\`${shown}\``,
    ),
  );
  return [...notes, ...files.map(diffOf)].join('\n\n');
}

function diffOf({ shown, before, after }: StagedFile): string {
  const [from, to] = [before === null ? '/dev/null' : shown, after === null ? '/dev/null' : shown];
  const patch = createTwoFilesPatch(from, to, before?.text ?? '', after ?? '', '', '', { context: 2 });
  const all = patch.split('\n').filter((line) => line !== '');
  const lines = all.slice(all.findIndex((line) => line.startsWith('--- ')));
  const shortened = lines.length > most ? [...lines.slice(0, most), `… and ${lines.length - most} more lines`] : lines;
  const fence = '`'.repeat(Math.max(3, ...[...patch.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}diff\n${shortened.join('\n')}\n${fence}`;
}

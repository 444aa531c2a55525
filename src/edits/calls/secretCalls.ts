// Edit calls in which marks stand for lines with secrets.
import { hunkWithSecrets, withSecretLines } from '../blocks/secretMarks.ts';
import { blockCall, type EditCall } from './arguments.ts';

export function unclearSecret(path: string): string {
  return `The text for ${path} has the mark of a line that was left out for its secret, and which line it stands for is not clear. Change the lines around it only.`;
}

type Edit = Exclude<EditCall, { name: 'rename_symbol' }>;

/** With the lines of the file in the place of the marks; null where it is not clear which. A block of code is fitted before. */
export function editWithSecrets(edit: Edit, base: string | null, path: string): Edit | null {
  if (edit.name === 'write_file') {
    const content = withSecretLines(edit.content, base, path);
    return content === null ? null : { ...edit, content };
  }
  if (edit.name === 'edit_file') {
    const pair = hunkWithSecrets(edit, base, path);
    return pair === null ? null : { ...edit, ...pair };
  }
  if (edit.name !== blockCall || edit.edit.is !== 'hunks') return edit;
  const hunks = edit.edit.hunks.map((hunk) => {
    const pair = hunkWithSecrets(hunk, base, path);
    return pair === null ? null : { ...hunk, ...pair };
  });
  return hunks.includes(null) ? null : { ...edit, edit: { ...edit.edit, hunks: hunks.filter((one) => one !== null) } };
}

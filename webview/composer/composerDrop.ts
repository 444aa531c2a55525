// Files dropped or pasted into the composer become mentions, as far as they are files of the workspace.
import { ask } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { replaceText } from './composerArea.ts';

/** The kinds of data by which a dragged file comes. */
const kinds = ['application/vnd.code.uri-list', 'text/uri-list'];

export function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer !== null && [...dataTransfer.types].some((type) => kinds.includes(type) || type === 'Files');
}

/** Inserts dropped files as mentions. Returns words for the user where that fails, and '' where it works. */
export async function dropFiles({ dataTransfer }: DragEvent, control: HTMLTextAreaElement): Promise<string> {
  const list = kinds.map((kind) => dataTransfer?.getData(kind) ?? '').find((data) => data !== '') ?? '';
  const places = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  if (places.length === 0) return t("Can't attach a file dropped from outside VS Code. Type @file: and its name.");
  const words = await ask('mention', { places: places.join('\n') });
  insert(control, words);
  const outside = places.filter((_, i) => words[i] === null);
  return outside.length === 0 ? '' : t('Not in this folder: {0}', outside.map(lastPart).join(', '));
}

/** Whether what is pasted is for us: files, or nothing but paths. */
export function pastesFiles({ clipboardData }: ClipboardEvent, control: HTMLTextAreaElement): boolean {
  const text = clipboardData?.getData('text/plain').trim() ?? '';
  if (text === '') return (clipboardData?.files.length ?? 0) > 0;
  // Behind the name of a kind it is what the user means already.
  if (/[@:/"]$/.test(control.value.slice(0, control.selectionStart))) return false;
  return text.split(/\r?\n/).every((line) => path.test(line) && !/^https?:/i.test(line));
}

const path = /^(?:[a-z][\w+.-]*:\/\/\S+|(?:[a-z]:)?[\w.@~-]*[\\/][^\s:*?"<>|]+)$/i;

/** Pastes paths as mentions, or as they are where they name nothing in the workspace. */
export async function pasteFiles({ clipboardData }: ClipboardEvent, control: HTMLTextAreaElement): Promise<string> {
  const text = clipboardData?.getData('text/plain') ?? '';
  if (text.trim() === '') return t("Can't attach a pasted file. Type @file: and its name.");
  const words = await ask('mention', { places: text }).catch(() => [null]);
  if (words.includes(null)) replaceText(control, control.selectionStart, control.selectionEnd, text);
  else insert(control, words);
  return '';
}

/** Apart from the words around them. */
function insert(control: HTMLTextAreaElement, words: readonly (string | null)[]): void {
  const text = words.filter((word) => word !== null).join(' ');
  if (text === '') return;
  const { value, selectionStart: from, selectionEnd: to } = control;
  const space = from === 0 || /\s$/.test(value.slice(0, from)) ? '' : ' ';
  replaceText(control, from, to, `${space}${text} `);
}

function lastPart(place: string): string {
  return place.replace(/\/+$/, '').split(/[\\/]/).at(-1) ?? place;
}

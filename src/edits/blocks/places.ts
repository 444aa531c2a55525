// Where a code block goes: the one place that is meant, or those that the user has to choose from.
import { t } from '@vscode/l10n';
import { allDeclarations, declarations, isOfFile } from './declarations.ts';
import { declaredPart } from './declaredPart.ts';
import { alikePart, type Change, changeOf, plainLines, wholeChange } from './placeChange.ts';

/** What is known of the file's editor, in characters of its text. */
export interface Editing {
  /** Null where nothing is selected, or the file is not open. */
  readonly selected: { readonly from: number; readonly to: number } | null;
  /** The selection is what the message had as @selection. */
  readonly wasSent: boolean;
  /** Where the cursor is; null where the file is not open. */
  readonly cursor: number | null;
}

export const notOpen: Editing = { selected: null, wasSent: false, cursor: null };

/** Of the lines of a file, the share that its new version has at least. */
const leastShared = 0.5;

/** `named`: the answer says which file the block is of. The likeliest first. */
export function placesFor(
  base: string,
  code: string,
  { path, named }: { readonly path: string; readonly named: boolean },
  { selected, wasSent, cursor }: Editing,
): readonly [Change, ...Change[]] {
  const selection =
    selected === null ? null : changeOf(base, selected.from, selected.to, code, t('replace the selection'));
  if (!named && selection !== null) return [selection];
  const part = alikePart(base, code) ?? declaredPart(base, code, path);
  const isMeant = selection !== null && wasSent;
  if (part !== null) return isMeant && !overlap(part, selection) ? [selection, part] : [part];
  if (isMeant) return [selection];
  const whole = wholeChange(base, code);
  if (selection === null && isVersionOf(base, code) && losesNothing(base, code, path)) return [whole];
  const here = cursor === null ? [] : [changeOf(base, cursor, cursor, code, t('insert at the cursor'))];
  const end = appended(base, code);
  const choices: readonly Change[] = selection === null ? [...here, end, whole] : [selection, end, whole];
  return choices as readonly [Change, ...Change[]];
}

export function appended(base: string, code: string): Change {
  const text = base.endsWith('\n') ? `\n${code}` : `\n\n${code}`;
  return changeOf(base, base.length, base.length, text, t('append to the end'));
}

/** A line that stands for code which the block leaves out, and the file does not have. */
export function elidedLine(base: string, code: string): string | null {
  const known = new Set(plainLines(base).map((line) => line.trim()));
  const left = plainLines(code).find((line) => elision.test(line) && !known.has(line.trim()));
  return left?.trim() ?? null;
}

const elision =
  /^\s*(?:\/\/|#|--|\/\*|<!--|\{\/\*)\s*(?:(?:\.{3}|…)|\(?(?:the )?(?:rest|remaining|existing|other|previous)\b.*(?:code|file|functions?|methods?|unchanged|as before|same))|^\s*…\s*$/i;

/** All that it declares is new to the file, and it is no other version of what stands there. */
export function isNewHere(base: string, code: string, path: string): boolean {
  const block = plainLines(code);
  const declared = declarations(block, path);
  const known = new Set(allDeclarations(plainLines(base), path).map(({ name }) => name));
  if (declared.length === 0 || declared.some(({ name, at }) => known.has(name) || !isOfFile(block[at] ?? '', path)))
    return false;
  const [lines, own] = [tellingLines(base), [...tellingLines(code)]];
  return own.filter((line) => lines.has(line)).length < leastShared * own.length;
}

function overlap(one: Change, other: Change): boolean {
  return one.from < other.to && other.from < one.to;
}

/** Whether a block looks like the whole file, changed. Lines of brackets alone stand in any block. */
function isVersionOf(base: string, code: string): boolean {
  const [lines, known] = [tellingLines(base), tellingLines(code)];
  const kept = [...lines].filter((line) => known.has(line)).length;
  return kept >= leastShared * lines.size && known.size >= leastShared * lines.size;
}

/** It declares all that the file declares, or begins and ends as the file does: else it may be a part of it. */
function losesNothing(base: string, code: string, path: string): boolean {
  const names = new Set(declarations(plainLines(code), path).map(({ name }) => name));
  if (declarations(plainLines(base), path).every(({ name }) => names.has(name))) return true;
  const [lines, own] = [[...tellingLines(base)], [...tellingLines(code)]];
  return lines[0] === own[0] && lines.at(-1) === own.at(-1);
}

function tellingLines(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /[\p{L}\p{N}]/u.test(line)),
  );
}

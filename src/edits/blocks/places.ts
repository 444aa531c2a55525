// Finds where a code block goes: the one place that is meant, or those that the user has to choose from.
import { t } from '@vscode/l10n';
import { fileLines } from '../ladder/lines.ts';
import { align } from './align.ts';
import { allDeclarations, codePath, columnOf, declarations, isMarkdown, isOfFile } from './declarations.ts';
import { closer, declaredPart, endOf, partsNamed } from './declaredPart.ts';
import { sureFragment } from './fragment.ts';
import { overRows } from './overLines.ts';
import { type Change, changeOf, edgesOf, plainLines, wholeChange } from './placeChange.ts';
import { stopsEarly } from './stopsEarly.ts';

/** The state of the file's editor; places count characters of its text. */
export interface Editing {
  /** The selected text; null where nothing is selected, or the file is not open. */
  readonly selected: { readonly from: number; readonly to: number } | null;
  /** The selection is what the message had as @selection. */
  readonly wasSent: boolean;
  /** The cursor's place; null where the file is not open. */
  readonly cursor: number | null;
  /** Days that the conversation told the model. */
  readonly days?: readonly string[];
}

export const notOpen: Editing = { selected: null, wasSent: false, cursor: null };

/** The share of a file's lines that its new version has at least. */
const leastShared = 0.5;
/** The same share for a file that declares nothing. */
const nearlyAll = 0.8;

/**
 * The likeliest first. A part that declares the same is the place, whatever is selected: what was selected for an earlier message may still be. A selection counts
 * alone where it was sent with the message and the code has words of it: a block may be about another file than the one that was sent along.
 */
export function placesFor(
  base: string,
  code: string,
  name: string,
  { selected, wasSent, cursor }: Editing,
): readonly [Change, ...Change[]] {
  const path = codePath(name);
  const selection = selected === null ? null : overSelection(base, selected, code, path);
  const part = declaredPart(base, code, path) ?? sureFragment(base, code, name);
  const isMeant = selection !== null && wasSent;
  if (part !== null) return [part];
  if (isMeant && isAbout(base.slice(selection.from, selection.to), code)) return [selection];
  const member = selection === null ? newMember(base, code, path) : null;
  if (member !== null) return [member];
  const whole = wholeChange(base, code);
  if (stopsEarly(base, code) === null && isVersionOf(base, code) && losesNothing(base, code, path)) return [whole];
  const here = cursor === null ? [] : [changeOf(base, cursor, cursor, code, t('insert at the cursor'))];
  const end = appended(base, code);
  const places = [...(selection === null ? here : [selection]), end, whole];
  const named = isMarkdown(path) ? [] : partsNamed(base, code, path);
  const choices: readonly Change[] = [...named, ...places];
  return choices as readonly [Change, ...Change[]];
}

/** Selected lines are replaced as lines; a part of one as it is. */
function overSelection(
  base: string,
  { from, to }: { readonly from: number; readonly to: number },
  code: string,
  path: string,
): Change {
  const words = t('replace the selection');
  const lines = fileLines(base);
  const endOf = ({ start, text, end }: (typeof lines)[number]) => start + text.length + end.length;
  const first = lines.findIndex((line) => from < endOf(line));
  const last = lines.findLastIndex(({ start }) => start < to);
  const [front, back] = [lines[first], lines[last]];
  const isWhole =
    front !== undefined &&
    back !== undefined &&
    base.slice(front.start, from).trim() === '' &&
    base.slice(to, endOf(back)).trim() === '';
  if (!isWhole) return changeOf(base, from, to, code, words);
  const put = overRows(base, first, last, code, path);
  return changeOf(base, front.start, endOf(back), put, words);
}

export function appended(base: string, code: string): Change {
  const text = base.endsWith('\n') ? `\n${code}` : `\n\n${code}`;
  return changeOf(base, base.length, base.length, text, t('append to the end'));
}

/** The share of a body that a renamed version of it has at least. */
const mostOfBody = 2 / 3;

/** All that it declares is new to the file, and it is no other version of a part that stands there. */
export function isNewHere(base: string, code: string, path: string): boolean {
  const block = plainLines(code);
  const declared = declarations(block, path);
  const lines = plainLines(base);
  const parts = allDeclarations(lines, path);
  const known = new Set(parts.map(({ name }) => name));
  if (declared.length === 0 || declared.some(({ name, at }) => known.has(name) || !isOfFile(block[at] ?? '', path)))
    return false;
  const heads = new Set(declared.map(({ at }) => at));
  const own = [...tellingLines(block.filter((_, at) => !heads.has(at)).join('\n'))];
  return !parts.some(({ at }) => {
    const body = tellingLines(lines.slice(at + 1, endOf(lines, at) + 1).join('\n'));
    const shared = own.filter((line) => body.has(line)).length;
    return shared > 0 && shared >= leastShared * own.length && shared >= mostOfBody * body.size;
  });
}

const classLike = /^(?:[\w()]+\s+)*(?:class|struct|impl|trait|object)\b/;

/** At the end of the file's only class: methods that are new to the file. Null for anything else. */
export function newMember(base: string, code: string, path: string): Change | null {
  const [lines, block] = [plainLines(base), plainLines(code.trimEnd())];
  const declared = declarations(block, path);
  const known = new Set(allDeclarations(lines, path).map(({ name }) => name));
  const isMember = ({ name, at }: (typeof declared)[number]) =>
    !known.has(name) && !isOfFile(block[at]?.trim() ?? '', path);
  const [only, another] = declarations(lines, path).filter(({ at }) => classLike.test(lines[at] ?? ''));
  const [first] = declared;
  if (
    isMarkdown(path) ||
    first === undefined ||
    !declared.every(isMember) ||
    only === undefined ||
    another !== undefined
  )
    return null;
  const end = endOf(lines, only.at);
  const inner = lines.slice(only.at + 1, end + 1).find((line) => columnOf(line) > 0 && line.trim() !== '');
  if (inner === undefined) return null;
  const [margin, own] = [inner.slice(0, columnOf(inner)), columnOf(block[first.at])];
  const moved = block.map((line) => (line.trim() === '' ? '' : margin + line.slice(Math.min(own, columnOf(line)))));
  const place = edgesOf(base)[closer.test(lines[end] ?? '') ? end : end + 1] ?? base.length;
  const gap = place === base.length && !/[\r\n]$/.test(base) ? '\n\n' : '\n';
  return changeOf(base, place, place, `${gap}${moved.join('\n')}\n`, t('add to {0}', only.name));
}

/** The share of a selection's words that its new version has at least. */
const leastWords = 0.3;

function isAbout(selected: string, code: string): boolean {
  const words = (text: string) => new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  const [own, other] = [words(selected), words(code)];
  return [...own].filter((word) => other.has(word)).length >= leastWords * own.size;
}

/** Whether a block looks like the whole file, changed. Lines of brackets alone stand in any block. */
function isVersionOf(base: string, code: string): boolean {
  const [lines, known] = [tellingLines(base), tellingLines(code)];
  const kept = [...lines].filter((line) => known.has(line)).length;
  return kept >= leastShared * lines.size && known.size >= leastShared * lines.size;
}

/** Tells whether the code declares all that the file declares, or begins and ends as the file does. Any other code may be only a part of the file. */
function losesNothing(base: string, code: string, path: string): boolean {
  const [file, block] = [plainLines(base), plainLines(code)];
  const names = new Set(declarations(block, path).map(({ name }) => name));
  const declared = declarations(file, path);
  const of = new Set(align(file, block));
  if (declared.length > 0 && declared.every(({ name, at }) => names.has(name) || of.has(at))) return true;
  const [lines, own] = [[...tellingLines(base)], [...tellingLines(code)]];
  if (declared.length === 0 && losesLittle(base, code)) return true;
  return !isMarkdown(path) && lines[0] === own[0] && lines.at(-1) === own.at(-1);
}

/** Tells whether code has nearly all lines of a file that declares nothing, changed or not. */
function losesLittle(base: string, code: string): boolean {
  const file = plainLines(base).filter((line) => line.trim() !== '');
  const of = align(
    file,
    plainLines(code).filter((line) => line.trim() !== ''),
  );
  return of !== null && of.filter((line) => line >= 0).length >= nearlyAll * file.length;
}

function tellingLines(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /[\p{L}\p{N}]/u.test(line)),
  );
}

// Decides where code of a block goes in the text of a file, and what of the file it would lose: for Edit, the command line and Apply alike.

import { t } from '@vscode/l10n';
import detectIndent from 'detect-indent';
import { placeAlone } from '../../core/answer/fileNames.ts';
import { withoutSecrets } from '../../secrets/lines.ts';
import { isComment, isImport } from '../../tools/search/definition.ts';
import { bracketsIn } from '../ladder/brackets.ts';
import { indentOf } from '../ladder/indent.ts';
import { type Placed, placeEdit } from '../ladder/ladder.ts';
import { codePath, declarations, isMarkdown, isOfHead } from './declarations.ts';
import { declaredPart } from './declaredPart.ts';
import { fragmentPart, sureFragment } from './fragment.ts';
import { type Doubt, doubtsIn, fillGaps } from './gaps.ts';
import type { PatchHunk } from './patches.ts';
import { type Change, changeOf, plainLines } from './placeChange.ts';
import { appended, type Editing, isNewHere, newMember, placesFor } from './places.ts';
import { cleanCode } from './printed.ts';
import { withSecretLines } from './secretMarks.ts';

export type Fit =
  | ({ readonly is: 'change' } & Certain)
  /** The user has to choose; the likeliest comes first. */
  | { readonly is: 'choice'; readonly places: readonly [Change, ...Change[]] }
  | { readonly is: 'refused'; readonly words: string };

interface Certain {
  readonly change: Change;
  /** Why nobody but the user may allow it; '' where nothing is in doubt. */
  readonly doubt: string;
}

export function fitCode(base: string, code: string, path: string, editing: Editing): Fit {
  const clean = withSecretLines(cleanCode(code, base, editing.days), base, path);
  if (clean === null)
    return {
      is: 'refused',
      words: t("It isn't clear which line of {0} the placeholder for an omitted secret stands for.", path),
    };
  if (hasMergeMarks(clean))
    return { is: 'refused', words: t('The block for {0} contains merge conflict markers.', path) };
  const as = codePath(path);
  const own = inUnitsOf(base, clean, as);
  const gaps = fillGaps(base, own, as);
  if (gaps.is === 'unclear') {
    const words = t(
      'The block for {0} omits code ("{1}"), and it isn\'t clear which lines. Ask for the complete code.',
      path,
      gaps.line,
    );
    return { is: 'refused', words };
  }
  if (gaps.is === 'filled') return { is: 'change', ...certain(base, gaps.change, path, gaps.doubts) };
  const places = placesFor(base, own, path, editing);
  const [only] = places;
  if (places.length === 1) {
    const doubts = editing.selected === null ? bodyLost(base, only) : [];
    return { is: 'change', ...certain(base, only, path, doubts) };
  }
  const behind = partBehindImports(base, own, as);
  if (behind !== null) return { is: 'change', ...certain(base, behind, path) };
  const part = editing.selected === null ? fragmentPart(base, own, path) : null;
  if (part === null) return { is: 'choice', places };
  const last = plainLines(base.slice(0, part.change.to)).length - 1;
  const words = [
    ...(part.left.length > 0
      ? [t('The block leaves out these lines of {0}: {1}', path, inOneLine(part.left, path))]
      : []),
    ...(part.stops
      ? [t('The block ends where line {0} of {1} stands. What follows there stays as it is.', last, path)]
      : []),
  ];
  return { is: 'change', ...certain(base, part.change, path), doubt: words.join('\n') };
}

/** A line alone that takes the place of several: the whole of a body may be meant, or only its head. */
function bodyLost(base: string, { from, to, text }: Change): readonly Doubt[] {
  const says = (lines: readonly string[]) => lines.filter((line) => line.trim() !== '');
  const [line = '', another] = says(plainLines(text));
  const gone = says(plainLines(base.slice(from, to))).filter((one) => one.trim() !== line.trim());
  return another === undefined && gone.length > 1 ? [{ comment: line.trim(), gone }] : [];
}

/** A change of a text, with the lines that may be lost by it unmeant, in words. A first line that only names the file stays. */
export function certain(base: string, change: Change, path: string, more: readonly Doubt[] = []): Certain {
  const isWhole = change.from === 0 && change.to === base.length;
  const [first = ''] = plainLines(base);
  const own = isWhole ? placeAlone(first, isMarkdown(path)) : null;
  const keeps = own !== null && path.endsWith(own) && plainLines(change.text)[0]?.trim() !== first.trim();
  const end = /\r\n|\n|\r/.exec(base)?.[0] ?? '\n';
  const before = base.slice(change.from, change.to);
  const text = keeps ? first + end + change.text : change.text;
  return { change: { ...change, text }, doubt: doubtWords(path, [...more, ...doubtsIn(before, text, path)]) };
}

export function hasMergeMarks(text: string): boolean {
  const lines = plainLines(text);
  return lines.some((line) => /^<{7}(?: |$)/.test(line)) && lines.some((line) => /^>{7}(?: |$)/.test(line));
}

/** The doubts in words, with the lines that would go; '' for none. */
export function doubtWords(path: string, doubts: readonly Doubt[]): string {
  return doubts
    .map(({ comment, gone }) =>
      t('{0}: "{1}" would take the place of these lines: {2}', path, comment, inOneLine(gone, path)),
    )
    .join('\n');
}

function inOneLine(lines: readonly string[], path: string): string {
  const shown = withoutSecrets(lines, path).lines.map((line) => line.trim());
  return shown.join(' ⏎ ').slice(0, 400);
}

type Landed = Extract<Placed, { ok: true }>;

export type Patched = Landed | { readonly ok: false; readonly placed: Extract<Placed, { ok: false }> };

/** All hunks or none. Where lines stand several times, the line that the patch names tells which is meant. */
export function applyHunks(base: string, hunks: readonly PatchHunk[]): Patched {
  let text = base;
  let moved = 0;
  const landed: Landed[] = [];
  for (const { old, new: wanted, line } of hunks) {
    const whole = placeEdit(text, { old, new: wanted });
    // The text to find may end within a line, so the second try leaves out the last line end.
    const within = { old: old.replace(/\n$/, ''), new: wanted.replace(/\n$/, '') };
    const placed = whole.ok || whole.reason !== 'missing' ? whole : placeEdit(text, within);
    const there = placed.ok || line === null ? placed : atLine(text, { old, new: wanted }, line + moved, placed);
    if (!there.ok) return { ok: false, placed: there };
    text = there.text;
    moved += rows(wanted) - rows(old);
    landed.push(there);
  }
  const [last] = landed.slice(-1);
  if (last === undefined) return { ok: false, placed: { ok: false, reason: 'same', places: [], nearest: null } };
  return { ...last, lines: landed.flatMap(({ lines }) => lines) };
}

function atLine(
  text: string,
  edit: { readonly old: string; readonly new: string },
  line: number,
  placed: Extract<Placed, { ok: false }>,
): Placed {
  const meant = placed.reason === 'several' ? placed.places.find(({ first }) => first === line) : undefined;
  if (meant === undefined) return placed;
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r|$)/g) ?? [];
  const cut = (from: number, to?: number) => lines.slice(from, to).join('');
  const part = placeEdit(cut(meant.first - 1, meant.last), edit);
  if (!part.ok) return placed;
  const shift = meant.first - 1;
  return {
    ...part,
    text: cut(0, meant.first - 1) + part.text + cut(meant.last),
    lines: part.lines.map(({ first, last }) => ({ first: first + shift, last: last + shift })),
  };
}

function rows(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

// Code of a block in the file's indentation: models indent with two spaces or four, also where the file has tabs.

/**
 * Returns the code with one unit of the file's for each of its own. The code comes back as it is where either has no indentation, where both have
 * the same, and where two levels would become one. Lines that stand in the file as they are stay.
 */
export function inUnitsOf(base: string, code: string, path: string): string {
  const [ours, theirs] = [unitOf(base), unitOf(code)];
  if (isMarkdown(path) || ours === '' || theirs === '' || ours === theirs) return code;
  const own = new Set(plainLines(base).filter((line) => /^\s.*\S/.test(line)));
  const lines = code.split('\n');
  const areBothSpaces = ours !== '\t' && theirs !== '\t';
  if (areBothSpaces && lines.some((line) => own.has(line))) return code;
  const parts = lines.map((line) => {
    const indent = indentOf(line);
    const levels = own.has(line) ? 0 : indent.split(theirs).length - 1;
    return { levels, rest: indent.slice(levels * theirs.length), text: line.slice(indent.length) };
  });
  // A remainder as wide as the file's unit would look like one more level.
  if (areBothSpaces && parts.some(({ rest }) => rest.length >= ours.length)) return code;
  return parts.map(({ levels, rest, text }) => ours.repeat(levels) + rest + text).join('\n');
}

/** Returns a tab, some spaces, or '' for a text that is not indented. */
function unitOf(text: string): string {
  const { type, indent } = detectIndent(plainLines(text).join('\n'));
  return type === 'tab' ? '\t' : indent;
}

// A block that begins with imports and goes on with a part of the file: small models head each function with what it needs. Imports that the
// file has are no part of what is placed, and those that it lacks go to its imports.

/** Lines from 0; `to` exclusive. */
interface Statement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Puts the code behind the imports over its part of the file, or where new code goes. Returns null where the block does not begin with imports, or that code has no one place. */
function partBehindImports(base: string, code: string, path: string): Change | null {
  const block = plainLines(code);
  const file = plainLines(base);
  const { own, end } = headOf(block, file);
  if (own.length === 0) return null;
  const rest = block.slice(end).join('\n').replace(/^\n+/, '');
  const part =
    declaredPart(base, rest, path) ??
    sureFragment(base, rest, path) ??
    newMember(base, rest, path) ??
    (isNewHere(base, rest, path) ? appended(base, rest) : null);
  if (part === null) return null;
  const known = importsIn(file);
  const lacking = own.flatMap(({ text }) => (isOfItself(text, path) ? [] : (lackingOf(text, known) ?? [])));
  if (lacking.length === 0) return part;
  const at = Math.min(part.from, startOfLine(base, known.at(-1)?.to ?? behindHead(file, path)));
  const isFirst = known.length === 0 && base.slice(at).trim() !== '';
  const put = changeOf(base, at, at, `${lacking.join('\n')}\n${isFirst ? '\n' : ''}`, part.words);
  return { ...part, from: at, text: put.text + base.slice(at, part.from) + part.text };
}

/** Imports at the beginning of a block, among blank lines and comments that the file has or that are about the file; `end`: where code begins. */
function headOf(
  block: readonly string[],
  file: readonly string[],
): { readonly own: readonly Statement[]; readonly end: number } {
  const known = new Set(file.map((line) => line.trim()));
  const own: Statement[] = [];
  let end = 0;
  for (let at = 0; at < block.length; ) {
    const line = block[at] ?? '';
    const statement = statementAt(block, at);
    if (statement !== null) {
      own.push(statement);
      at = statement.to;
      end = at;
    } else if (
      line.trim() === '' ||
      (known.has(line.trim()) && isComment(line)) ||
      isOfHead(line) ||
      placeAlone(line) !== null
    )
      at += 1;
    else break;
  }
  return { own, end };
}

/** An import with all of its lines: brackets that it opens are closed by the last one. */
function statementAt(lines: readonly string[], at: number): Statement | null {
  const first = lines[at] ?? '';
  if (!isImport(first) || /^\s/.test(first)) return null;
  let to = at + 1;
  while (to < lines.length && bracketsIn(lines.slice(at, to).join('\n')) > 0) to += 1;
  return { from: at, to, text: lines.slice(at, to).join('\n') };
}

function importsIn(lines: readonly string[]): readonly Statement[] {
  const found: Statement[] = [];
  for (let at = 0; at < lines.length; at++) {
    const statement = statementAt(lines, at);
    if (statement === null) continue;
    found.push(statement);
    at = statement.to - 1;
  }
  return found;
}

const named =
  /^(\s*(?:from\s+\S+\s+import|import(?:\s+type)?)\s*[({]?)([^(){}'"]+)([)}]?\s*(?:from\s*(['"][^'"]+['"])\s*;?)?\s*)$/;

/** The module and the names of an import that lists some; null for another form. */
function listOf(text: string) {
  const [, front = '', names = '', back = '', source] = named.exec(text) ?? [];
  const module = source ?? /^\s*from\s+(\S+)\s+import/.exec(front)?.[1];
  if (module === undefined || (source !== undefined && !front.includes('{'))) return null;
  const list = names.split(',').map((name) => name.trim().replace(/\s+/g, ' '));
  return { front, back, module: module.replace(/['"]/g, ''), list: list.filter((name) => name !== '') };
}

/** An import of the very file, as of `./text` in `src/text.ts`: models import what stands beside what they write. */
function isOfItself(text: string, path: string): boolean {
  const [name = ''] = path.split('/').slice(-1);
  const [, module = ''] = /(?:from\s*|^\s*import\s*)['"]\.\/([^'"]+)['"]/.exec(text) ?? [];
  return module !== '' && (module === name || module.replace(/\.\w+$/, '') === name.replace(/\.\w+$/, ''));
}

/** Returns what a file lacks of an import; null for nothing. */
function lackingOf(text: string, known: readonly Statement[]): string | null {
  const plain = (one: string) => one.replace(/[\s;]+/g, '').replaceAll('"', "'");
  if (known.some((one) => plain(one.text) === plain(text))) return null;
  const own = listOf(text);
  if (own === null) return text;
  const there = known.flatMap((one) => {
    const other = listOf(one.text);
    return other?.module === own.module ? other.list : [];
  });
  const list = own.list.filter((name) => !there.includes(name));
  if (list.length === own.list.length) return text;
  const [pad, end] = own.front.includes('{') ? [' ', ' '] : [own.front.endsWith('(') ? '' : ' ', ''];
  return list.length === 0 ? null : `${own.front.trimEnd()}${pad}${list.join(', ')}${end}${own.back.trimStart()}`;
}

/** The line behind comments, texts and directives with which a file without imports begins. */
function behindHead(file: readonly string[], path: string): number {
  const [first] = declarations(file, path);
  const code = first?.at ?? file.length;
  let at = 0;
  let quote = '';
  for (; at < code; at++) {
    const line = (file[at] ?? '').trim();
    const opens = quote === '' ? (/^(?:"""|''')/.exec(line)?.[0] ?? '') : quote;
    const inText = opens !== '';
    const closes = inText && line.slice(quote === '' ? 3 : 0).includes(opens);
    quote = inText && !closes ? opens : '';
    const isDirective = /^(?:['"]use \w+['"];?|package\s|#!|<\?php)/.test(line);
    if (!inText && line !== '' && !isComment(file[at] ?? '') && !isDirective) break;
    // A comment right above a declaration is about it.
    if (!inText && isComment(line) && file.slice(at, code).every((one) => one.trim() !== '')) break;
  }
  return at;
}

function startOfLine(text: string, line: number): number {
  const end = [...text.matchAll(/\r\n|\n|\r/g)][line - 1];
  return line === 0 ? 0 : (end?.index ?? text.length) + (end?.[0].length ?? 0);
}

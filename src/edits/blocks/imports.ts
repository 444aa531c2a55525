// A block that begins with imports and goes on with a part of the file: small models head each function with what it needs. Imports that the
// file has are no part of what is placed, and those that it lacks go to its imports.
import { placeAlone } from '../../core/answer/fileNames.ts';
import { isComment, isImport } from '../../tools/search/definition.ts';
import { bracketsIn } from '../ladder/brackets.ts';
import { declarations, isOfHead } from './declarations.ts';
import { declaredPart } from './declaredPart.ts';
import { excerptPart } from './excerpt.ts';
import { type Change, changeOf, plainLines } from './placeChange.ts';

/** Lines from 0; `to` exclusive. */
interface Statement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Returns null where the block does not begin with imports, or what follows has no one place in the file. */
export function partBehindImports(base: string, code: string, path: string): Change | null {
  const block = plainLines(code);
  const file = plainLines(base);
  const { own, end } = headOf(block, file);
  if (own.length === 0) return null;
  const rest = block.slice(end).join('\n');
  const part = declaredPart(base, rest, path) ?? excerptPart(base, rest, path);
  if (part === null) return null;
  const known = importsIn(file);
  const lacking = own.flatMap(({ text }) => lackingOf(text, known) ?? []);
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

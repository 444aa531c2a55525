// The lines that a model wrote in place of others, and what the file is with them. Nothing outside of those lines changes.
import { t } from '@vscode/l10n';
import { blocksIn } from '../../core/answer/readAnswer.ts';
import { allDeclarations } from '../blocks/declarations.ts';
import { certain, hasMergeMarks } from '../blocks/fitCode.ts';
import { type LinesAround, overLines } from '../blocks/overLines.ts';
import { isSearchReplace, readSearchReplace } from '../blocks/patches.ts';
import { type Change, changeOf } from '../blocks/placeChange.ts';
import { cleanCode } from '../blocks/printed.ts';
import { withSecretLines } from '../blocks/secretMarks.ts';
import { bracketsIn } from '../ladder/brackets.ts';
import { placeEdit } from '../ladder/ladder.ts';
import { fileLines, withPlainEnds } from '../ladder/lines.ts';
import type { ChosenLines } from './request.ts';

export type Rewrite =
  | {
      readonly is: 'change';
      readonly change: Change;
      /** Why nobody but the user may allow it; '' where nothing is in doubt. */
      readonly doubt: string;
      /** The same without closing brackets at the end that the lines did not close before; null where there are none. */
      readonly shorter: Change | null;
    }
  | { readonly is: 'same' }
  | { readonly is: 'refused'; readonly words: string };

/** `base`: the whole text of the file. `answer`: the model's, without its thoughts; `whole` where it came to its end. */
export function rewriteOf(
  base: string,
  { first, last, path }: Pick<ChosenLines, 'first' | 'last' | 'path'>,
  answer: string,
  whole: boolean,
): Rewrite {
  const edges = fileLines(base);
  const [from, to] = [lengthOf(edges.slice(0, first)), lengthOf(edges.slice(0, last + 1))];
  const former = withPlainEnds(base.slice(from, to));
  const [block, ...others] = blocksIn(answer).filter(({ code }) => code.trim() !== '');
  if (!whole || block?.closed === false)
    return { is: 'refused', words: t("The model didn't finish the new lines. Select fewer lines.") };
  if (block === undefined)
    return { is: 'refused', words: t('The model answered without code: {0}', answer.trim().slice(0, 200)) };
  if (others.length > 0 && others.some(({ code }) => code !== block.code))
    return { is: 'refused', words: t('The model answered with several code blocks, and which is meant is not clear.') };
  const lines = { above: plain(edges.slice(0, first)), below: plain(edges.slice(last + 1)) };
  const code = isSearchReplace(block.code)
    ? patched(block.code, former)
    : overLines(cleanCode(block.code, base), former.split('\n'), lines, path);
  if (code === null) return { is: 'refused', words: t("The text the model wants to replace isn't in these lines.") };
  const put = withSecretLines(code, base, path);
  if (put === null)
    return {
      is: 'refused',
      words: t("It isn't clear which line of {0} the placeholder for an omitted secret stands for.", path),
    };
  if (hasMergeMarks(put)) return { is: 'refused', words: t('The new lines contain merge conflict markers.') };
  if (onlyRepeats(put, former, lines))
    return {
      is: 'refused',
      words: t(
        'The model repeated code from beside the selected lines and changed nothing in them. Say it in other words.',
      ),
    };
  const change = changeOf(base, from, to, put, t('rewrite the selected lines'));
  if (change.text === base.slice(from, to)) return { is: 'same' };
  const less = withoutClosers(put, former);
  const shorter = less === put ? null : changeOf(base, from, to, less, change.words);
  const { doubt, ...rest } = certain(base, change, path);
  return { is: 'change', ...rest, doubt: [doubt, lostWords(former, put, path)].filter(Boolean).join('\n'), shorter };
}

/** The former lines as they were, with lines before or behind them of which most stand elsewhere in the file already. */
function onlyRepeats(code: string, former: string, { above, below }: LinesAround): boolean {
  const tell = (lines: readonly string[]) =>
    lines.map((line) => line.trim()).filter((line) => /[\p{L}\p{N}]/u.test(line));
  const [now, own] = [tell(code.split('\n')), tell(former.split('\n'))];
  const isOwn = (part: readonly string[]) => part.length === own.length && part.every((line, i) => line === own[i]);
  const more = isOwn(now.slice(-own.length))
    ? now.slice(0, -own.length)
    : isOwn(now.slice(0, own.length))
      ? now.slice(own.length)
      : [];
  const others = new Set(tell([...above, ...below]));
  return more.length > 1 && more.filter((line) => others.has(line)).length > more.length / 2;
}

/** Says where the lines declared something and the new ones declare nothing; a renamed one still does. */
function lostWords(former: string, code: string, path: string): string {
  const [had, has] = [former, code].map((text) => allDeclarations(text.split('\n'), path));
  const names = had?.map(({ name }) => name) ?? [];
  return names.length === 0 || has?.length !== 0
    ? ''
    : t('The new lines declare nothing, the former ones: {0}', names.join(', '));
}

/** Small models write on to the end of what stands around the lines: the brackets that close it are none of theirs. */
function withoutClosers(code: string, former: string): string {
  const lines = code.replace(/\n$/, '').split('\n');
  while (
    lines.length > 1 &&
    bracketsIn(lines.join('\n')) < bracketsIn(former) &&
    /^\s*(?:[)\]}]+[;,]?)?\s*$/.test(lines.at(-1) ?? '')
  )
    lines.pop();
  return bracketsIn(lines.join('\n')) < bracketsIn(former) ? code : `${lines.join('\n')}\n`;
}

function lengthOf(lines: ReturnType<typeof fileLines>): number {
  return lines.reduce((sum, { text, end }) => sum + text.length + end.length, 0);
}

function plain(lines: ReturnType<typeof fileLines>): readonly string[] {
  return lines.map(({ text }) => text);
}

/** SEARCH/REPLACE, which some models write whatever they are told; null where it means other lines. */
function patched(code: string, former: string): string | null {
  let text = former;
  for (const { old, new: wanted } of readSearchReplace(code) ?? []) {
    const placed = placeEdit(text, { old, new: wanted });
    if (!placed.ok) return null;
    text = placed.text;
  }
  return text;
}

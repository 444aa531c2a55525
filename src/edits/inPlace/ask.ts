// Has the model rewrite selected lines: one request beside the slots, so no conversation loses what its slot holds.

import { t } from '@vscode/l10n';
import type { ModelPace } from '../../core/abilities/abilities.ts';
import { blocksIn } from '../../core/answer/readAnswer.ts';
import { readGeneration } from '../../core/calls/read.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { Generation } from '../../core/model/model.ts';
import type { DeclaringLine } from '../../core/prompt/declaring.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import { allDeclarations } from '../blocks/declarations.ts';
import { certain, hasMergeMarks } from '../blocks/fitCode.ts';
import { type LinesAround, overLines } from '../blocks/overLines.ts';
import { isSearchReplace, readSearchReplace } from '../blocks/patches.ts';
import { type Change, changedText, changeOf } from '../blocks/placeChange.ts';
import { cleanCode } from '../blocks/printed.ts';
import { withSecretLines } from '../blocks/secretMarks.ts';
import { bracketsIn } from '../ladder/brackets.ts';
import { placeEdit } from '../ladder/ladder.ts';
import { fileLines, withPlainEnds } from '../ladder/lines.ts';
import { type ChosenLines, rewritePrompt } from './request.ts';

/** The cost of a request, before it is made. */
export interface RewriteCost {
  /** Tokens of the prompt. */
  readonly prompt: number;
  /** Tokens of the selected lines: about as many are written. */
  readonly written: number;
  /** The time for both on this machine; null while nobody knows how fast the model is here. */
  readonly seconds: number | null;
}

/** How fast it was just now; null where it did too little to tell. */
export function paceOf({ prefill, generated, generateMilliseconds }: Generation): ModelPace | null {
  const [read, written] = [prefill.decoded, generated.ids.length];
  if (read < 64 || written < 8 || prefill.milliseconds <= 0 || generateMilliseconds <= 0) return null;
  return { reading: (read * 1000) / prefill.milliseconds, writing: (written * 1000) / generateMilliseconds };
}

export interface Rewritten {
  readonly rewrite: Rewrite;
  /** The text that it changes: the file's after the model had written, when lines around may have changed. */
  readonly base: string;
  /** Its cost is in it; null where the model was not asked. */
  readonly generation: Generation | null;
}

type Asked = Pick<Engine, 'attempt' | 'measure' | 'count'>;

/** Tokens that may be written for each of the selected ones, and besides. */
const growth = 2;
const besides = 160;

/** Rejects with a FaultError. */
export async function rewriteCost(
  engine: Asked,
  chosen: ChosenLines,
  { declaring, instruction }: Pick<RewriteRequest, 'declaring' | 'instruction'>,
  pace: ModelPace | null,
): Promise<RewriteCost> {
  const [{ total: prompt }, written] = await Promise.all([
    engine.measure(rewritePrompt(chosen, declaring, instruction)),
    selectedTokens(engine, chosen),
  ]);
  const isKnown = pace !== null && pace.reading > 0 && pace.writing > 0;
  return { prompt, written, seconds: isKnown ? prompt / pace.reading + written / pace.writing : null };
}

/** A request of the user's, and the file's whole text as it is whenever that is asked for. */
export interface RewriteRequest {
  readonly chosen: ChosenLines;
  readonly declaring: readonly DeclaringLine[];
  readonly instruction: string;
  readonly text: () => string;
  /** Places of a text of that file that its grammar does not take; null where nobody can tell. */
  readonly faults: (path: string, text: string) => Promise<number | null>;
}

/** Rejects with a FaultError; cancelled, with what there is. */
export async function askRewrite(
  engine: Asked,
  info: ModelInfo,
  { chosen, declaring, instruction, text, faults }: RewriteRequest,
  signal: Signal,
): Promise<Rewritten> {
  const refused = (words: string, generation: Generation | null = null): Rewritten => ({
    rewrite: { is: 'refused', words },
    base: text(),
    generation,
  });
  const { attempt } = engine;
  if (attempt === null) return refused(t('This model can’t rewrite lines in place.'));
  const prompt = switchedOff(rewritePrompt(chosen, declaring, instruction), info);
  const [{ total }, selected] = await Promise.all([engine.measure(prompt, signal), selectedTokens(engine, chosen)]);
  const maxTokens = growth * selected + besides;
  if (total + maxTokens >= info.contextSize)
    return refused(t('These lines do not fit into the model’s window of {0} tokens. Select fewer.', info.contextSize));
  const generation = await attempt({ prompt, toolCalls: 'none', maxTokens, asker: 'edit' }, signal);
  const base = text();
  const now = linesNow(chosen, base);
  if (now === null)
    return refused(t('These lines changed while they were rewritten. Nothing was changed.'), generation);
  const syntax = info.toolCalls.format === 'none' ? null : info.toolCalls.syntax;
  const { text: answer } = readGeneration(syntax, generation.raw, true, [], info.thinking?.marks);
  const rewrite = rewriteOf(base, now, answer, generation.stop === 'end');
  return { rewrite: await parsing(rewrite, base, chosen.path, faults), base, generation };
}

/** The change that its grammar takes, if one of the two does; else the first, in doubt. A file that was broken before may be so afterwards. */
async function parsing(
  rewrite: Rewrite,
  base: string,
  path: string,
  faults: RewriteRequest['faults'],
): Promise<Rewrite> {
  const before = rewrite.is === 'change' ? await faults(path, base) : null;
  if (rewrite.is !== 'change' || before === null) return rewrite;
  for (const change of rewrite.shorter === null ? [rewrite.change] : [rewrite.change, rewrite.shorter])
    if (((await faults(path, changedText(base, change))) ?? 0) <= before) return { ...rewrite, change };
  const words = t('With the new lines {0} would no longer parse.', path);
  return { ...rewrite, doubt: rewrite.doubt === '' ? words : `${words} ${rewrite.doubt}` };
}

/** Finds the lines in a text that may have changed around them; null where they do not stand there, or at several other places. */
export function linesNow(chosen: ChosenLines, base: string): ChosenLines | null {
  const { first, last } = chosen;
  const lines = withPlainEnds(base).split('\n');
  const wanted = chosen.lines.slice(first, last + 1);
  const isThere = (start: number) => wanted.every((line, at) => lines[start + at] === line);
  const places = isThere(first) ? [first] : lines.flatMap((_, start) => (isThere(start) ? [start] : []));
  const [start, another] = places;
  return start === undefined || another !== undefined
    ? null
    : { ...chosen, lines, first: start, last: start + last - first };
}

async function selectedTokens(engine: Asked, { lines, first, last }: ChosenLines): Promise<number> {
  const [tokens = 0] = await engine.count([lines.slice(first, last + 1).join('\n')]);
  return tokens;
}

/** Thoughts would stand between the user and a line of code. */
function switchedOff(prompt: Prompt, { thinking }: ModelInfo): Prompt {
  return thinking?.switch == null ? prompt : { ...prompt, thinking: 'off' };
}

/** The whole lines of a selection. `last`: a selection that ends before the first column of a line does not have it. */
export function chosenLines(
  base: string,
  place: Pick<ChosenLines, 'path' | 'language'>,
  {
    start,
    end,
  }: { readonly start: { readonly line: number }; readonly end: { readonly line: number; readonly character: number } },
): ChosenLines {
  const lines = withPlainEnds(base).split('\n');
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { ...place, lines, first: start.line, last };
}

// The lines that a model wrote in place of others, and what the file is with them. Nothing outside of those lines changes.

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

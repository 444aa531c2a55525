// Has the model rewrite selected lines: one request beside the slots, so no conversation loses what its slot holds.
import { t } from '@vscode/l10n';
import type { ModelPace } from '../../core/abilities/abilities.ts';
import { readGeneration } from '../../core/calls/read.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import type { Engine } from '../../core/engine/engine.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { Generation } from '../../core/model/model.ts';
import type { DeclaringLine } from '../../core/prompt/declaring.ts';
import type { Prompt } from '../../core/prompt/prompt.ts';
import { changedText } from '../blocks/placeChange.ts';
import { withPlainEnds } from '../ladder/lines.ts';
import { type ChosenLines, rewritePrompt } from './request.ts';
import { type Rewrite, rewriteOf } from './rewrite.ts';

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

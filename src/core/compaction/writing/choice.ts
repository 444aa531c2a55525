// A model's part in a compaction: it says which of the user's sentences come first where there is no room for all, and writes a line with what
// was done. JSON as GBNF. The sentences are the user's and stand whole; a model only names their numbers.
import { isRecord } from '../../record.ts';
import type { SummaryEntry } from '../summary.ts';

export interface Choice {
  /** Numbers of sentences from 1 on, the most important first. */
  readonly keep: readonly number[];
  /** A line with what was done, in the model's words; '' for none. */
  readonly done: string;
}

/** Characters of the line. */
const longest = 200;
/** A model that goes on naming numbers ends here. */
const mostKept = 40;

/** A GBNF grammar for a whole message that chooses among `sentences` numbered sentences: at least one of them. */
export function choiceGrammar(sentences: number): string {
  return [
    `root ::= "{\\"keep\\":[" number ("," number){0,${Math.min(mostKept, sentences) - 1}} "],\\"done\\":\\"" char{0,${longest}} "\\"}"`,
    'char ::= [^"\\\\\\x00-\\x1F\\x7F] | "\\\\" ["\\\\/]',
    `number ::= ${numbersTo(sentences).join(' | ')}`,
    '',
  ].join('\n');
}

/** The numbers from 1 on by their digits, a few ways however many they are: each way costs time at every token. */
function numbersTo(last: number): readonly string[] {
  const digits = [...String(last)];
  const any = (count: number) => ' [0-9]'.repeat(count);
  const shorter = digits.slice(1).map((_, count) => `[1-9]${any(count)}`);
  const lower = digits.flatMap((digit, at) => {
    const least = at === 0 ? 1 : 0;
    const before = at === 0 ? '' : `"${digits.slice(0, at).join('')}" `;
    return Number(digit) > least ? [`${before}[${least}-${Number(digit) - 1}]${any(digits.length - at - 1)}`] : [];
  });
  return [...shorter, ...lower, `"${last}"`];
}

/** The choice that a model wrote, or what is wrong in words. */
export function readChoice(text: string, sentences: number): Choice | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not whole JSON';
  }
  if (!isRecord(value) || !Array.isArray(value.keep) || typeof value.done !== 'string')
    return 'it is no JSON object with "keep" and "done"';
  const keep = [...new Set(value.keep.map(Number))];
  const strange = keep.find((number) => !Number.isInteger(number) || number < 1 || number > sentences);
  if (strange !== undefined) return `there is no sentence ${strange}`;
  if (keep.length === 0) return 'it keeps no sentence';
  return { keep, done: value.done.replace(/\s+/g, ' ').trim() };
}

/**
 * The entries with the chosen sentences as the newest, so that they go last where there is no room, and with the model's line in the place of
 * those that rules made. `sentences`: the numbered ones, each of `entries`.
 */
export function withChoice(
  entries: readonly SummaryEntry[],
  sentences: readonly SummaryEntry[],
  { keep, done }: Choice,
): readonly SummaryEntry[] {
  const chosen = keep.flatMap((number) => sentences[number - 1] ?? []).reverse();
  const rest = entries.filter((entry) => !chosen.includes(entry) && (done === '' || entry.section !== 'done'));
  const items = [...new Set(entries.filter(({ section }) => section === 'done').flatMap((entry) => entry.items))];
  const line: readonly SummaryEntry[] =
    done === ''
      ? []
      : [{ section: 'done', text: done, by: 'model', items: [...items.slice(0, 1), ...items.slice(-1)] }];
  return [...rest, ...chosen, ...line];
}

// Judges an answer by the patterns of its question. Lines that stand word for word in what was given are taken out first: they
// show that the right place was found, and not that the model understood it.
import type { Item } from '../../../src/core/dialog/dialog.ts';
import type { Question } from '../find/questions.ts';

export type Verdict = 'right' | 'quoted only' | 'wrong';

/** `quotable`: the texts that the model was given beside the question. */
export function verdictOf(
  answer: string,
  { answer: patterns, kind }: Pick<Question, 'answer' | 'kind'>,
  quotable: readonly string[],
): Verdict {
  if (kind !== 'absent' && notTherePattern.test(answer.trim())) return 'wrong';
  const matches = (text: string) => patterns.every((pattern) => new RegExp(pattern, 'i').test(text));
  // The entries of a folder, copied, are what was asked for.
  if (matches(kind === 'listing' ? answer : withoutQuotes(answer, quotable))) return 'right';
  return matches(answer) ? 'quoted only' : 'wrong';
}

/** An answer that says no more than that the lines do not say it: patterns such as "no" would take it for one. */
const notTherePattern =
  /^\W*(?:(?:the answer|it|this|that) (?:is|was) )?not (?:there|(?:in|provided|given|mentioned|shown|specified)\b.{0,60})\W*$/i;

export function withoutQuotes(answer: string, quotable: readonly string[]): string {
  const lines = new Set(quotable.flatMap((text) => text.split('\n')).map(bare));
  return answer
    .split('\n')
    .filter((line) => !lines.has(bare(line)))
    .join('\n');
}

/** Without indentation and the marks of a quotation; a line of one character quotes nothing. */
function bare(line: string): string {
  return line
    .trim()
    .replace(/^(?:[>*-]\s+|`)+|`$/g, '')
    .replace(/\s+/g, ' ');
}

const hedgePattern =
  /\bnot (?:sure|found|clear|certain|specified|mentioned|provided|shown|stated|defined|explicitly|able|have)\b|\b(?:can ?not|can't|could not|couldn't|unable to) (?:find|tell|determine|answer|see|say|provide)\b|\bdoes(?: not|n't) (?:say|show|mention|specify|contain|provide|include|exist|have|appear|seem|support)\b|\bno (?:information|mention|such|evidence|direct)\b|\b(?:may|might|perhaps|possibly|probably|likely|seems?|appears?|unclear|unknown|I (?:don't|do not) know)\b/i;

/** Whether an answer says without a doubt what it says. */
export function isSure(answer: string): boolean {
  return answer !== '' && !hedgePattern.test(answer);
}

/** The texts beside the user's words: passages that were found, and results of tools. */
export function quotableIn(path: readonly Item[]): readonly string[] {
  return path.flatMap((item) => {
    if (item.origin === 'attachment' && item.found !== undefined) return [item.body];
    return item.origin === 'result' ? [item.body] : [];
  });
}

/** Lines of files that were found, by the notes of what is left out between them. */
export function linesGiven(path: readonly Item[]): readonly GivenLine[] {
  return path.flatMap((item) => {
    if (item.origin !== 'attachment' || item.found === undefined) return [];
    const { path: file, from } = item.found;
    const lines: GivenLine[] = [];
    let at = from;
    for (const text of item.body.split('\n')) {
      const gap = /^\[lines? (\d+)(?:-(\d+))? left out\]$/.exec(text);
      if (gap !== null) at = Number(gap[2] ?? gap[1]) + 1;
      else {
        lines.push({ path: file, from: at, to: at, text });
        at += 1;
      }
    }
    return lines;
  });
}

type GivenLine = { readonly path: string; readonly from: number; readonly to: number; readonly text: string };

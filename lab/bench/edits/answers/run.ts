// The part of `npm run bench -- edits` about answers: gaps, comments on purpose, and whole answers over real files, both halves.
import { answerCases } from './answers.ts';
import { unseenAnswerCases } from './answersUnseen.ts';
import { gapCases, replacementCases } from './gaps.ts';
import { unseenGapCases, unseenReplacementCases } from './gapsUnseen.ts';
import { type Judged, judgeAnswer, judgeGap, judgeReplacement, tally } from './measure.ts';

/** Prints the tables; gives how many changes damaged something. */
export async function measureAnswers(print: (line?: string) => void): Promise<number> {
  const judged = async (cases: typeof answerCases) => {
    const all: Judged[] = [];
    for (const one of cases) all.push(await judgeAnswer(one));
    return all;
  };
  const rows: readonly (readonly [string, readonly Judged[]])[] = [
    ['gaps, seen', gapCases.map(judgeGap)],
    ['gaps, unseen', unseenGapCases.map(judgeGap)],
    ['comments on purpose, seen', replacementCases.map(judgeReplacement)],
    ['comments on purpose, unseen', unseenReplacementCases.map(judgeReplacement)],
    ['answers, seen', await judged(answerCases)],
    ['answers, unseen', await judged(unseenAnswerCases)],
  ];
  print();
  print('| | of | right | landed | asked | refused | at the place, other text | damaged |');
  print('|---|---:|---:|---:|---:|---:|---:|---:|');
  for (const [name, all] of rows) {
    const { right, landed, asked, refused, other, damaged } = tally(all);
    print(`| ${name} | ${all.length} | ${right} | ${landed} | ${asked} | ${refused} | ${other} | ${damaged} |`);
  }
  // Failures of the unseen half are not listed, so that it stays unseen.
  for (const [name, all] of rows)
    if (name.endsWith(', seen'))
      for (const { id, verdict, words } of all.filter((one) => !one.right)) print(`- ${verdict}: ${id}. ${words}`);
  return rows.reduce((sum, [, all]) => sum + tally(all).damaged, 0);
}

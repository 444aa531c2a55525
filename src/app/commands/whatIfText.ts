// `/context whatif` in words: the prompt in another window beside the one of now, and what would be another way.
import { bytesInWords, count } from '../../core/count.ts';
import type { StackReport } from '../../core/report/report.ts';
import { stateWords } from '../../core/report/reportNames.ts';
import type { WhatIfChange, WhatIfView } from '../../protocol/questions.ts';
import { plain } from './contextAnswers.ts';

export function whatIfText(view: WhatIfView): string {
  const { now, stack, memory, crossings, unanswered, byModel, changes, anew } = view;
  const row = (name: string, of: (report: StackReport) => number) =>
    `| ${name} | ${count(of(now))} | ${count(of(stack))} |`;
  const kv = memory === null ? [] : [`| KV cache | ${bytesInWords(memory.now)} | ${bytesInWords(memory.would)} |`];
  const times = crossings === 1 ? 'once' : `${count(crossings)} times`;
  return [
    'Simulated from the first message with that window.',
    '',
    '| tokens | now | then |',
    '|---|---:|---:|',
    row('prompt', ({ total }) => total),
    row('limit', ({ budget }) => budget.high),
    row('trim target', ({ budget }) => budget.low),
    row('reserved for the reply', ({ budget }) => budget.reserve),
    ...kv,
    '',
    crossings === 0 ? 'Nothing would have been trimmed.' : `Older parts would have been trimmed ${times}.`,
    ...(unanswered === 0 ? [] : [`Turns that would not have fit: ${count(unanswered)}.`]),
    ...(byModel ? ['Summaries are written by rules here; this conversation has one by the model.'] : []),
    ...(now.budget.window === stack.budget.window
      ? []
      : [
          `If you change the size now, removed parts stay removed: the prompt has ${count(anew.tokens)} tokens, all decoded again once.`,
        ]),
    '',
    ...changeRows(changes),
  ].join('\n');
}

function changeRows(changes: readonly WhatIfChange[]): readonly string[] {
  if (changes.length === 0) return ['No item would change.'];
  const rows = changes.map(({ from, to, label, now, would, by }) => {
    const number = to - from === 1 ? String(from) : `${from}–${to - 1}`;
    return `| ${number} | ${plain(label)} | ${stateWords[now]} | ${stateWords[would]} | ${by} |`;
  });
  return ['| # | item | now | then | by |', '|---|---|---|---|---|', ...rows];
}

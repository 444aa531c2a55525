// `/context whatif` in words: the prompt in another window beside the one of now, and what would be another way.
import { bytesInWords, count } from '../../core/count.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { StackReport } from '../../core/report/report.ts';
import type { WhatIfChange, WhatIfView } from '../../protocol/questions.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import type { Session } from '../session/session.ts';
import { plain } from './contextAnswers.ts';
import type { WhatIf } from './whatIf.ts';

export async function whatIfAnswer(whatIf: WhatIf, session: Session, window: number): Promise<CommandAnswer> {
  const title = `Context: a window of ${count(window)} tokens`;
  const text = await whatIf.answer(session, window).then(whatIfText, reasonOf);
  return { title, text };
}

function whatIfText(view: WhatIfView): string {
  const { now, stack, memory, crossings, unanswered, byModel, changes, anew } = view;
  const row = (name: string, of: (report: StackReport) => number) =>
    `| ${name} | ${count(of(now))} | ${count(of(stack))} |`;
  const kv = memory === null ? [] : [`| KV cache | ${bytesInWords(memory.now)} | ${bytesInWords(memory.would)} |`];
  const times = crossings === 1 ? 'once' : `${count(crossings)} times`;
  return [
    'As if this conversation had been held in that window from its first message on.',
    '',
    '| tokens | now | then |',
    '|---|---:|---:|',
    row('prompt', ({ total }) => total),
    row('high water', ({ budget }) => budget.high),
    row('low water', ({ budget }) => budget.low),
    row('kept for the answer', ({ budget }) => budget.reserve),
    ...kv,
    '',
    crossings === 0 ? 'Nothing would have been let go of.' : `Older parts would have been let go of ${times}.`,
    ...(unanswered === 0 ? [] : [`Without an answer, because too large alone: ${count(unanswered)} turns.`]),
    ...(byModel ? ['Checkpoints are those by rules here; now one by the model stands or stood.'] : []),
    ...(now.budget.window === stack.budget.window
      ? []
      : [`Changed now, what is out stays out: the prompt has ${count(anew.tokens)} tokens, all read anew once.`]),
    '',
    ...changeRows(changes),
  ].join('\n');
}

function changeRows(changes: readonly WhatIfChange[]): readonly string[] {
  if (changes.length === 0) return ['The same would become of every item.'];
  const rows = changes.map(({ from, to, label, now, would, by }) => {
    const number = to - from === 1 ? String(from) : `${from}–${to - 1}`;
    return `| ${number} | ${plain(label)} | ${now} | ${would} | ${by} |`;
  });
  return ['| # | item | now | then | by |', '|---|---|---|---|---|', ...rows];
}

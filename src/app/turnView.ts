// What a turn cost, as it is shown beside the others.
import type { CallReport, Report } from '../core/report.ts';
import type { TurnView } from '../protocol/view.ts';

export function turnView({ turn, end, calls }: Pick<Report, 'turn' | 'end' | 'calls'>): TurnView {
  const sum = (of: (call: CallReport) => number) => calls.reduce((total, call) => total + of(call), 0);
  return {
    turn,
    end,
    prompt: sum(({ promptTokens }) => promptTokens),
    reused: sum(({ prefill }) => prefill.reused),
    shifted: sum(({ prefill }) => prefill.shifted),
    decoded: sum(({ prefill }) => prefill.decoded),
    firstTokenMilliseconds: calls[0]?.firstTokenMilliseconds ?? null,
  };
}

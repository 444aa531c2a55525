// The cost of a turn as it is shown beside others: of a turn that has ended, and of stored reports.
import { isRecord } from '../../core/record.ts';
import type { CallReport, Report } from '../../core/report/report.ts';
import type { TurnView } from '../../protocol/view.ts';

interface Call extends Pick<CallReport, 'promptTokens' | 'firstTokenMilliseconds'> {
  readonly prefill: Pick<CallReport['prefill'], 'reused' | 'shifted' | 'decoded'>;
}

type Turn = Pick<Report, 'turn' | 'end' | 'times'> & { readonly calls: readonly Call[] };

export function turnView({ turn, end, calls, times }: Turn): TurnView {
  const sum = (of: (call: Call) => number) => calls.reduce((total, call) => total + of(call), 0);
  return {
    turn,
    end,
    prompt: sum(({ promptTokens }) => promptTokens),
    reused: sum(({ prefill }) => prefill.reused),
    shifted: sum(({ prefill }) => prefill.shifted),
    decoded: sum(({ prefill }) => prefill.decoded),
    later: sum(({ prefill }) => prefill.decoded) - (calls[0]?.prefill.decoded ?? 0),
    firstTokenMilliseconds: times === undefined ? (calls[0]?.firstTokenMilliseconds ?? null) : times.firstWord,
    ...(times !== undefined && { times }),
  };
}

/** Reads reports that anybody may have written, and leaves out those that cannot be drawn. */
export function storedTurns(reports: readonly object[]): readonly TurnView[] {
  return reports.filter(isTurn).map(turnView);
}

const ends: readonly unknown[] = [
  'done',
  'length',
  'cancelled',
  'repeats',
  'failed',
] satisfies readonly Report['end'][];

function isTurn(value: object): value is Turn {
  if (!isRecord(value) || !ends.includes(value.end) || !Array.isArray(value.calls)) return false;
  return isCount(value.turn) && value.calls.every(isCall) && (value.times === undefined || isTimes(value.times));
}

function isTimes(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { firstWord, total, read, written, tools, asked } = value;
  return (firstWord === null || isCount(firstWord)) && [total, read, written, tools, asked].every(isCount);
}

function isCall(value: unknown): value is Call {
  if (!isRecord(value) || !isRecord(value.prefill)) return false;
  const { reused, shifted, decoded } = value.prefill;
  return [value.promptTokens, value.firstTokenMilliseconds, reused, shifted, decoded].every(isCount);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

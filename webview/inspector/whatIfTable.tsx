// The numbers of a prompt in another window beside those of now.
import type { State } from '../../src/core/report/decisions.ts';
import type { StackReport } from '../../src/core/report/report.ts';
import type { WhatIfView } from '../../src/protocol/questions.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';

const figures: readonly (readonly [string, (stack: StackReport) => number])[] = [
  [t('Prompt'), ({ total }) => total],
  [t('Limit'), ({ budget }) => budget.high],
  [t('Trim target'), ({ budget }) => budget.low],
  [t('Reserved for the reply'), ({ budget }) => budget.reserve],
];

/** The fates of items in the order of the table's rows; `pending` ones are in the prompt. */
const fates: readonly (readonly [string, readonly State[]])[] = [
  [t('Items included'), ['kept', 'pending']],
  [t('Shortened'), ['capped']],
  [t('Pruned'), ['stubbed']],
  [t('Compacted'), ['folded']],
  [t('Trimmed'), ['trimmed']],
  [t('Left out'), ['withheld']],
];

export function WhatIfTable({ view: { stack, now, memory } }: { view: WhatIfView }) {
  const fated = fates
    .map(([name, states]) => ({ name, was: itemsIn(now, states), is: itemsIn(stack, states) }))
    .filter(({ was, is }) => was + is > 0);
  return (
    <table class="calls what-if-table">
      <caption>{t('Tokens and items')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('now: {0}', number(now.budget.window))}</th>
          <th scope="col">{t('there: {0}', number(stack.budget.window))}</th>
        </tr>
      </thead>
      <tbody>
        {figures.map(([name, of]) => (
          <Figures key={name} name={name} was={number(of(now))} is={number(of(stack))} />
        ))}
        {memory !== null && <Figures name={t('KV cache')} was={megabytes(memory.now)} is={megabytes(memory.would)} />}
        {fated.map(({ name, was, is }) => (
          <Figures key={name} name={name} was={number(was)} is={number(is)} />
        ))}
      </tbody>
    </table>
  );
}

function Figures({ name, was, is }: { name: string; was: string; is: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{was}</td>
      <td class={was === is ? '' : 'other'}>{is}</td>
    </tr>
  );
}

function itemsIn({ decisions }: StackReport, states: readonly State[]): number {
  return decisions.reduce((sum, { state, from, to }) => sum + (states.includes(state) ? to - from : 0), 0);
}

function megabytes(bytes: number): string {
  return t('{0} MB', number(Math.round(bytes / 1e6)));
}

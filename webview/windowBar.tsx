// The window as a bar: layers in colour, the marks, and the reserve for the answer.
import type { StackReport } from '../src/core/report.ts';
import { number } from './format.ts';

export function WindowBar({ stack: { layers, total, budget, exact } }: { stack: StackReport }) {
  const share = (tokens: number) => `${(tokens / budget.window) * 100}%`;
  const marks = [
    { name: 'low water', at: budget.low, short: 'low' },
    { name: 'high water', at: budget.high, short: 'high' },
  ];
  const words = `${exact ? '' : 'about '}${number(total)} of ${number(budget.window)} tokens; low water ${number(budget.low)}, high water ${number(budget.high)}, ${number(budget.reserve)} kept for the answer`;
  return (
    <figure class="window" role="img" aria-label={words} title={words}>
      <div class="bar">
        {layers
          .filter(({ tokens }) => tokens > 0)
          .map(({ layer, tokens }) => (
            <span key={layer} class={`part layer-${layer}`} style={{ width: share(tokens) }} />
          ))}
        <span class="reserve" style={{ width: share(budget.reserve) }} />
        {marks.map(({ name, at }) => (
          <span key={name} class="mark" style={{ left: share(at) }} />
        ))}
      </div>
      <div class="mark-names" aria-hidden="true">
        {marks.map(({ name, at, short }) => (
          <span key={name} style={{ left: share(at) }}>
            {short}
          </span>
        ))}
      </div>
      <figcaption>
        <span>
          <b>
            {exact ? '' : '≈ '}
            {number(total)}
          </b>{' '}
          of {number(budget.window)} tokens
        </span>
        <span>{number(budget.reserve)} kept for the answer</span>
      </figcaption>
    </figure>
  );
}

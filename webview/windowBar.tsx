// The window as a bar: layers in colour, the marks, the reserve, what is cached, and what the message being written adds.
import type { StackReport } from '../src/core/report.ts';
import type { Forecast, ViewState } from '../src/protocol/view.ts';
import { number, seconds } from './format.ts';

interface BarProps {
  readonly stack: StackReport;
  /** Null for a prompt that no slot was asked for. */
  readonly slot: Pick<ViewState, 'warm' | 'forecast'> | null;
}

export function WindowBar({ stack, slot }: BarProps) {
  const { layers, total, budget, exact } = stack;
  const share = (tokens: number) => `${(Math.min(tokens, budget.window) / budget.window) * 100}%`;
  const cached = slot === null ? null : Math.min(total, slot.warm?.warmed ?? 0);
  const forecast = slot?.forecast ?? null;
  const marks = [
    { name: 'low water', at: budget.low, short: 'low' },
    { name: 'high water', at: budget.high, short: 'high' },
  ];
  const words = wordsOf(stack, cached, forecast);
  return (
    <figure class="window">
      <div class="bar" role="img" aria-label={words} title={words}>
        {layers
          .filter(({ tokens }) => tokens > 0)
          .map(({ layer, tokens }) => (
            <span key={layer} class={`part layer-${layer}`} style={{ width: share(tokens) }} />
          ))}
        <span class="reserve" style={{ width: share(budget.reserve) }} />
        {forecast !== null && (
          <span class={`draft ${forecast.room}`} style={{ left: share(total), width: share(forecast.own) }} />
        )}
        {marks.map(({ name, at }) => (
          <span key={name} class="mark" style={{ left: share(at) }} />
        ))}
      </div>
      {cached !== null && (
        <div class="held" aria-hidden="true">
          <span class="cached" style={{ width: share(cached) }} />
          <span class="uncached" style={{ width: share(total - cached) }} />
        </div>
      )}
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
      {forecast !== null && (
        <div class="forecast-words">
          <span class={`swatch draft ${forecast.room}`} /> {draftWords(forecast)}
        </div>
      )}
    </figure>
  );
}

function wordsOf({ total, budget, exact }: StackReport, cached: number | null, forecast: Forecast | null): string {
  const parts = [
    `${exact ? '' : 'about '}${number(total)} of ${number(budget.window)} tokens`,
    `low water ${number(budget.low)}, high water ${number(budget.high)}, ${number(budget.reserve)} kept for the answer`,
    cached === null ? '' : `${number(cached)} cached, ${number(total - cached)} to be decoded`,
  ];
  return [...parts, forecast === null ? '' : draftWords(forecast)].filter(Boolean).join('; ');
}

function draftWords({ own, tokens, milliseconds, room }: Forecast): string {
  if (room === 'none') return `Your message: ${number(own)} tokens, which do not fit the window: shorten it.`;
  const time = milliseconds === null || milliseconds < 100 ? '' : ` in about ${seconds(milliseconds)}`;
  const crossing = room === 'crossing' ? ' It passes high water: older parts are let go of first.' : '';
  return `Your message: ${number(own)} tokens; ${number(tokens)} are read${time}.${crossing}`;
}

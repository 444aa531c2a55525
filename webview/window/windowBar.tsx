// The window as a bar: layers in colour, the marks, the reserve, what is cached, and what the message being written adds.
import type { StackReport } from '../../src/core/report/report.ts';
import type { Forecast, ViewState } from '../../src/protocol/view.ts';
import { number, seconds } from '../shared/format.ts';
import { fill, t } from '../shared/l10n.ts';

interface BarProps {
  readonly stack: StackReport;
  /** Null for a prompt that no slot was asked for. */
  readonly slot: Pick<ViewState, 'warm' | 'resting' | 'forecast'> | null;
}

export function WindowBar({ stack, slot }: BarProps) {
  const { layers, total, budget, exact } = stack;
  const share = (tokens: number) => `${(Math.min(tokens, budget.window) / budget.window) * 100}%`;
  const cached = slot === null || slot.resting ? null : Math.min(total, slot.warm?.warmed ?? 0);
  const forecast = slot?.forecast ?? null;
  const marks = [
    { name: 'low', at: budget.low, short: t('low') },
    { name: 'high', at: budget.high, short: t('high') },
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
          {fill(t('{0} of {1} tokens'), <b>{`${exact ? '' : '≈ '}${number(total)}`}</b>, number(budget.window))}
        </span>
        <span>{t('{0} kept for the answer', number(budget.reserve))}</span>
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
    exact
      ? t('{0} of {1} tokens', number(total), number(budget.window))
      : t('about {0} of {1} tokens', number(total), number(budget.window)),
    t(
      'low water {0}, high water {1}, {2} kept for the answer',
      number(budget.low),
      number(budget.high),
      number(budget.reserve),
    ),
    cached === null ? '' : t('{0} cached, {1} to be decoded', number(cached), number(total - cached)),
  ];
  return [...parts, forecast === null ? '' : draftWords(forecast)].filter(Boolean).join('; ');
}

function draftWords({ own, tokens, milliseconds, room }: Forecast): string {
  if (room === 'none') return t('Your message: {0} tokens, which do not fit the window: shorten it.', number(own));
  const short = milliseconds === null || milliseconds < 100;
  const cost = short
    ? t('Your message: {0} tokens; {1} are read.', number(own), number(tokens))
    : t('Your message: {0} tokens; {1} are read in about {2}.', number(own), number(tokens), seconds(milliseconds));
  return room === 'crossing' ? `${cost} ${t('It passes high water: older parts are let go of first.')}` : cost;
}

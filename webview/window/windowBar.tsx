// The window as a bar: layers in colour, the marks, the reserve, what is cached, and what the message being written adds.
import type { StackReport } from '../../src/core/report/report.ts';
import type { Forecast, ViewState } from '../../src/protocol/view.ts';
import { aboutSeconds, number, percent, promptLength } from '../shared/format.ts';
import { fill, t } from '../shared/l10n.ts';
import { layerNames } from '../shared/layerNames.ts';

interface BarProps {
  readonly stack: StackReport;
  /** The slot that would get the prompt; `null` where no slot was asked. */
  readonly slot: Pick<ViewState, 'warm' | 'resting' | 'forecast'> | null;
}

export function WindowBar({ stack, slot }: BarProps) {
  const { total, budget } = stack;
  const cached = slot === null || slot.resting ? null : Math.min(total, slot.warm?.warmed ?? 0);
  const forecast = slot?.forecast ?? null;
  const used = <b>{promptLength(stack)}</b>;
  return (
    <figure class="window">
      <Bar stack={stack} cached={cached} forecast={forecast} marks />
      {cached !== null && <CachedLine cached={cached} stack={stack} />}
      {slot === null && <MarkNames budget={budget} />}
      <figcaption>
        <span>{fill(t('{0} of {1} tokens'), used, number(budget.window))}</span>
        {slot === null && (
          <span class="beside" title={reserveWords(budget)}>
            {t('{0} reserved', number(budget.reserve))}
          </span>
        )}
        {forecast !== null && (
          <span class={`beside forecast-words ${forecast.fits}`} title={draftWords(forecast)}>
            {draftWords(forecast)}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

interface DrawnBar {
  readonly stack: StackReport;
  readonly cached: number | null;
  readonly forecast: Forecast | null;
  readonly marks: boolean;
}

/** The layers alone, for the line in the Chat view and, with marks, for the Context view. */
export function Bar({ stack, cached, forecast, marks }: DrawnBar) {
  const { layers, total, budget } = stack;
  const share = shareOf(budget);
  return (
    <div class="bar" role="img" aria-label={wordsOf(stack, cached, forecast)}>
      {layers
        .filter(({ tokens }) => tokens > 0)
        .map(({ layer, tokens }) => (
          <span
            key={layer}
            class={`part layer-${layer}`}
            style={{ width: share(tokens) }}
            title={t(
              '{0}: {1} tokens, {2} of the window',
              layerNames[layer],
              number(tokens),
              percent(tokens, budget.window),
            )}
          />
        ))}
      <span class="reserve" style={{ width: share(budget.reserve) }} title={reserveWords(budget)} />
      {forecast !== null && (
        <span
          class={`draft ${forecast.fits}`}
          style={{ left: share(total), width: share(forecast.own) }}
          title={draftWords(forecast)}
        />
      )}
      {(marks ? marksOf(budget) : []).map(({ name, at, words }) => (
        <span key={name} class="mark" style={{ left: share(at) }} title={words} />
      ))}
    </div>
  );
}

function CachedLine({ cached, stack: { total, budget } }: { cached: number; stack: StackReport }) {
  const share = shareOf(budget);
  return (
    <div class="cache-line" aria-hidden="true">
      <span
        class="cached"
        style={{ width: share(cached) }}
        title={t('In the cache: {0} tokens, which the next message reuses', number(cached))}
      />
      <span
        class="uncached"
        style={{ width: share(total - cached) }}
        title={t('Not in the cache: {0} tokens, which the next message decodes', number(total - cached))}
      />
    </div>
  );
}

function MarkNames({ budget }: Pick<StackReport, 'budget'>) {
  return (
    <div class="mark-names" aria-hidden="true">
      {marksOf(budget).map(({ name, at, short, words }) => (
        <span key={name} class={name} style={{ left: shareOf(budget)(at) }} title={words}>
          {short}
        </span>
      ))}
    </div>
  );
}

function shareOf({ window }: StackReport['budget']): (tokens: number) => string {
  return (tokens) => `${(Math.min(tokens, window) / window) * 100}%`;
}

/** A target that is the limit needs no mark of its own. */
function marksOf({ low, high }: StackReport['budget']) {
  const limit = {
    name: 'limit',
    at: high,
    short: t('limit'),
    words: t('Limit, {0} tokens: a longer prompt is trimmed, the oldest parts first', number(high)),
  };
  const target = {
    name: 'target',
    at: low,
    short: t('target'),
    words: t('Trim target, {0} tokens: trimming stops here', number(low)),
  };
  return low < high ? [target, limit] : [limit];
}

function reserveWords({ reserve }: StackReport['budget']): string {
  return t('Reserved for the reply: {0} tokens', number(reserve));
}

function wordsOf(stack: StackReport, cached: number | null, forecast: Forecast | null): string {
  const { total, budget } = stack;
  const parts = [
    t('{0} of {1} tokens', promptLength(stack), number(budget.window)),
    t(
      'trim target {0}, limit {1}, {2} reserved for the reply',
      number(budget.low),
      number(budget.high),
      number(budget.reserve),
    ),
    cached === null ? '' : t('{0} cached, {1} to decode', number(cached), number(total - cached)),
  ];
  return [...parts, forecast === null ? '' : draftWords(forecast)].filter(Boolean).join('; ');
}

function draftWords({ own, tokens, milliseconds, fits, exact }: Forecast): string {
  const about = exact ? '' : '≈ ';
  if (fits === 'none') return t('Your message is too long: {0} tokens', `${about}${number(own)}`);
  const size =
    own === 1 && exact ? t('Your message: 1 token') : t('Your message: {0} tokens', `${about}${number(own)}`);
  const short = milliseconds === null || milliseconds < 100;
  const more = Math.max(0, tokens - own);
  const whole = more === 0 ? size : t('{0} + {1} not cached yet', size, number(more));
  const cost = short ? whole : t('{0}, about {1}', whole, aboutSeconds(milliseconds));
  return fits === 'crossing' ? t('{0}; older turns are trimmed first', cost) : cost;
}

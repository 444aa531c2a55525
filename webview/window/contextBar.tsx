// The context at a glance, at the foot of the Chat view: how full the window is, and when the draft's answer begins.
import { needsModel } from '../../src/protocol/engineView.ts';
import type { Forecast, ViewState } from '../../src/protocol/view.ts';
import { indexWords } from '../composer/found.tsx';
import { aboutSeconds, number, percent, seconds } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { warmthWords } from './statusLine.tsx';
import { Bar } from './windowBar.tsx';

/** A line of constant height that opens the Context view. */
export function ContextBar({ state }: { state: ViewState }) {
  const { stack, forecast, warm, running, resting, compacting, index, download, contextShown } = state;
  const now = running ? t('answering') : compacting ? t('compacting') : '';
  // Before there is a model nothing is known of a window.
  const isShown = stack !== null && !needsModel(state.engine);
  const loading = download === null ? '' : t('downloading {0} %', Math.round(download.share * 100));
  const indexing = index !== null && index.left > 0 ? indexWords(index) : '';
  return (
    <button
      type="button"
      class={`context-bar${forecast === null ? '' : ' forecast'}`}
      aria-expanded={contextShown}
      title={[
        contextShown ? t('Hide what the model sees') : t('Show what the model sees'),
        forecast === null ? lastTurnWords(state) : forecastWords(forecast),
        isShown && !resting ? warmthWords(warm) : '',
      ]
        .filter(Boolean)
        .join('\n')}
      onClick={() => tell({ type: 'toggleContext' })}
    >
      {isShown && (
        <>
          <Bar stack={stack} cached={null} forecast={forecast} marks={false} />
          <span class="context-words">
            {stack.exact || stack.margin === 0 ? '' : '≈ '}
            {t('{0} full', percent(stack.total, stack.budget.window))}
            {now !== '' && ` · ${now}`}
          </span>
        </>
      )}
      {!isShown && <span class="context-words">{t('Context')}</span>}
      <span class={`context-cost ${forecast?.fits ?? ''}`}>
        {loading || indexing || (forecast !== null && costWords(forecast))}
      </span>
    </button>
  );
}

/** The one number that counts, for the end of the line: the seconds, or the tokens where these take no time that one could feel. */
function costWords(forecast: Forecast): string {
  const { milliseconds, fits, exact } = forecast;
  if (fits === 'none') return t('Too long: shorten it');
  const about = exact ? '' : '≈ ';
  const cost =
    milliseconds === null || milliseconds < 100
      ? `${about}${t('+{0} tokens', rangeOf(forecast))}`
      : `${about}${t('first word in {0}', aboutSeconds(milliseconds))}`;
  return fits === 'crossing' ? t('{0}, older turns go', cost) : cost;
}

function rangeOf({ tokens, own, most }: Forecast): string {
  return most > own ? t('{0} to {1}', number(tokens), number(tokens + most - own)) : number(tokens);
}

/** The same in full. */
export function forecastWords(forecast: Forecast): string {
  const { tokens, later, milliseconds, fits, exact } = forecast;
  if (fits === 'none') return t('This message does not fit the context window. Shorten it.');
  const short = milliseconds === null || milliseconds < 100;
  const range = `${exact ? '' : '≈ '}${rangeOf(forecast)}`;
  const cost = short
    ? t('This message: {0} tokens to decode', range)
    : t('This message: {0} tokens to decode, about {1} to the first word', range, aboutSeconds(milliseconds));
  const whole = later === 0 ? cost : t('{0}; the whole turn about {1}', cost, number(tokens + later));
  return fits === 'crossing' ? t('{0}; older turns are trimmed first', whole) : whole;
}

function lastTurnWords({ calls, turns }: ViewState): string {
  const [first] = calls;
  if (first === undefined) return '';
  const sum = (of: (call: ViewState['calls'][number]) => number) => calls.reduce((total, call) => total + of(call), 0);
  const cached = sum(({ prefill }) => prefill.reused + prefill.shifted);
  const share = percent(
    cached,
    sum(({ promptTokens }) => promptTokens),
  );
  return t(
    'Last turn: {0} from the cache, {1} tokens decoded, first word after {2}',
    share,
    number(sum(({ prefill }) => prefill.decoded)),
    seconds(turns.at(-1)?.firstTokenMilliseconds ?? first.firstTokenMilliseconds),
  );
}

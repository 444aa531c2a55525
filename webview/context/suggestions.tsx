// Inline suggestions request by request: the prompt's parts, what was decoded, how long it took, and what became of the text.
import type { CaretOutcome, CaretRow, CaretSums } from '../../src/protocol/caretView.ts';
import { useAnswer } from '../inspector/useAnswer.ts';
import { number, seconds } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';
import { visible } from '../shared/visible.ts';

/** Says in one line what they cost since the window opened. */
export function SuggestionSums({ sums }: { sums: CaretSums }) {
  const { asked, shown, accepted, kept, prompt, decoded, milliseconds } = sums;
  if (asked === 0) return <p class="hint">{t('Inline suggestions are on. Type in a file to see what they cost.')}</p>;
  return (
    <p class="hint">
      {t(
        'Inline suggestions: {0} of {1} requests showed something, {2} accepted, {3} still there after 30 s.',
        ...[number(shown), number(asked), number(accepted), number(kept)],
      )}{' '}
      {t(
        'Including text read ahead, {0} of {1} prompt tokens were decoded; with writing, this took {2}.',
        ...[number(decoded), number(prompt), seconds(milliseconds)],
      )}
    </p>
  );
}

export function Suggestions({ sums }: { sums: CaretSums }) {
  const { value, problem } = useAnswer('caret', {}, JSON.stringify(sums));
  if (problem !== '') return <p class="hint">{problem}</p>;
  return (
    <section class="performance">
      <SuggestionSums sums={sums} />
      {value !== null && value.length > 0 && <Requests rows={value} />}
    </section>
  );
}

function Requests({ rows }: { rows: readonly CaretRow[] }) {
  return (
    <table class="calls slots suggestions">
      <caption>{t('Latest requests, in tokens')}</caption>
      <thead>
        <tr>
          <th title={t('The line of the caret, and what became of the text')}>{t('suggestion')}</th>
          <th title={t('Tokens of the whole prompt')}>{t('prompt')}</th>
          <th class="parted" title={t('Tokens kept from the cache as they were')}>
            {t('reused')}
          </th>
          <th title={t('Tokens that the model computed')}>{t('decoded')}</th>
          <th class="written" title={t('Tokens that the model wrote')}>
            {t('written')}
          </th>
          <th title={t('Time for reading the prompt and writing')}>{t('time')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Request key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Request({ row: { path, line, text, why, tokens, milliseconds, source, outcome } }: { row: CaretRow }) {
  const parts = t('{0} in front of the caret, {1} behind it', number(tokens.before), number(tokens.behind));
  const isFree = source === 'before' || source === 'running';
  return (
    <tr>
      <td class="whose" title={visible(`${path}:${line}`)}>
        {visible(`${path.split('/').at(-1) ?? ''}:${line}`)}
        <div class="hint" title={visible(why === '' ? text : why)}>
          {why === '' ? outcomes[outcome] : t('nothing: {0}', why)}
        </div>
      </td>
      <td title={isFree ? '' : parts}>{isFree ? t('none') : number(tokens.prompt)}</td>
      <td class="parted">{number(tokens.reused)}</td>
      <td>{number(tokens.decoded)}</td>
      <td class="written">{number(tokens.generated)}</td>
      <td>{seconds(milliseconds.prefill + milliseconds.generation)}</td>
    </tr>
  );
}

const outcomes: Readonly<Record<CaretOutcome, string>> = {
  none: '',
  shown: t('shown'),
  dismissed: t('not taken'),
  typed: t('taken in part'),
  accepted: t('accepted'),
  kept: t('accepted, still there after 30 s'),
  changed: t('accepted, then changed'),
};

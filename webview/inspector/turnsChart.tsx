// The cost of each turn: its prompts' tokens by how they got into the slot, and the time to the first word. Also a table.
import type { TurnView } from '../../src/protocol/view.ts';
import { number, seconds } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';

const kinds = [
  { key: 'decoded', name: t('decoded') },
  { key: 'shifted', name: t('shifted') },
  { key: 'reused', name: t('reused') },
] as const;

/** How a turn ended that did not end well. */
const ends = { length: t('length'), cancelled: t('cancelled'), repeats: t('repeated itself'), failed: t('failed') };

export function TurnsChart({ turns }: { turns: readonly TurnView[] }) {
  if (turns.length === 0) return <p class="hint">{t('Each finished turn adds a bar here.')}</p>;
  const most = Math.max(1, ...turns.map(({ prompt }) => prompt));
  const longest = Math.max(1, ...turns.map(({ firstTokenMilliseconds }) => firstTokenMilliseconds ?? 0));
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <section class="turns">
      <div class="keys" aria-hidden="true">
        {kinds.toReversed().map(({ key, name }) => (
          <span key={key}>
            <span class={`swatch ${key}`} /> {name}
          </span>
        ))}
      </div>
      <h3 id="tokens-of-turns">{t('Prompt tokens of all calls per turn, up to {0}', number(most))}</h3>
      <div class="columns" aria-hidden="true">
        {turns.map((turn, i) => (
          <div key={`${i + 1}`} class="column" title={wordsOf(turn)}>
            {kinds.map(({ key }) => (
              <span key={key} class={key} style={{ height: share(turn[key], most) }} />
            ))}
          </div>
        ))}
      </div>
      <h3>{t('Time to the first word, up to {0}', seconds(longest))}</h3>
      <div class="columns low" aria-hidden="true">
        {turns.map((turn, i) => (
          <div key={`${i + 1}`} class="column" title={wordsOf(turn)}>
            <span class="first" style={{ height: share(turn.firstTokenMilliseconds ?? 0, longest) }} />
          </div>
        ))}
      </div>
      <TurnTable turns={turns} />
    </section>
  );
}

function wordsOf({ turn, prompt, reused, shifted, decoded, firstTokenMilliseconds }: TurnView): string {
  const words = t(
    'Turn {0}: {1} prompt tokens, {2} reused, {3} shifted, {4} decoded',
    turn,
    number(prompt),
    number(reused),
    number(shifted),
    number(decoded),
  );
  if (firstTokenMilliseconds === null) return words;
  return t('{0}; first word after {1}', words, seconds(firstTokenMilliseconds));
}

function TurnTable({ turns }: { turns: readonly TurnView[] }) {
  return (
    <table class="calls">
      <caption>{t('Tokens per turn')}</caption>
      <thead>
        <tr>
          <th title={t('Turns of this conversation in their order')}>{t('turn')}</th>
          <th title={t('Prompt tokens of all model calls of the turn')}>{t('prompt')}</th>
          <th class="parted" title={t('Tokens kept from the cache as they were')}>
            {t('reused')}
          </th>
          <th class="parted" title={t('Tokens kept from the cache at another position')}>
            {t('shifted')}
          </th>
          <th title={t('Tokens that the model computed')}>{t('decoded')}</th>
          <th title={t('Time to the first token of the reply')}>{t('first word')}</th>
        </tr>
      </thead>
      <tbody>
        {turns.map((turn, i) => (
          <tr key={`${i + 1}`}>
            <td>{turn.end === 'done' ? turn.turn : `${turn.turn} ${ends[turn.end]}`}</td>
            <td>{number(turn.prompt)}</td>
            <td class="parted">{number(turn.reused)}</td>
            <td class="parted">{number(turn.shifted)}</td>
            <td>{number(turn.decoded)}</td>
            <td>{turn.firstTokenMilliseconds === null ? '' : seconds(turn.firstTokenMilliseconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

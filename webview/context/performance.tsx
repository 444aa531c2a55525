// The cost of turns: the last one call by call, all of them as bars, the slots in memory, and the machine's part in it.

import type { SlotView } from '../../src/protocol/slotView.ts';
import type { TurnView, ViewState } from '../../src/protocol/view.ts';
import { number, seconds } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';
import { visible } from '../shared/visible.ts';
import { Calls, HitRatio } from '../window/calls.tsx';
import { warmthDetails } from '../window/statusLine.tsx';
import { SuggestionSums } from './suggestions.tsx';

type Shown = Pick<ViewState, 'calls' | 'turns' | 'slots' | 'engine' | 'beside' | 'warm' | 'caret'>;

export function Performance({ state: { calls, turns, slots, engine, beside, warm, caret } }: { state: Shown }) {
  const elsewhere = engine.model?.server != null;
  return (
    <section class="performance">
      {warm !== null && <p class="warmth-details">{warmthDetails(warm)}</p>}
      <HitRatio calls={calls} turns={turns} />
      <Calls calls={calls} shifts={!elsewhere || calls.some(({ prefill }) => prefill.shifted > 0)} />
      <TurnsChart turns={turns} />
      {caret !== null && <SuggestionSums sums={caret} />}
      <SlotsTable slots={slots} />
      {engine.model !== null && engine.model.nature !== '' && <p class="hint">{engine.model.nature}</p>}
      {engine.memory !== '' && <p class="hint">{engine.memory}</p>}
      {beside.map(({ message }) => (
        <p key={message} class="hint">
          {t('Beside it: {0}', message)}
        </p>
      ))}
    </section>
  );
}

// The engine's slots: whose each one is, what it holds, what it takes and whether a copy is on disk.

/** Slots of a server have no memory and no disk that anybody here knows. */
function SlotsTable({ slots }: { slots: readonly SlotView[] }) {
  if (slots.length === 0) return null;
  const elsewhere = slots.every((slot) => slot.elsewhere);
  const several = new Set(slots.map(({ model }) => model)).size > 1;
  return (
    <table class="calls slots">
      <caption>{t('Slots in memory')}</caption>
      <thead>
        <tr>
          <th title={t('The conversation whose cache this is')}>{t('conversation')}</th>
          <th title={t('Tokens in the cache')}>{t('tokens')}</th>
          {!elsewhere && (
            <>
              <th title={t('Memory that the cache takes')}>{t('memory')}</th>
              <th title={t('Whether a copy is stored, so that it outlives the editor')}>{t('on disk')}</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {slots.toReversed().map((slot) => (
          <SlotRow key={`${slot.model} ${slot.slot}`} slot={slot} columns={!elsewhere} several={several} />
        ))}
      </tbody>
    </table>
  );
}

interface SlotRowProps {
  readonly slot: SlotView;
  /** Whether there are columns for memory and disk. */
  readonly columns: boolean;
  /** Whether there are slots of several models. */
  readonly several: boolean;
}

function SlotRow({ slot, columns, several }: SlotRowProps) {
  const { title, open, node, tokens, bytes, stored, model, elsewhere } = slot;
  const whose = title === '' ? t('a new conversation') : title;
  return (
    <tr class={open ? 'open' : ''}>
      <td class="whose" title={whose}>
        {open && <span class="codicon codicon-eye" role="img" aria-label={t('shown now')} title={t('Shown now')} />}{' '}
        {whose}
        {several && (
          <div class="hint call-model" title={visible(model)}>
            {visible(model)}
          </div>
        )}
        {node > 0 && !several && <span class="hint"> {t('node {0}', node + 1)}</span>}
      </td>
      <td>{number(tokens)}</td>
      {columns && (
        <>
          <td>{elsewhere ? '–' : bytes === null ? '?' : t('{0} MB', number(Math.round(bytes / 1e6)))}</td>
          <td>{elsewhere ? '–' : stored ? t('yes') : t('no')}</td>
        </>
      )}
    </tr>
  );
}

// The cost of each turn: its prompts' tokens by how they got into the slot, and the time to the first word. Also a table.
const kinds = [
  { key: 'decoded', name: t('decoded') },
  { key: 'shifted', name: t('shifted') },
  { key: 'reused', name: t('reused') },
] as const;

/** How a turn ended that did not end well. */
const ends = { length: t('length'), cancelled: t('cancelled'), repeats: t('repeated itself'), failed: t('failed') };

function TurnsChart({ turns }: { turns: readonly TurnView[] }) {
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

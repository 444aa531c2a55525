// The cost of turns: the last one call by call, all of them as bars, the slots in memory, and the machine's part in it.
import type { ViewState } from '../../src/protocol/view.ts';
import { TurnsChart } from '../inspector/turnsChart.tsx';
import { t } from '../shared/l10n.ts';
import { Calls, HitRatio } from '../window/calls.tsx';
import { SlotsTable } from '../window/slotsTable.tsx';
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

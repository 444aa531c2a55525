// What turns cost: the last one call by call, all of them as bars, the slots in memory, and the machine's part in it.
import type { ViewState } from '../../src/protocol/view.ts';
import { TurnsChart } from '../inspector/turnsChart.tsx';
import { Calls, HitRatio } from '../window/calls.tsx';
import { SlotsTable } from '../window/slotsTable.tsx';
import { warmthDetails } from '../window/statusLine.tsx';

type Shown = Pick<ViewState, 'calls' | 'turns' | 'slots' | 'engine' | 'warm'>;

export function Performance({ state: { calls, turns, slots, engine, warm } }: { state: Shown }) {
  const elsewhere = engine.model?.server != null;
  return (
    <section class="performance">
      {warm !== null && <p class="warmth-details">{warmthDetails(warm)}</p>}
      <HitRatio calls={calls} turns={turns} />
      <Calls calls={calls} shifts={!elsewhere} />
      <TurnsChart turns={turns} />
      <SlotsTable slots={slots} elsewhere={elsewhere} />
      {engine.model !== null && engine.model.nature !== '' && <p class="hint">{engine.model.nature}</p>}
      {engine.memory !== '' && <p class="hint">{engine.memory}</p>}
    </section>
  );
}

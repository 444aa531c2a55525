// A node's slot as the model of a conversation: what turns and summaries ask. It goes on from what was stored for the slot, also where a message
// comes before idle work.
import type { Engine } from '../../core/engine/engine.ts';
import { type Model, nothingSaid } from '../../core/model/model.ts';
import type { SeededSampling } from '../../core/model/sampling.ts';
import type { Session } from '../session/session.ts';
import type { Snapshots } from './snapshots.ts';

export function slotModel(
  engine: Engine,
  snapshots: Pick<Snapshots, 'bring' | 'slots'>,
  session: Session,
  node: number,
  sampling: SeededSampling,
): Model {
  return {
    measure: (prompt, signal) => engine.measure(prompt, signal),
    generate: async (request, onText, signal, onPrefill) => {
      if (!signal.aborted) await snapshots.bring(session, node, request.prompt, request.reuse);
      // A conversation that was left takes no slot from the one that is open.
      const lease = snapshots.slots.of(session, node);
      return lease === null
        ? nothingSaid
        : engine.model(lease.slot, sampling).generate(request, onText, signal, onPrefill);
    },
  };
}

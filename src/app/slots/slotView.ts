// A slot as it is shown: whose it is, what it holds and what it takes.
import { type ModelInfo, modelLabel } from '../../core/engine/modelInfo.ts';
import type { SlotView } from '../../protocol/slotView.ts';
import type { SlotLease } from './slots.ts';

export function slotView(
  { slot, session, node, tokens }: SlotLease,
  info: ModelInfo | null,
  { open, stored }: Pick<SlotView, 'open' | 'stored'>,
): SlotView {
  const first = session.state.dialog.path.find(({ origin }) => origin === 'user');
  const title = first?.origin === 'user' ? first.text.replace(/\s+/g, ' ').trim().slice(0, 80) : '';
  const { memory = null, contextSize = 0, server } = info ?? {};
  const model = info === null ? '' : modelLabel(info);
  const bytes = memory === null ? null : Math.round(memory.kv / memory.slots);
  const elsewhere = server !== undefined;
  return { model, elsewhere, slot, title, open, node, tokens, window: contextSize, bytes, stored };
}

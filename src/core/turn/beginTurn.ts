// Begins a turn: the user's message, and what stands beside it.
import { saidOn } from '../dialog/day.ts';
import type { Item } from '../dialog/dialog.ts';
import type { Signal } from '../dialog/tool.ts';
import type { NewItem, TurnPorts, UserMessage } from './turnPorts.ts';

export async function beginTurn(
  { attachments, ...said }: UserMessage,
  path: readonly Item[],
  { retrieve, note }: Pick<TurnPorts, 'retrieve' | 'note'>,
  add: (item: NewItem) => void,
  signal: Signal,
): Promise<void> {
  add(saidOn(said, path));
  const { knowledge = null, passages = [] } = (await retrieve?.(said.text, signal)) ?? {};
  if (knowledge !== null) add(knowledge);
  const beside = [...attachments, ...passages];
  for (const attachment of beside) add({ origin: 'attachment', ...attachment });
  const words = note?.(said.text, beside) ?? '';
  if (words !== '') add({ origin: 'note', text: words });
}

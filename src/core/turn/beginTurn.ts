// Begins a turn: the user's message, and what stands beside it.
import { saidOn } from '../dialog/day.ts';
import type { Item } from '../dialog/dialog.ts';
import type { Signal } from '../dialog/tool.ts';
import type { Attachment, NewItem, TurnPorts, UserMessage } from './turnPorts.ts';

/** Returns the texts beside the message. */
export async function beginTurn(
  { attachments, intent: _, ...said }: UserMessage,
  path: readonly Item[],
  { retrieve }: Pick<TurnPorts, 'retrieve'>,
  add: (item: NewItem) => void,
  signal: Signal,
): Promise<readonly Attachment[]> {
  add(saidOn(said, path));
  const { knowledge = null, passages = [] } = (await retrieve?.(said.text, signal)) ?? {};
  if (knowledge !== null) add(knowledge);
  const beside = [...attachments, ...passages];
  for (const attachment of beside) add({ origin: 'attachment', ...attachment });
  return beside;
}

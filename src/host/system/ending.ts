// The end of the window, one step after the other: the answers stop and are stored, what the slots hold is stored while there is
// time, the engine ends, the conversations give back what they hold, and last the store closes.
import type { Chat } from '../../app/conversation/chat.ts';
import type { WindowEngines } from '../../app/slots/windowEngines.ts';

/** Milliseconds for the answers, and for the slots. The editor waits about five seconds in all. */
const answering = 1500;
const storing = 2500;

export interface Ending {
  readonly chats: () => readonly Chat[];
  readonly snapshots: Pick<WindowEngines, 'keep'>;
  readonly engine: { close(): Promise<void> };
  /** Ends what the conversations stand on, in this order. */
  readonly below: readonly (() => void)[];
}

/** Returns the function that both the editor's call and the disposal of what was registered run; it ends things once. */
export function ending(parts: Ending): () => Promise<void> {
  let ended: Promise<void> | null = null;
  return () => {
    ended ??= end(parts);
    return ended;
  };
}

async function end({ chats, snapshots, engine, below }: Ending): Promise<void> {
  const open = chats();
  for (const { sending } of open) sending.interrupt();
  await within(answering, Promise.allSettled(open.map(({ sending }) => sending.ended)));
  await within(storing, snapshots.keep());
  try {
    await engine.close();
  } finally {
    for (const { sessions } of open) sessions.dispose();
    for (const step of below) step();
  }
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  // Work that fails here must not keep the rest from ending.
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

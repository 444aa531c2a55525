// The end of the window: what the slots hold is stored while there is time, then the engine ends.
import type { Chat } from '../app/chat.ts';

/** Milliseconds. The editor waits about five seconds. */
const storing = 3000;

/** What both the editor's call and the disposal of what was registered run, once. */
export function ending(
  chat: Pick<Chat, 'cancel' | 'snapshots'>,
  engine: { close(): Promise<void> },
): () => Promise<void> {
  let ended: Promise<void> | null = null;
  return () => {
    ended ??= end(chat, engine);
    return ended;
  };
}

async function end(chat: Pick<Chat, 'cancel' | 'snapshots'>, engine: { close(): Promise<void> }): Promise<void> {
  chat.cancel();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, storing);
  });
  await Promise.race([chat.snapshots.keep(), late]);
  clearTimeout(timer);
  await engine.close();
}

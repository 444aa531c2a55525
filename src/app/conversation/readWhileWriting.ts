// Reads while the user writes: text that the draft shows as attached or found stands in front of its words, so it is decoded before they are
// sent, once it has stayed the same for a moment.
import type { Draft, Meant } from '../composer/draft.ts';
import type { IdleWork } from '../idle/idleWork.ts';
import type { Clock } from '../ports/clock.ts';
import type { Conversation, ConversationEvent } from '../session/conversation.ts';

/** Behind these events a draft costs more or less. */
const prices: ReadonlySet<ConversationEvent['type']> = new Set(['ahead', 'stack', 'warm', 'warming']);

/** Milliseconds for which the draft has to bring the same. */
const moment = 700;

export function readWhileWriting(
  draft: Pick<Draft, 'understood' | 'priceAgain' | 'reads'>,
  conversation: Pick<Conversation, 'now' | 'subscribe'>,
  work: Pick<IdleWork, 'readAhead'>,
  clock: Pick<Clock, 'wait'>,
): void {
  let shown = '';
  let latest = new AbortController();
  let reads = false;
  const read = async (meant: NonNullable<Meant>, signal: AbortSignal) => {
    await clock.wait(moment);
    if (signal.aborted) return;
    await work.readAhead(async (stop) => {
      const { beside, passages } = await meant.ahead(stop);
      if (!signal.aborted) draft.reads(passages);
      return beside;
    });
  };
  draft.understood.subscribe((meant) => {
    const now = meant === null ? '' : JSON.stringify([...meant.mentions, ...meant.found.map(({ place }) => place)]);
    // Text that was read and is gone is read again.
    if (now === shown && (reads || conversation.now.ahead !== null)) return;
    shown = now;
    latest.abort();
    const own = new AbortController();
    latest = own;
    reads = meant !== null;
    if (meant === null) return;
    void read(meant, own.signal).finally(() => {
      if (latest === own) reads = false;
    });
  });
  conversation.subscribe(({ type }) => {
    if (prices.has(type)) void draft.priceAgain();
  });
}

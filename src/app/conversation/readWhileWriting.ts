// Reads while the user writes: text that the draft shows as attached or found stands in front of its words, so it is decoded before they are
// sent, once it has stayed the same for a moment. Where nothing else tells what the words want, the model is asked: before that text is read,
// so that the chip comes at once, and behind it from then on, so that nothing is read twice.
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { Draft, Meant } from '../composer/draft.ts';
import type { IdleWork } from '../idle/idleWork.ts';
import type { Clock } from '../ports/clock.ts';
import type { Conversation, ConversationEvent } from '../session/conversation.ts';

/** Behind these events a draft costs more or less. */
const prices: ReadonlySet<ConversationEvent['type']> = new Set(['ahead', 'stack', 'warm', 'warming']);

/** Milliseconds for which the draft has to bring the same. */
const moment = 700;

export function readWhileWriting(
  draft: Pick<Draft, 'understood' | 'priceAgain' | 'reads' | 'asked'>,
  conversation: Pick<Conversation, 'now' | 'subscribe'>,
  work: Pick<IdleWork, 'readAhead' | 'askAhead'>,
  clock: Pick<Clock, 'wait'>,
): void {
  const told = { texts: '', words: '' };
  let latest = new AbortController();
  let reads = false;
  const ask = async (meant: NonNullable<Meant>, bring: () => Promise<readonly Attachment[]>, signal: AbortSignal) => {
    if (signal.aborted || meant.intent.by !== 'mode') return true;
    const beside = await bring();
    const act = signal.aborted ? null : await work.askAhead(meant.text, beside);
    if (act !== null && !signal.aborted) await draft.asked(meant.said, act);
    return act !== null;
  };
  const read = async (meant: NonNullable<Meant>, isFirst: boolean, isRead: boolean, signal: AbortSignal) => {
    await clock.wait(moment);
    const isAsked = isFirst && (await ask(meant, async () => [], signal));
    if (!isRead && !signal.aborted)
      await work.readAhead(async (stop) => {
        const { beside, passages } = await meant.ahead(stop);
        if (!signal.aborted) draft.reads(passages);
        return beside;
      });
    if (!isAsked) await ask(meant, async () => (await meant.ahead(signal)).beside, signal);
  };
  draft.understood.subscribe((meant) => {
    const brings = meant === null ? [] : [...meant.mentions, ...meant.found.map(({ place }) => place)];
    const texts = brings.length === 0 ? '' : JSON.stringify(brings);
    const words = meant?.intent.by === 'mode' ? meant.said : '';
    // Text that was read and is gone is read again.
    const isRead = texts === told.texts && (reads || conversation.now.ahead !== null);
    if (isRead && (words === told.words || words === '')) return;
    const isFirst = told.texts === '';
    Object.assign(told, { texts, words });
    latest.abort();
    const own = new AbortController();
    latest = own;
    reads = meant !== null;
    if (meant === null) return;
    void read(meant, isFirst, isRead, own.signal).finally(() => {
      if (latest === own) reads = false;
    });
  });
  conversation.subscribe(({ type }) => {
    if (prices.has(type)) void draft.priceAgain();
  });
}

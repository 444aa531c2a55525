// A message that is asked again, or in other words: what stood beside it the first time stands beside it again.

import type { AttachmentItem, Item } from '../../core/dialog/dialog.ts';
import type { Mention } from '../ports/mention.ts';
import { newsOf } from '../session/news.ts';
import type { MeantMessage } from './meantNow.ts';
import { isRefused, mentionsIn } from './mentions.ts';

/** What the user gave beside the message at `at` of a path; not what was found for it, which is found again. */
export function besideMessage(path: readonly Item[], at: number): readonly AttachmentItem[] {
  // What an agent's own template makes of what was found stands in front of them.
  const rest = path.slice(at + 1).filter(({ origin }) => origin !== 'knowledge');
  const end = rest.findIndex(({ origin }) => origin !== 'attachment');
  const all = end < 0 ? rest : rest.slice(0, end);
  return all.flatMap((item) => (item.origin === 'attachment' && item.found === undefined ? [item] : []));
}

/** What was mentioned in both is what it was then: a selection or a file may be another by now. */
export function askedAgain(written: MeantMessage, former: string, beside: readonly AttachmentItem[]): MeantMessage {
  const mentioned = beside.filter(({ of }) => of === undefined);
  // They were attached in the order in which the message names them.
  const known = new Map(mentionsIn(former).map(({ word }, i) => [word, mentioned[i]]));
  const resolve: MeantMessage['resolve'] = async (mention: Mention, signal) => {
    const then = known.get(mention.word);
    if (then === undefined || isRefused(mention, then)) return written.resolve(mention, signal);
    return { ok: true, head: then.head, body: then.body };
  };
  return { ...written, resolve };
}

/** What was brought back from earlier with it; news are told once. */
export function restoredIn(beside: readonly AttachmentItem[]) {
  return beside.flatMap(({ head, body, of }) => (of === undefined || of === newsOf ? [] : [{ head, body, of }]));
}

// A message that is asked again, or in other words: what stood beside it the first time stands beside it again.

import type { AttachmentItem, Item } from '../../core/dialog/dialog.ts';
import { outputOf } from '../../core/prompt/found.ts';
import type { Attachment } from '../../core/turn/turnPorts.ts';
import type { Mention } from '../ports/mention.ts';
import { newsOf, runningOf } from '../session/news.ts';
import type { MeantMessage } from './meantNow.ts';
import { isRefused, mentionsIn } from './mentions.ts';

/** Returns what the user gave beside the message at `at` of a path, without found passages: those are found again. */
export function besideMessage(path: readonly Item[], at: number): readonly AttachmentItem[] {
  // The text that an agent's own template makes of found passages stands in front of the attachments.
  const rest = path.slice(at + 1).filter(({ origin }) => origin !== 'knowledge');
  const end = rest.findIndex(({ origin }) => origin !== 'attachment');
  const all = end < 0 ? rest : rest.slice(0, end);
  return all.flatMap((item) => (item.origin === 'attachment' && item.found === undefined ? [item] : []));
}

/** Keeps the former text of each mention that both messages have: a selection or a file may be another by now. */
export function askedAgain(written: MeantMessage, former: string, beside: readonly AttachmentItem[]): MeantMessage {
  const mentioned = beside.filter(({ of }) => of === undefined);
  // Attachments stand in the order in which the message names them.
  const known = new Map(mentionsIn(former).map(({ word }, i) => [word, mentioned[i]]));
  const resolve: MeantMessage['resolve'] = async (mention: Mention, signal) => {
    const then = known.get(mention.word);
    if (then === undefined || isRefused(mention, then)) return written.resolve(mention, signal);
    return { ok: true, head: then.head, body: then.body };
  };
  return { ...written, resolve };
}

/**
 * Returns the texts beside a message that its words do not name: what it pointed at, and what was brought back from earlier. News stay out,
 * since they are told once.
 */
export function unnamedIn(beside: readonly AttachmentItem[], words: string): readonly Attachment[] {
  const named = mentionsIn(words).length;
  const given = beside.filter(({ of }) => of === undefined).slice(named);
  const told = new Set<string | undefined>([newsOf, runningOf, outputOf]);
  const back = beside.filter(({ of }) => of !== undefined && !told.has(of));
  return [...given, ...back].map(({ head, body, of }) => ({ head, body, ...(of !== undefined && { of }) }));
}

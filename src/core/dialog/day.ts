// The day, for the model: it stands in the first message that is sent on it, behind everything that stays, so that another day
// does not change the head; and in one message of eight, because older ones leave the prompt.
import type { Item, UserItem } from './dialog.ts';

/** Formats a day as YYYY-MM-DD, in the time zone of the machine. */
export function dayOf(now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

const often = 8;

/** The user's words as an item, with the day unless one of the last messages told it. */
export function saidOn(
  { text, day }: Pick<UserItem, 'text' | 'day'>,
  path: readonly Item[],
): Omit<UserItem, 'id' | 'parent'> {
  const lately = path.flatMap((item) => (item.origin === 'user' ? [item.day] : [])).slice(1 - often);
  const last = lately.findLast((told) => told !== undefined);
  return { origin: 'user', text, ...(day === undefined || day === last ? {} : { day }) };
}

/** The user's words as they stand in the prompt. */
export function datedText({ text, day }: Pick<UserItem, 'text' | 'day'>): string {
  return day === undefined ? text : `Date: ${day}.\n\n${text}`;
}

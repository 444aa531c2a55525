// The day, for the model: it stands in the first message that is sent on it, behind everything that stays, so that another day
// does not change the head.
import type { Item, UserItem } from './dialog.ts';

/** As YYYY-MM-DD, in the time zone of the machine. */
export function dayOf(now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** The user's words as an item, with the day unless a message before told it. */
export function saidOn(
  { text, day }: Pick<UserItem, 'text' | 'day'>,
  path: readonly Item[],
): Omit<UserItem, 'id' | 'parent'> {
  const last = path.flatMap((item) => (item.origin === 'user' && item.day !== undefined ? [item.day] : [])).at(-1);
  return { origin: 'user', text, ...(day === undefined || day === last ? {} : { day }) };
}

/** The user's words as they stand in the prompt. */
export function datedText({ text, day }: Pick<UserItem, 'text' | 'day'>): string {
  return day === undefined ? text : `Date: ${day}.\n\n${text}`;
}

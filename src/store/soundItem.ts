// Whether a value is an item, as far as whoever reads it takes for granted: a damaged byte may leave sound JSON of another form.
import type { Item } from '../core/dialog/dialog.ts';
import { isRecord } from '../core/record.ts';

/** The members of each kind that are texts. */
const texts: Readonly<Record<Item['origin'], readonly string[]>> = {
  user: ['text'],
  attachment: ['head', 'body'],
  knowledge: ['role', 'before', 'after'],
  assistant: ['text', 'end'],
  call: ['text'],
  result: ['call', 'tool', 'head', 'body'],
  note: ['text'],
};

export function isItem(value: unknown): value is Item {
  if (!isRecord(value) || !isText(value.origin) || !Object.hasOwn(texts, value.origin)) return false;
  const own = texts[value.origin as Item['origin']];
  const optional = ['day', 'thoughts', 'of'].every((name) => value[name] === undefined || isText(value[name]));
  return (
    isText(value.id) &&
    (value.parent === null || isText(value.parent)) &&
    own.every((name) => isText(value[name])) &&
    optional &&
    (value.origin !== 'call' || isListOf(value.calls, isCall)) &&
    isMaybe(value.generated, (one) => isText(one.model) && isListOf(one.ids, Number.isSafeInteger)) &&
    isMaybe(value.found, (one) => isText(one.path) && isText(one.why)) &&
    (value.seen === undefined || isListOf(value.seen, (one) => isRecord(one) && isText(one.file))) &&
    (value.changed === undefined || value.changed === 'anything' || isListOf(value.changed, isText))
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isListOf = (value: unknown, holds: (one: unknown) => boolean) => Array.isArray(value) && value.every(holds);
const isMaybe = (value: unknown, holds: (one: Readonly<Record<string, unknown>>) => boolean) =>
  value === undefined || (isRecord(value) && holds(value));
const isCall = (value: unknown) =>
  isRecord(value) && isText(value.id) && isText(value.name) && isRecord(value.arguments);

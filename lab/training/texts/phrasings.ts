// How people ask. Every fifth wording is left out of the training, so that the unseen ones have known words in a new order.
import { more, of } from './moreWordings.ts';
import { lower } from './openings.ts';
import type { Random } from './random.ts';
import { phrasings } from './wordings.ts';
import type { Split } from './words.ts';

export type Ask = keyof typeof phrasings;

const questions = /^(?:where|who|what|which|in wh|on wh|is|are|does|do|can|could|why|how|any)\b/i;

/** The unseen wordings are every fifth one; the training's have none of them. */
function wordings(kind: Ask, split: Split): readonly string[] {
  const unseen = phrasings[kind].filter((_, i) => i % 5 === 4);
  if (split === 'unseen') return unseen;
  const known = new Set(unseen.map(lower));
  const others = (more[kind] ?? []).filter((text) => !known.has(lower(text)));
  return [...phrasings[kind].filter((_, i) => i % 5 !== 4), ...others];
}

const used = new Map<string, readonly string[]>();

const openers = [
  'Hi, ',
  'Quick question: ',
  'ok, ',
  'So, ',
  'Hey! ',
  'hey ',
  'Hello, ',
  'Please, ',
  'Well, ',
  'Another one: ',
];

/** A question, with small things people vary. */
export function ask(kind: Ask, split: Split, random: Random, x = ''): string {
  const own = used.get(`${kind} ${split}`) ?? wordings(kind, split);
  used.set(`${kind} ${split}`, own);
  const text = random.pick(own).replaceAll('{x}', () => x);
  const ends =
    /[.?!]$/.test(text) || random.chance(0.3)
      ? ''
      : questions.test(text)
        ? random.pick(of`? | ? | ? | ??`)
        : random.pick(['.', '.', '', '!', ', please', ' please']);
  const begun = random.chance(0.25) ? lower(text) : text;
  const opened = random.chance(0.08) ? `${random.pick(openers)}${lower(begun)}` : begun;
  return `${x !== '' && text.startsWith(x) ? text : opened}${ends}${random.chance(0.03) ? ' Thanks!' : ''}`;
}

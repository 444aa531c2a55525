// Punctuation that models and people write in two ways: straight and curly quotes, hyphens and dashes, spaces that do not break.
import { diffChars } from 'diff';

const alike: readonly (readonly [signs: RegExp, sign: string])[] = [
  [/[\u2018\u2019\u201A\u201B\u02BC\u2032]/g, "'"],
  [/[\u201C\u201D\u201E\u201F\u2033]/g, '"'],
  [/[\u2010\u2011\u2012\u2013\u2014\u2015\u2212]/g, '-'],
  [/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, ' '],
];

/** The same text in plain signs, unit by unit: no place in it moves. */
export function inPlainSigns(text: string): string {
  return alike.reduce((all, [signs, sign]) => all.replace(signs, sign), text);
}

/**
 * The text that is to stand in the place of `there`, where `asked` was written for it: the beginning, the end and the words that are the same in
 * `asked` and `wanted` stay as the file has them, and what is new stays as it was written, in plain signs where the file has those. `asked` and
 * `there` differ in such signs only, so they are of one length.
 */
export function carried(asked: string, wanted: string, there: string): string {
  const plain = plainer(asked, there);
  const shorter = Math.min(asked.length, wanted.length);
  let [front, back] = [0, 0];
  while (front < shorter && asked[front] === wanted[front]) front += 1;
  while (back < shorter - front && asked.at(-1 - back) === wanted.at(-1 - back)) back += 1;
  let at = front;
  let result = there.slice(0, front);
  const inner = (text: string) => text.slice(front, text.length - back);
  for (const { value, added, removed } of diffChars(inner(asked), inner(wanted))) {
    // A sign or two may stand in both by chance.
    const isSame = /[\p{L}\p{N}]/u.test(value) || value.length > 3;
    if (!removed) result += added || !isSame ? plain(value) : there.slice(at, at + value.length);
    if (!added) at += value.length;
  }
  return result + there.slice(there.length - back);
}

/** Puts plain signs for those that `asked` has in the place of plain ones, wherever it has them. A sign of the file is put nowhere else. */
export function plainer(asked: string, there: string): (text: string) => string {
  const kept = new Set<string>();
  const meant = new Map<string, string>();
  for (let i = 0; i < asked.length; i++) {
    const [sign, own] = [asked[i] ?? '', there[i] ?? ''];
    if (own === sign || own !== inPlainSigns(sign)) kept.add(sign);
    else meant.set(sign, own);
  }
  return (text) => [...text].map((sign) => (kept.has(sign) ? sign : (meant.get(sign) ?? sign))).join('');
}

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
 * The text that is to stand in the place of `there`, where `asked` was written for it: what is the same in `asked` and `wanted` stays as
 * the file has it, and what is new has the signs that the file has, as far as these are always the same. `asked` and `there` differ in
 * such signs only, so they are of one length.
 */
export function carried(asked: string, wanted: string, there: string): string {
  const translate = translation(asked, there);
  let at = 0;
  let result = '';
  for (const { value, added, removed } of diffChars(asked, wanted)) {
    if (added) result += translate(value);
    else {
      if (!removed) result += there.slice(at, at + value.length);
      at += value.length;
    }
  }
  return result;
}

/** Learns from two texts of one length which sign always stands for the same other one, and returns the function that replaces these signs. */
export function translation(asked: string, there: string): (text: string) => string {
  const meant = new Map<string, string | null>();
  for (let i = 0; i < asked.length; i++) {
    const [sign, own] = [asked[i] ?? '', there[i] ?? ''];
    const known = meant.get(sign);
    if (known === undefined) meant.set(sign, own);
    else if (known !== own) meant.set(sign, null);
  }
  return (text) => [...text].map((sign) => meant.get(sign) ?? sign).join('');
}

// Numbers as people read them, in the page's language.
import type { StackReport } from '../../src/core/report/report.ts';
import { pageLanguage, t } from './l10n.ts';

const plain = new Intl.NumberFormat(pageLanguage);
const oneDigit = new Intl.NumberFormat(pageLanguage, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function number(value: number): string {
  return plain.format(value);
}

/** The length of a prompt, with how far off it may be where it is an estimate. */
export function promptLength({ total, exact, margin }: Pick<StackReport, 'total' | 'exact' | 'margin'>): string {
  if (exact || margin === 0) return number(total);
  return margin === undefined ? `≈ ${number(total)}` : t('{0} ± {1}', number(total), number(margin));
}

/** With the noun in the right number. */
export function tokensInWords(tokens: number): string {
  return tokens === 1 ? t('1 token') : t('{0} tokens', number(tokens));
}

/** With one digit behind the point. */
export function tenths(value: number): string {
  return oneDigit.format(value);
}

export function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? t('{0} ms', Math.round(milliseconds)) : t('{0} s', tenths(milliseconds / 1000));
}

/** A predicted time, without digits that nobody can know: whole seconds from ten on. */
export function aboutSeconds(milliseconds: number): string {
  return milliseconds < 10_000 ? seconds(milliseconds) : t('{0} s', number(Math.round(milliseconds / 1000)));
}

export function percent(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (part / whole) * 100;
  return share > 0 && share < 1 ? t('<1 %') : t('{0} %', Math.round(share));
}

// When something was, as people say it: near times by their distance, far ones by their date. Unix milliseconds.
import { pageLanguage, t } from '../shared/l10n.ts';

const steps = [
  [60_000, 'minute'],
  [3_600_000, 'hour'],
  [86_400_000, 'day'],
] as const;

const words = new Intl.RelativeTimeFormat(pageLanguage, { numeric: 'auto' });

export function when(then: number, now: number): string {
  const ago = now - then;
  if (ago < 60_000) return t('just now');
  if (ago >= 7 * 86_400_000) return new Date(then).toLocaleDateString(pageLanguage, { dateStyle: 'medium' });
  const [size, unit] = steps.findLast(([milliseconds]) => ago >= milliseconds) ?? steps[0];
  return words.format(-Math.floor(ago / size), unit);
}

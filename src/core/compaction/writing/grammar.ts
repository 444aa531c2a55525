// The form of a summary as a model writes it: JSON by section, each entry with the numbers of its sources, as GBNF.
import { isRecord } from '../../record.ts';
import { type Section, type SummaryEntry, sections } from '../summary.ts';
import type { CitedSource } from './source.ts';

/** Sections that a model writes. The user's own sentences ("said") are copied, so the model does not choose them. */
type WrittenSection = Exclude<Section, 'said'>;
const written = sections.filter((section): section is WrittenSection => section !== 'said');

/** Entries in a section, characters in an entry and sources of an entry at most: a model that repeats itself ends. */
const most: Readonly<Record<WrittenSection, number>> = {
  goal: 1,
  constraints: 8,
  approvals: 6,
  preferences: 6,
  decisions: 8,
  openThreads: 6,
  done: 6,
  files: 8,
  identifiers: 8,
};
const longest = 200;
const mostSources = 4;

/**
 * A GBNF grammar for a whole message that is a summary with `sources` numbered sources. Sections have space for the
 * entries that must survive.
 */
export function summaryGrammar(sources: number, must: readonly SummaryEntry[] = []): string {
  const least = (section: WrittenSection) => must.filter((entry) => entry.section === section).length + 2;
  const members = written.map((section) => `"\\"${section}\\":" ${section}`).join(' "," ');
  return [
    `root ::= "{" ${members} "}"`,
    ...written.map(
      (section) => `${section} ::= "[" (entry ("," entry){0,${Math.max(most[section], least(section)) - 1}})? "]"`,
    ),
    `entry ::= "{\\"text\\":\\"" char{1,${longest}} "\\",\\"sources\\":[" number ("," number){0,${mostSources - 1}} "]}"`,
    'char ::= [^"\\\\\\x00-\\x1F\\x7F] | "\\\\" ["\\\\/]',
    `number ::= ${numbersTo(sources).join(' | ')}`,
    '',
  ].join('\n');
}

/** The numbers from 1 on by their digits, a few ways however many they are: each way costs time at every token. */
function numbersTo(last: number): readonly string[] {
  const digits = [...String(last)];
  const any = (count: number) => ' [0-9]'.repeat(count);
  const shorter = digits.slice(1).map((_, count) => `[1-9]${any(count)}`);
  const lower = digits.flatMap((digit, at) => {
    const least = at === 0 ? 1 : 0;
    const before = at === 0 ? '' : `"${digits.slice(0, at).join('')}" `;
    return Number(digit) > least ? [`${before}[${least}-${Number(digit) - 1}]${any(digits.length - at - 1)}`] : [];
  });
  return [...shorter, ...lower, `"${last}"`];
}

/** The entries a model wrote, or what is wrong in words. */
export function readSummary(text: string, sources: readonly CitedSource[]): readonly SummaryEntry[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not whole JSON';
  }
  if (!isRecord(value)) return 'it is no JSON object';
  const entries: SummaryEntry[] = [];
  for (const section of written) {
    const list = value[section];
    if (!Array.isArray(list)) return `"${section}" is no list`;
    for (const one of list) {
      const entry = readEntry(section, one, sources);
      if (typeof entry === 'string') return `${section}: ${entry}`;
      entries.push(entry);
    }
  }
  return entries.length === 0 ? 'it is empty' : entries;
}

function readEntry(section: Section, value: unknown, sources: readonly CitedSource[]): SummaryEntry | string {
  if (!isRecord(value) || typeof value.text !== 'string' || !Array.isArray(value.sources))
    return 'an entry is not in form';
  const text = value.text.replace(/\s+/g, ' ').trim();
  if (text === '') return 'an entry is empty';
  const named = value.sources.map((number) => sources[Number(number) - 1]);
  const known = named.filter((source) => source !== undefined);
  if (known.length === 0 || known.length < named.length) return `"${text}" names a source that is not there`;
  const items = [...new Set(known.flatMap((source) => source.items))];
  return { section, text, by: known.some(({ by }) => by === 'user') ? 'user' : 'model', items };
}

// A command's output as the model gets it: what fails first, by what is rare in the output, then the beginning and the end.

import { type NamedPlace, placesIn } from '../core/places.ts';
import type { CommandOutcome } from './process/run.ts';

/** Lines that are told: of the beginning, around what fails, and of the end as many as are left. */
const [most, firstLines, failedLines] = [40, 4, 18];
/** Characters of a line that are told, and of lines that are read. */
const [longestLine, mostRead] = [200, 8000];
const mostPlaces = 4;

/** `run`: the number by which the rest can be asked for; `isFile`: whether there is a file of a path as the output writes it. */
export function toldOutput(lines: readonly string[], run: number, isFile: (path: string) => boolean): string {
  const rows = withoutRepeats(lines);
  if (rows.length <= most) return rows.map((row) => shortened(row, run)).join('\n');
  const fails = failing(rows);
  const places = placesOf(fails.length === 0 ? rows : fails.flatMap((at) => rows[at] ?? []), isFile);
  const named = places.length === 0 ? [] : ['Places:', ...places, ''];
  const kept = new Set([...range(0, firstLines), ...fails]);
  let told = partsOf(rows, kept, run);
  for (let at = rows.length - 1; at >= 0; at--) {
    if (kept.has(at)) continue;
    const more = partsOf(rows, kept.add(at), run);
    if (named.length + more.length > most) break;
    told = more;
  }
  return [...named, ...told].join('\n');
}

/** The rows that are kept, and what is left out between them. */
function partsOf(rows: readonly Row[], kept: ReadonlySet<number>, run: number): readonly string[] {
  const told = [...kept].sort((a, b) => a - b);
  return told.flatMap((at, i) => {
    const row = rows[at];
    const first = rows[(told[i - 1] ?? -1) + 1];
    if (row === undefined || first === undefined) return [];
    // What would say that a line is left out takes as much as the line.
    if (row.at - first.at <= 1) return (first === row ? [row] : [first, row]).map((one) => shortened(one, run));
    const left = `[${row.at - first.at} lines left out: read_output {"run": ${run}, "line": ${first.at + 1}}]`;
    return [left, shortened(row, run)];
  });
}

/** So many characters of lines from one on, from 1; of a long line from a character on. */
export function linesFrom(lines: readonly string[], run: number, first: number, character = 1): string {
  const shown: string[] = [];
  let left = mostRead;
  for (let at = first; at <= lines.length; at++) {
    const line = lines[at - 1] ?? '';
    const from = at === first ? character - 1 : 0;
    const part = whole(line.slice(from, from + left));
    if (shown.length > 0 && from + part.length < line.length)
      return [...shown, `[${lines.length - at + 1} lines follow]`].join('\n');
    shown.push(part);
    left -= part.length + 1;
    if (from + part.length < line.length)
      return [
        part,
        `[${line.length - from - part.length} characters follow: ${readOn(run, at, from + part.length + 1)}]`,
      ].join('\n');
    if (left <= 0 && at < lines.length) return [...shown, `[${lines.length - at} lines follow]`].join('\n');
  }
  return shown.join('\n');
}

/** Without half of a character at its end. */
function whole(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}

function readOn(run: number, line: number, character: number): string {
  return `read_output {"run": ${run}, "line": ${line}, "character": ${character}}`;
}

/** A line of the output, and how often it came in a row. */
interface Row {
  /** From 0. */
  readonly at: number;
  readonly text: string;
  readonly times: number;
}

function withoutRepeats(lines: readonly string[]): readonly Row[] {
  const kept: Row[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    while (end < lines.length && lines[end] === lines[at]) end++;
    const text = lines[at] ?? '';
    // So few are told as they are.
    if (end - at <= 3) for (let one = at; one < end; one++) kept.push({ at: one, text, times: 1 });
    else kept.push({ at, text, times: end - at });
    at = end;
  }
  return kept;
}

function shortened({ at, text, times }: Row, run: number): string {
  const again = times === 1 ? '' : `\n[the same line ${times - 1} times more]`;
  if (text.length <= longestLine) return text + again;
  const begin = whole(text.slice(0, longestLine));
  return `${begin} … [${text.length - begin.length} characters more: ${readOn(run, at + 1, begin.length + 1)}]${again}`;
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

// What fails is rare in what runs: no list of programs and their forms is asked, but which lines are not like most of this output.

/** Words and signs by which programs say that something went wrong, as a part of a word (`KeyError`, `test_failed`). */
const alarm =
  /error|fail|panic|exception|fatal|traceback|assert|abort|denied|unresolved|undefined|cannot|not-ok|[\u2715-\u2718\u00d7\u274c]/i;
/** What so many lines have, and this share of them, is common. */
const [commonLines, commonShare] = [5, 0.05];
/** A word that this share of the lines that begin alike have in one place is how they say how it went: `ok`, `PASSED`, `warning`. */
const verdictShare = 0.8;
/** Where that is looked for: the second word, and the last three. */
const placesOfVerdict = [1, -1, -2, -3];
/** Lines around an alarm that belong to it. */
const [linesAbove, linesBelow] = [4, 10];
/** Lines above in which the line that it stands below is looked for. */
const headingAbove = 100;
/** Characters of a line that are looked at, and lines of an output. */
const [looked, mostLooked] = [400, 20_000];

/** Rows around alarms that are not among the common lines: those whose words came least often first, then in the order of the output. */
function failing(rows: readonly Row[]): readonly number[] {
  const texts = rows.slice(-mostLooked).map(({ text }) => text.slice(0, looked));
  const isCommon = commonLinesOf(texts);
  const said = texts.map(alarmsIn);
  const times = countsOf(said.flat());
  const timesOf = (at: number) => Math.min(...(said[at] ?? []).map((word) => times.get(word) ?? 0));
  const alarms = [...texts.keys()].filter((at) => said[at]?.length !== 0 && !isCommon(at));
  const told = new Set<number>();
  for (const at of alarms.toSorted((one, two) => timesOf(one) - timesOf(two) || one - two)) {
    if (told.size >= failedLines) break;
    if (told.has(at)) continue;
    const deep = indentOf(texts[at] ?? '');
    const isBlank = (one: number) => texts[one]?.trim() === '';
    const belongs = (one: number) => !isCommon(one) || indentOf(texts[one] ?? '') > deep;
    let [from, to] = [at, at + 1];
    while (at - from < linesAbove && from > 0 && !isBlank(from - 1) && belongs(from - 1)) from--;
    while (to - at <= linesBelow && to < texts.length && belongs(isBlank(to) ? to + 1 : to)) to++;
    const block = range(from, to).filter((one) => !isBlank(one));
    for (const one of [...headingOf(texts, from), ...block]) if (told.size < failedLines) told.add(one);
  }
  // What has no such word but stands alone among common lines tells as much, as long as it is not most of the output.
  const others = [...texts.keys()].filter((at) => !isCommon(at) && texts[at]?.trim() !== '' && !told.has(at));
  if (others.length <= failedLines - told.size) for (const at of others) told.add(at);
  return [...told].sort((a, b) => a - b).map((at) => rows.length - texts.length + at);
}

/** The line that a line stands below: the last one with less in front of it. */
function headingOf(texts: readonly string[], at: number): readonly number[] {
  const deep = indentOf(texts[at] ?? '');
  for (let above = at - 1; above >= Math.max(0, at - headingAbove) && deep > 0; above--)
    if (texts[above]?.trim() !== '' && indentOf(texts[above] ?? '') < deep) return [above];
  return [];
}

/** The words of a line that say that something went wrong: not the name of a file, which may have any. */
function alarmsIn(text: string): readonly string[] {
  const words = text.replace(/\d+/g, '0').replace('not ok', 'not-ok').split(/\s+/);
  return [...new Set(words.filter((word) => alarm.test(word) && !/[/\\]/.test(word)))];
}

const indentOf = (line: string) => line.search(/\S|$/);

/** Says of a line whether most lines of its kind are like it, by its first word, and by what its kind has in the places where it says how it went, without numbers. */
function commonLinesOf(texts: readonly string[]): (at: number) => boolean {
  const lines = texts.map((text) => text.trim().replace(/\d+/g, '0').split(/\s+/));
  const isOften = (count: number, of: number) => count >= Math.max(commonLines, commonShare * of);
  const firsts = Map.groupBy(lines, ([first = '']) => first);
  const kinds = new Map(
    [...firsts].flatMap(([first, kind]) => (isOften(kind.length, lines.length) ? [[first, verdictsOf(kind)]] : [])),
  );
  return (at) => {
    const words = lines[at] ?? [];
    const verdicts = kinds.get(words[0] ?? '');
    return verdicts?.every(([place, word]) => words.at(place) === word) === true;
  };
}

/** The places in which lines of a kind say how it went, with the word that most of them have there. */
function verdictsOf(kind: readonly (readonly string[])[]): readonly (readonly [place: number, word: string])[] {
  return placesOfVerdict.flatMap((place) => {
    const counts = [...countsOf(kind.map((one) => one.at(place) ?? ''))];
    const [word = '', count = 0] = counts.toSorted(([, one], [, two]) => two - one)[0] ?? [];
    return word !== '' && count >= verdictShare * kind.length ? [[place, word] as const] : [];
  });
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Each place once, with the words of its line, or of the line above where there are none. */
function placesOf(rows: readonly Row[], isFile: (path: string) => boolean): readonly string[] {
  const found = new Map<string, string>();
  for (const [at, { text }] of rows.slice(0, mostLooked).entries()) {
    if (found.size === mostPlaces) break;
    for (const place of placesIn(text)) {
      const key = `${place.path}:${place.line}`;
      if (found.has(key) || isForeign(place) || !isFile(place.path)) continue;
      const words = place.rest.trim();
      const said = /\p{L}{3}/u.test(words) ? words : `${rows[at - 1]?.text.trim() ?? ''}`;
      found.set(key, `${key} ${said.slice(0, 160)}`.trim());
    }
  }
  return [...found.values()].slice(0, mostPlaces);
}

const isForeign = ({ path }: NamedPlace) => /(?:^|\/)(?:node_modules|site-packages)\//.test(path);

/** How a command ended. */
export function endWords({ code, ended, milliseconds, left }: CommandOutcome, timeoutSeconds: number): string {
  const after = `after ${(milliseconds / 1000).toFixed(1)} s`;
  const names = [...new Set(left)].slice(0, mostNamed).map(inLine).join(', ');
  const others = left.length === 0 ? '' : `; what it left running was ended: ${names}`;
  const how = {
    itself: code === null ? `was killed ${after}` : `exited with code ${code} ${after}`,
    timeout: `was stopped after ${timeoutSeconds} s, the limit`,
    cancelled: `was cancelled ${after}`,
    processes: `was stopped ${after}: it started too many processes`,
    goesOn: `goes on ${after}`,
  };
  return how[ended] + others;
}

/** At least these were changed, and those were put aside; '' for nothing. */
export function changedWords({
  changed,
  aside,
}: {
  readonly changed: readonly string[];
  readonly aside: readonly string[];
}): string {
  // Python writes one beside each module that it loads: they would stand in front of what else was changed.
  const own = changed.filter((name) => !name.includes('__pycache__/'));
  const [more, cached] = [own.length - mostNamed, changed.length - own.length];
  const names = [
    ...own.slice(0, mostNamed).map(inLine),
    ...(more > 0 ? [`${more} more`] : []),
    ...(cached > 0 ? [`${cached} in __pycache__`] : []),
  ].join(', ');
  return [
    changed.length === 0 ? '' : `, changed at least ${names}`,
    aside.length === 0 ? '' : `, ${aside.map(inLine).join(', ')}`,
  ].join('');
}

/** A name in one line, whatever signs it has. */
function inLine(name: string): string {
  return name.replace(/\p{Cc}/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

const mostNamed = 8;

/** Milliseconds for which text is gathered before it is handed on. */
const beat = 100;

/** Hands text on a few times a second. */
export function gathered(onText: (text: string) => void): {
  readonly push: (text: string) => void;
  readonly end: () => void;
} {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') onText(waiting);
    waiting = '';
  };
  const push = (text: string) => {
    waiting += text;
    timer ??= setTimeout(end, beat);
  };
  return { push, end };
}

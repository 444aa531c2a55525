// A command's words as the model gets them: without colours, repeated lines withoutRepeats, the first and the last ones, and the places that they name in front.

import type { CommandOutcome } from './process/run.ts';

/** Lines that are told: of the beginning, from each test that fails on, and of the end as many as are left. */
const [most, firstLines, failedLines] = [40, 8, 20];
const longestLine = 200;
const mostPlaces = 10;

export interface Told {
  /** All lines, as they are kept. */
  readonly lines: readonly string[];
  readonly body: string;
}

/** `run`: the number by which the rest can be asked for; `isFile`: whether there is a file of a path as the output writes it. */
export function toldOutput(output: string, run: number, isFile: (path: string) => boolean): Told {
  const lines = withoutRepeats(plainLines(output));
  const all = excerpt(lines, run);
  const isShort = all.length === lines.length;
  const [rows, fails] = [
    placesIn(lines)
      .filter(([path]) => isFile(path))
      .map(([, words]) => words)
      .slice(0, mostPlaces),
    isShort ? [] : failing(lines),
  ];
  const told = [
    fails.length === 0 ? [] : ['Failing:', ...fails, ''],
    rows.length === 0 ? [] : ['Places:', ...rows, ''],
  ];
  return { lines, body: [...told.flat(), ...all].join('\n') };
}

/** Lines that are read at once of what was left out. */
const mostRead = 100;

/** So many lines from one on, from 1. */
export function linesFrom(lines: readonly string[], first: number, count = mostRead): string {
  const last = Math.min(lines.length, first - 1 + count);
  const rest = last < lines.length ? [`[${lines.length - last} lines follow]`] : [];
  return [...lines.slice(first - 1, last).map(shortened), ...rest].join('\n');
}

function excerpt(lines: readonly string[], run: number): readonly string[] {
  if (lines.length <= most) return lines.map(shortened);
  // Runners print the reason last, behind the name of the test.
  const said = new Map(lines.flatMap((line, at) => (failed.test(line) ? [[line.trim(), at] as const] : [])));
  const why = [...said.values()].slice(0, 3).flatMap((at) => range(at, Math.min(at + failedLines, lines.length)));
  const kept = new Set([...range(0, firstLines), ...why].slice(0, most - firstLines));
  for (let at = lines.length - 1; kept.size < most; at--) kept.add(at);
  const told = [...kept].sort((a, b) => a - b);
  return told.flatMap((at, i) => {
    const [from, line] = [(told[i - 1] ?? -1) + 1, shortened(lines[at] ?? '')];
    const gap = `[${at - from} lines left out: read_output {"run": ${run}, "line": ${from + 1}}]`;
    return from === at ? [line] : [gap, line];
  });
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** Escape sequences (ECMA-48), and all of a line that a carriage return let be written over. */
function plainLines(output: string): readonly string[] {
  const plain = output
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]/g, '')
    .replaceAll('\r\n', '\n');
  const lines = plain.split('\n').map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

function withoutRepeats(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    while (end < lines.length && lines[end] === lines[at]) end++;
    const line = lines[at] ?? '';
    kept.push(...(end - at > 3 ? [line, `[the same line ${end - at - 1} times more]`] : lines.slice(at, end)));
    at = end;
  }
  return kept;
}

function shortened(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)} … (${line.length - longestLine} more)`;
}

/** A test that fails, as Go, pytest, unittest, cargo, TAP, Node and Jest name it. */
const failed =
  /^\s*(?:--- FAIL: |FAILED |FAIL: |ERROR: |not ok \d+|test \S+ \.\.\. FAILED|[✖✗×] |● |---- \S+ stdout ----)/;

function failing(lines: readonly string[]): readonly string[] {
  const found = new Set(lines.filter((line) => failed.test(line)).map((line) => line.trim().slice(0, 120)));
  return [...found].slice(0, mostPlaces);
}

/** `path:line` with the words of its line, as compilers, linters and test runners write them; each once. */
const place = /(?:^|[\s('"[])((?:[\w@.~-]+\/)*[\w@.-]+\.[a-zA-Z]\w{0,4})(?::|\(|", line )(\d+)(?:[:,]\d+)?\)?:?\s*/;

function placesIn(lines: readonly string[]): readonly (readonly [path: string, words: string])[] {
  const found = new Map<string, readonly [string, string]>();
  for (const line of lines) {
    const [, path, number] = place.exec(line) ?? [];
    if (path === undefined || number === undefined || /^node:|node_modules/.test(path)) continue;
    const key = `${path}:${number}`;
    const words = line.replace(place, ' ').trim().slice(0, 160);
    if (!found.has(key)) found.set(key, [path, `${key} ${words}`.trim()]);
  }
  return [...found.values()];
}

/** How a command ended. */
export function endWords({ code, ended, milliseconds, left }: CommandOutcome, timeoutSeconds: number): string {
  const after = `after ${(milliseconds / 1000).toFixed(1)} s`;
  const names = [...new Set(left)].slice(0, mostNamed).join(', ');
  const others = left.length === 0 ? '' : `; what it left running was ended: ${names}`;
  const how = {
    itself: code === null ? `was killed ${after}` : `exited with code ${code} ${after}`,
    timeout: `was stopped after ${timeoutSeconds} s, the limit`,
    cancelled: `was cancelled ${after}`,
    processes: `was stopped ${after}: it started too many processes`,
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

// Grammars of a fix: a small model asked for a function that is wrong may write it once more as it is (eight times of eight in one project). So it chooses one of the lines, and
// writes another one in its place: that it differs is a rule of the grammar.

import type { FailingPart } from '../../core/agent/intent.ts';

/** Lines of a part among which is chosen. */
const mostLines = 80;

/** Beginnings of lines that are comments. */
const comment = /^\s*(?:\/\/|\/\*|\*|#(?!\w|!)|"""|''')/;
/** A string of GBNF. */
const text = (words: string) => JSON.stringify(words);
/** A sign in a class of GBNF. */
const sign = (one: string) => {
  const point = one.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : `\\u${point.toString(16).padStart(4, '0')}`;
};

const rules = `sentence ::= [^\`\\n] [^\\n]{0,250}
rest ::= [^\\n]* "\\n"
line ::= ([^\`<>=\\n] [^\\n]*)? "\\n"`;

/** A sentence, then whole code. `begins`: the first line of the block. */
export function codeGrammar(begins: string): string {
  return `root ::= sentence ${text(`\n\n${begins}\n`)} line+ "\`\`\`"\n${rules}`;
}

/**
 * A line of some parts of one file as it is, and another one in its place, behind a sentence about it where it `says`; null where there are none, or too many. `isSpent`: of lines that were changed without
 * success. The line that names a part is left alone.
 */
export function lineGrammar(
  begins: string,
  parts: readonly FailingPart[],
  isSpent: (line: number) => boolean,
  says: boolean,
): string | null {
  const all = parts[0]?.file.split('\n') ?? [];
  const isOpen = (at: number) => {
    const line = all[at] ?? '';
    const inside = parts.filter(({ from, to }) => from <= at + 1 && at + 1 <= to);
    const isNaming = inside.some(
      ({ name, from }) => name !== '' && all.findIndex((one, i) => i >= from - 1 && one.includes(name)) === at,
    );
    return inside.length > 0 && !isNaming && /\w/.test(line) && !comment.test(line) && !isSpent(at);
  };
  const open = [...all.keys()].filter(isOpen);
  if (open.length === 0 || open.length > mostLines) return null;
  const choices = open.map((at) => choiceOf(at, all, begins, says));
  return [
    `root ::= (${choices.map(({ name }) => name).join(' | ')}) ${text('>>>>>>> REPLACE\n```')}`,
    ...choices.flatMap((one) => one.rules),
    rules,
  ].join('\n');
}

/** Lines above go along until what is sought stands in the file once. */
function choiceOf(place: number, all: readonly string[], begins: string, says: boolean) {
  let above = 0;
  while (above < place && isTwice(all, place - above, place)) above++;
  const before = all
    .slice(place - above, place)
    .map((line) => `${line}\n`)
    .join('');
  const line = all[place] ?? '';
  const [blank = ''] = /^\s*/.exec(line) ?? [];
  const name = `l${place}`;
  // Small models think best about a line that they have named.
  const why = says ? `${text(`The line \`${line.trim()}\` is wrong, because `)} sentence ${text('\n\n')} ` : '';
  const begin = `${name} ::= ${why}${text(`${begins}\n<<<<<<< SEARCH\n${before}${line}\n=======\n${before}`)}`;
  const head = `${begin} (${text(blank)} ${name}x0 line{0,2})?`;
  return { name, rules: [head, ...otherThan(line.slice(blank.length), `${name}x`)] };
}

function isTwice(all: readonly string[], first: number, last: number): boolean {
  const own = all.slice(first, last + 1);
  return all.some((_, at) => at !== first && own.every((line, i) => all[at + i]?.trim() === line.trim()));
}

/** Rules for a line that is not this one, nor this one with a comment behind it: the first sign that differs may come at any place. */
function otherThan(line: string, name: string): readonly string[] {
  const signs = [...line];
  // Behind a sign that ends a line a small model adds anything, to make it another one.
  const isOpen = /[\w"'`]$/.test(line);
  return signs.flatMap((one, at) => {
    const [shorter, marks] = at === 0 ? ['', '`<'] : [' | "\\n"', ''];
    const isLast = at === signs.length - 1;
    const same = isLast && !isOpen ? '' : ` | ${text(one)} ${name}${at + 1}`;
    const longer = isLast && isOpen ? [`${name}${at + 1} ::= [ \\t]* [^ \\t/#\\n] rest`] : [];
    return [`${name}${at} ::= [^${sign(one)}${marks}\\n] rest${same}${shorter}`, ...longer];
  });
}

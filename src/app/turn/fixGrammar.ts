// Grammars of a fix: a small model asked for a function that is wrong writes it once more as it is, eight times of eight. So it chooses one of the lines, and
// writes another one in its place: that it differs is a rule of the grammar.

import type { FailingPart } from '../../core/agent/intent.ts';

/** Lines of a part among which is chosen, and lines that may stand in the place of one. */
const [mostLines, mostNew] = [80, 8];

/** What a line of no code begins with. */
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
 * A sentence, then a line of what is shown as it is and others in its place; null where there are too many. `without`: lines that were changed without
 * success often enough.
 */
export function lineGrammar(
  begins: string,
  { shown, file }: FailingPart,
  without: (line: string) => boolean,
): string | null {
  const lines = shown.text.split('\n');
  const all = file.split('\n');
  const isOpen = (line: string) => line.trim() !== '' && !comment.test(line) && !without(line);
  const open = [...lines.keys()].filter((at) => isOpen(lines[at] ?? ''));
  if (open.length === 0 || open.length > mostLines) return null;
  const choices = open.map((at) => choiceOf(at, lines, shown.from - 1, all));
  return [
    `root ::= sentence ${text(`\n\n${begins}\n<<<<<<< SEARCH\n`)} (${choices.map(({ name }) => name).join(' | ')}) ${text('>>>>>>> REPLACE\n```')}`,
    ...choices.flatMap((one) => one.rules),
    rules,
  ].join('\n');
}

/** `from`: where the part begins in the file. Lines above go along until what is sought stands in the file once. */
function choiceOf(at: number, lines: readonly string[], from: number, all: readonly string[]) {
  const place = from + at;
  let above = 0;
  while (above < place && isTwice(all, place - above, place)) above++;
  const before = all
    .slice(place - above, place)
    .map((line) => `${line}\n`)
    .join('');
  const line = lines[at] ?? '';
  const [blank = ''] = /^\s*/.exec(line) ?? [];
  const name = `l${at}`;
  // The same line is no change, unless others follow it.
  const changed = `${text(blank)} ${name}x0 line{0,${mostNew}} | ${text(`${line}\n`)} line{1,${mostNew}}`;
  const head = `${name} ::= ${text(`${before}${line}\n=======\n${before}`)} (${changed})?`;
  return { name, rules: [head, ...otherThan(line.slice(blank.length), `${name}x`)] };
}

function isTwice(all: readonly string[], first: number, last: number): boolean {
  const own = all.slice(first, last + 1);
  return all.some((_, at) => at !== first && own.every((line, i) => all[at + i]?.trim() === line.trim()));
}

/** Rules for a line that is not this one, nor this one with a comment behind it: the first sign that differs may come at any place. */
function otherThan(line: string, name: string): readonly string[] {
  const signs = [...line];
  const rows = signs.map((one, at) => {
    const shorter = at === 0 ? '' : ' | "\\n"';
    return `${name}${at} ::= [^${sign(one)}\\n] rest | ${text(one)} ${name}${at + 1}${shorter}`;
  });
  return [...rows, `${name}${signs.length} ::= [ \\t]* [^ \\t/#\\n] rest`];
}

// `npm run bench -- edits [--seed N] [--each N] [--json]`: where edits with drift land, rung by rung, beside other ladders; then how answers
// land in real files, and how often "at once" asks. Exits 1 when one of ours lands in a wrong place, or too much is asked.
import { parseArgs } from 'node:util';
import { readEdit } from '../../../src/edits/calls/arguments.ts';
import { applied } from '../../../src/edits/calls/steps.ts';
import { tellFigure } from '../all/figure.ts';
import { measureAnswers } from './answers/run.ts';
import { corpus, type Kind, kinds, refusedKinds } from './corpus.ts';
import { measureOrdinary } from './ordinary/run.ts';
import type { EditCase } from './region.ts';
import { byAnchors, byChain, byLikeness, type Ladder } from './rivals.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});

interface Landed {
  /** The file's text after the edit, or null where the edit was refused. */
  readonly text: string | null;
  readonly rung: string;
}

/** Makes an edit as a conversation does that read the file as it was seen; without `conversation`, as `apply` does. */
function ours(one: EditCase, conversation: boolean): Landed {
  const read = readEdit({ id: '1', name: 'edit_file', arguments: { path: 'a', old: one.old, new: one.new } });
  if (!read.ok || read.value.name === 'rename_symbol') return { text: null, rung: '' };
  const seen = !conversation || one.seen === one.text ? 'all' : 'other';
  const step = applied('1', read.value, { path: 'a', text: one.text, seen, target: null });
  return step.ok ? { text: step.text, rung: step.rung ?? '' } : { text: null, rung: '' };
}

const rival =
  (ladder: Ladder) =>
  (one: EditCase): Landed => {
    // Line ends aside: whether a product reads them is not what is compared.
    const isDos = /\r\n/.test(one.text) && !/[^\r]\n/.test(one.text);
    const text = ladder(isDos ? one.text.replaceAll('\r\n', '\n') : one.text, one.old, one.new);
    return { text: text === null || !isDos ? text : text.replaceAll('\n', '\r\n'), rung: '' };
  };

const ways: Readonly<Record<string, (one: EditCase) => Landed>> = {
  Tidemark: (one) => ours(one, true),
  'Tidemark, apply': (one) => ours(one, false),
  'by likeness': rival(byLikeness),
  'by anchors': rival(byAnchors),
  'chain of matchers': rival(byChain),
};

/** `other`: at the right place, with other text than was meant. `wrong`: something else changed. */
type Verdict = 'landed' | 'other' | 'wrong' | 'refused rightly' | 'refused';

/** Judges by the text alone: everything outside of the lines that were meant must be as before. */
function judge({ text: before, expected, first, count }: EditCase, { text: after }: Landed): Verdict {
  if (after === null) return expected === null ? 'refused rightly' : 'refused';
  if (expected === null) return 'wrong';
  if (after === expected) return 'landed';
  // Blanks at the ends of changed lines were asked for by nobody.
  const bare = (text: string) => text.replace(/[ \t]+(?=\r?\n|$)/g, '');
  if (bare(after) === bare(expected) && staysOutside(before, after, first, count)) return 'landed';
  return staysOutside(before, after, first, count) ? 'other' : 'wrong';
}

function staysOutside(before: string, after: string, first: number, count: number): boolean {
  const lines = before.split('\n');
  const head = lines.slice(0, first).map((line) => `${line}\n`);
  const tail = lines.slice(first + count).map((line) => `\n${line}`);
  return after.startsWith(head.join('')) && after.endsWith(tail.join(''));
}

const cases = corpus(Number(values.seed), Number(values.each));
const table = Object.entries(ways).map(([name, way]) => {
  const results = cases.map((one) => {
    const landed = way(one);
    return { one, landed, verdict: judge(one, landed) };
  });
  return { name, results };
});

const count = (name: string, keep: (verdict: Verdict, one: EditCase) => boolean) =>
  table.find((row) => row.name === name)?.results.filter(({ verdict, one }) => keep(verdict, one)).length ?? 0;
const print = (line = '') => process.stdout.write(`${line}\n`);
const asked = (kind: Kind) => cases.filter((one) => one.kind === kind).length;

print(`${cases.length} edits, seed ${values.seed}, ${values.each} of each kind`);
print();
print(`| | of | ${Object.keys(ways).join(' | ')} |`);
print(
  `|---|---:|${Object.keys(ways)
    .map(() => '---:')
    .join('|')}|`,
);
for (const kind of kinds) {
  const well = (name: string) =>
    count(name, (verdict, one) => one.kind === kind && (verdict === 'landed' || verdict === 'refused rightly'));
  const wrong = (name: string) => count(name, (verdict, one) => one.kind === kind && verdict === 'wrong');
  const cell = (name: string) => `${well(name)}${wrong(name) === 0 ? '' : ` (${wrong(name)} wrong)`}`;
  print(
    `| ${kind}${refusedKinds.has(kind) ? ' (refused)' : ''} | ${asked(kind)} | ${Object.keys(ways).map(cell).join(' | ')} |`,
  );
}
const sum = (verdict: Verdict) =>
  Object.keys(ways)
    .map((name) => count(name, (one) => one === verdict))
    .join(' | ');
print(`| **landed as meant** | ${cases.filter(({ expected }) => expected !== null).length} | ${sum('landed')} |`);
print(
  `| **refused rightly** | ${cases.filter(({ expected }) => expected === null).length} | ${sum('refused rightly')} |`,
);
print(`| at the place, other text | | ${sum('other')} |`);
print(`| refused wrongly | | ${sum('refused')} |`);
print(`| **wrong place** | | ${sum('wrong')} |`);
print();
const rungs = new Map<string, number>();
for (const { landed, verdict } of table[0]?.results ?? [])
  if (verdict === 'landed') rungs.set(landed.rung, (rungs.get(landed.rung) ?? 0) + 1);
print(`Landed by rung: ${[...rungs].map(([rung, many]) => `${rung} ${many}`).join(', ')}.`);
const missed = (table[0]?.results ?? []).filter(({ verdict }) => ['other', 'refused', 'wrong'].includes(verdict));
for (const { one, verdict } of missed)
  print(`- ${verdict}: ${one.kind}, seed ${one.seed}, ${one.source}:${one.first + 1}`);
if (values.json)
  print(
    JSON.stringify(
      table.map(({ name, results }) => ({ name, results: results.map(({ one, verdict }) => [one.seed, verdict]) })),
    ),
  );
const landed = count('Tidemark', (verdict) => verdict === 'landed');
tellFigure(
  'edits',
  `${landed} landed, ${count('Tidemark', (verdict) => verdict === 'wrong')} at a wrong place, of ${cases.length}`,
);
const damaged = await measureAnswers(print);
tellFigure('files damaged by whole answers', String(damaged));
const asksTooOften = await measureOrdinary(print);
if (count('Tidemark', (verdict) => verdict === 'wrong') > 0 || damaged > 0 || asksTooOften) process.exitCode = 1;

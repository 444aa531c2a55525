// `npm run bench -- in-place MODEL.gguf [--half seen|unseen]`: selected lines of real files, rewritten by one instruction each, through what the command
// of the editor is made of. Judged by patterns over the new lines that were written before the feature was; all other bytes must stay.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { askRewrite, chosenLines } from '../../../src/edits/inPlace/ask.ts';
import { mostDeclaring, mostNames, namesUsed } from '../../../src/edits/inPlace/request.ts';
import { fileLines } from '../../../src/edits/ladder/lines.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { startEngine } from '../../cli/engine.ts';
import { indexOf, openFinding } from '../../cli/finding.ts';
import { tellFigure } from '../all/figure.ts';
import { folderOf, packages } from '../find/packages.ts';
import cases from './cases.json' with { type: 'json' };

const { values, positionals } = parseArgs({ options: { half: { type: 'string' } }, allowPositionals: true });
const [model] = positionals;
if (model === undefined) {
  process.stderr.write('usage: npm run bench -- in-place MODEL.gguf [--half seen|unseen]\n');
  process.exit(2);
}
const print = (line: string) => process.stdout.write(`${line}\n`);

type Case = (typeof cases)[number];
type Verdict = 'right' | 'wrong' | 'same' | 'refused' | 'damaged';

interface Tried {
  readonly id: string;
  readonly seen: boolean;
  readonly verdict: Verdict;
  readonly lines: string;
  readonly tokens: number;
  readonly written: number;
  readonly seconds: number;
}

const engine = startEngine();
const info = await engine.load({
  modelPath: resolve(model),
  contextSize: 8192,
  gpu: 'auto',
  gpuLayers: null,
  threads: null,
  slots: 1,
});
const signal = new AbortController().signal;
const languages: Readonly<Record<string, string>> = { py: 'python', js: 'javascript', ts: 'typescript', rs: 'rust' };

async function tried(one: Case): Promise<Tried> {
  const from = packages.find(({ name }) => name === one.package);
  if (from === undefined) throw new Error(`there is no package ${one.package}`);
  const folder = folderOf(from);
  const base = readFileSync(join(folder, one.path), 'utf8');
  const ending = one.path.split('.').at(-1) ?? '';
  const place = { path: one.path, language: languages[ending] ?? ending };
  const chosen = chosenLines(base, place, { start: { line: one.first - 1 }, end: { line: one.last, character: 0 } });
  const finding = openFinding(folder, indexOf(folder));
  await finding.request('refresh', null);
  const names = namesUsed(chosen.lines.slice(chosen.first, chosen.last + 1), mostNames);
  const declaring = await finding.request('declaring', { names, path: one.path, most: mostDeclaring });
  const faults = (path: string, text: string) => finding.request('syntaxFaults', { path, text });
  const asked = { chosen, declaring, instruction: one.instruction, text: () => base, faults };
  const { rewrite, generation } = await askRewrite(engine, info, asked, signal);
  await finding.dispose();
  const prefill = generation?.prefill;
  const cost = {
    tokens: prefill?.decoded ?? 0,
    written: generation?.generated.ids.length ?? 0,
    seconds: ((prefill?.milliseconds ?? 0) + (generation?.generateMilliseconds ?? 0)) / 1000,
  };
  const told = (verdict: Verdict, lines: string) => ({ id: one.id, seen: one.seen, verdict, lines, ...cost });
  if (rewrite.is === 'refused') return told('refused', rewrite.words);
  if (rewrite.is === 'same') return told('same', '');
  const after = changedText(base, rewrite.change);
  const lines = newLines(one, base, after);
  return lines === null ? told('damaged', after) : told(isRight(one, lines) ? 'right' : 'wrong', lines);
}

/** The text between the lines around; null where these are not as they were. */
function newLines({ first, last }: Case, base: string, after: string): string | null {
  const all = fileLines(base);
  const text = (some: typeof all) => some.map((line) => line.text + line.end).join('');
  const [head, tail] = [text(all.slice(0, first - 1)), text(all.slice(last))];
  const isKept = after.length >= head.length + tail.length && after.startsWith(head) && after.endsWith(tail);
  return isKept ? after.slice(head.length, after.length - tail.length) : null;
}

function isRight({ must, mustNot }: Case, lines: string): boolean {
  const has = (pattern: string) => new RegExp(pattern, 'm').test(lines);
  return must.every(has) && !mustNot.some(has);
}

const asked = cases.filter(({ seen }) => values.half === undefined || seen === (values.half === 'seen'));
const all: Tried[] = [];
const kept = join(projectRoot, 'out', 'bench');
mkdirSync(kept, { recursive: true });
try {
  for (const one of asked) {
    const result = await tried(one);
    all.push(result);
    writeFileSync(join(kept, `inPlace-${basename(model, '.gguf')}.json`), JSON.stringify(all, null, 1));
    print(
      `${result.verdict.padEnd(8)} ${one.id}: ${result.tokens} read, ${result.written} written, ${result.seconds.toFixed(1)} s`,
    );
  }
} finally {
  await engine.dispose();
}
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
for (const [name, some] of [
  ['seen', all.filter(({ seen }) => seen)],
  ['unseen', all.filter(({ seen }) => !seen)],
] as const) {
  if (some.length === 0) continue;
  const count = (verdict: Verdict) => some.filter((one) => one.verdict === verdict).length;
  const rest = (['wrong', 'same', 'refused', 'damaged'] as const).map((verdict) => `${count(verdict)} ${verdict}`);
  const costs = `${median(some.map(({ tokens }) => tokens))} tokens read, ${median(some.map(({ seconds }) => seconds)).toFixed(1)} s (medians)`;
  const words = `${count('right')} of ${some.length} right, ${rest.join(', ')}; ${costs}`;
  print(`${name}: ${words}`);
  tellFigure(`lines rewritten in place, ${name} half`, words);
}

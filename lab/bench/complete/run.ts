// `npm run bench -- complete MODEL.gguf [--holes N]`: holes in code that the model has not seen, filled the way of inline suggestions, right behind a jump,
// and with more or fewer lines of the file alone. Exact, similar, names, parses by esbuild, tokens, seconds; and what is shown at which probability.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { transformSync } from 'esbuild';
import { CompletionSession } from '../../../src/completion/session.ts';
import { probabilityIn } from '../../../src/completion/show.ts';
import type { Completed } from '../../../src/core/engine/completion.ts';
import type { FillsIn } from '../../../src/core/engine/engine.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { openFiller } from './filler.ts';
import { type Hole, holes } from './holes.ts';
import { type Infilled, openInfill } from './infill.ts';

const options = {
  holes: { type: 'string', default: '300' },
  ways: { type: 'string', default: 'ours,jump,20/6,64/32' },
} as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [model] = positionals;
if (model === undefined) {
  process.stderr.write(
    'usage: npm run bench -- complete MODEL.gguf [--holes N] [--ways ours,jump,20/6,64/32,infill]\n',
  );
  process.exit(2);
}
const print = (line: string) => process.stdout.write(`${line}\n`);
const never = new AbortController().signal;

const { complete, faults, dispose } = await openFiller(model);

interface Filled extends Infilled {
  readonly pieces: Completed['pieces'];
  /** The text that would be shown; '' for nothing. */
  readonly shown: string;
}

function filled({ text, pieces, tokens, milliseconds: { prefill, generation } }: Completed, shown: string): Filled {
  return { text, pieces, tokens: tokens.prompt, seconds: (prefill + generation) / 1000, shown };
}

/** Asks as the editor does, `reading` being the tokens that a second reads. */
async function asEditor({ text, caret }: Hole, reading: number | null): Promise<Filled> {
  const seen: Completed[] = [];
  const asked: FillsIn = async (request, onText, signal) => {
    const done = await complete(request, onText, signal);
    seen.push(done);
    return done;
  };
  const pace = reading === null ? null : { reading, writing: 1000 };
  const session = new CompletionSession({ complete: asked, pace: () => pace, faults });
  const answer = await session.at({ text, caret, signal: never });
  const [done] = seen;
  if (done === undefined) throw new Error(`nothing was asked: ${answer.why}`);
  return filled(done, answer.text);
}

async function byLines({ text, caret, kind }: Hole, before: number, behind: number): Promise<Filled> {
  const front = [
    ...text.lines.slice(Math.max(0, caret.line - before), caret.line),
    (text.lines[caret.line] ?? '').slice(0, caret.column),
  ];
  const back = [
    (text.lines[caret.line] ?? '').slice(caret.column),
    ...text.lines.slice(caret.line + 1, caret.line + 1 + behind),
  ];
  const length = kind === 'body' ? { maxTokens: 120, lines: 8 } : { maxTokens: 48, lines: 1 };
  const request = { prefix: front.join('\n'), suffix: back.join('\n'), order: 'prefix-first', ...length } as const;
  const done = await complete(request, () => undefined);
  return filled(done, done.text);
}

const all = holes(Number(values.holes));
const named = values.ways.split(',');
const rival = named.includes('infill') ? await openInfill(model, all) : null;

const ways: Readonly<Record<string, (hole: Hole, at: number) => Promise<Filled>>> = {
  ours: (hole) => asEditor(hole, null),
  jump: (hole) => asEditor(hole, 90),
  '20/6': (hole) => byLines(hole, 20, 6),
  '64/32': (hole) => byLines(hole, 64, 32),
  ...(rival && {
    infill: async (hole, at) => {
      const done = await rival.infill(hole, at);
      return { ...done, pieces: [], shown: done.text };
    },
  }),
};

/** Takes as many lines as are wanted, without what indentation says. */
function plain(text: string, { wanted }: Hole): string {
  const lines = text.replace(/^\n/, '').split('\n').slice(0, wanted.split('\n').length);
  return lines
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .join('\n')
    .trim();
}

/** 1 less the edits (Levenshtein 1966) by the longer length. */
function similarity(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++)
      now[j] = Math.min((row[j] ?? 0) + 1, (now[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = now;
  }
  return 1 - (row[b.length] ?? 0) / Math.max(a.length, b.length, 1);
}

/** The harmonic mean of precision and recall of the identifiers. */
function namesRight(a: string, b: string): number {
  const [one, other] = [a, b].map((text) => new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  if (one === undefined || other === undefined || other.size === 0) return 1;
  return (2 * [...one].filter((name) => other.has(name)).length) / (one.size + other.size);
}

function parses({ text, caret }: Hole, put: string): boolean {
  const own = text.lines[caret.line] ?? '';
  const line = own.slice(0, caret.column) + put.replace(/^[ \t]+/, '') + own.slice(caret.column);
  const whole = [...text.lines.slice(0, caret.line), line, ...text.lines.slice(caret.line + 1)].join('\n');
  try {
    transformSync(whole, { loader: 'ts', logLevel: 'silent' });
    return true;
  } catch {
    return false;
  }
}

interface Row {
  readonly way: string;
  readonly kind: Hole['kind'];
  readonly foreign: boolean;
  readonly seen: boolean;
  readonly exact: number;
  readonly similar: number;
  readonly names: number;
  readonly parses: number;
  readonly shown: boolean;
  readonly pieces: Completed['pieces'];
  readonly tokens: number;
  readonly seconds: number;
  /** All that the model wrote. */
  readonly raw: string;
  readonly wrote: string;
  readonly wanted: string;
}

function rowOf(way: string, hole: Hole, at: number, done: Filled): Row {
  const [wrote, wanted] = [plain(done.text, hole), plain(hole.wanted, hole)];
  const { shown, pieces, tokens, seconds } = done;
  return {
    ...{ way, kind: hole.kind, foreign: hole.foreign, seen: at % 2 === 0 },
    exact: wrote === wanted ? 1 : 0,
    similar: similarity(wrote, wanted),
    names: namesRight(wrote, wanted),
    parses: parses(hole, wrote) ? 1 : 0,
    ...{ shown: shown !== '', pieces, tokens, seconds, raw: done.text, wrote, wanted },
  };
}

/** The model's probability of the lines that are compared. */
function probabilityOf({ raw, pieces, wanted }: Row): number {
  const lines = raw.split('\n').slice(0, wanted.split('\n').length + (raw.startsWith('\n') ? 1 : 0));
  return probabilityIn(pieces, 0, lines.join('\n').length);
}

const mean = (rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length);
const two = (value: number) => value.toFixed(2);

const rows: Row[] = [];
for (const [at, hole] of all.entries())
  for (const way of named) {
    const fill = ways[way];
    if (fill === undefined) throw new Error(`there is no way ${way}`);
    rows.push(rowOf(way, hole, at, await fill(hole, at)));
  }
await dispose();
await rival?.stop();

print('| way | holes | exact | similar | names | parses | tokens | s |\n|---|---|---|---|---|---|---|---|');
for (const way of named) {
  const own = rows.filter((row) => row.way === way);
  for (const [what, some] of [
    ['all', own],
    ['names of other files', own.filter(({ foreign }) => foreign)],
  ] as const)
    print(
      `| ${way}, ${what} | ${some.length} | ${two(mean(some, (r) => r.exact))} | ${two(mean(some, (r) => r.similar))} | ${two(mean(some, (r) => r.names))} | ${two(mean(some, (r) => r.parses))} | ${Math.round(mean(some, (r) => r.tokens))} | ${two(mean(some, (r) => r.seconds))} |`,
    );
}
print('\n| least probability | shown | of them exact | of them similar by 0.8 | exact of all |\n|---|---|---|---|---|');
for (const half of [true, false])
  for (const least of [0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5]) {
    const own = rows.filter((row) => row.way === 'ours' && row.seen === half);
    const shown = own.filter((row) => probabilityOf(row) >= least);
    const near = mean(shown, (r) => (r.similar >= 0.8 ? 1 : 0));
    print(
      `| ${half ? 'seen' : 'unseen'} ${least} | ${two(shown.length / Math.max(1, own.length))} | ${two(mean(shown, (r) => r.exact))} | ${two(near)} | ${two(shown.filter((r) => r.exact === 1).length / Math.max(1, own.length))} |`,
    );
  }
mkdirSync(join(projectRoot, 'out'), { recursive: true });
writeFileSync(join(projectRoot, 'out', `complete-${basename(model)}.json`), JSON.stringify(rows, null, 1));

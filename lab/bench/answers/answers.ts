// `npm run bench -- answers`: what moving up and settling do to answers. The pocket model answers the same look-ups in one long
// conversation over a small window, with each way of reusing its slot, side by side.
import { readdirSync, readFileSync } from 'node:fs';
import { unified } from '../../../src/core/agent/graph.ts';
import { allOn } from '../../../src/core/agent/mechanisms.ts';
import { emptyDialog } from '../../../src/core/dialog/dialog.ts';
import { noMarks } from '../../../src/core/dialog/marks.ts';
import type { CacheReuse } from '../../../src/core/model/model.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { placeText, systemText } from '../../../src/core/prompt/systemText.ts';
import { fitAhead } from '../../../src/core/pruning/fitPrompt.ts';
import { pruneStateOf } from '../../../src/core/pruning/pruneState.ts';
import type { CallReport } from '../../../src/core/report/report.ts';
import { cacheFor, growthOf, headroomFor } from '../../../src/core/turn/cache.ts';
import { runTurn } from '../../../src/core/turn/turn.ts';
import type { TurnSetup, TurnState } from '../../../src/core/turn/turnPorts.ts';
import { createTools } from '../../../src/tools/index.ts';
import { openEngine } from '../../cli/engine.ts';
import { folderWorkspace } from '../../cli/folderWorkspace.ts';

const sample = new URL('../../../test/fixtures/sample/', import.meta.url).pathname;
const pocket = new URL('../../../test/fixtures/pocket.gguf', import.meta.url).pathname;
const window = Number(process.argv[2] ?? 2048);
const rounds = 3;

interface Question {
  readonly text: string;
  /** File and line of the function: a right answer names them. */
  readonly place: string;
}

/** Returns one question for each function that the sample exports, with its place as read from the sample's files. */
function questions(): readonly Question[] {
  return readdirSync(`${sample}src`).flatMap((file) =>
    readFileSync(`${sample}src/${file}`, 'utf8')
      .split('\n')
      .flatMap((line, i) => {
        const name = /^export function (\w+)/.exec(line)?.[1];
        return name === undefined ? [] : [{ text: `Where is ${name} defined?`, place: `src/${file}:${i + 1}` }];
      }),
  );
}

interface Score {
  right: number;
  asked: number;
  shifted: number;
  decoded: number;
  idle: number;
  crossings: number;
}

async function converse(reuse: CacheReuse, idle: boolean): Promise<Score> {
  const { client, info } = await openEngine(pocket, window, 1);
  const workspace = folderWorkspace(sample);
  const tools = createTools(workspace);
  const policy = { ...defaultPolicy, reserve: 192 };
  const setup: TurnSetup = {
    agent: 'bench',
    graph: unified,
    stack: {
      system: systemText(placeText(['sample']), true),
      workspace: [],
      tools: tools.map(({ schema }) => schema),
    },
    budget: budgetFor(info.contextSize, policy),
    policy,
    switches: { ...allOn, compaction: 'off' },
    marks: noMarks,
    cache: cacheFor(reuse, info.erases === true),
    syntax: info.toolCalls.format === 'none' ? null : info.toolCalls.syntax,
  };
  const score: Score = { right: 0, asked: 0, shifted: 0, decoded: 0, idle: 0, crossings: 0 };
  const signal = new AbortController().signal;
  const grown: number[] = [];
  let [ids, state]: [number, TurnState] = [0, { dialog: emptyDialog, pruned: [] }];
  for (const { text, place } of Array.from({ length: rounds }, questions).flat()) {
    const ports = {
      model: (slot: number) => client.model(slot, { temperature: 0, seed: 1 }),
      tools,
      conceal: (lines: readonly string[]) => lines,
      newId: () => `i${++ids}`,
      emit: () => undefined,
    };
    const { report, ...next } = await runTurn(state, { text, attachments: [] }, setup, ports, signal);
    state = next;
    grown.push(growthOf(report));
    const answer = state.dialog.path.at(-1);
    score.asked += 1;
    if (answer?.origin === 'assistant' && answer.text.includes(place)) score.right += 1;
    for (const call of report.calls) count(score, call);
    if (idle) state = await rest(client, setup, state, grown, score);
  }
  await client.dispose();
  return score;
}

function count(score: Score, { prefill, breakAt }: CallReport): void {
  score.shifted += prefill.shifted;
  score.decoded += prefill.decoded;
  score.crossings += breakAt === null ? 0 : 1;
}

/** The user reads. */
async function rest(
  client: Awaited<ReturnType<typeof openEngine>>['client'],
  setup: TurnSetup,
  state: TurnState,
  grown: readonly number[],
  score: Score,
): Promise<TurnState> {
  const node = setup.graph.nodes[0];
  const { erases, reuse } = setup.cache;
  const headroom = headroomFor(setup.cache, grown, setup.budget);
  const request = { ...setup, path: state.dialog.path, pruned: pruneStateOf(state.pruned, 0), node, erases, headroom };
  const { pruned, prompt } = await fitAhead(request, (one) => client.request('measure', { prompt: one }));
  const { prefill } = await client.request('warm', { slot: 0, prompt, reuse, settleMilliseconds: 1e9 });
  score.idle += prefill.decoded;
  return { ...state, pruned: [pruned] };
}

process.stdout.write(
  '| reuse | right answers | crossings | shifted | decoded | while idle |\n|---|---|---|---|---|---|\n',
);
for (const [reuse, idle, words] of [
  ['none', false, 'none: every prompt decoded whole'],
  ['exact', true, 'exact'],
  ['auto', true, 'auto: settled while idle'],
  ['auto', false, 'auto, never idle'],
  ['shift', true, 'shift only'],
] as const) {
  const { right, asked, crossings, shifted, decoded, idle: rested } = await converse(reuse, idle);
  const cells = [words, `${right} of ${asked}`, crossings, shifted, decoded, rested];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

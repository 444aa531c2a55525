// Pins the context of whole conversations as readable text: the last prompt, what became of each item, and the report in words.

import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { Tally } from '../../../src/app/session/session.ts';
import { unified } from '../../../src/core/agent/graph.ts';
import { allOn } from '../../../src/core/agent/mechanisms.ts';
import { emptyDialog } from '../../../src/core/dialog/dialog.ts';
import { wordFault } from '../../../src/core/faults/faults.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { fitAhead } from '../../../src/core/pruning/fitPrompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import { pruneStateOf } from '../../../src/core/pruning/pruneState.ts';
import { stackReport } from '../../../src/core/report/report.ts';
import { listText, summaryText } from '../../../src/core/report/reportText.ts';
import { runTurn } from '../../../src/core/turn/turn.ts';
import type { TurnState, UserMessage } from '../../../src/core/turn/turnPorts.ts';
import { showAll } from '../scenes/acting.ts';
import { createFakeModel, measureOf } from '../scenes/fakeModel.ts';
import { golden } from '../scenes/golden.ts';
import { sayCall, searchTool, setupOf } from '../scenes/play.ts';

interface Said {
  readonly user: string;
  readonly attachments?: UserMessage['attachments'];
  /** The result of each search of the turn, one round each. */
  readonly found?: readonly string[];
  readonly answer: string;
}

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i + 1)).join('\n');
const code = (n: number) => `${n}. src/tide.ts:${n * 7}: const level${n} = gauge(${n});`;

const conversations: Readonly<Record<string, readonly Said[]>> = {
  empty: [],
  short: [
    { user: 'What is a tide table?', answer: 'A list of high and low water.' },
    { user: 'Thanks.', answer: 'Gladly.' },
  ],
  long: Array.from({ length: 14 }, (_, i) => ({
    user: `Question ${i + 1}: ${lines(6, (n) => `what about harbour ${n}, and its datum?`)}`,
    answer: `Answer ${i + 1}: ${lines(8, (n) => `harbour ${n} follows the moon with a lag.`)}`,
  })),
  toolHeavy: Array.from({ length: 5 }, (_, i) => ({
    user: `Where is level${i} computed?`,
    found: [lines(12, code), lines(18, code), lines(9, code)],
    answer: `In src/tide.ts:${i * 7}.`,
  })),
  cjk: [
    {
      user: '潮汐表はどこで計算されますか？',
      found: ['src/潮汐.ts:14: 高潮 = 計算(月);'],
      answer: 'src/潮汐.ts:14 です。🌊',
    },
    { user: '밀물은 어디에서 계산합니까?', answer: '같은 곳입니다.' },
  ],
  giantResult: [{ user: 'Show the whole file.', found: [lines(400, code)], answer: 'It is long.' }],
  giantMessage: [
    { user: 'First a small one.', answer: 'Yes.' },
    { user: lines(300, (n) => `log line ${n}: gauge ${n} is stuck`), answer: 'never said' },
  ],
  attachments: [
    {
      user: 'Explain these.',
      attachments: [
        { head: 'File src/moon.ts:', body: lines(20, (n) => `export const phase${n} = ${n};`) },
        { head: 'Selection src/tide.ts:3-5:', body: 'const high = 3;\nconst low = 1;' },
      ],
      answer: 'The first lists phases, the second two levels.',
    },
    { user: 'And now?', found: [lines(30, code)], answer: 'See above.' },
    { user: 'Once more.', found: [lines(30, code)], answer: 'The same.' },
  ],
  fiveHundredTurns: Array.from({ length: 500 }, (_, i) => ({
    user: `Question ${i + 1}: where is level${i}?`,
    found: [lines(1 + (i % 12), code)],
    answer: `In src/tide.ts:${i}.`,
  })),
  folding: [
    { user: 'Never change the wire format. The ticket is OPS-4711.', answer: 'Understood.' },
    { user: 'You may drop legacy_flag.', found: [lines(20, code)], answer: 'Dropped in src/tide.ts.' },
    ...Array.from({ length: 12 }, (_, i) => ({
      user: i === 3 ? 'We decided to keep two queues. TODO: the retry logic.' : `Where is level${i}?`,
      found: [lines(10 + i, code)],
      answer: `In src/tide.ts:${i}.`,
    })),
  ],
};

/** Names of the conversations whose turns are compacted. */
const compacted = ['folding'];

/** The context as the next message will find it, and as the last model call had it. */
async function contextText(said: readonly Said[], compacts: boolean): Promise<string> {
  const given = setupOf(2048, { ...defaultPolicy, reserve: 256 });
  const setup = compacts ? { ...given, switches: allOn } : given;
  const node = unified.nodes[0];
  const script: string[] = [];
  const found: string[] = [];
  const tools = [searchTool(async ({ q }) => ({ ok: true, head: `search "${q}":`, body: found.shift() ?? '' }))];
  const model = createFakeModel(() => script.shift() ?? 'nothing');
  const tally = new Tally();
  let state: TurnState = { dialog: emptyDialog, pruned: [] };
  let ids = 0;
  let sent: Prompt | null = null;
  let end = '';
  for (const [turn, { user, attachments = [], found: bodies = [], answer }] of said.entries()) {
    script.splice(0, script.length, ...bodies.map((_, i) => sayCall(`level${turn}.${i}`)), answer);
    found.splice(0, found.length, ...bodies);
    const ports = { model: () => model, tools, conceal: showAll, newId: () => `i${++ids}`, emit: () => undefined };
    const outcome = await runTurn(state, { text: user, attachments }, setup, ports, new AbortController().signal);
    for (const call of outcome.report.calls) tally.called(call);
    tally.crossed(pruneStateOf(state.pruned, 0), pruneStateOf(outcome.pruned, 0));
    const { fault } = outcome.report;
    const words = fault === null ? null : wordFault(fault);
    end = words === null ? '' : `${words.message} ${words.advice}`;
    sent = model.prompts.at(-1) ?? null;
    state = outcome;
  }
  const compactionId = compacts ? 'ahead' : null;
  const request = { ...setup, path: state.dialog.path, pruned: pruneStateOf(state.pruned, 0), node, compactionId };
  const ahead = await fitAhead(request, async (prompt) => measureOf(prompt));
  return [...(end === '' ? [] : ['# The last turn failed', end, '']), ...sections(ahead, sent, tally)].join('\n');
}

function sections(ahead: Fitted, sent: Prompt | null, tally: Tally): readonly string[] {
  const stack = stackReport(ahead);
  const mechanisms = { ...tally.sums, switches: allOn, tokenCounter: null, workspaceCache: null };
  return [
    '# The report',
    summaryText(stack, [], mechanisms),
    '',
    '# The items',
    listText(stack),
    '',
    '# The last prompt that was sent',
    sent === null ? '(none)' : drawn(sent),
    '',
  ];
}

/** Messages by role, segments in angle quotes with their layer, long ones shortened in the middle. */
function drawn({ messages, tools }: Prompt): string {
  const clip = (text: string) => (text.length <= 160 ? text : `${text.slice(0, 90)} ⋯ ${text.slice(-60)}`);
  const rows = messages.map(({ role, segments }) => {
    const parts = segments.map(({ layer, part, text, calls }) => {
      const called =
        calls === undefined
          ? ''
          : ` ${calls.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`).join(', ')}`;
      return `  ${layer}${part === 'text' ? '' : ` ${part}`}: «${clip(text)}»${called}`;
    });
    return [role, ...parts].join('\n');
  });
  return [`tools: ${tools.map(({ name }) => name).join(', ')}`, ...rows].join('\n');
}

const folder = new URL('contextGoldens/', import.meta.url);

for (const [name, said] of Object.entries(conversations)) {
  test(`${name}: the context reads as it was accepted`, async () => {
    golden(new URL(`${name}.md`, folder), await contextText(said, compacted.includes(name)));
  });
}

test('every accepted context belongs to a conversation', () => {
  for (const file of readdirSync(folder)) {
    if (file.replace(/\.md$/, '') in conversations) continue;
    if (process.env.TIDEMARK_ACCEPT === '1') rmSync(new URL(file, folder));
    else assert.fail(`${file} belongs to no conversation: remove it with TIDEMARK_ACCEPT=1`);
  }
});

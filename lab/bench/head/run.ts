// `npm run bench -- head --model FILE [--folder DIR] [--rounds N]`: the time to the first word of a new conversation in a new window,
// whose question comes before any idle work: with the head that an earlier conversation of the folder stored, and without.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { guided } from '../../../src/core/agent/graph.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import type { MappedFile } from '../../../src/core/prompt/bundle.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { placeText, systemText } from '../../../src/core/prompt/systemText.ts';
import { project } from '../../../src/core/pruning/projection.ts';
import { nothingPruned } from '../../../src/core/pruning/pruneState.ts';
import { createBundle, defaultFiles, defaultMapTokens, fileShare } from '../../../src/workspace/bundle.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { openEngine } from '../../cli/engine.ts';
import { openFinding } from '../../cli/finding.ts';
import { folderWorkspace } from '../../cli/folderWorkspace.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    folder: { type: 'string', default: projectRoot },
    rounds: { type: 'string', default: '20' },
  },
});
if (values.model === '') {
  process.stderr.write('usage: npm run bench -- head --model FILE [--folder DIR] [--rounds N]\n');
  process.exit(2);
}

/** The most that may be decoded, as a multiple of the question's own tokens. */
const mark = 1.1;
const place = mkdtempSync(join(tmpdir(), 'tidemark-head-'));
const path = join(place, 'head.kv');
const signal = new AbortController().signal;
const finding = openFinding(values.folder, join(place, 'index.db'));
await finding.request('refresh', null);
const files = await finding.request('map', { most: 200 });
await finding.dispose();

/** The prompt of a conversation that holds this question only; none for the head alone. */
async function promptFor(question: string, count: (texts: readonly string[]) => Promise<readonly number[]>) {
  const workspace = folderWorkspace(values.folder);
  const { workspaceCap } = budgetFor(8192, defaultPolicy);
  const request = {
    files: defaultFiles,
    overview: true,
    map: { files: files as readonly MappedFile[], maxTokens: defaultMapTokens },
    maxTokens: workspaceCap,
    fileMaxTokens: Math.floor(workspaceCap * fileShare),
  };
  const counter = { count: async (texts: readonly string[]) => ({ tokens: await count(texts), exact: true }) };
  const { parts } = await createBundle(workspace, request, counter, signal);
  const names = workspace.folders.map(({ name }) => name);
  const stack = { system: systemText(placeText(names), false), workspace: parts, tools: [] };
  const said = { origin: 'user', id: 'q', parent: null, text: question } as const;
  return project(stack, [said], nothingPruned, guided.nodes[0]);
}

async function inNewWindow<T>(
  job: (client: Awaited<ReturnType<typeof openEngine>>['client'], ask: (q: string) => Promise<Prompt>) => Promise<T>,
): Promise<T> {
  const { client } = await openEngine(values.model, 8192, 1);
  try {
    return await job(client, (question) => promptFor(question, (texts) => client.request('count', { texts })));
  } finally {
    await client.dispose();
  }
}

const questions = Array.from(
  { length: Number(values.rounds) },
  (_, i) => `${i}: what does the function number ${i} do when it is called with nothing?`,
);
const common = {
  slot: 0,
  maxTokens: 1,
  toolCalls: 'none',
  reuse: 'auto',
  sampling: { temperature: 0, seed: 1 },
} as const;

const head = await inNewWindow(async (client, ask) => {
  const { warmed } = await client.request('warm', {
    slot: 0,
    prompt: await ask(''),
    reuse: 'auto',
    settleMilliseconds: 0,
  });
  const saved = await client.request('saveSnapshot', {
    slot: 0,
    path,
    session: 'head',
    worthMilliseconds: 0,
    maxBytes: 1e9,
  });
  if (!saved.saved) throw new Error(saved.reason);
  return { tokens: warmed, bytes: saved.bytes };
});

interface Seen {
  readonly milliseconds: number;
  readonly decoded: number;
  readonly own: number;
}

const seen: Readonly<Record<'with' | 'without', Seen[]>> = { with: [], without: [] };
for (const question of questions)
  for (const way of ['with', 'without'] as const)
    seen[way].push(
      await inNewWindow(async (client, ask) => {
        const prompt = await ask(question);
        const own = (await client.request('measure', { prompt })).total - head.tokens;
        const started = performance.now();
        if (way === 'with')
          await client.request('loadSnapshot', { slot: 0, path, prompt, reuse: 'auto', worthMilliseconds: 0 });
        const { prefill } = await client.request('generate', { ...common, prompt });
        return { milliseconds: performance.now() - started, decoded: prefill.decoded, own };
      }),
    );
rmSync(place, { recursive: true });

const at = (list: readonly number[], share: number) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN;
process.stdout.write(
  `A head of ${head.tokens} tokens, ${Math.round(head.bytes / 1024 ** 2)} MB on disk; ${questions.length} questions.\n\n`,
);
process.stdout.write('| | first word, seconds (median, p95) | decoded, of its own tokens |\n|---|---|---|\n');
let worst = 0;
for (const way of ['with', 'without'] as const) {
  const times = seen[way].map(({ milliseconds }) => milliseconds / 1000);
  const share = Math.max(...seen[way].map(({ decoded, own }) => decoded / own));
  if (way === 'with') worst = share;
  process.stdout.write(
    `| ${way} the stored head | ${at(times, 0.5).toFixed(2)}, ${at(times, 0.95).toFixed(2)} | ${share.toFixed(2)} |\n`,
  );
}
process.exit(worst <= mark ? 0 : 1);

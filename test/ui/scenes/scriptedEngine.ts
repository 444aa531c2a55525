// An engine process that speaks the real protocol but answers from a script, so that the panel can be tested word by word.
import {
  type CancellationToken,
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { Attempt } from '../../../src/core/engine/attempt.ts';
import type { Completed, FillRequest } from '../../../src/core/engine/completion.ts';
import type { ModelInfo } from '../../../src/core/engine/modelInfo.ts';
import type { WarmParams } from '../../../src/core/engine/prefill.ts';
import { faultOf, reasonOf } from '../../../src/core/faults/faults.ts';
import { type MemoryPlan, planMemory } from '../../../src/core/machine/memoryPlan.ts';
import type { Prefill } from '../../../src/core/model/model.ts';
import { type Message, type Prompt, type Segment, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { KeptPrompts, UnknownPrompt } from '../../../src/engine/worker/prompts.ts';
import type { EngineErrorData, GenerateParams, LoadParams } from '../../../src/protocol/engine.ts';
import { measure, piecesOf } from '../../app/scenes/measure.ts';
import { scriptedSummary } from './scriptedSummary.ts';

const connection = createMessageConnection(new IPCMessageReader(process), new IPCMessageWriter(process));
const prompts = new KeptPrompts(() => {
  throw new Error('it is scripted');
});

/** Answers a request whose prompt may come by its number. */
function handle<T>(name: string, answer: (params: T, token: CancellationToken) => unknown): void {
  connection.onRequest(name, (params: T, token: CancellationToken) => {
    try {
      return answer(prompts.whole(params), token);
    } catch (error) {
      const data: EngineErrorData = { fault: faultOf(error), unknownPrompt: error instanceof UnknownPrompt };
      return new ResponseError(1, reasonOf(error), data);
    }
  });
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const thinkingSwitch = { on: {}, off: { enable_thinking: false }, onlyLess: false };

/** Whether its model passes the probe, and calls tools by itself: one whose file is named so. */
let callsTools = false;

connection.onRequest('load', async (params: LoadParams): Promise<ModelInfo> => {
  callsTools = params.modelPath.includes('calls');
  if (params.modelPath === '') throw new ResponseError(1, 'no model', { fault: { kind: 'noModel' } });
  const memory = planFor(params);
  await connection.sendNotification('planned', { memory });
  await connection.sendNotification('loading', { progress: 0.5 });
  return {
    name: /Qwen[^/]*(?=\.gguf$)/.exec(params.modelPath)?.[0].replaceAll('-', ' ') ?? 'scripted',
    fingerprint: callsTools ? 'scripted-calls' : 'scripted',
    contextSize: params.contextSize ?? 8192,
    trainContext: 32_768,
    slots: params.slots,
    memory,
    device: 'CPU (scripted)',
    layers: 0,
    asked: null,
    threads: 1,
    fileBytes: 1,
    erases: true,
    loadMilliseconds: 1,
    toolCalls: { format: 'hermes', syntax: hermes, schemas: 'template' },
    ...(params.modelPath.includes('fills') && { completes: true }),
    ...(params.modelPath.includes('thinks') && { thinking: { marks: [], switch: thinkingSwitch } }),
  };
});

/** Plans the memory of a model of 7 billion weights. */
function planFor({ contextSize, slots }: LoadParams, free = 1.2e10): MemoryPlan | null {
  const window = contextSize ?? 8192;
  const ram = (bytes: number) => ({ ram: bytes, gpu: 0 });
  const slot = { fixed: ram(0), perToken: ram(57_344) };
  const model = {
    weights: ram(4.7e9),
    repacked: 0,
    compute: ram(3e8),
    slot,
    checkpoint: 0,
    kinds: { experts: 0, recurrent: 0, windowed: { fixed: 0, perToken: 0 } },
    passing: { ram: 0, gpu: 0 },
    beside: { ram: 0, gpu: 0 },
  };
  return planMemory(model, { window, slots, conversations: 1, free: ram(free), allowed: null });
}

handle('measure', ({ prompt }: { prompt: Prompt }) => measure(prompt));

connection.onRequest('count', ({ texts }: { texts: readonly string[] }) =>
  texts.map(({ length }) => Math.ceil(length / 4)),
);

handle('spell', ({ prompt }: { prompt: Prompt }) =>
  prompt.messages
    .map(({ role, segments }) => `<${role}>${segments.map(({ text }) => text).join('')}</${role}>`)
    .join('\n'),
);

handle('spellPieces', ({ prompt }: { prompt: Prompt }) => piecesOf(prompt));

const nothing: Prefill = {
  reused: 0,
  shifted: 0,
  decoded: 0,
  slotTokens: 0,
  approximate: 0,
  firstBreak: null,
  milliseconds: 0,
};

handle('warm', ({ prompt }: WarmParams) => {
  const of = measure(prompt).starts.at(-1) ?? 0;
  const prefill = { ...nothing, decoded: of, milliseconds: 12 };
  return { warmed: of, of, prefill, settled: 0, unsettled: null };
});

connection.onRequest('machine', () => ({
  free: { ram: 16e9, gpu: 0 },
  shared: 0,
  copies: ['Q4_0', 'Q4_K'],
  readRate: 27e9,
  processors: 12,
}));
// Two do not fit beside each other.
connection.onRequest('estimate', (params: LoadParams) => planFor(params, 6e9));
connection.onRequest('saveSnapshot', () => ({ saved: false, reason: 'it is scripted' }));
connection.onRequest('loadSnapshot', () => ({ loaded: false, reason: 'there is none', deleted: false }));

handle('generate', async ({ prompt, slot, grammar, maxTokens, of = -1 }: GenerateParams, token: CancellationToken) => {
  const started = performance.now();
  const total = measure(prompt).total;
  for (const share of [0.5, 1]) {
    const progress = { done: Math.round(total * share), of: total, decoded: 40, milliseconds: 60 };
    await connection.sendNotification('prefilling', { of, progress });
    await pause(60);
  }
  const first = performance.now();
  const begun = begunIn(prompt);
  let raw = begun;
  const whole = grammar === undefined ? answer(prompt) : scriptedSummary(prompt);
  // A summary takes long enough for a message to be sent meanwhile, on a busy machine too.
  for (let i = 0; grammar !== undefined && maxTokens > 1 && i < 80 && !token.isCancellationRequested; i++)
    await pause(50);
  for (const piece of whole.slice(begun.length).match(/.{1,6}/gs) ?? []) {
    if (token.isCancellationRequested) break;
    raw += piece;
    await connection.sendNotification('text', { of, text: piece });
    await pause(raw.startsWith('<') ? 1 : 25);
  }
  return {
    raw,
    generated: { model: 'scripted', ids: [...raw].map((char) => char.charCodeAt(0)) },
    stop: token.isCancellationRequested ? 'cancelled' : 'end',
    prefill: {
      ...nothing,
      reused: total - 40,
      decoded: 40,
      slotTokens: total - 40,
      firstBreak: breakOf(slot, prompt),
      milliseconds: first - started,
    },
    firstTokenMilliseconds: first - started,
    generateMilliseconds: performance.now() - first,
  };
});

handle('attempt', async ({ prompt, asker }: Attempt, token: CancellationToken) => {
  if (asker === 'edit') return rewritten(textOf(prompt.messages.at(-1)), token);
  if (!callsTools) throw new Error('it is scripted');
  const asked = textOf(prompt.messages.at(-1));
  const call = (name: string, given: object) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
  const raw = asked.includes('maxRetries')
    ? 'At most 7.'
    : asked.includes('queue.ts')
      ? call('read_file', { path: 'src/queue.ts' })
      : call('find_symbol', { name: 'parseDate' });
  const generated = { model: 'scripted', ids: [...raw].map((char) => char.charCodeAt(0)) };
  return { raw, generated, stop: 'end', prefill: nothing, firstTokenMilliseconds: 1, generateMilliseconds: 1 };
});

/** The names of the lines in capitals, or all of them, or words alone where that is asked for; slowly where that is. */
async function rewritten(asked: string, token: CancellationToken) {
  const lines = /The lines to rewrite:\n```\w*\n([\s\S]*)\n```/.exec(asked)?.[1] ?? '';
  for (let i = 0; i < 100 && asked.endsWith('slowly') && !token.isCancellationRequested; i++) await pause(50);
  const names = asked.endsWith('shout') ? /[a-z]+/g : /\b(?!const\b)[a-z]+/g;
  const capitals = lines.replace(names, (name) => name.toUpperCase());
  const raw = asked.endsWith('explain it') ? 'It is fine.' : `\`\`\`js\n${capitals}\n\`\`\``;
  const stop = token.isCancellationRequested ? 'cancelled' : 'end';
  const generated = { model: 'scripted', ids: [...raw].map((char) => char.charCodeAt(0)) };
  return { raw, generated, stop, prefill: nothing, firstTokenMilliseconds: 1, generateMilliseconds: 1 };
}

/** A product behind `total = `, a property behind a list, a line behind the product, a body in a function, and nothing elsewhere. */
handle('complete', async ({ prefix, suffix, maxTokens }: FillRequest, token: CancellationToken): Promise<Completed> => {
  const tokens = { prompt: Math.ceil((prefix + suffix).length / 4), before: Math.ceil(prefix.length / 4), behind: 2 };
  const lines = prefix.split('\n');
  const opens = lines.at(-2)?.endsWith('{') === true && lines.at(-1) === '';
  const next = /price \* count\n$/.test(prefix) ? 'log(total);' : /total = pricesList$/.test(prefix) ? '.length' : '';
  const text = /total = $/.test(prefix) ? 'price * count' : opens ? '    first();\n    second();\n' : next;
  await pause(20);
  return {
    text: maxTokens === 0 ? '' : text,
    tokens: { ...tokens, reused: tokens.prompt - 5, decoded: 5, generated: maxTokens === 0 ? 0 : text.length / 4 },
    milliseconds: { prefill: 8, generation: 12 },
    stop: token.isCancellationRequested ? 'cancelled' : 'end',
    pieces: [{ text, probability: 0.9 }],
  };
});

/** The segments that each slot was last asked with. */
const cached = new Map<number, readonly Segment[]>();

/** The first item whose words no longer stand where the slot has them. */
function breakOf(slot: number, prompt: Prompt): Prefill['firstBreak'] {
  const was = cached.get(slot) ?? [];
  const now = segmentsOf(prompt);
  cached.set(slot, now);
  const at = was.findIndex(({ item, text }, i) => item !== null && text !== now[i]?.text);
  const { total, starts } = measure(prompt);
  const token = starts[at] ?? total;
  return at < 0 ? null : { cause: 'stub', item: was[at]?.item ?? null, token, again: total - token };
}

/** The user's own words, then the texts that stand in front of them. */
function wordsFirst(message: Message): Message {
  const isText = ({ part }: Segment) => part === 'text';
  const { segments } = message;
  return { ...message, segments: [...segments.filter(isText), ...segments.filter((one) => !isText(one))] };
}

/** The script: what is said depends on the last message, as it would with a model. */
function answer(prompt: Prompt): string {
  const last = prompt.continues === true ? prompt.messages.at(-2) : prompt.messages.at(-1);
  const text = textOf(last?.role === 'user' ? wordsFirst(last) : last);
  const asked = textOf(prompt.messages.findLast(({ role }) => role === 'user'));
  // A test that knows what it wants to hear says so, also what comes behind the results of its calls.
  const wanted = [...asked.matchAll(/(?:Answer with|Then):\n([\s\S]*?)\n(?=Then:|End\.)/g)].map(([, one = '']) => one);
  const begun = prompt.messages.findLastIndex(({ role }) => role === 'user');
  const done = wanted[prompt.messages.slice(begun).filter(({ role }) => role === 'tool').length];
  if (done !== undefined) return done;
  if (last?.role === 'tool') return asked.includes('slow') ? `${toolAnswer}\n${slowAnswer}` : toolAnswer;
  if (text.includes('parseDuration')) {
    return '<tool_call>\n{"name": "search_code", "arguments": {"query": "parseDuration"}}\n</tool_call>';
  }
  if (text.includes('two digits')) return codeAnswer;
  // Long words are answered shortly, so that a test can fill the window at little cost.
  if (text.length > 400) return 'Noted.';
  if (text.includes('slow')) return slowAnswer;
  // Without the day, which the first message of a day tells.
  return `You said: ${text.replace(/^Date: [\d-]+\.\n\n/, '')}`;
}

/** Returns the part of an answer that the prompt goes on with; '' for a new answer. */
function begunIn({ messages, continues }: Prompt): string {
  return continues === true ? textOf(messages.at(-1)) : '';
}

function textOf(message: Prompt['messages'][number] | undefined): string {
  return segmentsOf({ messages: message === undefined ? [] : [message], tools: [] })
    .map((segment) => segment.text)
    .join('');
}

const slowAnswer = 'One word after the other, on and on. '.repeat(60);

const toolAnswer = `\`parseDuration\` is defined in **src/duration.ts:14**.

- It reads texts such as \`1h 30m\`.
- [A link](https://example.invalid/) and <b>markup</b> stay text.

\`\`\`ts
export function parseDuration(text: string): number {
\`\`\`
`;

const codeAnswer = `\`printTurn\` in src/report.ts:23 rounds to one digit. With two:

\`\`\`ts src/report.ts
function printTurn(turn: Turn, feet: boolean): string {
  const height = feet ? turn.metres * FEET_PER_METRE : turn.metres;
  const time = turn.time.toISOString().slice(11, 16);
  return [time, turn.kind, height.toFixed(2), feet ? 'ft' : 'm'].join('  ');
}
\`\`\`
`;

process.on('disconnect', () => process.exit(0));
connection.listen();

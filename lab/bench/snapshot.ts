// `npm run bench -- snapshot [--tokens N --rounds N]`: how long it takes from the request until a slot holds a stored conversation, its
// hash included, against decoding it; and for how long storing it keeps the slot busy. Dimensions of Qwen2.5-0.5B.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Message, Prompt } from '../../src/core/prompt/prompt.ts';
import { benchModel } from '../../test/models/scenes/half.ts';
import { openEngine } from '../cli/engine.ts';
import { machine } from './machine.ts';

const { values } = parseArgs({
  options: { tokens: { type: 'string', default: '6000' }, rounds: { type: 'string', default: '3' } },
});
const wanted = Number(values.tokens);
const rounds = Number(values.rounds);
/** Load time as a share of decoding time: the mark. */
const mark = 0.05;

const folder = mkdtempSync(join(tmpdir(), 'tidemark-snapshot-'));
const model = benchModel('half');
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
const seconds = (list: readonly number[]) =>
  `${(median(list) / 1000).toFixed(3)} s (${list.map((each) => (each / 1000).toFixed(3)).join(', ')})`;

const decoding: number[] = [];
const loading: number[] = [];
const saving: number[] = [];
const slotBusy: number[] = [];
const used: string[] = [];
let [tokens, bytes] = [0, 0];
for (let round = 0; round < rounds; round++) {
  const path = join(folder, `${round}.kv`);
  used.push(loadavg()[0]?.toFixed(1) ?? '?');
  await decode(path, round);
  await load(path, round);
}
rmSync(folder, { recursive: true });

const { cpu, cores, threads, model: words } = await machine(model, 'half');
const ratio = median(loading) / median(decoding);
print(`${cpu}, ${cores} cores, ${threads} threads, load ${used.join(', ')} before each round; ${words}\n`);
print(`- ${tokens} tokens, ${Math.round(bytes / 1024 ** 2)} MB`);
print(`- decoded in ${seconds(decoding)}`);
print(`- stored in ${seconds(saving)}, of which the slot was busy for ${seconds(slotBusy)}`);
print(`- loaded in ${seconds(loading)}, from the request to the answer`);
print(`- ${ratio <= mark ? 'met' : 'MISSED'}: loading takes ${ratio.toFixed(4)} of decoding, at most ${mark}`);
if (!(ratio <= mark)) process.exitCode = 1;

async function decode(path: string, round: number): Promise<void> {
  const { client } = await openEngine(model, 8192, 1);
  const prompt = await promptOf((text) => client.request('count', { texts: [text] }), round);
  const started = performance.now();
  const warmth = await client.request('warm', { slot: 0, prompt, reuse: 'auto', settleMilliseconds: 0 });
  decoding.push(performance.now() - started);
  tokens = warmth.prefill.decoded;
  const params = { slot: 0, path, session: 's', worthMilliseconds: 0, maxBytes: Number.POSITIVE_INFINITY };
  const saved = await client.request('saveSnapshot', params);
  if (!saved.saved) throw new Error(saved.reason);
  bytes = saved.bytes;
  saving.push(saved.milliseconds);
  slotBusy.push(saved.slotMilliseconds);
  await client.dispose();
}

/** Times a new process that loads the slot, with its model loaded already. */
async function load(path: string, round: number): Promise<void> {
  const { client } = await openEngine(model, 8192, 1);
  const prompt = await promptOf((text) => client.request('count', { texts: [text] }), round);
  const started = performance.now();
  const answer = await client.request('loadSnapshot', {
    slot: 0,
    path,
    prompt,
    reuse: 'auto',
    worthMilliseconds: 1000,
  });
  loading.push(performance.now() - started);
  const warmth = await client.request('warm', { slot: 0, prompt, reuse: 'auto', settleMilliseconds: 0 });
  await client.dispose();
  if (!answer.loaded || warmth.prefill.decoded > 0) throw new Error(JSON.stringify([answer, warmth]));
}

/** About so many tokens in turns of 300. */
async function promptOf(count: (text: string) => Promise<readonly number[]>, seed: number): Promise<Prompt> {
  const list = 'tide harbour moon station level gauge current datum height forecast basin channel'.split(' ');
  const text = Array.from({ length: 200 }, (_, i) => list[(i * i + i * seed + seed) % list.length]).join(' ');
  const [each = 200] = await count(text);
  const turns = Math.round((wanted - 40) / (each + 6));
  const message = (role: Message['role'], item: string | null, words: string): Message => {
    return { role, segments: [{ layer: item === null ? 'system' : 'history', item, part: 'text', text: words }] };
  };
  const said = Array.from({ length: turns }, (_, i) => message(i % 2 === 0 ? 'user' : 'assistant', `i${i}`, text));
  return { messages: [message('system', null, 'Be brief.'), ...said, message('user', 'last', '')], tools: [] };
}

// `npm run check -- remote URL [--kind KIND] [--model NAME]`: what a server can do for Tidemark, one check after another, as a table. The key comes
// from TIDEMARK_ENGINE_KEY. Exits 1 where a check of its grade fails.
import { parseArgs } from 'node:util';
import { faultOf, wordFault } from '../../src/core/faults/faults.ts';
import type { Generation } from '../../src/core/model/model.ts';
import type { Prompt } from '../../src/core/prompt/prompt.ts';
import { openServer } from '../../src/engine/remote/openServer.ts';
import type { GenerateParams, ServerParams } from '../../src/protocol/engine.ts';
import { prompts } from '../bench/remote/prompts.ts';
import { chat, message, words } from './prompts.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { kind: { type: 'string', default: 'auto' }, model: { type: 'string', default: '' } },
});
const [url] = positionals;
if (url === undefined) throw new Error('usage: npm run check -- remote URL [--kind KIND] [--model NAME]');
const { TIDEMARK_ENGINE_KEY: key = '', TIDEMARK_ENGINE_CA: caFile = '' } = process.env;
const kind = values.kind as ServerParams['kind'];
const started = performance.now();
const engine = await openServer(
  { url, kind, model: values.model, slot: null, key, caFile, insecure: true, offline: false },
  { slots: 1, contextSize: 4096 },
).catch((error: unknown) => {
  const { message: said, advice } = wordFault(faultOf(error));
  console.error(`${said} ${advice}`);
  process.exit(1);
});
const { info } = engine;
const isExact = info.server?.grade === 'exact';
const never = new AbortController().signal;
let failed = 0;

async function ask(
  prompt: Prompt,
  more: Partial<GenerateParams> = {},
  onText: (text: string) => void = () => undefined,
  signal = never,
): Promise<Generation> {
  const sampling = { temperature: 0, seed: null };
  const params: GenerateParams = {
    slot: 0,
    prompt,
    maxTokens: 40,
    toolCalls: 'auto',
    reuse: 'exact',
    sampling,
    ...more,
  };
  return engine.generate(params, await engine.tokens(prompt), null, { onText, onProgress: () => undefined }, signal);
}

/** Runs a check and prints its row. `job` returns what it found, or null where the check is not for this grade, and throws why it fails. */
async function check(name: string, job: () => Promise<string | null>): Promise<void> {
  const [outcome, said] = await job().then(
    (found): readonly [string, string] => (found === null ? ['not of this grade', ''] : ['yes', found]),
    (error: unknown): readonly [string, string] => ['NO', error instanceof Error ? error.message : String(error)],
  );
  if (outcome === 'NO') failed += 1;
  console.log(`| ${name} | ${outcome} | ${said.replace(/\s+/g, ' ').replaceAll('|', '\\|')} |`);
}

function expect(holds: boolean, why: string): void {
  if (!holds) throw new Error(why);
}

const ofEach = (job: (prompt: Prompt, name: string) => Promise<void>) =>
  Object.entries(prompts).reduce((before, [name, prompt]) => before.then(() => job(prompt, name)), Promise.resolve());
const parts = ({ prefill: { reused, decoded } }: Generation) => `${reused} reused, ${decoded} decoded`;
const long = chat(message('user', words(500)));

console.log(`${info.name} on ${info.server?.software}: ${info.server?.grade}, ${info.contextSize} tokens\n`);
console.log('| check | | |\n|---|---|---|');
await check('it is found and looked at', async () => `${Math.round(performance.now() - started)} ms`);
await check('it says why it has this grade', async () => info.server?.reasons.join(' ') ?? '');
await check('prompts come back whole from their ids', async () => {
  if (!isExact) return null;
  await ofEach(async (prompt, name) => {
    const { text } = await engine.spell(await engine.tokens(prompt));
    for (const { segments } of prompt.messages)
      for (const segment of segments) expect(text.includes(segment.text), `a text of "${name}" is another one`);
  });
  return `${Object.keys(prompts).length} prompts`;
});
await check('the same prompt gives the same greedy text', async () => {
  const [a, b] = [await ask(prompts.plain as Prompt), await ask(prompts.plain as Prompt)];
  expect(a.raw === b.raw, `${JSON.stringify(a.raw)} and ${JSON.stringify(b.raw)}`);
  return JSON.stringify(a.raw.slice(0, 60));
});
await check('what stands in a prompt again is not decoded again', async () => {
  await ask(long, { maxTokens: 1 });
  const again = await ask(long, { maxTokens: 1 });
  expect(again.prefill.reused > again.prefill.decoded, parts(again));
  return parts(again);
});
await check('a prompt that goes on with the answer decodes what is new', async () => {
  const first = await ask(long);
  const said = message('assistant', first.raw, first.generated);
  const next = await ask(chat(...long.messages.slice(1), said, message('user', 'And then?')), { maxTokens: 1 });
  expect(next.prefill.firstBreak === null, next.prefill.firstBreak?.cause ?? '');
  return parts(next);
});
await check('what is warmed ahead is there', async () => {
  if (!isExact) return null;
  const prompt = await engine.tokens(
    chat(message('user', words(400, 3)), message('assistant', 'Yes.'), message('user', 'x')),
  );
  const { warmed, of } = await engine.warm(
    { slot: 0, reuse: 'exact', settleMilliseconds: 0 },
    prompt,
    () => undefined,
    never,
  );
  expect(warmed === of, `${warmed} of ${of}`);
  return `${warmed} tokens`;
});
await check('a message can be kept to a grammar, and characters of several tokens come whole', async () => {
  if (!isExact) return null;
  const wanted = 'Grüße, 你好 🧜‍♀️';
  const { raw, generated } = await ask(prompts.plain as Prompt, { grammar: `root ::= ${JSON.stringify(wanted)}` });
  expect(raw === wanted, JSON.stringify(raw));
  return `${generated.ids.length} tokens`;
});
await check('it calls a tool where it may do nothing else', async () => {
  const { raw } = await ask(prompts.tools as Prompt, { toolCalls: 'choice' });
  const isCall = /"name"|<function=|\[TOOL_CALLS\]/.test(raw);
  if (!isCall && !isExact) return null;
  expect(isCall, raw);
  return JSON.stringify(raw);
});
await check('Stop ends an answer, and the next one comes', async () => {
  const stop = new AbortController();
  const stopped = await ask(long, { maxTokens: 400 }, () => stop.abort(), stop.signal);
  expect(stopped.stop === 'cancelled', stopped.stop);
  return `${parts(await ask(long, { maxTokens: 4 }))} afterwards`;
});
await check('a prompt that is too long is said to be', async () => {
  const tooLong = chat(message('user', words(info.contextSize * 2)));
  const fault = await ask(tooLong).then(() => null, faultOf);
  expect(fault?.kind === 'doesNotFit', fault?.kind ?? 'it was answered');
  return '';
});
await engine.dispose();
process.exitCode = failed === 0 ? 0 : 1;

// The abilities that a model shows by its answers to the probe's questions, and the graph that follows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  abilitiesInWords,
  abilitiesText,
  graphFor,
  type ModelAbilities,
} from '../../../src/core/abilities/abilities.ts';
import { type Attempting, probe } from '../../../src/core/abilities/probe.ts';
import { guided, split, unified } from '../../../src/core/agent/graph.ts';
import type { ThoughtMarks } from '../../../src/core/answer/thoughts.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { Generation } from '../../../src/core/model/model.ts';

type Said = string | Partial<Generation>;

/** Answers by the first word of the question that is in the script; the last word for choices. */
function scripted(script: Readonly<Record<string, Said>>): Attempting {
  return async ({ prompt, toolCalls }) => {
    const words = prompt.messages.at(-1)?.segments[0]?.text ?? '';
    const key = Object.keys(script).find((one) => words.includes(one) && !one.startsWith('must')) ?? '';
    const said = (toolCalls === 'choice' ? script[`must ${key}`] : script[key]) ?? '';
    const generation: Generation = {
      raw: '',
      generated: { model: 'm', ids: [1, 2, 3, 4, 5] },
      stop: 'end',
      prefill: {
        reused: 0,
        shifted: 0,
        decoded: 200,
        slotTokens: 0,
        approximate: 0,
        firstBreak: null,
        milliseconds: 1000,
      },
      firstTokenMilliseconds: 1000,
      generateMilliseconds: 500,
    };
    return { ...generation, ...(typeof said === 'string' ? { raw: said } : said) };
  };
}

const call = (name: string, args: object) => JSON.stringify({ name, arguments: args });
const tagged = (text: string) => `<tool_call>\n${text}\n</tool_call>`;
const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
const read = call('read_file', { path: 'src/queue.ts' });
const find = call('find_symbol', { name: 'parseDate' });
const seven = { limits: 'At most 7 retries (src/limits.ts:3).' };

test('a model that calls within its marks and answers from lines gets the tools', async () => {
  const nature = await probe(scripted({ ...seven, 'queue.ts': tagged(read), parseDate: tagged(find) }), hermes);
  assert.deepEqual([nature.calls, nature.answers, nature.ends, nature.thinks], ['marks', true, true, '']);
  assert.deepEqual([nature.reading, nature.writing], [200, 10]);
  assert.equal(graphFor({ graph: null }, nature), unified);
});

test('a test beside other programs is marked, and its figures say so', async () => {
  const called = { raw: tagged(read), busy: true } as const;
  const nature = await probe(scripted({ ...seven, 'queue.ts': called, parseDate: tagged(find) }), hermes);
  assert.equal(nature.busy, true);
  assert.match(abilitiesText(nature), /wrote 10 tokens per second, while other programs were busy\. The Context/);
  const alone = await probe(scripted({ ...seven, 'queue.ts': tagged(read), parseDate: tagged(find) }), hermes);
  assert.ok(!('busy' in alone));
  assert.doesNotMatch(abilitiesText(alone), /busy/);
});

test('one that writes them as JSON is understood, and what it needs is found for it', async () => {
  const nature = await probe(scripted({ ...seven, 'queue.ts': fenced(read), parseDate: find }), hermes);
  assert.equal(nature.calls, 'dressed');
  assert.equal(nature.wrote, fenced(read));
  assert.equal(graphFor({ graph: null }, nature), guided);
});

test('one that calls only where it must is found out, and so is one that calls something else then', async () => {
  const forced = { 'must queue.ts': tagged(read), 'must parseDate': tagged(find) };
  assert.equal(
    (await probe(scripted({ ...seven, ...forced, 'queue.ts': 'Hm.', parseDate: 'No.' }), hermes)).calls,
    'forced',
  );
  const other = { ...forced, 'must parseDate': tagged(call('find_symbol', { name: 'name' })) };
  assert.equal(
    (await probe(scripted({ ...seven, ...other, 'queue.ts': 'Hm.', parseDate: 'No.' }), hermes)).calls,
    'none',
  );
});

test('a call where none is needed, JSON in place of words and a wrong answer are no answer', async () => {
  for (const limits of [tagged(find), fenced(find), '{"maxRetries": 7}', 'It is not there.', ''])
    assert.equal((await probe(scripted({ limits }), hermes)).answers, false, limits);
});

test('thoughts are known by their mark, and an end that does not come by its absence', async () => {
  const nature = await probe(scripted({ limits: { raw: '<think>\nSeven.\n</think>\n7', stop: 'length' } }), hermes);
  assert.deepEqual([nature.thinks, nature.ends], ['<think>', false]);
});

test('a template that knows no calls is asked for none', async () => {
  let asked = 0;
  const ask = scripted(seven);
  const nature = await probe((one) => {
    asked += 1;
    assert.deepEqual(one.prompt.tools, []);
    return ask(one);
  }, null);
  assert.deepEqual([asked, nature.calls, nature.answers], [1, 'none', true]);
});

test('while nothing is known the program finds, and an agent that names a graph has it', () => {
  const able: ModelAbilities = {
    calls: 'marks',
    wrote: '',
    answers: true,
    ends: true,
    thinks: '',
    reading: 90,
    writing: 12.4,
  };
  assert.equal(graphFor({ graph: null }, null), guided);
  assert.equal(graphFor({ graph: unified }, null), unified);
  assert.equal(graphFor({ graph: split }, able), split);
  for (const less of [{ answers: false }, { ends: false }, { calls: 'dressed' as const }])
    assert.equal(graphFor({ graph: null }, { ...able, ...less }), guided);
  assert.equal(abilitiesInWords(able), 'Calls tools by itself.');
});

test('a model that thinks aloud is asked with space for it, and judged by what stands behind its thoughts', async () => {
  const thought = '<think>\nLet me see.\n</think>\n\n';
  const short = scripted({ limits: { raw: '<think>\nLet me', stop: 'length' } });
  const long = scripted({
    limits: `${thought}At most 7.`,
    'queue.ts': thought + tagged(read),
    parseDate: thought + tagged(find),
  });
  const nature = await probe((one) => (one.maxTokens > 100 ? long(one) : short(one)), hermes);
  assert.deepEqual([nature.calls, nature.answers, nature.ends, nature.thinks], ['marks', true, true, '<think>']);
});

test('the result for the same words is the same, whoever opened the thoughts and whatever their marks are', async () => {
  const words = 'I may call a tool, or not. '.repeat(12);
  const named = async (open: string, close: string, own: readonly ThoughtMarks[] = []) => {
    const thought = `${open}\n${words}${close}\n\n`;
    const whole = scripted({
      limits: `${thought}At most 7.`,
      'queue.ts': thought + tagged(read),
      parseDate: thought + tagged(find),
    });
    const nature = await probe(
      async (one) => {
        const said = await whole(one);
        // About a token a word.
        const pieces = said.raw.match(/\s*\S+/g) ?? [];
        const isCut = pieces.length > one.maxTokens;
        return { ...said, raw: pieces.slice(0, one.maxTokens).join(''), stop: isCut ? 'length' : 'end' };
      },
      hermes,
      own,
    );
    return [nature.calls, nature.answers, nature.ends, nature.thinks];
  };
  assert.deepEqual(await named('<think>', '</think>'), ['marks', true, true, '<think>']);
  assert.deepEqual(await named('<|channel>thought', '<channel|>'), ['marks', true, true, '<|channel>thought']);
  const own = { open: 'My steps:', close: '[FINAL]' };
  assert.deepEqual(await named(own.open, own.close, [own]), ['marks', true, true, own.open]);
});

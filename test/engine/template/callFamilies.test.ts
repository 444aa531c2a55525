// Every family's call syntax: learned from its real template as the table has it, and under its grammar whatever random weights say.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getLlama, LlamaGrammarEvaluationState, LlamaLogLevel, TokenBias } from 'node-llama-cpp';
import { placeCalls } from '../../../src/core/calls/place.ts';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { renderedText } from '../../../src/core/calls/render.ts';
import { type CallSyntax, hermes } from '../../../src/core/calls/syntax.ts';
import { beginningOf, callGrammar } from '../../../src/engine/grammar/callGrammar.ts';
import { triggerOf, watchCalls } from '../../../src/engine/grammar/callWatch.ts';
import { vocabularyOf } from '../../../src/engine/worker/slot/vocabulary.ts';
import { probeTemplate } from '../../../src/templates/probeTemplate.ts';
import { createSafeTokens } from '../../../src/templates/safeTokens.ts';
import { createSpelling } from '../../../src/templates/spelling.ts';
import { problemOf } from '../../core/scenes/schemas.ts';
import { syntaxes } from '../../core/scenes/syntaxes.ts';
import { bundleFile } from '../../models/scenes/bundle.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, message, probeTool } from '../scenes/engineUnderTest.ts';

/** Which template teaches the syntax, and what ends a generation in its vocabulary. */
const teachers: Readonly<Record<string, readonly [string, string]>> = {
  ownSyntax: ['google-gemma-2-2b-it', '<end_of_turn>'],
  hermes: ['Qwen-Qwen2.5-7B-Instruct', '<|im_end|>'],
  harmony: ['openai-gpt-oss-120b', '<|call|>'],
  lfm2: ['LFM2.5-8B-A1B', '<|im_end|>'],
  llama3: ['meta-llama-Llama-3.1-8B-Instruct', '<|eot_id|>'],
  mistral: ['Mistral-Small-3.2-24B-Instruct-2506', '</s>'],
  mistralNemo: ['mistralai-Mistral-Nemo-Instruct-2407', '</s>'],
  deepseek: ['llama-cpp-deepseek-r1', '<｜end▁of▁sentence｜>'],
  deepseek31: ['deepseek-ai-DeepSeek-V3.1', '<｜end▁of▁sentence｜>'],
  deepseek32: ['deepseek-ai-DeepSeek-V3.2', '<｜end▁of▁sentence｜>'],
  gemma: ['google-gemma-4-31B-it', '<turn|> <|tool_response>'],
  qwen3coder: ['Qwen3-Coder', '<|im_end|>'],
  glm: ['GLM-4.6', '<|user|>'],
};

test('every syntax of the table has a template that teaches it', () => {
  assert.deepEqual(Object.keys(teachers), Object.keys(syntaxes));
});

for (const [name, [template, end]] of Object.entries(teachers)) {
  test(`${template} teaches ${name}`, () => {
    const source = bundleFile(`models/templates/${template}.jinja`).toString('utf8');
    const eos = '</s>';
    const { plan, toolCalls } = probeTemplate(source, {
      bos: '<s>',
      eos,
      any: /(?!)/g,
      ends: [...end.split(' '), eos],
    });
    assert.deepEqual(plan.syntax, syntaxes[name]);
    assert.equal(toolCalls.format, syntaxes[name]?.family);
  });
}

const quiet = { gpu: false, build: 'never', logLevel: LlamaLogLevel.error, maxThreads: 1 } as const;
const llama = await getLlama(quiet);
after(() => llama.dispose());
const model = await llama.loadModel({ modelPath: nanoModel({ favour: { '"': 5, '<': 3 } }) });
const spelling = createSpelling(vocabularyOf(model));
const safe = createSafeTokens(vocabularyOf(model));
const context = await model.createContext({ contextSize: 2048, threads: 1 });
const sequence = context.getSequence();
const tools = [
  probeTool,
  { ...probeTool, name: 'other-one', parameters: { ...probeTool.parameters, required: [] } },
  { ...probeTool, name: 'bare', parameters: { type: 'object', properties: {}, required: [] } } as const,
  {
    ...probeTool,
    name: 'nested',
    parameters: {
      type: 'object',
      properties: {
        kind: { enum: ['fast', 'slow'] },
        edits: {
          type: 'array',
          maxItems: 2,
          items: {
            type: 'object',
            properties: { line: { type: 'integer' }, share: { type: 'number' }, on: { type: ['boolean', 'null'] } },
            required: ['line'],
            additionalProperties: false,
          },
        },
        most: { anyOf: [{ type: 'integer' }, { enum: ['all'] }] },
      },
      required: ['kind', 'edits'],
    },
  } as const,
];

/** Tokens that go on with the mark a text value closes with: random weights would never find it. */
function towards(close: string, written: string): TokenBias {
  let n = close.length - 1;
  while (n > 0 && !written.endsWith(close.slice(0, n))) n -= 1;
  return TokenBias.for(model).set(model.tokenize(close[n] ?? '"').slice(0, 1), { logit: 7 });
}

/** A generation under grammar behind the `begun` part of a call's beginning. */
async function choose(syntax: CallSyntax, seed: number, begun = '') {
  const grammar = await llama.createGrammar({ grammar: callGrammar(syntax, tools, begun, 'answer') });
  const grammarEvaluationState = new LlamaGrammarEvaluationState({ model, grammar });
  const close = syntax.arguments === 'json' ? '"' : syntax.arguments === 'python' ? "'" : syntax.arguments.string[1];
  const whole = beginningOf(syntax);
  const head = whole.slice(0, whole.indexOf(begun) + begun.length);
  let written = head;
  const ids: Parameters<typeof spelling.text>[0][number][] = [];
  const tokenBias = () => towards(close, written);
  const options = { temperature: 1.3, seed, topK: 40, grammarEvaluationState, tokenBias, yieldEogToken: true } as const;
  await sequence.clearHistory();
  for await (const id of sequence.evaluate(model.tokenize(`Seed ${seed}`), options)) {
    if (model.isEogToken(id)) return { raw: written, ended: true };
    ids.push(id);
    written = head + spelling.text(ids);
    if (ids.length > 400) break;
  }
  return { raw: written, ended: false };
}

for (const [name, syntax] of Object.entries(syntaxes)) {
  test(`${name}: a choice under grammar reads back as calls of known tools, or declines`, {
    timeout: 120_000,
  }, async () => {
    let calls = 0;
    let nested = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const { raw, ended } = await choose(syntax, seed, seed % 2 === 0 ? triggerOf(syntax, { safe, spelling }) : '');
      if (!ended) continue;
      const read = readGeneration(syntax, raw, true);
      if (raw === 'answer') continue;
      assert.equal(read.open, false, raw);
      assert.ok(read.calls.length > 0, raw);
      assert.equal(read.text, '', raw);
      calls += read.calls.length;
      for (const call of placeCalls(read.calls, tools, () => 'id')) {
        assert.equal(call.problem, undefined, raw);
        const tool = tools.find((one) => one.name === call.name);
        assert.ok(tool !== undefined, raw);
        assert.equal(problemOf({ ...tool.parameters, additionalProperties: false }, call.arguments), null, raw);
        nested += call.name === 'nested' ? 1 : 0;
      }
    }
    assert.ok(calls > 0, 'no call came to its end');
    assert.ok(nested > 0, 'no nested call came to its end');
  });
}

/** Whether the grammar takes the text, and then the end. */
async function takes(grammar: string, text: string): Promise<boolean> {
  const state = new LlamaGrammarEvaluationState({ model, grammar: await llama.createGrammar({ grammar }) });
  const bindings = (llama as unknown as { _bindings: Bindings })._bindings;
  const inner = (state as unknown as { _state: object })._state;
  const may = (id: number) => bindings.AddonSampler.canBeNextTokenForGrammarEvaluationState(inner, id);
  for (const id of model.tokenize(text)) {
    if (!may(id)) return false;
    bindings.AddonSampler.acceptGrammarEvaluationStateToken(inner, id);
  }
  const end = model.tokens.eos ?? model.tokens.eot;
  return end !== null && may(end);
}

interface Bindings {
  readonly AddonSampler: {
    canBeNextTokenForGrammarEvaluationState(state: object, id: number): boolean;
    acceptGrammarEvaluationStateToken(state: object, id: number): void;
  };
}

test('under its grammar a text may hold the mark that closes it, and nothing but an argument or the end follows the last one', async () => {
  const texts = ['plain', '<parameter>\n  x\n</parameter>\n', 'a\n</parameter>\nb', '</arg_value> c', 'x</parameter>y'];
  for (const name of ['qwen3coder', 'glm', 'deepseek32'] as const) {
    const syntax = syntaxes[name] as CallSyntax;
    const grammar = callGrammar(syntax, [probeTool]);
    for (const path of texts) {
      const text = renderedText(syntax, '', [{ id: 'abcdefghi', name: 'probe', arguments: { path } }]).trimStart();
      assert.ok(await takes(grammar, text), text);
      assert.deepEqual(readGeneration(syntax, text, true).calls, [{ name: 'probe', arguments: { path } }], text);
    }
    const { arguments: style } = syntax;
    const whole = renderedText(syntax, '', [{ id: 'abcdefghi', name: 'probe', arguments: { path: 'x' } }]).trimStart();
    const key = typeof style === 'string' ? '' : style.open;
    assert.ok(!(await takes(grammar, whole.replace(`${key}path`, `${key}other`))), name);
    assert.ok(!(await takes(grammar, `${whole} more`)), name);
  }
});

test('under its grammar LFM2 writes texts in either quotation marks, and the words of Python', async () => {
  const syntax = syntaxes.lfm2 as CallSyntax;
  const grammar = callGrammar(syntax, tools);
  const given = {
    kind: 'fast',
    edits: [
      { line: 3, share: 0.5, on: null },
      { line: 4, on: true },
    ],
  };
  for (const [name, values] of [
    ['probe', { path: 'it\'s \\ \n"' }],
    ['probe', { path: "it's" }],
    ['nested', given],
  ] as const) {
    const text = renderedText(syntax, '', [{ id: 'a', name, arguments: values }]);
    assert.ok(await takes(grammar, text), text);
    assert.deepEqual(readGeneration(syntax, text, true).calls, [{ name, arguments: values }]);
  }
});

test('a generation ends behind a call in the marks of another family, and not before', () => {
  const raw = 'I look.\n<function=probe>\n<parameter=path>\na</parameter>b\n</parameter>\n</function>\n</tool_call>';
  const prompt = { ...chat(message('user', 'Look')), tools: [probeTool] };
  const watch = watchCalls(
    { safe, spelling, syntax: hermes, thinking: { marks: [], switch: null } },
    { prompt, toolCalls: 'auto' },
  );
  const end = [...raw].findIndex((char) => watch.see(char));
  assert.equal(raw.slice(0, end + 1), raw.slice(0, raw.indexOf('</function>') + '</function>'.length));
});

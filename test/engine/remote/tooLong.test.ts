// Refusals of prompts that are too long, in the words of each server, and refusals for other reasons.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooLongIn } from '../../../src/engine/remote/chat/chatEngine.ts';

const fault = (reason: string, status = 400) =>
  ({ kind: 'server', problem: { is: 'failed', host: 'x', status, reason } }) as const;

for (const [server, words, window, prompt] of [
  [
    'OpenAI',
    "This model's maximum context length is 4097 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion",
    4097,
    4000,
  ],
  [
    'OpenAI, of messages alone',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130123 tokens",
    128000,
    null,
  ],
  [
    'vLLM',
    "This model's maximum context length is 2048 tokens. However, your request has 2390 input tokens. Please reduce the length of the input messages",
    2048,
    2390,
  ],
  [
    'vLLM, of the reply',
    "'max_tokens' or 'max_completion_tokens' is too large: 1024. This model's maximum context length is 2048 tokens and your request has 1800 input tokens (1024 > 2048 - 1800)",
    2048,
    1800,
  ],
  [
    'llama-server',
    'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
    4096,
    null,
  ],
  [
    'llama-server, with its fields',
    'the request exceeds the available context size, try increasing it (n_prompt_tokens: 5000, n_ctx: 4096)',
    4096,
    5000,
  ],
  ['llama-cpp-python', 'Requested tokens (5000) exceed context window of 4096', 4096, null],
  [
    'LM Studio',
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough',
    4096,
    null,
  ],
  [
    'LM Studio, without numbers',
    'The number of tokens to keep from the initial prompt is greater than the context length',
    null,
    null,
  ],
  [
    'TGI',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 1024 `max_new_tokens`',
    4096,
    5000,
  ],
  [
    'Mistral',
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    32768,
    40000,
  ],
  ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum', 200000, 210000],
  [
    'Gemini',
    'The input token count (1234567) exceeds the maximum number of tokens allowed (1048575)',
    1048575,
    1234567,
  ],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 150000 tokens", 131072, null],
  [
    'OpenRouter',
    "This endpoint's maximum context length is 32,768 tokens. However, you requested about 40,000 tokens (39,000 of text input, 1,000 in the output)",
    32768,
    39000,
  ],
  ['Fireworks', 'The prompt is too long: 40000, model maximum context length: 32767', 32767, 40000],
  ['SGLang', "The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096, 5000],
  ['Ollama', 'input length exceeds the context length', null, null],
  ['Bedrock', 'Input is too long for requested model', null, null],
] as const)
  test(`${server}: the prompt is too long`, () => {
    for (const status of [400, 200]) {
      const found = tooLongIn(fault(words, status));
      assert.deepEqual([found?.window, found?.prompt], [window, prompt]);
      // Whatever number of tokens it names besides is said.
      if (window !== null) assert.ok((found?.asked ?? 0) > (server === 'vLLM, of the reply' ? 0 : window - 1024));
    }
  });

for (const [what, words, status] of [
  ['a rate', 'Request too large for model x on tokens per minute (TPM): Limit 6000, Requested 9000 tokens', 413],
  ['a quota', 'You exceeded your quota of prompt tokens', 400],
  ['a key', 'Incorrect API key provided', 400],
  ['a template', 'Only user and assistant roles are supported', 400],
  ['a file', 'file is too large', 413],
  ['another status', "This model's maximum context length is 4097 tokens", 502],
  ['nothing', '', 400],
] as const)
  test(`${what} is something else`, () => {
    assert.equal(tooLongIn(fault(words, status)), null);
  });

test('numbers that no model has are none', () => {
  assert.equal(tooLongIn(fault('maximum context length is 9007199254740991 tokens'))?.window, null);
  assert.deepEqual(tooLongIn(fault(`maximum context length is ${'9'.repeat(250)}`)), {
    window: null,
    prompt: null,
    asked: null,
  });
});

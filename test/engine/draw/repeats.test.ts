// A generation that goes round in circles ends; what came again is cut off, and the slot knows what it holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chat, loadParams, message, startEngine } from '../scenes/engineUnderTest.ts';

/** A model that can say nothing else. */
const grammar = 'root ::= "§"{400}';

test('it ends long before its limit, keeps the circle once, and the next prompt goes on from what was kept', async () => {
  const { client } = startEngine();
  await client.request('load', loadParams());
  const question = message('user', 'Tell me everything');
  const common = { slot: 0, toolCalls: 'none', reuse: 'auto', sampling: { temperature: 0, seed: 1 } } as const;
  const said = await client.request('generate', { ...common, prompt: chat(question), maxTokens: 2000, grammar });
  assert.equal(said.stop, 'repeats');
  assert.match(said.raw, /^§{1,2}$/);
  const whole = chat(question, message('assistant', said.raw, said.generated), message('user', 'And then?'));
  const next = await client.request('generate', { ...common, prompt: whole, maxTokens: 4 });
  const before = said.prefill.reused + said.prefill.decoded;
  assert.ok(next.prefill.reused >= before + said.generated.ids.length - 1, `${next.prefill.reused} of ${before}`);
});

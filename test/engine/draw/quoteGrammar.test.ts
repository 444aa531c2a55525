// The text that an edit replaces can only be lines of the file, whatever the weights say.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsInJson } from '../../../src/core/calls/jsonCall.ts';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import type { ToolSchema } from '../../../src/core/dialog/tool.ts';
import { begunQuote, quoteGrammar, watchQuotes } from '../../../src/engine/grammar/callWatch.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, startEngine } from '../scenes/engineUnderTest.ts';

const string = { type: 'string', description: '' } as const;
const tool: ToolSchema = {
  name: 'edit_file',
  description: 'Edits.',
  parameters: {
    type: 'object',
    properties: { path: string, old: string, new: string, all: { type: 'boolean', description: '' } },
    required: ['path', 'old', 'new'],
  },
};
const text = 'a "one"\n\tb\\two\n\n  c: thrée\n  }\n';
const quotable = { tool: 'edit_file', argument: 'old', names: 'path', texts: { 'src/a.ts': text } };
const opened = '<tool_call>\n{"name": "edit_file", "arguments": {"path": "src/a.ts", "old": "';
const dressed = '{"name": "edit_file", "arguments": { "path": "./src/a.ts", "old" : "';

test('a quotation begins behind the mark of its argument, where the file is known', () => {
  assert.equal(begunQuote(opened, [tool], quotable)?.text, text);
  assert.deepEqual(begunQuote(`${opened}a \\"`, [tool], quotable)?.written, 'a \\"');
  assert.equal(begunQuote(dressed, [tool], quotable)?.given.join(' '), 'path old');
  for (const raw of [
    opened.replace('src/a.ts', 'src/b.ts'),
    opened.replace('"old"', '"new"'),
    `${opened}done", "new": "`,
    opened.replace(', "old": "', ', "new": "say \\"old\\": \\"'),
    opened.replace('edit_file', 'write_file'),
  ])
    assert.equal(begunQuote(raw, [tool], quotable), null, raw);
});

test('it is said once for each quotation, and not where what is written stands nowhere', () => {
  const quotes = watchQuotes({ quotable, prompt: { ...chat(message('user', 'x')), tools: [tool] } }, hermes);
  assert.notEqual(quotes(opened, ' "', false), null);
  assert.equal(quotes(`${opened}a \\"`, '\\"', false), null);
  const begun = begunQuote(`${opened}zz`, [tool], quotable) ?? assert.fail();
  assert.equal(quoteGrammar(begun, [tool], hermes), null);
});

test('whatever the weights say, what is quoted are lines of the file, and the call is whole', async () => {
  const { client } = startEngine();
  await client.request('load', loadParams({ modelPath: nanoModel({ favour: { '"': 994, '}': 994, '\\': 994 } }) }));
  const prompt = chat(message('user', 'Look'));
  const common = { slot: 0, prompt, maxTokens: 160, toolCalls: 'none', reuse: 'auto' } as const;
  const found = new Set<string>();
  for (const [raw, syntax] of [
    [opened, hermes],
    [`${opened}a`, hermes],
    [dressed, null],
  ] as const)
    for (let seed = 1; seed <= 20; seed++) {
      const begun = begunQuote(raw, [tool], quotable) ?? assert.fail(raw);
      const grammar = quoteGrammar(begun, [tool], syntax) ?? assert.fail(raw);
      const said = await client.request('generate', { ...common, grammar, sampling: { temperature: 2, seed } });
      if (said.stop !== 'end' || said.raw.includes('\uFFFD')) continue;
      const whole = raw + said.raw;
      const [call] = syntax === null ? (callsInJson(whole, [tool]) ?? []) : readGeneration(syntax, whole).calls;
      const old = String(call?.arguments.old);
      assert.ok(Object.hasOwn(call?.arguments ?? {}, 'new'), whole);
      assert.ok(`\n${text}`.includes(old) && old.trim() !== '', JSON.stringify(old));
      found.add(old);
    }
  assert.ok(found.size >= 4, JSON.stringify([...found]));
});

// Calls in the marks of another family: read in any syntax, never shown as text on the way, and told from talk about calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeCalls } from '../../../src/core/calls/place.ts';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { type CallSyntax, harmony, hermes, ownSyntax } from '../../../src/core/calls/syntax.ts';
import { cpuTime } from '../../harness/cpuTime.ts';
import { foreignCalls, foreignTalk, tools } from '../scenes/foreignCalls.ts';
import { syntaxes } from '../scenes/syntaxes.ts';

const placed = (syntax: CallSyntax, raw: string) =>
  placeCalls(readGeneration(syntax, raw, true, tools).calls, tools, () => '').map(({ id: _, ...call }) => call);

for (const [family, all] of Object.entries(foreignCalls)) {
  for (const own of ['hermes', 'ownSyntax', 'llama3', 'qwen3coder', 'mistral', 'glm'] as const)
    test(`calls of ${family} are read where the model's own syntax is ${own}`, () => {
      for (const { raw, said, calls } of all) {
        const syntax = syntaxes[own] as CallSyntax;
        assert.deepEqual(placed(syntax, raw), calls, raw);
        assert.equal(readGeneration(syntax, raw, true, tools).text, said, raw);
      }
    });

  test(`nothing of a call of ${family} is shown while it comes, and no text is kept back from behind it`, () => {
    for (const own of ['hermes', 'llama3', 'mistral', 'lfm2'] as const)
      for (const { raw, said } of all)
        for (let n = 0; n <= raw.length; n++) {
          const { text } = readGeneration(syntaxes[own] as CallSyntax, raw.slice(0, n), false, tools);
          assert.ok(said.startsWith(text.trimEnd()), `${own}, ${n}: ${text}`);
        }
  });
}

test('text that talks about calls is no call, however far it has come, and all of it is shown in the end', () => {
  const talk = foreignTalk();
  assert.ok(talk.length >= 400, `${talk.length}`);
  const wrong = talk.filter((raw) => {
    const { calls, text } = readGeneration(syntaxes.llama3 as CallSyntax, raw, true, tools);
    return calls.length > 0 || text !== raw;
  });
  assert.deepEqual(wrong, []);
  for (const raw of talk)
    for (let n = 1; n <= raw.length; n++)
      if (/[\]})>]/.test(raw[n - 1] ?? ''))
        assert.deepEqual(
          readGeneration(syntaxes.llama3 as CallSyntax, raw.slice(0, n), false, tools).calls,
          [],
          raw.slice(0, n),
        );
});

test('while talk about calls comes, what is kept back is shown as soon as it can be no call', () => {
  for (const raw of foreignTalk()) {
    const { text } = readGeneration(syntaxes.llama3 as CallSyntax, `${raw}\n\nAnd so on, as it goes`, false, tools);
    assert.ok(text.length >= raw.length - 1, `${raw}\n---\n${text}`);
  }
});

test('a call that is cut off is a problem in words, and is not made with what came of it', () => {
  for (const raw of [
    '<function=write_file>\n<parameter=path>\na.ts\n</parameter>\n<parameter=content>\nconst a',
    '<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a.ts</arg_value>\n<arg_key>content</arg_key>\n<arg_value>con',
    '<minimax:tool_call>\n<invoke name="write_file">\n<parameter name="path">a.ts',
    "<|tool_call_start|>[write_file(path='a.ts', content='con",
    '[TOOL_CALLS]write_file[ARGS]{"path": "a.ts", "con',
  ]) {
    const { calls, open, text } = readGeneration(ownSyntax, raw, true, tools);
    assert.deepEqual(
      [calls.length, calls[0]?.name, calls[0]?.arguments, open, text],
      [1, 'write_file', {}, true, ''],
      raw,
    );
    assert.notEqual(calls[0]?.problem, undefined, raw);
  }
});

test('a text may hold the mark that closes it, where the end is clear', () => {
  const content = [
    '<parameter>\n  <hello></hello>\n</parameter>\n',
    'a\n</parameter>\nb',
    '</parameter>',
    '<parameter=path>\nx\n</parameter>\n<parameter=content>\ny\n</parameter>\nz',
    '</arg_value>\n</arg_value>',
    'one </arg_value> two',
    '</parameter>\n\n</parameter>',
    "it's </tool_call> here",
    '</parameter> <p>',
    'x</parameter>y</arg_value>z',
  ];
  for (const text of content) {
    const wanted = [{ name: 'write_file', arguments: { path: 'a.xml', content: text } }];
    const qwen = `<function=write_file>\n<parameter=path>\na.xml\n</parameter>\n<parameter=content>\n${text}\n</parameter>\n</function>`;
    const glm = `<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a.xml</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${text}</arg_value>\n</tool_call>`;
    assert.deepEqual(placed(syntaxes.qwen3coder as CallSyntax, `<tool_call>\n${qwen}\n</tool_call>`), wanted, text);
    assert.deepEqual(placed(hermes, qwen), wanted, text);
    assert.deepEqual(placed(syntaxes.glm as CallSyntax, glm), wanted, text);
  }
});

test('gpt-oss may leave out the prefix of a recipient that is offered, on either side of the channel, and no other', () => {
  const thought = '<|channel|>analysis<|message|>I use to=read_file now.<|end|><|start|>assistant';
  const call = [{ name: 'read_file', arguments: { path: 'src/a.ts' } }];
  const body = '<|message|>{"path": "src/a.ts"}';
  for (const header of [
    '<|channel|>commentary to=read_file <|constrain|>json',
    '<|channel|>commentary to=read_file',
    ' to=read_file<|channel|>commentary json',
    ' to=read_file<|channel|>commentary <|constrain|>json',
    '<|channel|>analysis to=read_file code',
  ])
    for (const begin of ['', thought]) {
      const raw = begin + header + body;
      assert.deepEqual(placed(harmony, raw), call, raw);
      for (let n = 0; n < raw.length; n++)
        assert.equal(readGeneration(harmony, raw.slice(0, n), false, tools).text, '', raw);
    }
  for (const raw of [
    `<|channel|>commentary to=user<|message|>Hm.`,
    `<|channel|>commentary to=read_files${body}`,
    `<|channel|>final<|message|>The header is to=read_file<|message|>{}`,
  ])
    assert.deepEqual(readGeneration(harmony, raw, true, tools).calls, [], raw);
  assert.deepEqual(readGeneration(harmony, `<|channel|>commentary to=read_file${body}`, true).calls, []);
});

test('JSON of a call may have a brace too few or too many, line breaks in texts, or the quotes of Python', () => {
  const call = [{ name: 'write_file', arguments: { path: 'a.txt', content: 'one\ntwo, [3,\n]' } }];
  for (const raw of [
    '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "one\\ntwo, [3,\\n]"}\n</tool_call>',
    '<tool_call>\n{{"name": "write_file", "arguments": {"path": "a.txt", "content": "one\\ntwo, [3,\\n]"}}}\n</tool_call>',
    '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "one\ntwo, [3,\n]"}}\n</tool_call>',
    "<tool_call>\n{'name': 'write_file', 'arguments': {'path': 'a.txt', 'content': 'one\\ntwo, [3,\\n]'}}\n</tool_call>",
    '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "one\\ntwo, [3,\\n]",},}\n</tool_call>',
    '[tool_call]\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "one\\ntwo, [3,\\n]"}}\n[/tool_call]',
  ])
    assert.deepEqual(placed(hermes, raw), call, raw);
});

test('calls between semicolons are all read', () => {
  const raw = '{"name": "read_file", "parameters": {"path": "a"}}; {"name": "read_file", "parameters": {"path": "b"}}';
  assert.deepEqual(
    placed(syntaxes.llama3 as CallSyntax, raw).map(({ arguments: given }) => given),
    [{ path: 'a' }, { path: 'b' }],
  );
});

test('50 kB of anything are read in no time where tools are offered, and 100 kB as they come', async () => {
  const parts = Object.values(foreignCalls).flatMap((all) => all.slice(0, 3).map(({ raw }) => raw));
  const marks = [
    '<',
    '[',
    '(',
    "'",
    '\n',
    '\n<tool_call>',
    '\n[TOOL_CALLS]',
    '\n<function=read_file>',
    '\n[read_file(',
    "\n[read_file(path='",
  ];
  for (const filler of [
    ...parts,
    ...marks,
    ...marks.map((mark) => `${mark} `),
    '\n<function=read_file>\n<parameter=path>\n</parameter>',
  ])
    for (const beginning of [
      '',
      '<tool_call>\n<function=write_file>\n<parameter=content>\n',
      "[write_file(content='",
    ]) {
      const raw = beginning + filler.repeat(50_000 / filler.length);
      const took = await cpuTime(() => readGeneration(syntaxes.llama3 as CallSyntax, raw, true, tools));
      assert.ok(took < 1000, `${Math.round(took)} ms for ${JSON.stringify(beginning + filler)}`);
    }
  const long = 'The tide at the harbour < 3 m {"height"}.\n'.repeat(2400);
  for (const raw of [long, `<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${long}`]) {
    const took = await cpuTime(() => {
      for (let n = 40; n <= raw.length; n += 40) readGeneration(hermes, raw.slice(0, n), false, tools);
    });
    assert.ok(took < 8000, `${Math.round(took)} ms for ${raw.slice(0, 40)}`);
  }
});

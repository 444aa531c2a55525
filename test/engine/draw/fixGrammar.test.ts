// The grammars of a fix on real llama.cpp: whatever the weights say, a line of the part is sought, and another one stands in its place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeGrammar, lineGrammar } from '../../../src/app/turn/fixGrammar.ts';
import type { FailingPart } from '../../../src/core/agent/intent.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { chat, loadParams, message, startEngine } from '../scenes/engineUnderTest.ts';

const engine = startEngine();

const file = `def add(a, b):
    """Ein Größter."""
    total = a
    return total

def other(a):
    if a["x\\\\n"]:
        return total
    return total
`;
const part: FailingPart = {
  ...{ path: 'a.py', name: 'other', from: 6, to: 9, line: null, text: file.split('\n').slice(5, 9).join('\n'), file },
  shown: { from: 1, to: 10, text: file },
};
const begins = '```py a.py';

const drawn = async (grammar: string, seed: number) =>
  engine.client.request('generate', {
    slot: 0,
    prompt: chat(message('user', 'Fix it.')),
    maxTokens: 400,
    toolCalls: 'none',
    reuse: 'auto',
    sampling: { temperature: 1, seed },
    grammar,
  });

test('a line of the part that stands there once gives way to another one, and its name is left alone', async () => {
  await engine.client.request(
    'load',
    loadParams({ modelPath: nanoModel({ favour: { '\n': 1000, '>>>>>>> REPLACE': 900 } }) }),
  );
  for (const says of [false, true]) {
    const grammar = lineGrammar(begins, [part], () => false, says) ?? '';
    let ended = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const { raw, stop } = await drawn(grammar, seed);
      if (stop !== 'end' || raw.includes('\uFFFD')) continue;
      ended += 1;
      const [, old = '', now = ''] =
        /```py a\.py\n<<<<<<< SEARCH\n([\s\S]*?)=======\n([\s\S]*)>>>>>>> REPLACE\n```$/.exec(raw) ?? [];
      assert.equal(file.split(old).length, 2, `once: ${raw}`);
      assert.notEqual(now, old);
      assert.ok(!old.startsWith('def other'));
    }
    assert.ok(ended > 0, 'some end');
  }
});

test('lines that are spent are left out, and nothing is left of a part without others', () => {
  assert.equal(
    lineGrammar(begins, [part], () => true, false),
    null,
  );
  assert.equal(
    lineGrammar(begins, [], () => false, false),
    null,
  );
  const some = lineGrammar(begins, [part], (line) => line !== 8, true) ?? '';
  assert.match(some, /\(l8\)/);
});

test('whole code begins with its file, behind a sentence', async () => {
  await engine.client.request('load', loadParams());
  const { raw } = await drawn(codeGrammar(begins), 1);
  assert.match(raw, /^[^`\n]/);
  assert.ok(!raw.includes('\n\n') || raw.includes(`\n\n${begins}\n`), raw);
});

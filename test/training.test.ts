// The pocket model's training: what the right moves are, and what is learned of a conversation.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { converse, openPlace } from '../lab/training/converse.ts';
import { formatText, promptFormat } from '../lab/training/promptFormat.ts';
import { type Move, read, type Script, uses, where } from '../lab/training/texts/oracle.ts';
import { createRandom } from '../lab/training/texts/random.ts';
import { pocketTemplate } from '../lab/training/texts/record.ts';
import { inStyle, styleOf } from '../lab/training/texts/words.ts';
import type { ToolResult } from '../src/core/dialog/tool.ts';
import { readMetadata } from './models/scenes/readGguf.ts';

function play(script: Script, results: readonly Partial<ToolResult>[]): readonly Move[] {
  const moves: Move[] = [];
  let step = script.next();
  for (const result of [...results, null]) {
    if (step.done === true || step.value === undefined) break;
    moves.push(step.value);
    if (result !== null) step = script.next({ ok: true, head: '', body: '', ...result });
  }
  return moves;
}

test('the format is the same each time, and has each kind of call, result and answer', async () => {
  const text = await formatText();
  assert.equal(text, await formatText());
  for (const part of [
    'find_symbol',
    'search_code',
    'read_file',
    'list_files',
    'get_diagnostics',
    'From the workspace:',
    'Near names:',
  ])
    assert.ok(text.split('</tools>').at(-1)?.includes(part), part);
});

test('the pocket model was trained on this prompt format; when it fails, look at what changed, and train anew or take it back', async () => {
  const file = readFileSync(new URL('fixtures/pocket.gguf', import.meta.url));
  const card = readFileSync(new URL('fixtures/pocket.md', import.meta.url), 'utf8');
  const format = await promptFormat();
  assert.deepEqual(readMetadata(file)['tidemark.promptFormat'], { type: 'string', value: format });
  assert.ok(card.includes(format), 'the card names another format');
});

test('a name is looked for by its symbol, then by a search; what is known already needs no call', () => {
  const [call, answer] = play(where('tide', null), [{ body: '1. src/a.ts:3: const tide = 1;' }]);
  assert.deepEqual(call, { tool: 'find_symbol', arguments: { name: 'tide' } });
  assert.deepEqual(answer, { answer: 'Defined at:\n1. src/a.ts:3' });
  assert.deepEqual(play(where('tide', 'src/a.ts:3: const tide = 1;'), []), [{ answer: 'Defined at:\nsrc/a.ts:3' }]);
  const moves = play(where('tide', null), [{}, { body: '1. notes.md:9: the tide' }]);
  assert.deepEqual(moves.at(-1), { answer: 'Not defined here, but found at:\n1. notes.md:9' });
});

test('a range behind the end of a file is answered with what the tool said', () => {
  const head = 'a.ts has 3 lines; line 9 is past its end.';
  assert.deepEqual(play(read('a.ts', [9, 12]), [{ ok: false, head }]).at(-1), { answer: head });
});

test('uses leave the definition out', () => {
  const body = '1. a.ts:1: export function tide() {\n2. b.ts:4: tide();\n3. c.ts:5: return tide();';
  assert.deepEqual(play(uses('tide'), [{ body }]).at(-1), { answer: 'Used at:\n2. b.ts:4\n3. c.ts:5' });
});

test('only what the model says is learned, with its end, and the head is not part of the conversation', async () => {
  const word = () => 'tide';
  const files = new Map([['a.ts', 'export const tide = 1;\n']]);
  const declared = [{ name: 'tide', path: 'a.ts', line: 1 }];
  const words = { verb: word, noun: word, rare: word };
  const place = await openPlace({ folder: 'sea', files, declared, editor: false, random: createRandom(1), words });
  try {
    const question = () => ({ text: 'Where is tide?', task: 'where', topic: null, script: () => where('tide', null) });
    const { prefix, pieces } = await converse(place, pocketTemplate(), { turns: 1, question });
    const learned = pieces.filter(([, , task]) => task !== '').map(([text]) => text);
    assert.deepEqual(learned, [
      '<tool_call>\n{"name": "find_symbol", "arguments": {"name": "tide"}}\n</tool_call>',
      '<|im_end|>',
      'Defined at:\n1. a.ts:1',
      '<|im_end|>',
    ]);
    assert.ok(prefix.every(([, , task]) => task === ''));
    assert.equal(pieces[0]?.[0], 'Where is tide?');
    assert.match(prefix.map(([text]) => text).join(''), /^<\|im_start\|>system\n[\s\S]*<\|im_start\|>user\n$/);
  } finally {
    place.remove();
  }
});

test('a name keeps its style in disguise', () => {
  const parts = ['tide', 'height'];
  for (const style of ['camel', 'pascal', 'snake', 'constant'] as const)
    assert.equal(styleOf(inStyle(parts, style)), style);
});

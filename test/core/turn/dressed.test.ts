// Calls in another dress than the template's: read where a model makes one, and nowhere else, however far the stream has come.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { hermes } from '../../../src/core/calls/syntax.ts';
import { explanations, tools, written } from '../scenes/dressedTexts.ts';

const read = (raw: string, ended = false) => readGeneration(hermes, raw, ended, tools);
const query = { name: 'search_code', arguments: { query: 'where' } };
const json = JSON.stringify(query);

test('a call in a fence is read once it closes, and what stands in front of it is said', () => {
  const raw = `Let me look.\n\n\`\`\`json\n${json}\n\`\`\``;
  for (let n = 0; n <= raw.length; n++) {
    const { text, calls } = read(raw.slice(0, n));
    assert.ok('Let me look.'.startsWith(text.trimEnd()), `${n}: ${text}`);
    assert.deepEqual(calls, n >= raw.length - 4 ? [query] : [], String(n));
  }
});

test('without tools, or behind an answer, JSON is text', () => {
  const fenced = `\`\`\`json\n${json}\n\`\`\``;
  assert.deepEqual(readGeneration(hermes, fenced, true).calls, []);
  const long = `${'The queue holds what waits for a place. '.repeat(10)}\n${fenced}`;
  assert.deepEqual(read(long, true), { text: long, calls: [], open: false });
  const behindCode = `\`\`\`ts\nconst a = 1;\n\`\`\`\n${fenced}`;
  assert.equal(read(behindCode, true).text, behindCode);
});

test('a call is none where the tool is not offered, an argument is missing or unknown, or a value has another type', () => {
  for (const raw of [
    '{"name": "delete_file", "arguments": {"path": "a"}}',
    '{"name": "search_code", "arguments": {}}',
    '{"name": "search_code", "arguments": {"query": "a", "depth": 3}}',
    '{"name": "read_file", "arguments": {"path": "a", "from": "top"}}',
    '{"name": "search_code", "version": "1.0.0", "dependencies": {}}',
    '[{"name": "search_code", "arguments": {"query": "a"}}, {"name": "tide"}]',
  ])
    assert.deepEqual(read(raw, true), { text: raw, calls: [], open: false }, raw);
});

test('what never became a call is shown once the generation ended', () => {
  const raw = '```json\n{"name": "search_code", "arguments": {"query": "wh';
  assert.deepEqual(read(raw), { text: '', calls: [], open: true, dressed: true });
  assert.equal(read(raw, true).text, raw);
});

test('JSON that begins otherwise is shown as it is written', () => {
  const raw = '```json\n{"port": 8080, "name": "search_code"';
  assert.equal(read(raw).text, raw);
});

test('97 of 100 calls in all dresses are read', () => {
  const wrong = written().filter(({ raw, calls }) => {
    const { calls: found } = read(raw, true);
    return JSON.stringify(found) !== JSON.stringify(calls);
  });
  const all = written().length;
  assert.ok(all >= 400);
  assert.ok(wrong.length <= 0.03 * all, `${wrong.length} of ${all}:\n${wrong.map(({ raw }) => raw).join('\n---\n')}`);
});

test('no text that explains, quotes or documents JSON is a call, however far it has come', () => {
  const all = explanations();
  assert.ok(all.length >= 400);
  for (const raw of all)
    for (let n = 1; n <= raw.length; n++)
      if (/[\]})]/.test(raw[n - 1] ?? '')) assert.deepEqual(read(raw.slice(0, n)).calls, [], raw.slice(0, n));
});

// A call in a dress of its own is known as one before it is complete, and nothing else is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begunCall } from '../../../src/core/calls/begun.ts';
import { explanations, tools, written } from '../scenes/dressedTexts.ts';

/** The first prefix that is known as a call. */
function firstBegun(raw: string) {
  for (let n = 1; n <= raw.length; n++) {
    const begun = begunCall(raw.slice(0, n), tools);
    if (begun !== null) return { ...begun, at: n };
  }
  return null;
}

test('it is known from its first argument on, in a fence, bare or behind a lead', () => {
  const json = '{"name": "search_code", "arguments": {"query": "where';
  for (const lead of ['', 'Let me look.\n\n', '```json\n', '<tool>\n']) {
    const begun = firstBegun(lead + json);
    assert.deepEqual(
      [begun?.tool.name, begun?.key, begun?.quoted, begun?.at],
      ['search_code', 'query', false, lead.length + json.indexOf(' "where')],
    );
    assert.equal(begunCall(`${lead}${json.slice(0, -4)}`, tools)?.quoted, true);
  }
});

test('every written call that names its tool first is begun at some point, with the tool that it calls', () => {
  const all = written().filter(({ raw, calls }) => {
    const [first] = calls;
    const flat = raw.replace(/\s+/g, '');
    return calls.length === 1 && flat.includes(`{"name":"${first?.name}","arguments":{"`);
  });
  assert.ok(all.length >= 100, `${all.length}`);
  for (const { raw, calls } of all) {
    const begun = firstBegun(raw);
    if (begun !== null) assert.equal(begun.tool.name, calls[0]?.name, raw);
    else assert.ok(raw.includes('[{"name"'), raw);
  }
});

test('no text that explains, quotes or documents a call begins one, and no schema', () => {
  for (const raw of explanations()) assert.equal(firstBegun(raw), null, raw);
  const schema =
    '{"name": "search_code", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}}';
  assert.equal(firstBegun(schema), null);
  assert.equal(firstBegun('{"name": "delete_file", "arguments": {"path": "a"}}'), null);
});

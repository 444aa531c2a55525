// Calls as the templates of llama.cpp's bundle write them themselves, read back: what a model of each family writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeCalls } from '../../../src/core/calls/place.ts';
import { readGeneration } from '../../../src/core/calls/read.ts';
import { isRecord } from '../../../src/core/record.ts';
import { compileJinja } from '../../../src/templates/jinja.ts';
import { probeTemplate } from '../../../src/templates/probeTemplate.ts';
import { bundleFile, bundleFiles } from '../../models/scenes/bundle.ts';
import { ends } from '../scenes/bundledEnds.ts';

const special = { bos: '<s>', eos: '</s>', any: /(?!)/g, ends };
const text = { type: 'string', description: 'Text.' } as const;
const tool = {
  name: 'edit_file',
  description: 'Edits.',
  parameters: {
    type: 'object',
    properties: { path: text, line: { type: 'integer' }, lines: { type: 'array', items: { type: 'string' } } },
    required: ['path'],
  },
} as const;
const given = { path: 'src/a b.ts', line: 3, lines: ['const a = "x";', "it's <b>&"] };
const asked = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'QQUSER' },
];
const behind = (rendered: string) => rendered.slice(rendered.lastIndexOf('QQUSER') + 'QQUSER'.length);

/** The text of a message with so many calls as the model generates it behind the template's opening; null where the template writes none. */
function written(source: string, count: number, form: 'object' | 'string'): string | null {
  const render = compileJinja(source.replaceAll('strftime_now(', 'time_of_loading('));
  const values = {
    ...{ tools: [{ type: 'function', function: tool }], bos_token: '<s>', eos_token: '</s>', functions: '[]' },
    ...{ time_of_loading: () => 'today', datetime: '2026-11-26' },
  };
  const calls = Array.from({ length: count }, (_, i) => ({
    id: `call0000${i}`,
    type: 'function',
    function: { name: tool.name, arguments: form === 'object' ? given : JSON.stringify(given) },
  }));
  try {
    const head = behind(render({ ...values, messages: asked, add_generation_prompt: true }));
    const called = { role: 'assistant', content: '', tool_calls: calls };
    const all = behind(render({ ...values, messages: [...asked, called], add_generation_prompt: false }));
    let shared = 0;
    while (shared < head.length && all[shared] === head[shared]) shared += 1;
    const opened = head.slice(0, shared).lastIndexOf('<');
    const from = opened > head.slice(0, shared).lastIndexOf('>') ? opened : shared;
    const raw = all.slice(from).trimEnd();
    const end = ends.find((one) => raw.endsWith(one)) ?? '';
    const message = raw.slice(0, raw.length - end.length);
    return message.includes(tool.name) ? message : null;
  } catch {
    return null;
  }
}

const sorted = (value: unknown) =>
  JSON.stringify(isRecord(value) ? Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b)) : value);

/** Whether as many calls are read as the template wrote, with their values. */
function isRead(source: string, count: number): boolean | null {
  const { toolCalls } = probeTemplate(source, special);
  const syntax = toolCalls.format === 'none' ? null : toolCalls.syntax;
  const all = (['object', 'string'] as const).flatMap((form) => written(source, count, form) ?? []);
  if (all.length === 0) return null;
  return all.some((raw) => {
    const calls = placeCalls(readGeneration(syntax, raw, true, [tool]).calls, [tool], () => '');
    return calls.length === count && calls.every((call) => sorted(call.arguments) === sorted(given));
  });
}

/** Tags around each word; a mark of its own in front of each tag; a bare name above JSON; a second call in a second message. */
const known = [
  'Kimi-K3.jinja 1',
  'Kimi-K3.jinja 2',
  'MiniMax-M3.jinja 1',
  'MiniMax-M3.jinja 2',
  'meetkai-functionary-medium-v3.2.jinja 1',
  'meetkai-functionary-medium-v3.2.jinja 2',
  'muse-glimmer.jinja 2',
  'openai-gpt-oss-120b.jinja 2',
];

test('calls that a template writes are read back, one and two, but of those that stand here by name', () => {
  const missed: string[] = [];
  let [read, none] = [0, 0];
  for (const path of bundleFiles('models/templates').filter((one) => one.endsWith('.jinja'))) {
    const source = bundleFile(path).toString('utf8');
    for (const count of [1, 2]) {
      const how = isRead(source, count);
      if (how === null) none += 1;
      else if (how) read += 1;
      else missed.push(`${path.split('/').at(-1)} ${count}`);
    }
  }
  assert.deepEqual(missed, known);
  assert.ok(read >= 99, `${read} read, ${none} not written`);
});

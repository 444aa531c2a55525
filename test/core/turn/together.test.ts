// Calls that are made together: those of one answer that stand side by side, where they stand among the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCall } from '../../../src/core/dialog/dialog.ts';
import type { Tool, ToolBatch } from '../../../src/core/dialog/tool.ts';
import { callTools } from '../../../src/core/turn/callTools.ts';

/** Tools that look, start something and edit, with a log of what ran: edits by the ids of those made together. */
function editing() {
  const log: string[] = [];
  const batch: ToolBatch = {
    plan: async (calls) => {
      const run = async () => {
        log.push(`edits ${calls.map(({ id }) => id).join(' ')}`);
        const made = ({ path }: ToolCall['arguments']) => ({ ok: true, head: `Made ${path}.`, body: '' });
        return new Map(calls.map((one) => [one.id, { ...made(one.arguments), changed: [String(one.arguments.path)] }]));
      };
      const unit = { calls: calls.map(({ id }) => id), preview: '', asks: '', doubt: '', refused: null, run };
      return calls.length === 0 ? [] : [unit];
    },
  };
  const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
  const tool = (name: string, effect: Tool['effect'], more: Partial<Tool> = {}): Tool => ({
    schema: { name, description: '', parameters },
    effect,
    touches: async ({ path }) => [String(path)],
    run: async ({ path }) => {
      log.push(`${name} ${path}`);
      return { ok: true, head: `${name} ${path}.`, body: '', changed: [] };
    },
    ...more,
  });
  const tools = [
    tool('read', 'read'),
    tool('start', 'run'),
    tool('edit', 'write', { batch }),
    tool('move', 'write', { batch }),
  ];
  return { tools, log };
}

const signal = new AbortController().signal;
const named = (id: string, name: string, path: string): ToolCall => ({ id, name, arguments: { path } });

test('edits side by side are made together, and each run of them where it stands', async () => {
  const { tools, log } = editing();
  const broken = { ...named('4', 'edit', 'c'), problem: 'Not JSON.' };
  const calls = [
    named('1', 'read', 'a'),
    named('2', 'edit', 'a'),
    named('3', 'move', 'b'),
    broken,
    named('5', 'edit', 'd'),
    named('6', 'start', 'x'),
    named('7', 'edit', 'e'),
    named('8', 'edit', 'a'),
    named('9', 'read', 'a'),
  ];
  const results = await callTools(calls, new Map(), { tools, signal, approve: async () => true });
  assert.deepEqual(log, ['read a', 'edits 2 3 5', 'start x', 'edits 7', 'read a']);
  const edits = [
    'Made a.',
    'Made b.',
    'Not JSON.',
    'Made d.',
    'start x.',
    'Made e.',
    'Already answered above: Made a.',
  ];
  assert.deepEqual(
    results.map(({ head }) => head),
    ['read a.', ...edits, 'read a.'],
  );
});

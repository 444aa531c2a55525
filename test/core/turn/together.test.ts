// Calls that are made together: those of one answer that stand side by side, where they stand among the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCall } from '../../../src/core/dialog/dialog.ts';
import type { ActingTool, DeedSource, LookingTool } from '../../../src/core/dialog/tool.ts';
import { callTools } from '../../../src/core/turn/callTools.ts';
import { acting, showAll } from '../scenes/acting.ts';

/** Tools that look, start something and edit, with a log of what ran: edits by the ids of those made together. */
function editing() {
  const log: string[] = [];
  const deeds: DeedSource = {
    together: true,
    plan: async (calls) => {
      const run = async () => {
        log.push(`edits ${calls.map(({ id }) => id).join(' ')}`);
        const made = ({ path }: ToolCall['arguments']) => ({ ok: true, head: `Made ${path}.`, body: '' });
        return new Map(calls.map((one) => [one.id, { ...made(one.arguments), changed: [String(one.arguments.path)] }]));
      };
      const plain = { effect: 'write', shown: '', asks: '', doubt: '', allowed: false, lasting: [] } as const;
      return calls.length === 0 ? [] : [{ ...plain, calls: calls.map(({ id }) => id), run }];
    },
  };
  const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
  const schema = (name: string) => ({ name, description: '', parameters });
  const run: LookingTool['run'] = async ({ path }) => {
    log.push(`read ${path}`);
    return { ok: true, head: `read ${path}.`, body: '' };
  };
  const read: LookingTool = {
    schema: schema('read'),
    effect: 'read',
    touches: async ({ path }) => [String(path)],
    run,
  };
  const start = acting({
    schema: schema('start'),
    effect: 'run',
    run: async ({ path }) => {
      log.push(`start ${path}`);
      return { ok: true, head: `start ${path}.`, body: '', changed: [] };
    },
  });
  const edit = (name: string): ActingTool => ({ schema: schema(name), effect: 'write', deeds });
  const tools = [read, start, edit('edit'), edit('move')];
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
  const results = await callTools(calls, new Map(), { tools, conceal: showAll, signal, approve: async () => true });
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

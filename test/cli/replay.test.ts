// Tests replay as a child process with the nano model: JSON lines, exact sums, and how little is decoded.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTrace, system } from '../../lab/bench/traces.ts';
import { openEngine } from '../../lab/cli/engine.ts';
import { type ReplayRow, replayTrace } from '../../lab/cli/replayTrace.ts';
import { readTrace } from '../../lab/cli/trace/trace.ts';
import { graphs } from '../../src/core/agent/graph.ts';
import { systemText } from '../../src/core/prompt/systemText.ts';
import { nanoModel } from '../models/scenes/nano.ts';
import { command, folderWith } from './command.ts';

const trace = (turns: number) => JSON.stringify(createTrace({ turns, callsPerTurn: 1, resultLines: 14, seed: 2 }));

const documented = [
  'breakAt',
  'call',
  'decisions',
  'decoded',
  'decodedIdle',
  'firstTokenMilliseconds',
  'high',
  'low',
  'newTokens',
  'node',
  'prefillMilliseconds',
  'promptTokens',
  'reused',
  'shifted',
  'turn',
  'window',
];

function rowsOf(out: string): readonly ReplayRow[] {
  assert.ok(out.endsWith('\n'));
  return out
    .trimEnd()
    .split('\n')
    .map((line): ReplayRow => JSON.parse(line));
}

const sum = (rows: readonly ReplayRow[], key: 'decoded' | 'newTokens' | 'decodedIdle') =>
  rows.reduce((all, row) => all + row[key], 0);

function checkRows(rows: readonly ReplayRow[]): void {
  for (const row of rows) {
    assert.deepEqual(Object.keys(row).toSorted(), documented);
    assert.equal(row.reused + row.shifted + row.decoded, row.promptTokens);
    assert.ok(row.promptTokens <= row.high && row.high < row.window && row.low < row.high);
    assert.ok(row.newTokens > 0 && row.newTokens <= row.promptTokens);
  }
}

test('replay prints one JSON line per model call with the documented fields and decodes little more than is new', async (t) => {
  const path = join(folderWith(t, { 'trace.json': trace(20) }), 'trace.json');
  const { code, out, err } = await command('replay', '--model', nanoModel(), '--context-size', '4096', '--json', path);
  assert.deepEqual([code, err], [0, '']);
  const rows = rowsOf(out);
  checkRows(rows);
  assert.deepEqual(
    rows.map(({ turn, call }) => `${turn}.${call}`),
    Array.from({ length: 40 }, (_, i) => `${Math.floor(i / 2) + 1}.${(i % 2) + 1}`),
  );
  assert.equal(rows[0]?.newTokens, rows[0]?.promptTokens, 'everything is new in the first prompt');
  assert.ok(sum(rows, 'newTokens') > 4096, 'the trace is longer than the window');
  assert.ok(sum(rows, 'decoded') <= 2.5 * sum(rows, 'newTokens'));
  assert.ok(
    rows.some(({ decisions }) => decisions.folded > 0) && rows.every(({ decisions }) => decisions.trimmed === 0),
  );
  for (const { breakAt, decoded, newTokens } of rows) assert.ok(breakAt !== null || decoded <= newTokens + 1);
});

test('replay without compaction drops turns instead of compacting them', async (t) => {
  const path = join(folderWith(t, { 'trace.json': trace(20) }), 'trace.json');
  const args = ['--model', nanoModel(), '--context-size', '4096', '--compaction', 'off', '--json', path];
  const { code, out } = await command('replay', ...args);
  assert.equal(code, 0);
  const rows = rowsOf(out);
  checkRows(rows);
  assert.ok(
    rows.some(({ decisions }) => decisions.trimmed > 0) && rows.every(({ decisions }) => decisions.folded === 0),
  );
});

test('replay with idle work says what it decoded while idle, and decodes only what is new on the request path', async (t) => {
  const path = join(folderWith(t, { 'trace.json': trace(4) }), 'trace.json');
  const args = ['--model', nanoModel(), '--context-size', '4096', '--idle', 'full', '--json', path];
  const { code, out } = await command('replay', ...args);
  assert.equal(code, 0);
  const rows = rowsOf(out);
  checkRows(rows);
  assert.ok(sum(rows, 'decodedIdle') > 0);
  for (const { breakAt, decoded, newTokens } of rows) assert.ok(breakAt !== null || decoded <= newTokens + 1);
});

test('replay reads a plain array of messages, with all its calls, and words each call without --json', async (t) => {
  const { messages } = createTrace({ turns: 2, callsPerTurn: 2, resultLines: 5, seed: 1 });
  const path = join(folderWith(t, { 'trace.json': JSON.stringify(messages) }), 'trace.json');
  const { code, out } = await command('replay', '--model', nanoModel(), path);
  assert.equal(code, 0);
  assert.deepEqual(out.match(/^turn \d\.\d: /gm), [
    'turn 1.1: ',
    'turn 1.2: ',
    'turn 1.3: ',
    'turn 2.1: ',
    'turn 2.2: ',
    'turn 2.3: ',
  ]);
});

test('replay with the split graph has two nodes, and only the one that chooses has schemas to pay for', async (t) => {
  const path = join(folderWith(t, { 'trace.json': trace(4) }), 'trace.json');
  const args = ['--model', nanoModel(), '--context-size', '4096', '--graph', 'split', '--json', path];
  const { code, out, err } = await command('replay', ...args);
  assert.deepEqual([code, err], [0, '']);
  const rows = rowsOf(out);
  checkRows(rows);
  assert.deepEqual(
    rows.map(({ turn, node }) => `${turn} ${node}`),
    [1, 2, 3, 4].flatMap((turn) => [`${turn} decide`, `${turn} decide`, `${turn} answer`]),
  );
  const later = rows.filter(({ turn }) => turn === 4);
  assert.ok(later.some(({ node, decisions }) => node === 'decide' && decisions.withheld > 0));
  assert.ok(later.every(({ node, decisions }) => node === 'decide' || decisions.withheld === 0));
});

test('replay --compare prints both sides of each call and what they cost in all', async (t) => {
  const path = join(folderWith(t, { 'trace.json': trace(12) }), 'trace.json');
  const args = ['--model', nanoModel(), '--context-size', '2048', '--compare', 'window=4096,pruneAt=0.2', path];
  const { code, out } = await command('replay', ...args);
  assert.equal(code, 0);
  const lines = out.trimEnd().split('\n');
  assert.equal(lines.length, 24 + 2);
  assert.match(lines[0] ?? '', /^turn 1\.1: +\d+ of 1536, .* \| \d+ of 3072, /);
  assert.match(lines.at(-1) ?? '', /^other: \d+ decoded = /);
});

test('a trace without a system text has the one that the product plans, and any other its own', async () => {
  const { messages, tools } = createTrace({ turns: 1, callsPerTurn: 0, resultLines: 5, seed: 1 });
  const heads: string[] = [];
  for (const graph of [graphs.unified, graphs.guided])
    for (const said of [messages, messages.slice(1)]) {
      const engine = await openEngine(nanoModel(), 4096, 1);
      const model = engine.client.model.bind(engine.client);
      engine.client.model = (...asked) => {
        const own = model(...asked);
        const generate: typeof own.generate = (request, ...more) => {
          heads.push((request.prompt.messages[0]?.segments ?? []).map(({ text }) => text).join(''));
          return own.generate(request, ...more);
        };
        return { ...own, generate };
      };
      const trace = readTrace(JSON.stringify({ messages: said, tools }));
      const print = () => undefined;
      await replayTrace(trace, engine, { graph, idle: false }, print).finally(() => engine.client.dispose());
    }
  assert.deepEqual([...new Set(heads)], [system, systemText('', true), systemText('', false)]);
});

test('a graph or a comparison that does not exist is refused with what there is', async () => {
  const unknown = await command('replay', '--graph', 'tree', 'x.json');
  assert.deepEqual([unknown.code, /unified, guided or split/.test(unknown.err)], [2, true]);
  const odd = await command('replay', '--compare', 'colour=3', 'x.json');
  assert.deepEqual([odd.code, /"colour" is not window or one of reserve/.test(odd.err)], [2, true]);
});

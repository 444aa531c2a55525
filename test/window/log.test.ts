// The log of a window: what a report of a bug needs, and no words of the conversation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyView, type ViewState } from '../../src/protocol/view.ts';
import '../host/fakeVscode.ts';

const vscode = await import('vscode');
const { logTurns, openLog } = await import('../../src/window/log.ts');

const prefill = { reused: 90, shifted: 0, decoded: 1210, slotTokens: 1300, approximate: 0, firstBreak: null };
const broke = { cause: 'setting', layer: 'system', item: null, token: 90, again: 1210, milliseconds: 25, words: 'x' };
const call = {
  ...{ node: 'act', promptTokens: 1300, prefill: { ...prefill, milliseconds: 25_000 }, breakAt: broke },
  ...{ generatedTokens: 40, firstTokenMilliseconds: 25_600, generateMilliseconds: 5000 },
} as const;

test('the log begins with versions and the machine, and goes on with what each call of a turn cost', () => {
  const lines: string[] = [];
  const asked: unknown[] = [];
  const log = { appendLine: (line: string) => void lines.push(line) };
  const createOutputChannel = (...args: unknown[]) => {
    asked.push(args);
    return log;
  };
  Object.assign(vscode.window, { createOutputChannel });
  openLog({ extension: { packageJSON: { version: '9.8.7' } } } as never);
  assert.deepEqual(asked, [['Tidemark', { log: true }]]);
  assert.match(lines[0] ?? '', /^Tidemark 9\.8\.7, .*, Node \d+\./);
  assert.match(lines[1] ?? '', / processors \(.+\), [\d.]+ GiB of memory$/);

  let state: ViewState = { ...emptyView, running: true };
  let hear: () => void = () => undefined;
  const subscribe = (listener: () => void) => {
    hear = listener;
    return { dispose: () => undefined };
  };
  logTurns(
    {
      subscribe,
      get snapshot() {
        return state;
      },
    } as never,
    log,
  );
  const shows = (now: Partial<ViewState>) => {
    state = { ...state, ...now };
    hear();
  };
  shows({ calls: [call, { ...call, breakAt: null }] as never });
  assert.equal(lines.length, 2, 'a turn that runs is not logged yet');
  shows({ running: false });
  shows({ draft: { ...state.draft, text: 'secret words' } as never });
  assert.deepEqual(lines.slice(2), [
    'call (act): 1,300 prompt tokens (90 reused, 0 shifted, 1,210 decoded), first token after 25.6 s, 40 generated in 5.0 s; prefix broke at token 90 (setting)',
    'call (act): 1,300 prompt tokens (90 reused, 0 shifted, 1,210 decoded), first token after 25.6 s, 40 generated in 5.0 s',
  ]);
});

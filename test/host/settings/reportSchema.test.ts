// A saved report is read again as it was exported, and nothing else is taken for one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from '../../../src/host/editor/reportSchema.ts';
import { openChat } from '../../app/scenes/openChat.ts';

async function exported(): Promise<Record<string, unknown>> {
  const { chat } = openChat([{ call: 'echo', arguments: {} }, 'one']);
  await chat.sending.send('first');
  return JSON.parse(await chat.commands.exported());
}

test('what was exported is read again with its stack, its calls and the exact prompt', async () => {
  const report = await exported();
  const { name, stack, calls, prompt } = readReport(JSON.stringify(report), 'a.json');
  assert.equal(name, 'a.json');
  assert.deepEqual(
    [stack.total, stack.decisions, calls, prompt],
    [report.total, report.decisions, report.calls, report.prompt],
  );
});

test('a file that is none says so, with what is wrong', async () => {
  assert.throws(() => readReport('{', 'a.json'), /Not a Tidemark report/);
  assert.throws(() => readReport('[]', 'a.json'), /a\.json is not a Tidemark report/);
  const report = await exported();
  for (const [key, wrong] of Object.entries({
    total: '12',
    layers: [{ layer: 'x" onclick="', tokens: 1 }],
    decisions: [{ from: 0 }],
    calls: [{ node: 'act' }],
    budget: { ...(report.budget as object), window: 0 },
    prompt: null,
  }))
    assert.throws(
      () => readReport(JSON.stringify({ ...report, [key]: wrong }), 'a.json'),
      /not a Tidemark report/,
      key,
    );
});

// The kinds of text in each layer: the sums, and the parts of the system text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDialog } from '../../../src/core/dialog/dialog.ts';
import { type Segment, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import { placeText, systemSegments, systemText } from '../../../src/core/prompt/systemText.ts';
import { layerRows, stackReport } from '../../../src/core/report/report.ts';
import { sharesOf } from '../../../src/core/report/shares.ts';
import { answered, asked, fitNow, grow, looked, requestFor } from '../scenes/grow.ts';
import { words } from '../scenes/play.ts';

const textOf = (system: string, instruction = '') =>
  Object.fromEntries(systemSegments(system, instruction).map(({ name, text }) => [name, text]));

test('a system text is told apart into rules, folders, what an agent is told, and what its step is', () => {
  const system = `${systemText(placeText(['app']), true)}\nSpeak German.\nBe kind.`;
  const parts = textOf(system, 'Decide.');
  assert.deepEqual(Object.keys(parts), ['rules', 'folders', 'instructions', 'step']);
  assert.equal(parts.folders, 'Workspace: app.\n');
  assert.equal(parts.instructions, 'Speak German.\nBe kind.\n');
  assert.equal(Object.values(parts).join(''), `${system}\nDecide.`);
});

test('a system text of somebody else is instructions as a whole, and without an instruction no line is added', () => {
  assert.deepEqual(textOf('You look things up.\nWorkspace: b.'), {
    instructions: 'You look things up.\nWorkspace: b.',
  });
  assert.deepEqual(Object.keys(textOf(systemText('', false))), ['rules']);
  assert.equal(textOf(systemText('', false)).rules?.endsWith('\n'), false);
});

test('the kinds of a layer add up to its tokens', async () => {
  const file = { origin: 'attachment', head: 'File:', body: words('file', 40) } as const;
  const dialog = grow(
    emptyDialog,
    asked('a?'),
    file,
    ...looked('a', 60),
    answered('b'),
    asked('c?'),
    ...looked('d', 30),
  );
  const fitted = await fitNow(requestFor(dialog));
  const shares = sharesOf(fitted);
  const named = shares.map(({ layer, kind }) => `${layer}: ${kind}`);
  const wanted = [
    'history: attachments',
    'history: messages',
    'history: calls',
    'history: results',
    'history: answers',
  ];
  assert.deepEqual(named.slice(1), [...wanted, 'turn: messages', 'steps: calls', 'steps: results']);
  for (const { layer, tokens } of layerRows(fitted)) {
    const own = shares.filter((share) => share.layer === layer);
    if (own.length > 0)
      assert.equal(
        own.reduce((sum, share) => sum + share.tokens, 0),
        tokens,
        layer,
      );
  }
});

test('each text counts to its layer: system text, memory, earlier turns, message, results, note', async () => {
  const note = { origin: 'note', text: words('note', 7) } as const;
  const dialog = grow(emptyDialog, asked('a?'), answered(words('b', 50)), asked('c d?'), ...looked('d', 30), note);
  const { stack } = requestFor(dialog);
  const memory = { name: 'memory', text: words('memory', 11), raw: 11, injected: 11 };
  const fitted = await fitNow(requestFor(dialog, { stack: { ...stack, workspace: [...stack.workspace, memory] } }));
  const { prompt, measure } = fitted;
  const tokens = (isOwn: (segment: Segment) => boolean) =>
    segmentsOf(prompt).reduce((all, one, i) => all + (isOwn(one) ? (measure.segments[i] ?? 0) : 0), 0);
  const items = (...at: number[]) => tokens(({ item }) => at.some((one) => dialog.path[one]?.id === item));
  assert.deepEqual(Object.fromEntries(layerRows(fitted).map((row) => [row.layer, row.tokens])), {
    system: tokens(({ text }) => text === stack.system),
    tools: measure.tools.reduce((a, b) => a + b, 0),
    workspace: tokens(({ name }) => name === 'AGENTS.md' || name === 'memory'),
    state: 0,
    history: items(0, 1),
    turn: items(2),
    steps: items(3, 4),
    directive: items(5),
    glue: measure.glue,
  });
});

test('a report has each file as it is and as injected, the system text, each schema, and what history is made of', async () => {
  const dialog = grow(emptyDialog, asked('a?'), ...looked('b', 60), answered('c'), asked('d?'));
  const { stack } = requestFor(dialog);
  const workspace = [{ name: 'AGENTS.md', text: 'Say tide.', raw: 400, injected: 2 }];
  const report = stackReport(await fitNow(requestFor(dialog, { stack: { ...stack, workspace } })));
  assert.deepEqual(report.workspace, [{ name: 'AGENTS.md', raw: 400, injected: 2 }]);
  assert.deepEqual([report.tools.length, report.tools[0]?.name], [1, 'search']);
  const parts = [...report.tools, ...(report.shares ?? [])];
  assert.ok(parts.length === 7 && parts.every(({ tokens }) => tokens > 0), JSON.stringify(parts));
});

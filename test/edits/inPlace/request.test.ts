// The request that has selected lines rewritten: the lines and a few around them, no secret, and what it will cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { askRewrite, chosenLines, linesNow, rewriteCost } from '../../../src/edits/inPlace/ask.ts';
import { namesUsed, rewritePrompt } from '../../../src/edits/inPlace/request.ts';

const base = Array.from({ length: 40 }, (_, at) => `line${at + 1}();`).join('\n');
const place = { path: 'src/a.js', language: 'javascript' };
const textOf = (prompt: ReturnType<typeof rewritePrompt>) =>
  prompt.messages.map(({ segments }) => segments.map(({ text }) => text).join('')).join('\n\n');

test('the prompt has the lines, eight above, four below, the declarations and the instruction last', () => {
  const chosen = chosenLines(base, place, { start: { line: 19 }, end: { line: 21, character: 0 } });
  assert.deepEqual([chosen.first, chosen.last], [19, 20]);
  const declaring = [{ path: 'src/b.js', line: 7, text: '  export function line20(a, b) {' }];
  assert.equal(
    textOf(rewritePrompt(chosen, declaring, 'call them twice')),
    [
      'You rewrite lines of a file. Answer with the new lines in one code block, indented as they were. No other lines, no explanation.',
      'File: src/a.js',
      'Declared elsewhere:\nsrc/b.js:7: export function line20(a, b) {',
      `The lines above, which stay:\n\`\`\`javascript\n${base.split('\n').slice(11, 19).join('\n')}\n\`\`\``,
      `The lines below, which stay:\n\`\`\`javascript\n${base.split('\n').slice(21, 25).join('\n')}\n\`\`\``,
      'The lines to rewrite:\n```javascript\nline20();\nline21();\n```',
      'call them twice',
    ].join('\n\n'),
  );
});

test('a secret of the lines or around them is not in the prompt', () => {
  const secret = 'const password = "hunter2-Tide-99x";\nconnect(password);\nclose();';
  for (const line of [0, 1, 2]) {
    const chosen = chosenLines(secret, place, { start: { line }, end: { line, character: 3 } });
    const text = textOf(rewritePrompt(chosen, [], 'rename it'));
    assert.doesNotMatch(text, /hunter2/);
    assert.match(text, /secret left out/);
  }
});

test('names that are called and types are looked up first', () => {
  assert.deepEqual(namesUsed(['const tide = readTide(gauge) as Reading;'], 4), [
    'readTide',
    'Reading',
    'const',
    'tide',
  ]);
});

const info = { contextSize: 2048, toolCalls: { format: 'none' } } as never;
const generation = (raw: string, stop: string) => ({ raw, stop, generated: { ids: [] }, prefill: {} });

test('what it costs is counted exactly, and told in seconds where the pace is known', async () => {
  const engine = { attempt: null, measure: async () => ({ total: 300 }), count: async () => [40] } as never;
  const chosen = chosenLines(base, place, { start: { line: 0 }, end: { line: 0, character: 3 } });
  assert.deepEqual(await rewriteCost(engine, chosen, { declaring: [], instruction: '' }, null), {
    prompt: 300,
    written: 40,
    seconds: null,
  });
  assert.equal(
    (await rewriteCost(engine, chosen, { declaring: [], instruction: '' }, { reading: 100, writing: 20 })).seconds,
    5,
  );
});

test('lines that do not fit into the window are refused before anything is decoded', async () => {
  const asked: unknown[] = [];
  const engine = (total: number) =>
    ({
      attempt: async (attempt: object) => {
        asked.push(attempt);
        return generation('```js\nx();\n```', 'end');
      },
      measure: async () => ({ total }),
      count: async () => [100],
    }) as never;
  const chosen = chosenLines(base, place, { start: { line: 0 }, end: { line: 0, character: 3 } });
  const request = { chosen, declaring: [], instruction: 'do', text: () => base, faults: async () => null };
  const { signal } = new AbortController();
  const refused = await askRewrite(engine(1700), info, request, signal);
  assert.match(
    refused.rewrite.is === 'refused' ? refused.rewrite.words : '',
    /do not fit into the model’s window of 2048/,
  );
  assert.equal(asked.length, 0);
  const { rewrite } = await askRewrite(engine(400), info, request, signal);
  assert.equal(rewrite.is, 'change');
  assert.partialDeepStrictEqual(asked, [{ maxTokens: 360, toolCalls: 'none', asker: 'edit' }]);
});

test('lines are found again in a file that changed around them, and not where they changed themselves or stand twice', async () => {
  const chosen = chosenLines('a\nb\nc\nd\n', place, { start: { line: 1 }, end: { line: 2, character: 1 } });
  const at = (text: string) => {
    const now = linesNow(chosen, text);
    return now === null ? null : [now.first, now.last];
  };
  assert.deepEqual(at('a\nb\nc\nd\n'), [1, 2]);
  assert.deepEqual(at('new\r\na\r\nb\r\nc\r\nd\r\n'), [2, 3]);
  assert.deepEqual(at('b\nc\n'), [0, 1]);
  assert.equal(at('a\nb\nx\nd\n'), null);
  assert.equal(at('b\nc\nb\nc\n'), null);
  let text = base;
  const engine = {
    attempt: async () => {
      text = `// above\n${base}`;
      return generation('```js\nx();\n```', 'end');
    },
    measure: async () => ({ total: 400 }),
    count: async () => [10],
  } as never;
  const first = chosenLines(base, place, { start: { line: 0 }, end: { line: 0, character: 3 } });
  const request = { chosen: first, declaring: [], instruction: 'do', text: () => text, faults: async () => null };
  const done = await askRewrite(engine, info, request, new AbortController().signal);
  assert.ok(done.rewrite.is === 'change');
  assert.equal(changedText(done.base, done.rewrite.change), `// above\n${base.replace('line1();', 'x();')}`);
});

test('a change that would no longer parse is tried without what it closes too much, and asked about where that does not help', async () => {
  const code = 'class A {\n  one() {\n    return 1;\n  }\n}\n';
  const lines = chosenLines(code, place, { start: { line: 1 }, end: { line: 3, character: 3 } });
  const balance = (text: string) => (text.match(/\{/g)?.length ?? 0) - (text.match(/\}/g)?.length ?? 0);
  const faults = async (_: string, text: string) => Math.abs(balance(text)) + (/\n {2}return/.test(text) ? 1 : 0);
  const ask = (answer: string) => {
    const attempt = async () => generation(`\`\`\`js\n${answer}\n\`\`\``, 'end');
    const engine = { attempt, measure: async () => ({ total: 400 }), count: async () => [10] } as never;
    const request = { chosen: lines, declaring: [], instruction: 'do', text: () => code, faults };
    return askRewrite(engine, info, request, new AbortController().signal);
  };
  const mended = (await ask('  one() {\n    return 2;\n  }\n}')).rewrite;
  assert.ok(mended.is === 'change' && mended.doubt === '');
  assert.equal(changedText(code, mended.change), code.replace('return 1', 'return 2'));
  const broken = (await ask('  one() {\n    x();\n  }\n  return this;\n}')).rewrite;
  assert.match(broken.is === 'change' ? broken.doubt : '', /would no longer parse/);
});

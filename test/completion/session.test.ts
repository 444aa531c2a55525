// A session of keys: what was generated is used again, a generation that agrees goes on, and the window's start stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caret, OpenText } from '../../src/completion/caret.ts';
import { CompletionSession } from '../../src/completion/session.ts';
import { type Completed, type FillRequest, nothingCompleted } from '../../src/core/engine/completion.ts';
import type { FillsIn } from '../../src/core/engine/engine.ts';

const never = new AbortController().signal;
const tokens = { prompt: 100, before: 90, behind: 7, reused: 80, decoded: 20, generated: 4 };

/** Writes `continuation` for any prompt, the whole of it or, with a gate, piece by piece. */
function scene(
  continuation: string,
  { pace = 1000, probability = 0.9, faults = (_: string): number | null => null } = {},
) {
  const asked: FillRequest[] = [];
  let gate: Promise<void> = Promise.resolve();
  const complete: FillsIn = async (request, onText, signal): Promise<Completed> => {
    asked.push(request);
    if (request.maxTokens === 0) return { ...nothingCompleted, stop: 'end' };
    const pieces = (continuation.match(/.{1,4}/gs) ?? []).map((text) => ({ text, probability }));
    for (const { text: piece } of pieces) {
      await gate;
      if (signal?.aborted === true) return { ...nothingCompleted, stop: 'cancelled' };
      onText(piece);
    }
    return { text: continuation, tokens, milliseconds: { prefill: 5, generation: 7 }, stop: 'lines', pieces };
  };
  const session = new CompletionSession({
    complete,
    pace: () => ({ reading: pace, writing: 40 }),
    faults: async (_, text) => faults(text),
  });
  const at = (lines: readonly string[], signal = never, caret?: Caret) => {
    const text: OpenText = { path: 'a.ts', language: 'typescript', lines };
    const place = caret ?? { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
    return session.at({ text, caret: place, signal });
  };
  return {
    asked,
    session,
    at,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

test('what is typed along a text that was shown needs no model', async () => {
  const { at, asked } = scene('readGauge(name);');
  assert.deepEqual((await at(['const level = '])).text, 'readGauge(name);');
  const typed = await at(['const level = readG']);
  assert.deepEqual([typed.text, typed.source, typed.tokens.decoded], ['auge(name);', 'before', 0]);
  assert.equal((await at(['const level = '])).source, 'before');
  assert.equal(asked.length, 1);
  await at(['const level = write']);
  assert.equal(asked.length, 2);
});

test('a generation that agrees with what is typed goes on, and one that does not is ended', async () => {
  const { at, asked, hold } = scene('readGauge(name);');
  const open = hold();
  const stop = new AbortController();
  const first = at(['const level = '], stop.signal);
  stop.abort();
  const second = at(['const level = re']);
  open();
  assert.deepEqual([(await second).text, (await second).source], ['adGauge(name);', 'running']);
  assert.equal(asked.length, 1);
  await first;
  const reopen = hold();
  const third = at(['const other = ']);
  const fourth = at(['const other = xx']);
  reopen();
  assert.equal((await fourth).source, 'model');
  assert.equal((await third).why, 'what was typed differs');
  assert.equal(asked.length, 3);
});

test('the window begins at one line while the caret moves on, and moves by many lines at once', async () => {
  const { at, asked } = scene('x();');
  const all = Array.from({ length: 400 }, (_, line) => `const value${line} = compute(${line}, 'of some length');`);
  for (let line = 100; line < 300; line++) await at([...all.slice(0, line), `const typed${line} = `]);
  const starts = new Set(asked.map(({ prefix }) => prefix.split('\n', 1)[0]));
  assert.ok(starts.size >= 2 && starts.size <= 6, `${starts.size} starts in 200 lines`);
  assert.ok(asked.every(({ prefix }) => prefix.length < 5300));
  assert.equal(new Set(asked.map(({ suffix }) => suffix)).size, 1);
});

test('after a jump the prompt is short where the model reads slowly, and the rest is read in the pause', async () => {
  const { at, asked, session } = scene('x();', { pace: 60 });
  const all = Array.from({ length: 200 }, (_, line) => `const value${line} = compute(${line}, 'of some length');`);
  const lines = [...all.slice(0, 150), 'const typed = '];
  await at(lines);
  const text = { path: 'a.ts', language: 'typescript', lines };
  const caret = { line: 150, column: 14 };
  assert.ok((asked[0]?.prefix.length ?? 0) < 60 * 1.2 * 4);
  await session.prepare({ text, caret, signal: never });
  assert.ok((asked[1]?.prefix.length ?? 0) > 600 && asked[1]?.maxTokens === 0);
  assert.equal(await session.prepare({ text, caret, signal: never }), null);
  await at([...all.slice(0, 150), 'const typed = co']);
  assert.ok(asked[2]?.prefix.startsWith(asked[1]?.prefix ?? '-'));
});

test('nothing is shown with which a file would no longer parse, and a block that is left open is closed', async () => {
  const balanced = (text: string) => Math.abs(text.split('{').length - text.split('}').length);
  const broken = await scene('go(); }', { faults: balanced }).at(['const a = ']);
  assert.deepEqual([broken.text, broken.why], ['', 'the file would no longer parse']);
  const open = (lines: readonly string[], generated: string) => scene(generated, { faults: balanced }).at(lines);
  assert.equal((await open(['f() {', '  '], '  if (a) {\n    go();\n')).text, 'if (a) {\n    go();\n  }');
  // The rest of a line may begin what the user goes on with; a line that only opens a block is no suggestion.
  assert.equal((await open(['const f = '], '(a) => {')).text, '(a) => {');
  assert.equal((await open([''], 'if (a) {')).why, 'the model has nothing to add');
  assert.equal((await open([''], 'go();\nif (a) {')).text, 'go();');
  // A file that did not parse before need not do so afterwards.
  assert.equal((await scene('  go(); }', { faults: balanced }).at(['f() {', '  '])).text, 'go(); }');
});

test('the next line of an accepted text is there when the user begins it', async () => {
  const { at, asked, session } = scene('  go(2);');
  const text = { path: 'a.ts', language: 'typescript', lines: ['  go(1);', '}'] };
  await session.ahead({ text, caret: { line: 0, column: 8 }, signal: never });
  const next = await at(['  go(1);', '  ', '}'], never, { line: 1, column: 2 });
  assert.deepEqual([next.text, next.source, asked.length], ['go(2);', 'before', 1]);
});

test('a jump within the window is as short as one out of it where too much lies between', async () => {
  const { at, asked, session } = scene('x();', { pace: 60 });
  const all = Array.from({ length: 80 }, (_, line) => `const value${line} = compute(${line}, 'of some length');`);
  const to = (line: number) => [...all.slice(0, line), 'const typed = ', ...all.slice(line)];
  const caret = { line: 10, column: 14 };
  await at(to(10), never, caret);
  await session.prepare({ text: { path: 'a.ts', language: 'typescript', lines: to(10) }, caret, signal: never });
  await at(to(70), never, { line: 70, column: 14 });
  assert.ok((asked.at(-1)?.prefix.length ?? 9999) < 400, `${asked.at(-1)?.prefix.length}`);
});

test('a text of which the model is not sure is shown to a user who asked for it alone', async () => {
  const { at, session } = scene('x();', { probability: 0.2 });
  assert.equal((await at(['const a = '])).why, 'the model is not sure');
  const text = { path: 'a.ts', language: 'typescript', lines: ['const a = '] };
  const asked = await session.at({ text, caret: { line: 0, column: 10 }, signal: never, byHand: true });
  assert.deepEqual([asked.text, asked.source], ['x();', 'before']);
});

test('a secret of another line stands as a mark, and in a line with one nothing is asked', async () => {
  const { at, asked } = scene('x();');
  const secret = 'const password = "hunter2-Tide-99x";';
  await at([secret, 'connect(']);
  assert.doesNotMatch(asked[0]?.prefix ?? '', /hunter2/);
  assert.equal((await at([`${secret} `])).why, 'a secret stands in this line');
  assert.equal(asked.length, 1);
});

// The task "fix": what is run, drawn, kept and taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FixMessage, type FixPorts, fix } from '../../../src/app/turn/fixing.ts';
import { type FailingPart, nothingFailing } from '../../../src/core/agent/intent.ts';
import { isBetter, readTests } from '../../../src/core/testRun.ts';

const file = 'export function sum(a, b) {\n  return a - b;\n}\n';
const part: FailingPart = {
  ...{ path: 'src/sum.js', name: 'sum', from: 1, to: 3, line: null, text: file.trimEnd(), file },
  shown: { from: 1, to: 4, text: file },
};

/** The output of three tests of which these fail. */
const output = (failed: readonly string[], ran = 3) =>
  [...failed.map((name) => `✖ ${name} (1.0ms)`), '  1 !== 2', `ℹ tests ${ran}`].join('\n');

interface World {
  /** Outputs of the runs in their order, as names of the tests that fail, or as a text; null for a run that does not end. The last one stays. */
  readonly runs: readonly (readonly string[] | string | null)[];
  readonly suspects?: readonly FailingPart[];
  readonly draws?: readonly (string | null)[];
  readonly isMade?: boolean;
  readonly stopsAfter?: number;
  /** Runs end well, whatever they say. */
  readonly isZero?: boolean;
}

async function fixed({ runs, suspects = [part], draws = [], isMade = true, stopsAfter = 99, isZero = false }: World) {
  const log: string[] = [];
  const messages: FixMessage[] = [];
  let [ran, drawn] = [0, 0];
  const ports: FixPorts = {
    run: async () => {
      log.push('run');
      const says = runs[Math.min(ran++, runs.length - 1)] ?? null;
      if (says === null) return null;
      const text = typeof says === 'string' ? says : output(says);
      const code = isZero || says.length === 0 ? 0 : 1;
      return { code, lines: text.split('\n'), tests: readTests(text, code), body: text, lacksNetwork: false };
    },
    failing: async () => ({ ...nothingFailing, suspects }),
    draw: async (message) => {
      messages.push(message);
      log.push(`draw ${message.draw.temperature}`);
      const code = draws.length === 0 ? `code ${drawn}` : (draws[Math.min(drawn, draws.length - 1)] ?? null);
      drawn += 1;
      return code === null ? null : { code, isMade };
    },
    takeBack: async () => void log.push('back'),
    tell: (words) => void log.push(words),
    now: () => 0,
  };
  const result = await fix('npm test', ports, () => ran > stopsAfter);
  return { result, log: log.filter((line) => !line.startsWith('For each failure')), messages };
}

test('tests that pass need no fix', async () => {
  const { result, log } = await fixed({ runs: [[]] });
  assert.equal(result, null);
  assert.deepEqual(log, ['run', '`npm test` passes: there is nothing to fix.']);
});

test('where no test ran nothing is said to pass, and a change that leaves none is no better', async () => {
  const { result, log } = await fixed({ runs: ['ℹ tests 0'], isZero: true });
  assert.equal(result, null);
  assert.deepEqual(log, ['run', '`npm test` ran no test: nothing can be said.']);
  assert.equal(isBetter(readTests('ℹ tests 0', 0), readTests('it is wrong', 1)), false);
});

test('what decides is run twice, and stays', async () => {
  const { result, log } = await fixed({ runs: [['adds'], []] });
  assert.deepEqual(log.slice(0, 4), ['run', 'draw 0', 'run', 'run']);
  assert.match(log[4] ?? '', /^All tests pass\. 1 change was tried in \d+ s, 1 kept\./);
  assert.deepEqual(result?.kept, [{ name: 'adds', file: 'src/sum.js', draws: 1 }]);
});

test('what helps once and not the second time is taken back', async () => {
  const { log } = await fixed({ runs: [['adds'], [], ['adds'], ['adds']] });
  assert.deepEqual(log.slice(0, 6), ['run', 'draw 0', 'run', 'run', 'back', 'draw 0.8']);
});

test('what breaks another test, or does not end, is taken back, and after eight draws the failure is left', async () => {
  const { result, log } = await fixed({ runs: [['adds'], ['other'], null, ['adds']] });
  assert.deepEqual(log.filter((line) => line === 'back').length, 8);
  assert.match(
    log.at(-1) ?? '',
    /^1 failure of 1 left: `adds`\. 8 changes were tried in \d+ s, 0 kept\.\n- `adds`: 8 tries: 8 did not help$/,
  );
  assert.deepEqual(result?.after, result?.before);
});

test('one failure comes after the other: of two one is mended, and the other one is tried', async () => {
  const { result, messages } = await fixed({ runs: [['adds', 'divides'], ['divides'], ['divides'], []] });
  assert.deepEqual(
    messages.map(({ text }) => text.split(' ')[0]),
    ['`adds`', '`divides`'],
  );
  assert.deepEqual(
    result?.kept.map(({ draws }) => draws),
    [1, 1],
  );
});

test('what is drawn again, or has no place, is not run', async () => {
  const again = await fixed({ runs: [['adds'], ['adds']], draws: ['same'] });
  assert.equal(again.log.filter((line) => line === 'run').length, 2);
  const unplaced = await fixed({ runs: [['adds'], ['adds']], isMade: false });
  assert.equal(unplaced.log.filter((line) => line === 'run').length, 1);
});

test('a stop ends it, and takes back what was not decided', async () => {
  const { log } = await fixed({ runs: [['adds'], ['adds']], stopsAfter: 1 });
  assert.deepEqual(log.slice(0, 4), ['run', 'draw 0', 'run', 'back']);
  assert.match(log.at(-1) ?? '', /left, stopped/);
  const ended = await fixed({ runs: [['adds']], draws: [null] });
  assert.deepEqual(ended.log.slice(0, 2), ['run', 'draw 0']);
  assert.equal(ended.log.includes('back'), false);
});

test('an output that names no code is told', async () => {
  const { log } = await fixed({ runs: [['adds']], suspects: [] });
  assert.deepEqual(log.slice(0, 2), ['run', 'No code was found that `adds` is about.']);
});

test('an output in no known form is one failure, and only all well is better', async () => {
  const { result } = await fixed({ runs: ['it is wrong', 'it is a little wrong', []] });
  assert.deepEqual(
    result?.kept.map(({ name, draws }) => [name, draws]),
    [['', 2]],
  );
});

// 10,000 of each thing that others may write: messages of a view, settings, saved reports. Each is taken sound or refused in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editor } from './fakeVscode.ts';

const { readSettings } = await import('../../src/host/settings/readSettings.ts');
const { partPrefix, settingProblem, settingTable } = await import('../../src/settings/settingTable.ts');
const { parseViewMessage } = await import('../../src/host/views/viewMessage.ts');
const { readReport } = await import('../../src/host/editor/reportSchema.ts');
const { questionNames } = await import('../../src/protocol/questions.ts');

const seed = Number(process.env.TIDEMARK_SEED ?? 20261121);
const sure = { seed, numRuns: 10_000 };

const odd = fc.constantFrom<unknown>(
  ...[Number.NaN, Number.POSITIVE_INFINITY, -0, 1e308, -1e308, 2 ** 53, 2 ** 31, -1, 0.1, '', ' ', '\0', '__proto__'],
  ...['../../etc/passwd', 'x'.repeat(100_000), null, undefined, true, [], {}, [[[]]], { toString: null }],
);
const anything = fc.oneof(odd, fc.anything({ maxDepth: 2, withNullPrototype: true, withBigInt: true }));
/** A file of settings is JSON, in which 1e999 is endless. */
const setting = fc.oneof(odd, fc.jsonValue({ maxDepth: 2 }));

const types = [
  ...['ready', 'send', 'edit', 'regenerate', 'unqueue', 'stop', 'written', 'remember', 'answerProposal', 'open'],
  'continue',
  ...['switchTool', 'openSetting', 'listSessions', 'copyCode', 'insertCode', 'applyCode', 'createFile', 'ask'],
];
const fields = [
  'text',
  'item',
  'id',
  'compaction',
  'proposal',
  'keep',
  'name',
  'on',
  'shown',
  'key',
  'path',
  'line',
  'code',
];
const message = fc.tuple(
  fc.constantFrom(...types, 'constructor', '__proto__', 'toString'),
  fc.dictionary(fc.constantFrom(...fields, 'language', 'params', 'question', 'type', 'words'), anything, {
    maxKeys: 16,
  }),
  fc.constantFrom<string>(...questionNames, 'hasOwnProperty'),
);

test(`of 10,000 messages of a view each is refused or has plain values only (seed ${seed})`, () => {
  let taken = 0;
  fc.assert(
    fc.property(message, ([type, more, question]) => {
      const parsed = parseViewMessage({ question, ...more, type });
      if (parsed === null) return;
      taken += 1;
      assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
      if (parsed.type === 'ask') return;
      for (const [name, value] of Object.entries(parsed)) {
        assert.ok(value === null || ['string', 'number', 'boolean'].includes(typeof value), `${name}: ${typeof value}`);
        assert.ok(typeof value !== 'number' || Number.isSafeInteger(value), `${name}: ${value}`);
      }
    }),
    sure,
  );
  assert.ok(taken > 1000, `${taken}`);
});

const keys = (Object.keys(settingTable) as (keyof typeof settingTable)[]).filter((key) => key !== 'advanced');

/** Every value that stands in the settings as they were read, with the name of its place. */
function* valuesIn(value: unknown, place: string): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) yield [place, value];
  else for (const [key, inner] of Object.entries(value)) yield* valuesIn(inner, `${place}.${key}`);
}

test(`of 10,000 wrong settings none is used: the default is, and words say why (seed ${seed})`, () => {
  const defaults = readSettings(() => assert.fail('the defaults are sound'));
  let wrong = 0;
  fc.assert(
    fc.property(fc.constantFrom(...keys), setting, (key, value) => {
      const part = key.startsWith(partPrefix) ? key.slice(partPrefix.length) : null;
      editor.settings = part === null ? { [key]: value } : { advanced: { [part]: value } };
      const said: string[] = [];
      const read = readSettings((words) => said.push(words));
      const isWrong = value !== undefined && key !== 'agents' && settingProblem(settingTable[key], value) !== null;
      if (isWrong) {
        wrong += 1;
        assert.match(said.join(), new RegExp(`tidemark\\.${key} is .* is used\\.`, 's'));
        assert.ok(
          said.every((words) => words.length < 2000),
          'a message can be read',
        );
        assert.deepEqual(read, defaults);
      }
      for (const [place, one] of valuesIn(read, '')) {
        assert.ok(typeof one !== 'number' || Number.isFinite(one), `${place} is ${one}`);
        assert.notEqual(typeof one, 'bigint', place);
      }
    }),
    sure,
  );
  editor.settings = {};
  assert.ok(wrong > 5000, `${wrong}`);
});

const report = {
  budget: { window: 8192, reserve: 1024, high: 7000, low: 5000 },
  ...{ total: 10, exact: true, layers: [{ layer: 'system', tokens: 3 }], tools: [{ name: 'read_file', tokens: 3 }] },
  ...{ workspace: [{ name: 'README.md', raw: 3, injected: 3 }], state: [], decisions: [], prompt: 'words' },
  calls: [
    {
      ...{ node: 'answer', promptTokens: 3, breakAt: null, generatedTokens: 1, firstTokenMilliseconds: 1 },
      prefill: { reused: 0, shifted: 0, decoded: 3, milliseconds: 2 },
    },
  ],
};

function placesIn(value: unknown): readonly (readonly [Record<string, unknown>, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...placesIn(holder[key])]);
}

test(`of 10,000 changed reports each is read or refused in words that name the file (seed ${seed})`, () => {
  assert.equal(readReport(JSON.stringify(report), 'r.json').stack.total, 10);
  let refused = 0;
  fc.assert(
    fc.property(
      fc.nat(),
      fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined)),
      fc.nat(40),
      (n, value, cut) => {
        const changed = structuredClone(report) as unknown as Record<string, unknown>;
        const places = placesIn(changed);
        const [holder, key] = places[n % places.length] ?? [changed, 'total'];
        holder[key] = value;
        const json = JSON.stringify(changed);
        try {
          const { calls, stack } = readReport(cut === 0 ? json.slice(0, n % json.length) : json, 'r.json');
          assert.ok(Array.isArray(calls) && Number.isInteger(stack.total));
        } catch (error) {
          refused += 1;
          assert.match(String(error), /r\.json is not a Tidemark report: .+\.|Not a Tidemark report/);
        }
      },
    ),
    { ...sure, numRuns: 10_000 },
  );
  assert.ok(refused > 2000, `${refused}`);
});

// Pins readable text: fault words, system text, directive, one prompt and its decisions. TIDEMARK_ACCEPT=1 accepts what is new.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { DownloadProblem } from '../../../src/core/faults/downloadFaults.ts';
import type { Fault } from '../../../src/core/faults/fault.ts';
import { FaultError, faultOf, wordFault } from '../../../src/core/faults/faults.ts';
import type { ServerProblem } from '../../../src/core/faults/serverFaults.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { placeText, systemText } from '../../../src/core/prompt/systemText.ts';
import { directiveText } from '../../../src/core/turn/turn.ts';
import { play } from '../scenes/play.ts';

const folder = fileURLToPath(new URL('goldens/', import.meta.url));
const accept = process.env.TIDEMARK_ACCEPT === '1';

const path = '/models/m.gguf';
const doesNotFit = { kind: 'doesNotFit', needed: 1_234_567, high: 7168, window: 8192, reserve: 1024 } as const;

const [host, name] = ['huggingface.co', 'm.gguf'];
const downloadProblems: readonly DownloadProblem[] = [
  { is: 'offline' },
  { is: 'badSource', reason: 'a path must be absolute' },
  { is: 'unreachable', host, reason: 'ENOTFOUND' },
  { is: 'silent', host, seconds: 30 },
  { is: 'cut', host },
  { is: 'changed', host, name },
  { is: 'refused', host, status: 401 },
  { is: 'missing', host, name },
  { is: 'serverFailed', host, status: 503 },
  { is: 'page', host, name },
  { is: 'notGguf', host, name, found: '"PK\\u0003\\u0004"' },
  { is: 'unsafe', host, to: '10.0.0.1' },
  { is: 'diskFull', folder: '/models', needed: 4_712_000_000, free: 2_000_000_000 },
  { is: 'folder', folder: '/models', reason: 'EACCES: permission denied' },
  { is: 'nameTaken', name, folder: '/models' },
  { is: 'wrongSize', name, expected: 2_000_000, got: 1_000_000 },
  { is: 'wrongHash', name, expected: 'aa11', got: 'bb22' },
  { is: 'noQuantisation', repository: 'owner/name', wanted: 'Q4_K_M', has: 'Q8_0' },
  { is: 'noQuantisation', repository: 'owner/name', wanted: 'Q4_K_M', has: '' },
];

const server = 'models.example:8443';
const serverProblems: { readonly [Is in ServerProblem['is']]: Extract<ServerProblem, { is: Is }> } = {
  offline: { is: 'offline' },
  badAddress: { is: 'badAddress', reason: '"url" has a "?" or a "#" in it' },
  insecure: { is: 'insecure', host: server },
  notAllowed: { is: 'notAllowed', host: server },
  unreachable: { is: 'unreachable', host: server, reason: 'nothing listens there' },
  certificate: { is: 'certificate', host: server, reason: 'it is signed by itself' },
  silent: { is: 'silent', host: server, seconds: 40 },
  cut: { is: 'cut', host: server },
  redirect: { is: 'redirect', host: server, to: 'https://other.example/' },
  refused: { is: 'refused', host: server, status: 401 },
  missing: { is: 'missing', host: server, path: '/props' },
  busy: { is: 'busy', host: server, reason: 'Loading model' },
  failed: { is: 'failed', host: server, status: 500, reason: 'out of memory' },
  notUnderstood: { is: 'notUnderstood', host: server, reason: '/props gave a web page' },
  otherTokens: { is: 'otherTokens', host: server, reason: 'it was sent 100 and counts 99' },
  changed: { is: 'changed', host: server, what: 'its model changed' },
  endless: { is: 'endless', host: server, tokens: 1024 },
};

/** At least one of each kind: a kind that is missing here does not compile. */
const faults: { readonly [Kind in Fault['kind']]: readonly Extract<Fault, { kind: Kind }>[] } = {
  noModel: [{ kind: 'noModel' }],
  modelMissing: [{ kind: 'modelMissing', path }],
  modelIsFolder: [{ kind: 'modelIsFolder', path }],
  modelNotGguf: [{ kind: 'modelNotGguf', path, found: '"<!DO"' }],
  modelDamaged: [{ kind: 'modelDamaged', path, reason: 'it has only 24 bytes' }],
  modelBroken: [{ kind: 'modelBroken', path }],
  modelOfOtherUse: [
    { kind: 'modelOfOtherUse', path, is: 'embedding', wanted: 'chat' },
    { kind: 'modelOfOtherUse', path, is: 'chat', wanted: 'embedding' },
    { kind: 'modelOfOtherUse', path, is: 'ranking', wanted: 'embedding' },
  ],
  modelOverBudget: [{ kind: 'modelOverBudget', path: '/m.gguf', needed: 4_712_000_000, budget: 4e9 }],
  modelTooLarge: [{ kind: 'modelTooLarge', path, reason: 'it needs 9 GB and 4 GB are free' }],
  modelElsewhere: [{ kind: 'modelElsewhere' }],
  templateUnusable: [{ kind: 'templateUnusable', reason: 'message 2 (user) is dropped' }],
  packsUnusable: [
    { kind: 'packsUnusable', folder: '/packs', reason: 'it holds linux-x64-cuda 3.20.0', version: '3.22.1' },
  ],
  outOfMemory: [{ kind: 'outOfMemory', contextSize: 32768, reason: 'it needs 9 GB' }],
  gpuUnavailable: [{ kind: 'gpuUnavailable', wanted: 'cuda' }],
  engineCrashed: [{ kind: 'engineCrashed', reason: 'SIGKILL' }],
  engineStopped: [{ kind: 'engineStopped' }],
  modelWithoutTemplate: [{ kind: 'modelWithoutTemplate' }],
  saidNothing: [{ kind: 'saidNothing' }],
  engineFailed: [{ kind: 'engineFailed', reason: 'odd' }],
  doesNotFit: [
    { ...doesNotFit, pinned: 900 },
    { ...doesNotFit, needed: 8000, pinned: 4000 },
  ],
  storeUnavailable: [{ kind: 'storeUnavailable', reason: 'the disk is full' }],
  server: Object.values(serverProblems).map((problem) => ({ kind: 'server', problem })),
  download: downloadProblems.map((problem) => ({ kind: 'download', problem })),
};

/** The stack as the last call of each turn has it. */
async function stackText(): Promise<string> {
  const turns = [0, 1, 2, 3].map((n) => ({
    user: 60 + n,
    rounds: [[900, Math.max(400, 2600 - 1200 * n)], [500]],
    answer: 80,
  }));
  const { outcomes } = await play({ turns, window: 2048, salt: 0, policy: { ...defaultPolicy, pruneAt: 0.62 } });
  return outcomes
    .flatMap(({ report }) => {
      const rows = report.decisions.map(({ from, to, label, layer, state, before, after, by, why }) =>
        [`${from}-${to}`, layer, state, before, after, by, label.slice(0, 24), why].join(' | ').trimEnd(),
      );
      const layers = report.layers.map(({ layer, tokens }) => `${layer} ${tokens}`);
      return [`turn ${report.turn}: ${report.total} of ${report.budget.high} tokens`, layers.join(', '), ...rows, ''];
    })
    .join('\n');
}

const goldens: Readonly<Record<string, () => string | Promise<string>>> = {
  'faults.txt': () =>
    Object.values(faults)
      .flatMap((some: readonly Fault[]) => some)
      .map((fault) => [fault.kind, wordFault(fault)] as const)
      .map(([kind, { message, advice, actions }]) => [
        kind,
        `  ${message}`,
        `  ${advice}`,
        ...actions.map(({ label, do: act }) => `  [${label}] ${act.type}${'key' in act ? ` ${act.key}` : ''}`),
        '',
      ])
      .map((lines) => lines.join('\n'))
      .join('\n'),
  'system.txt': () =>
    [
      ...[[], ['app'], ['app & api', '{{docs}}']].map((folders) => ({ folders, tools: true })),
      { folders: ['app'], tools: false },
    ]
      .map(({ folders, tools }) => `${systemText(placeText(folders), tools)}\n`)
      .join('\n'),
  'directive.txt': () => `${directiveText([])}\n${directiveText(['search "a": 3 matches', 'read a.ts'])}\n`,
  'decisions.txt': stackText,
};

for (const [name, make] of Object.entries(goldens)) {
  test(`${name} is as it was accepted`, async () => {
    const now = await make();
    if (accept) writeFileSync(folder + name, now);
    assert.ok(readdirSync(folder).includes(name), `${name} is missing: accept it with TIDEMARK_ACCEPT=1`);
    assert.equal(now, readFileSync(folder + name, 'utf8'));
  });
}

test('every golden belongs to a test', () => {
  for (const name of readdirSync(folder)) {
    if (name in goldens) continue;
    if (accept) rmSync(folder + name);
    else assert.fail(`${name} belongs to no test: remove it with TIDEMARK_ACCEPT=1`);
  }
});

test('a fault travels in an error with its words, and any other error becomes engineFailed', () => {
  const fault: Fault = { kind: 'modelMissing', path };
  const error = new FaultError(fault);
  assert.equal(faultOf(error), fault);
  assert.equal(error.message, `${wordFault(fault).message} ${wordFault(fault).advice}`);
  assert.deepEqual(faultOf(new RangeError('odd')), { kind: 'engineFailed', reason: 'odd' });
  assert.deepEqual(faultOf('odd'), { kind: 'engineFailed', reason: 'odd' });
});

test('every fault says what to do', () => {
  for (const fault of Object.values(faults).flatMap((some: readonly Fault[]) => some)) {
    const { message, advice } = wordFault(fault);
    assert.match(message, /^\S.*\S$/);
    assert.match(advice, /^[A-Z].*\.$/);
  }
});

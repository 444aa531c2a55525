// Tests that an attachment stays while its turn stands: what was looked up goes first, then the oldest attachments, never those of the last two messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDialog, type Item, turnsOf } from '../../../src/core/dialog/dialog.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { budgetFor, defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { type FitRequest, fitPrompt } from '../../../src/core/pruning/fitPrompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';
import type { NewItem } from '../../../src/core/turn/turnPorts.ts';
import { measureOf } from '../scenes/fakeModel.ts';
import { answered, asked, checkFitted, grow, looked, partsOf, requestFor } from '../scenes/grow.ts';
import { play, words } from '../scenes/play.ts';

const file = (name: string, size: number): NewItem => ({
  origin: 'attachment',
  head: `${name}:`,
  body: words(name, size),
});
const found: NewItem = {
  origin: 'attachment',
  head: 'Found: src/a.ts:1-9',
  body: words('a.ts', 600),
  found: { path: 'src/a.ts', from: 1, to: 9, why: 'matches tide' },
};

/** A passage that is cited, results in two turns, and an attachment beside each of five messages. */
const dialog = grow(
  emptyDialog,
  asked(words('first', 80)),
  file('A1', 900),
  found,
  ...looked('r1', 500),
  answered('See src/a.ts.'),
  asked(words('second', 80)),
  file('A2', 900),
  ...looked('r2', 500),
  ...looked('r3', 500),
  answered(words('two', 80)),
  ...['A3', 'A4'].flatMap((name) => [asked(words(name, 80)), file(name, 900), answered(words('so', 80))]),
  asked(words('fifth', 80)),
  file('A5', 900),
);

async function fittedAt(high: number, changed: Partial<FitRequest> = {}): Promise<Fitted | null> {
  const budget = { ...budgetFor(100_000, defaultPolicy), high, low: high, pruneAt: high };
  const request = requestFor(dialog, { budget, policy: { ...defaultPolicy, trimTarget: 1 }, ...changed });
  return fitPrompt(request, async (prompt) => measureOf(prompt)).catch((error: unknown) => {
    assert.ok(error instanceof FaultError && error.fault.kind === 'doesNotFit');
    return null;
  });
}

function loss({ context, pruned }: Fitted): string {
  const cleared = context.path.flatMap((item) =>
    pruned.cleared.has(item.id) && 'head' in item ? [item.head.split(':')[0]] : [],
  );
  const turns = turnsOf(context.path).filter(({ end }) => end <= (pruned.runs.at(-1)?.to ?? 0)).length;
  return `${cleared.join(' ')} | ${turns}`;
}

test('at every budget found passages and older results go first, then attachments from the oldest, then turns', async () => {
  const whole = (await fittedAt(100_000))?.measure.total ?? 0;
  for (const erases of [true, false]) {
    const seen: string[] = [];
    for (let high = whole; high > 0; high--) {
      const fitted = await fittedAt(high, { erases });
      if (fitted === null) break;
      checkFitted(fitted);
      assert.deepEqual(partsOf(fitted.prompt, dialog.path.at(-1)), ['stub', 'body']);
      if (seen.at(-1) !== loss(fitted)) seen.push(loss(fitted));
    }
    assert.deepEqual(seen, [
      ' | 0',
      'Found r1 | 0',
      'A1 Found r1 | 0',
      'A1 Found r1 A2 | 0',
      'A1 Found r1 A2 A3 | 0',
      'A2 A3 | 1',
      'A3 | 2',
      ' | 3',
      ' | 4',
    ]);
  }
});

/** The sizes that five questions about files of a package had, as tokens. */
const sizes = [793, 247, 783, 889, 878];
const five = {
  turns: [
    ...sizes.map((size) => ({ user: 60, attachments: [size * 4], rounds: [], answer: 100 })),
    { user: 60, rounds: [], answer: 100 },
  ],
  window: 4096,
  salt: 1,
  policy: defaultPolicy,
};

test('of five files in a window of 4,096 only what does not fit goes, and what goes does not come back', async () => {
  for (const erases of [true, false]) {
    const { calls, setup } = await play({ ...five, erases });
    const gone = new Set<string>();
    const left = calls.map(({ fitted }) => {
      assert.ok(fitted.measure.total <= setup.budget.high);
      const bodies = attachedIn(fitted).filter((item) => partsOf(fitted.prompt, item).includes('body'));
      for (const { id } of attachedIn(fitted)) {
        if (bodies.every((item) => item.id !== id)) gone.add(id);
        else assert.ok(!gone.has(id), `${id} came back`);
      }
      return bodies.length;
    });
    assert.deepEqual(left.slice(0, 4), [1, 2, 3, 4], 'all of them stay below high water');
    assert.ok((left[4] ?? 0) >= 2 && (left[5] ?? 0) >= 2, `${left}`);
    assert.equal(left[4], left[5], 'a question without a file costs none');
  }
});

function attachedIn({ context }: Fitted): readonly Item[] {
  return context.path.filter(({ origin }) => origin === 'attachment');
}

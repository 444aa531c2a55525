// Passages found for a message stand in it and go with the next turn, unless the answer cites them or the user pins them; the prompt adds up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyDialog } from '../../../src/core/dialog/dialog.ts';
import { mark, noMarks } from '../../../src/core/dialog/marks.ts';
import { defaultPolicy } from '../../../src/core/prompt/budget.ts';
import { segmentsOf } from '../../../src/core/prompt/prompt.ts';
import type { NewItem } from '../../../src/core/turn/turnPorts.ts';
import { answered, asked, checkFitted, decisionOn, fitNow, grow, partsOf, requestFor } from '../scenes/grow.ts';
import { words } from '../scenes/play.ts';

const found = (path: string, size = 40): NewItem => ({
  origin: 'attachment',
  head: `Found: ${path}:1-9`,
  body: words(path, size),
  found: { path, from: 1, to: 9, why: 'matches tide' },
});

const talk = (answer: string) =>
  grow(emptyDialog, asked('where?'), found('src/a.ts'), found('src/b.ts'), answered(answer), asked('and then?'));

test('it stands in front of the words of the user, in the same message, the most useful nearest to them', async () => {
  const fitted = await fitNow(
    requestFor(grow(emptyDialog, asked('where?'), found('src/a.ts', 4), found('src/b.ts', 4))),
  );
  const [, user] = fitted.prompt.messages;
  const text = user?.segments.map((segment) => segment.text).join('') ?? '';
  assert.match(text, /^Found: src\/b\.ts:1-9\n.*Found: src\/a\.ts:1-9\n.*\n\nwhere\?$/s);
  checkFitted(fitted);
});

test('what the answer does not cite goes whole with the next turn; what it cites stays', async () => {
  for (const answer of ['See src/a.ts:4.', 'It is in a.ts.', 'Look at `src/a.ts`.']) {
    const dialog = talk(answer);
    const fitted = await fitNow(requestFor(dialog, { erases: true }));
    assert.deepEqual(partsOf(fitted.prompt, dialog.path[1]), ['stub', 'body'], answer);
    assert.deepEqual(partsOf(fitted.prompt, dialog.path[2]), []);
    const { state, by, why, after } = decisionOn(fitted, 2);
    assert.deepEqual([state, by, after], ['stubbed', 'clearFound', 0]);
    assert.match(why, /doesn't cite/);
    checkFitted(fitted);
  }
});

test('where the slot cannot erase, it waits for the next crossing; a pin keeps it anywhere', async () => {
  const dialog = talk('Nothing.');
  const kept = await fitNow(requestFor(dialog, { erases: false }));
  assert.deepEqual(partsOf(kept.prompt, dialog.path[1]), ['stub', 'body']);
  const marks = mark(noMarks, dialog.path[1]?.id ?? '', 'pinned');
  const pinned = await fitNow(requestFor(dialog, { erases: true, marks }));
  assert.deepEqual(partsOf(pinned.prompt, dialog.path[1]), ['stub', 'body']);
  assert.deepEqual(partsOf(pinned.prompt, dialog.path[2]), []);
});

test('within its turn it stays, whatever rounds come', async () => {
  const dialog = grow(emptyDialog, asked('where?'), found('src/a.ts'));
  const fitted = await fitNow(requestFor(dialog, { erases: true, turnStart: false }));
  assert.deepEqual(partsOf(fitted.prompt, dialog.path[1]), ['stub', 'body']);
});

const turn = fc.record({
  found: fc.array(fc.record({ path: fc.constantFrom('a.ts', 'b.ts', 'c.ts'), size: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 4,
  }),
  cites: fc.constantFrom('nothing', 'a.ts', 'b.ts and c.ts'),
});

interface FoundTurn {
  readonly found: readonly { readonly path: string; readonly size: number }[];
  readonly cites: string;
}

const dialogOf = (turns: readonly FoundTurn[]) =>
  grow(
    emptyDialog,
    ...turns.flatMap(({ found: some, cites }) => [
      asked('q'),
      ...some.map(({ path, size }) => found(path, size)),
      answered(cites),
    ]),
    asked('last'),
  );

test('over any turns the prompt adds up, and holds of earlier turns only what their answers cite', () =>
  fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 5 }), async (turns) => {
      const dialog = dialogOf(turns);
      const fitted = await fitNow(requestFor(dialog, { erases: true }));
      checkFitted(fitted);
      const shown = new Set(segmentsOf(fitted.prompt).map(({ item }) => item));
      let answer = '';
      for (const item of dialog.path.toReversed()) {
        if (item.origin === 'assistant') answer = item.text;
        if (item.origin === 'attachment') assert.equal(shown.has(item.id), answer.includes(item.found?.path ?? '?'));
      }
    }),
  ));

for (const erases of [true, false]) {
  test(`\`last\` keeps what was found for one turn, \`sticky\` until the limit, whatever an answer cites${erases ? '' : ', also where a slot cannot erase'}`, () =>
    fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 5 }), async (turns) => {
        const dialog = dialogOf(turns);
        const shownBy = async (knowledge: 'last' | 'sticky') => {
          const policy = { ...defaultPolicy, knowledge };
          const { prompt } = await fitNow(requestFor(dialog, { erases, policy }));
          const shown = new Set(segmentsOf(prompt).map(({ item }) => item));
          return dialog.path.filter(({ id, origin }) => origin === 'attachment' && shown.has(id)).length;
        };
        const all = dialog.path.filter(({ origin }) => origin === 'attachment').length;
        assert.deepEqual([await shownBy('last'), await shownBy('sticky')], [0, all]);
      }),
    ));
}

// Passages found for a message stand in it and in later prompts, as far as their share of the window holds them or the user pins them; the prompt adds up.
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

test('it stands in front of the words of the user, in the same message, the most useful nearest to them', async () => {
  const fitted = await fitNow(
    requestFor(grow(emptyDialog, asked('where?'), found('src/a.ts', 4), found('src/b.ts', 4))),
  );
  const [, user] = fitted.prompt.messages;
  const text = user?.segments.map((segment) => segment.text).join('') ?? '';
  assert.match(text, /^Found: src\/b\.ts:1-9\n.*Found: src\/a\.ts:1-9\n.*\n\nwhere\?$/s);
  checkFitted(fitted);
});

/** A conversation whose first turn has found two passages, and the third two of so many characters. */
const talk = (size: number) =>
  grow(
    emptyDialog,
    ...[asked('where?'), found('src/a.ts'), found('src/b.ts'), answered('There.')],
    ...[asked('in which line?'), answered('In line 4.')],
    ...[asked('and the port?'), found('src/c.ts', size), found('src/d.ts', size)],
  );

const erasing = { erases: true };

test('whatever the answer says, it stays for the follow-up, until newer passages need its share; the oldest go first', async () => {
  const kept = await fitNow(requestFor(talk(40), erasing));
  for (const at of [1, 2]) assert.deepEqual(partsOf(kept.prompt, talk(40).path[at]), ['stub', 'body']);
  const { high } = requestFor(talk(40), erasing).budget;
  // A token is four characters there.
  const dialog = talk(Math.floor(high * 4 * 0.2));
  const fitted = await fitNow(requestFor(dialog, erasing));
  assert.deepEqual(partsOf(fitted.prompt, dialog.path[1]), []);
  const { state, by, why, after } = decisionOn(fitted, 1);
  assert.deepEqual([state, by, after], ['stubbed', 'clearFound', 0]);
  assert.match(why, /newer passages need its share/);
  checkFitted(fitted);
});

test('where the slot cannot erase, it waits for the next crossing; a pin keeps it anywhere', async () => {
  const { high } = requestFor(talk(40), erasing).budget;
  const dialog = talk(Math.floor((high * 0.2 - 10) * 4));
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
});

interface FoundTurn {
  readonly found: readonly { readonly path: string; readonly size: number }[];
}

const dialogOf = (turns: readonly FoundTurn[]) =>
  grow(
    emptyDialog,
    ...turns.flatMap(({ found: some }) => [
      asked('q'),
      ...some.map(({ path, size }) => found(path, size)),
      answered('There.'),
    ]),
    asked('last'),
  );

test('over any turns the prompt adds up, and what stands of earlier passages is the newest, within their share', () =>
  fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 5 }), async (turns) => {
      const dialog = dialogOf(turns);
      const request = requestFor(dialog, { erases: true });
      const fitted = await fitNow(request);
      checkFitted(fitted);
      const shown = new Set(segmentsOf(fitted.prompt).map(({ item }) => item));
      const stands = dialog.path.filter(({ origin }) => origin === 'attachment').map(({ id }) => shown.has(id));
      const first = stands.indexOf(true);
      assert.ok(first < 0 || stands.slice(first).every(Boolean), 'no gap');
      const tokens = segmentsOf(fitted.prompt).flatMap(({ item, part }, at) =>
        item !== null && part !== 'text' ? (fitted.measure.segments[at] ?? 0) : 0,
      );
      assert.ok(tokens.reduce((a, b) => a + b, 0) <= request.budget.high * 0.2);
    }),
  ));

for (const erases of [true, false]) {
  test(`\`last\` keeps what was found for one turn, \`sticky\` until the limit${erases ? '' : ', also where a slot cannot erase'}`, () =>
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

// The views are compactions: whoever joins at any moment and hears all deltas after has what the host has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reduceView, type ViewDelta, type ViewState } from '../../../src/protocol/view.ts';
import { openChat } from '../scenes/openChat.ts';
import type { Say } from '../scenes/scriptedModel.ts';

const said: readonly Say[] = [
  'Yes.',
  { call: 'echo', arguments: { a: 1 } },
  'It is `a.ts:3`.',
  'A longer answer with words.',
];

type Opened = ReturnType<typeof openChat>;

/** What a user may do, in any order; none waits for the one before. */
const actions: Readonly<Record<string, (opened: Opened) => unknown>> = {
  send: ({ chat }) => chat.send('What is it?'),
  command: ({ chat }) => chat.send('/context'),
  evict: ({ chat }) => chat.send('/context evict 0'),
  stop: ({ chat }) => chat.cancel(),
  edit: ({ chat }) => chat.edit(lastAsked(chat.session.state.dialog.path), 'And this?'),
  again: ({ chat }) => chat.sending.regenerate(),
  back: ({ chat }) => chat.sending.unqueue(chat.snapshot.queue[0]?.id ?? 0),
  write: ({ chat }) => chat.draft.written('half a sent'),
  new: ({ chat }) => chat.newSession(),
  open: ({ chat }) => chat.open(),
  crash: ({ life }) => life.crashed({ kind: 'engineCrashed', reason: 'SIGKILL' }),
  unload: ({ life }) => life.unload(30),
  pause: () => undefined,
};

function lastAsked(path: Opened['chat']['session']['state']['dialog']['path']): string {
  return path.findLast(({ origin }) => origin === 'user')?.id ?? '';
}

/** A view that came when it came. */
function joined({ chat }: Opened): () => ViewState {
  // Through the wire: what the host changes afterwards must not reach it by itself.
  let state = structuredClone(chat.snapshot);
  chat.subscribe((delta: ViewDelta) => {
    state = reduceView(state, structuredClone(delta));
  });
  return () => state;
}

const order = fc.array(
  fc.record({ act: fc.constantFrom(...Object.keys(actions)), joins: fc.boolean(), ticks: fc.nat(12) }),
  { minLength: 1, maxLength: 14 },
);

test('a snapshot and the deltas after it give what all deltas give, in 1,000 random orders of what a user does', async () => {
  let views = 0;
  await fc.assert(
    fc.asyncProperty(order, async (steps) => {
      const opened = openChat(steps.flatMap(() => said));
      const shown = [joined(opened)];
      const doing: unknown[] = [];
      for (const { act, joins, ticks } of steps) {
        doing.push(actions[act]?.(opened));
        for (let i = 0; i < ticks; i++) await new Promise((resolve) => setImmediate(resolve));
        if (joins) shown.push(joined(opened));
      }
      opened.chat.cancel();
      await Promise.allSettled(doing);
      for (const state of shown) assert.deepEqual(state(), opened.chat.snapshot);
      views += shown.length;
    }),
    { numRuns: 1000 },
  );
  assert.ok(views > 3000, `${views} views`);
});

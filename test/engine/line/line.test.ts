// The line of those who ask, without a model: who runs beside whom, in which order, and who is ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import fc from 'fast-check';
import { type Asker, allAskers, askers } from '../../../src/core/machine/askers.ts';
import { AskingLine } from '../../../src/engine/line.ts';

const never = new AbortController().signal;
const slots = [{}, {}];

/** Runs for so many chunks, and ends at the first one after its signal fired. */
function chunks(count: number, each: () => void) {
  return async (signal: AbortSignal) => {
    for (let i = 0; i < count && !signal.aborted; i++) {
      each();
      await soon();
    }
    return signal.aborted;
  };
}

test('whatever comes when: ranks never decode at once, a slot has one at a time, the highest is never ended, and all end', async () => {
  const asking = fc.record({
    asker: fc.constantFrom(...allAskers),
    slot: fc.nat(1),
    pause: fc.nat(3),
    chunks: fc.nat(4),
    copies: fc.boolean(),
    stops: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(asking, { maxLength: 12 }), async (all) => {
      const line = new AskingLine();
      const running = new Map<object, { readonly asker: Asker | null; readonly slot: number; decodes: boolean }>();
      const results: Promise<unknown>[] = [];
      for (const { asker, slot, pause, chunks: count, copies, stops } of all) {
        const one = { asker: copies ? null : asker, slot, decodes: false };
        const stop = new AbortController();
        const job = async (signal: AbortSignal) => {
          assert.ok(![...running.values()].some((other) => other.slot === slot));
          running.set(one, one);
          const ended = await chunks(count, () => {
            one.decodes = true;
            for (const { asker: other, decodes } of running.values()) {
              const isBeside = copies || other === null || askers[other].rank === askers[asker].rank;
              assert.ok(!decodes || isBeside, `${other} beside ${asker}`);
            }
          })(signal);
          running.delete(one);
          assert.ok(!ended || stop.signal.aborted || asker !== 'count');
        };
        const place = slots[slot] ?? {};
        results.push(copies ? line.copy(place, () => job(never)) : line.ask(asker, place, stop.signal, job));
        for (let i = 0; i < pause; i++) await soon();
        if (stops) stop.abort();
      }
      await Promise.all(results);
      assert.equal(
        slots.some((slot) => line.isAwaited(slot)),
        false,
      );
    }),
  );
});

test('who comes ends all that it outranks, wherever they are, and one that waited runs with a signal that has fired', async () => {
  const line = new AskingLine();
  const warm = line.ask(
    'warm',
    slots[1] ?? {},
    never,
    chunks(1000, () => undefined),
  );
  const waiting = line.ask(
    'warm',
    slots[0] ?? {},
    never,
    chunks(1000, () => undefined),
  );
  const answer = line.ask(
    'answer',
    slots[0] ?? {},
    never,
    chunks(3, () => undefined),
  );
  assert.deepEqual(await Promise.all([warm, waiting, answer]), [true, true, false]);
});

test('a job that fails lets the next one in', async () => {
  const line = new AskingLine();
  const [slot = {}] = slots;
  const fails = line.ask('answer', slot, never, () => Promise.reject(new Error('no')));
  const next = line.ask('answer', slot, never, async () => 'yes');
  await assert.rejects(fails, /no/);
  assert.equal(await next, 'yes');
});

test('a copy waits for its slot and for nothing else', async () => {
  const line = new AskingLine();
  const order: string[] = [];
  const answer = line.ask(
    'answer',
    slots[0] ?? {},
    never,
    chunks(5, () => order.push('chunk')),
  );
  const other = line.copy(slots[1] ?? {}, async () => order.push('other'));
  const own = line.copy(slots[0] ?? {}, async () => order.push('own'));
  await Promise.all([answer, other, own]);
  assert.ok(order.indexOf('other') < 5);
  assert.equal(order.at(-1), 'own');
});

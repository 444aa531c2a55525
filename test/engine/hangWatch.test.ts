// When an engine process counts as hanging, in ticks of the host: by its beats, by the pace of a request, and in a chat template.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HangWatch } from '../../src/engine/client.ts';

function watched() {
  let run: () => void = () => undefined;
  const said: (number | null)[] = [];
  const watch = new HangWatch({
    quiet: (seconds) => said.push(seconds),
    end: () => said.push(-1),
    every: (tick) => {
      run = tick;
      return () => {
        run = () => undefined;
      };
    },
  });
  const ticks = (count: number) => {
    for (let i = 0; i < count; i++) run();
  };
  return { watch, said, ticks };
}

test('a process that beats is not said to hang, however long it takes', () => {
  const { watch, said, ticks } = watched();
  watch.begin(false);
  for (let second = 0; second < 600; second++) {
    ticks(1);
    watch.heard();
  }
  assert.deepEqual(said, []);
});

test('after ten silent ticks it is said each second, and once that it is back', () => {
  const { watch, said, ticks } = watched();
  watch.begin(false);
  ticks(12);
  watch.heard();
  watch.heard();
  assert.deepEqual(said, [10, 11, 12, null]);
});

test('stopped, a silent process is ended after three ticks; without a stop it never is', () => {
  const { watch, said, ticks } = watched();
  const request = watch.begin(true);
  ticks(2);
  request.stopped();
  assert.deepEqual(said, []);
  ticks(1);
  assert.deepEqual(said, [-1]);
  assert.match(watch.reason, /^it did not answer for 3 seconds$/);
  const other = watched();
  other.watch.begin(true);
  other.ticks(100);
  assert.ok(!other.said.includes(-1));
});

test('a request to a server that tells nothing is said after 20 seconds, and ends no process that beats', () => {
  const { watch, said, ticks } = watched();
  const request = watch.begin(true, true);
  for (let second = 0; second < 22; second++) {
    watch.heard();
    ticks(1);
  }
  assert.deepEqual(said.slice(-1), [22]);
  assert.equal(
    said.find((seconds) => seconds !== null),
    20,
  );
  request.stopped();
  ticks(1);
  assert.ok(!said.includes(-1));
  request.told();
  assert.equal(said.at(-1), null);
});

test('a request that tells nothing for ten times its longest silence, and a minute, makes no progress', () => {
  const { watch, said, ticks } = watched();
  const request = watch.begin(true);
  const beat = (count: number) => {
    for (let i = 0; i < count; i++) {
      watch.heard();
      ticks(1);
    }
  };
  beat(9);
  request.told();
  beat(89);
  assert.deepEqual(said, []);
  beat(2);
  assert.deepEqual(said, [90, 91]);
  request.stopped();
  beat(1);
  assert.equal(said.at(-1), -1);
});

test('a request that waits behind one that goes on is not late', () => {
  const { watch, said, ticks } = watched();
  const first = watch.begin(true);
  watch.begin(true);
  for (let second = 0; second < 300; second++) {
    watch.heard();
    ticks(1);
    first.told();
  }
  assert.deepEqual(said, []);
});

test('when nothing is asked nothing is said', () => {
  const { watch, said, ticks } = watched();
  const request = watch.begin(true);
  ticks(20);
  request.end();
  ticks(20);
  assert.equal(said.at(-1), null);
  assert.equal(said.filter((one) => one === null).length, 1);
});

test('a chat template that runs for ten ticks without a word ends the process', () => {
  const { watch, said, ticks } = watched();
  watch.begin(false);
  watch.inTemplate = true;
  ticks(10);
  assert.ok(said.includes(-1));
});

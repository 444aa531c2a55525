// Leases: one holder at a time, in any process, and none for the dead.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { openStore, type Store } from '../../src/store/store.ts';
import { newPath } from './samples.ts';
import { startWindow } from './startWindow.ts';

const onPosix = { skip: process.platform === 'win32' ? 'Windows has no such users' : false };
const me = `${process.pid}:me`;
const you = `${process.pid}:you`;

async function withLeases(run: (leases: Store['leases'], path: string) => void | Promise<void>): Promise<void> {
  const path = newPath();
  const store = await openStore(path);
  try {
    await run(store.leases, path);
  } finally {
    store.close();
  }
}

test('a lease has one holder until it is given up', () =>
  withLeases((leases) => {
    assert.equal(leases.acquire('a', me, 100, 50), true);
    assert.equal(leases.acquire('a', you, 149, 50), false);
    assert.equal(leases.acquire('b', you, 149, 50), true);
    leases.release('a', you);
    assert.equal(leases.acquire('a', you, 149, 50), false);
    leases.release('a', me);
    assert.equal(leases.acquire('a', you, 149, 50), true);
    leases.release('nowhere', me);
  }));

test('whether another holder has a lease is told without taking it, and it can be taken away', () =>
  withLeases((leases) => {
    assert.equal(leases.isTaken('a', you, 100), false);
    leases.acquire('a', me, 100, 50);
    assert.deepEqual(
      [leases.isTaken('a', me, 120), leases.isTaken('a', you, 120), leases.isTaken('a', you, 150)],
      [false, true, false],
    );
    leases.seize('a', you, 120, 50);
    assert.equal(leases.acquire('a', me, 130, 50), false);
    assert.equal(leases.isTaken('a', you, 130), false);
  }));

test('a lease ends when its time is over, and its holder renews it by acquiring it again', () =>
  withLeases((leases) => {
    leases.acquire('a', me, 100, 50);
    assert.equal(leases.acquire('a', me, 140, 50), true);
    assert.equal(leases.acquire('a', you, 189, 50), false);
    assert.equal(leases.acquire('a', you, 190, 50), true);
    assert.equal(leases.acquire('a', me, 191, 50), false);
  }));

test('a holder that names no process holds its lease until its time is over', () =>
  withLeases((leases) => {
    for (const holder of ['someone', '0:x', '-1:x', '12x:y', '']) {
      assert.equal(leases.acquire(`of ${holder}`, holder, 0, 10), true);
      assert.equal(leases.acquire(`of ${holder}`, me, 9, 10), false);
      assert.equal(leases.acquire(`of ${holder}`, me, 10, 10), true);
    }
  }));

test('a process of another user, which may not be asked, is alive', onPosix, (t) =>
  withLeases(async (leases, path) => {
    // The first process of the machine is root's.
    leases.acquire('a', '1:x', Date.now(), 60_000);
    leases.acquire('b', '1:x', 0, 1);
    chmodSync(dirname(path), 0o777);
    for (const end of ['', '-wal', '-shm']) chmodSync(path + end, 0o666);
    const window = startWindow(t, 'lease', path, 'nobody');
    await window.hear();
    for (const lease of ['a', 'b']) window.tell(JSON.stringify({ lease, at: 0 }));
    assert.deepEqual([await window.hear(), await window.hear()], [false, true]);
  }),
);

test('the lease of a holder whose process was killed is free at once', (t) =>
  withLeases(async (leases, path) => {
    const window = startWindow(t, 'lease', path);
    await window.hear();
    window.tell(JSON.stringify({ lease: 'a', at: 0 }));
    assert.equal(await window.hear(), true);
    assert.equal(leases.acquire('a', me, Date.now(), 1000), false);
    await window.kill();
    assert.equal(leases.acquire('a', me, Date.now(), 1000), true);
  }));

test('of two processes that want one lease at the same moment, exactly one gets it, each of 20 times', (t) =>
  withLeases(async (_, path) => {
    const windows = [startWindow(t, 'lease', path, 'one'), startWindow(t, 'lease', path, 'two')];
    await Promise.all(windows.map((window) => window.hear()));
    for (let i = 0; i < 20; i++) {
      for (const window of windows) window.tell(JSON.stringify({ lease: `lease ${i}`, at: Date.now() + 15 }));
      const got = await Promise.all(windows.map((window) => window.hear()));
      assert.deepEqual(got.toSorted(), [false, true]);
    }
  }));

// The bundle cache: when the bundle is made, when it is made again, and who is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bundle, emptyBundle } from '../../src/core/prompt/bundle.ts';
import { BundleCache, type CachePorts, type CacheSettings } from '../../src/workspace/cache.ts';

/** Texts in front of a colon, and the room that a model leaves them behind it. */
const keyed = (key: string): Bundle => ({ ...emptyBundle, key, files: key.split(':')[0] ?? '' });

interface Timer {
  readonly run: () => void;
  readonly at: number;
}

/** A cache with a clock, a watcher and a maker that the test moves by hand. */
class Bench {
  now = 0;
  watchers = 0;
  created: PromiseWithResolvers<Bundle>[] = [];
  told: string[] = [];
  changed: (path: string) => void = () => undefined;
  readonly timers = new Set<Timer>();
  readonly cache: BundleCache;

  constructor(settings: Partial<CacheSettings> = {}, ports: Partial<CachePorts> = {}) {
    const usual = { debounceMilliseconds: 500, maxAgeSeconds: 300, enabled: true };
    this.cache = new BundleCache(
      {
        create: () => {
          const making = Promise.withResolvers<Bundle>();
          this.created.push(making);
          return making.promise;
        },
        watch: (changed) => {
          this.watchers += 1;
          this.changed = changed;
          return { dispose: () => (this.watchers -= 1) };
        },
        relevant: (path) => path.endsWith('.md'),
        now: () => this.now,
        later: (run, milliseconds) => {
          const timer = { run, at: this.now + milliseconds };
          this.timers.add(timer);
          return { dispose: () => this.timers.delete(timer) };
        },
        ...ports,
      },
      { ...usual, ...settings },
    );
    this.cache.subscribe(({ key }) => this.told.push(key));
  }

  /** Lets time pass, and runs the timers that are due. */
  pass(milliseconds: number): void {
    const end = this.now + milliseconds;
    for (;;) {
      const due = [...this.timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.now = due.at;
      this.timers.delete(due);
      due.run();
    }
    this.now = end;
  }

  /** Ends a creation, the last one begun where none is named, and lets it be told. */
  async finish(key: string, index = this.created.length - 1): Promise<void> {
    this.created[index]?.resolve(keyed(key));
    await new Promise(setImmediate);
  }

  /** A cache that has made its first bundle. */
  async fill(key = 'a'): Promise<Bundle> {
    const got = this.cache.get();
    await this.finish(key);
    return got;
  }
}

test('the first get makes the bundle, later ones find it', async () => {
  const bench = new Bench();
  const first = await bench.fill();
  assert.equal(await bench.cache.get(), first);
  assert.equal(await bench.cache.get(), first);
  assert.equal(bench.created.length, 1);
  assert.deepEqual(bench.cache.stats, { hits: 2, misses: 1, invalidations: 0 });
  assert.deepEqual(bench.told, []);
});

test('gets at the same time share one creation', async () => {
  const bench = new Bench();
  const gets = [bench.cache.get(), bench.cache.get(), bench.cache.get()];
  await bench.finish('a');
  assert.deepEqual(new Set((await Promise.all(gets)).map(({ key }) => key)), new Set(['a']));
  assert.equal(bench.created.length, 1);
  assert.deepEqual(bench.cache.stats, { hits: 2, misses: 1, invalidations: 0 });
});

test('an old bundle is made again, and so is one from before the clock was set back', async () => {
  const bench = new Bench();
  await bench.fill();
  bench.now = 299_999;
  await bench.cache.get();
  assert.equal(bench.created.length, 1);
  bench.now = 300_000;
  const again = bench.cache.get();
  await bench.finish('b');
  assert.equal((await again).key, 'b');
  assert.deepEqual(bench.cache.stats, { hits: 1, misses: 2, invalidations: 0 });
  assert.deepEqual(bench.told, ['b']);
  bench.now = 0;
  void bench.cache.get();
  assert.equal(bench.created.length, 3);
});

test('a failed creation rejects for all who wait and is not cached', async () => {
  const bench = new Bench();
  const gets = [bench.cache.get(), bench.cache.get()];
  bench.created[0]?.reject(new Error('no disk'));
  for (const get of gets) await assert.rejects(get, /no disk/);
  assert.equal((await bench.fill('a')).key, 'a');
  assert.deepEqual(bench.cache.stats, { hits: 1, misses: 2, invalidations: 0 });
});

test('a change makes the bundle again half a second later and tells of another key', async () => {
  const bench = new Bench();
  const frozen = await bench.fill('a');
  bench.changed('AGENTS.md');
  bench.pass(499);
  assert.equal(bench.created.length, 1);
  bench.pass(1);
  assert.equal(bench.created.length, 2);
  assert.equal(bench.cache.stale(frozen), false);
  await bench.finish('b');
  assert.equal(bench.cache.stale(frozen), true);
  assert.equal(bench.cache.stale(keyed('b')), false);
  assert.deepEqual(bench.told, ['b']);
  assert.equal((await bench.cache.get()).key, 'b');
  assert.deepEqual(bench.cache.stats, { hits: 1, misses: 1, invalidations: 1 });
});

test('the same texts in another room are not out of date', async () => {
  const bench = new Bench();
  const frozen = await bench.fill('a:4096');
  bench.changed('AGENTS.md');
  bench.pass(500);
  await bench.finish('a:8192');
  assert.deepEqual([bench.cache.stale(frozen), bench.told], [false, ['a:8192']]);
});

test('a change that leaves the texts as they are tells nobody', async () => {
  const bench = new Bench();
  const frozen = await bench.fill('a');
  bench.changed('AGENTS.md');
  bench.pass(500);
  await bench.finish('a');
  assert.deepEqual(bench.told, []);
  assert.equal(bench.cache.stale(frozen), false);
});

test('many changes are one invalidation, half a second after the last of them', async () => {
  const bench = new Bench();
  await bench.fill();
  for (let index = 0; index < 1000; index += 1) {
    bench.changed(`${index}.md`);
    bench.pass(4);
  }
  assert.equal(bench.created.length, 1);
  assert.equal(bench.timers.size, 1);
  bench.pass(500);
  assert.equal(bench.created.length, 2);
  assert.equal(bench.cache.stats.invalidations, 1);
});

test('changes without an end are waited for five seconds', async () => {
  const bench = new Bench();
  await bench.fill();
  for (let index = 0; index < 124; index += 1) {
    bench.changed('a.md');
    bench.pass(100);
  }
  assert.equal(bench.cache.stats.invalidations, 2);
  bench.pass(500);
  assert.equal(bench.cache.stats.invalidations, 3);
});

test('a change of any other file, and one before anybody asked, does nothing', async () => {
  const bench = new Bench();
  bench.changed('a.md');
  bench.pass(500);
  assert.equal(bench.created.length, 0);
  await bench.fill();
  bench.changed('a.png');
  assert.equal(bench.timers.size, 0);
  assert.equal(bench.cache.stats.invalidations, 0);
});

test('a get after a change waits for the new bundle', async () => {
  const bench = new Bench();
  await bench.fill('a');
  bench.changed('a.md');
  bench.pass(500);
  const got = bench.cache.get();
  await bench.finish('b');
  assert.equal((await got).key, 'b');
  assert.deepEqual(bench.cache.stats, { hits: 1, misses: 1, invalidations: 1 });
});

test('a creation that began before a change does not replace the one after it', async () => {
  const bench = new Bench();
  const first = bench.cache.get();
  bench.changed('a.md');
  bench.pass(500);
  await bench.finish('new', 1);
  await bench.finish('old', 0);
  assert.equal((await first).key, 'old');
  assert.equal((await bench.cache.get()).key, 'new');
  assert.equal(bench.cache.stale(keyed('new')), false);
});

test('where making it again in the background fails, the next get tries once more', async () => {
  const bench = new Bench();
  const frozen = await bench.fill('a');
  bench.changed('a.md');
  bench.pass(500);
  bench.created[1]?.reject(new Error('no disk'));
  await new Promise(setImmediate);
  assert.equal(bench.cache.stale(frozen), false);
  assert.equal((await bench.fill('b')).key, 'b');
  assert.deepEqual(bench.cache.stats, { hits: 0, misses: 2, invalidations: 1 });
});

test('a listener that has left is not told', async () => {
  const bench = new Bench();
  const told: string[] = [];
  const leave = bench.cache.subscribe(({ key }) => told.push(key));
  await bench.fill('a');
  bench.cache.invalidate();
  await bench.finish('b');
  leave.dispose();
  bench.cache.invalidate();
  await bench.finish('c');
  assert.deepEqual([told, bench.told], [['b'], ['b', 'c']]);
});

test('switched off, every get makes the bundle and nothing is watched', async () => {
  const bench = new Bench({ enabled: false });
  assert.equal(bench.watchers, 0);
  const frozen = await bench.fill('a');
  const gets = [bench.cache.get(), bench.cache.get()];
  await bench.finish('b', 1);
  await bench.finish('b', 2);
  await Promise.all(gets);
  bench.cache.invalidate();
  assert.equal(bench.created.length, 3);
  assert.deepEqual(bench.cache.stats, { hits: 0, misses: 3, invalidations: 0 });
  assert.equal(bench.cache.stale(frozen), true);
});

test('settings take effect while it lives', async () => {
  const bench = new Bench();
  await bench.fill('a');
  const settings = { debounceMilliseconds: 100, maxAgeSeconds: 10, enabled: true };
  bench.cache.configure(settings);
  assert.equal(bench.watchers, 1);
  await bench.cache.get();
  assert.equal(bench.created.length, 1);
  bench.changed('a.md');
  bench.pass(100);
  assert.equal(bench.created.length, 2);
  await bench.finish('b');
  bench.changed('a.md');
  bench.cache.configure({ ...settings, enabled: false });
  assert.deepEqual([bench.watchers, bench.timers.size], [0, 0]);
  await bench.fill('c');
  bench.cache.configure(settings);
  assert.equal(bench.watchers, 1);
  await bench.fill('d');
  assert.deepEqual(bench.told, ['b', 'c', 'd']);
  bench.pass(10_000);
  void bench.cache.get();
  assert.equal(bench.created.length, 5);
});

test('where nothing can be watched, the age alone decides, and 0 is no age', async () => {
  const bench = new Bench({ maxAgeSeconds: 0 }, { watch: null });
  await bench.fill('a');
  bench.pass(300_000);
  await bench.cache.get();
  bench.cache.configure({ debounceMilliseconds: 500, maxAgeSeconds: 300, enabled: true });
  void bench.cache.get();
  assert.deepEqual(bench.cache.stats, { hits: 1, misses: 2, invalidations: 0 });
});

test('disposed during a creation, it tells nobody, watches nothing and makes nothing more', async () => {
  const bench = new Bench();
  await bench.fill('a');
  bench.cache.invalidate();
  bench.changed('a.md');
  const waiting = bench.cache.get();
  bench.cache.dispose();
  bench.cache.dispose();
  await bench.finish('b');
  assert.equal((await waiting).key, 'b');
  bench.changed('a.md');
  bench.cache.invalidate();
  bench.cache.configure({ debounceMilliseconds: 0, maxAgeSeconds: 1, enabled: true });
  await assert.rejects(bench.cache.get(), /closed/);
  assert.deepEqual([bench.told, bench.watchers, bench.timers.size, bench.created.length], [[], 0, 0, 2]);
});

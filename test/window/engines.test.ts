// The engines of a window that agents name: those that nobody names any more are let go, with all that was made for them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Snapshots } from '../../src/app/slots/snapshots.ts';
import { WindowEngines } from '../../src/app/slots/windowEngines.ts';
import '../host/fakeVscode.ts';

const { hearEngines } = await import('../../src/window/hearEngines.ts');
const { createModel, otherEngines } = await import('../../src/window/model.ts');
const { WindowConversations } = await import('../../src/window/conversations.ts');
const { readSettings } = await import('../../src/host/settings/readSettings.ts');

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function openWindow() {
  const named = new Set<string>();
  const ofEditor = readSettings(() => undefined);
  const settings = () => ({ ...ofEditor, engines: { ...ofEditor.engines, named: [...named] } });
  const log = { appendLine: () => undefined } as never;
  const open = new WindowConversations();
  const model = createModel({ extensionPath: '/nowhere' } as never, log, { storage: null, settings, open });
  const still = { finding: { hold: () => undefined }, embedding: { busy: () => undefined, forget: () => undefined } };
  const hear = hearEngines({ ...(still as never as Parameters<typeof hearEngines>[0]), open }, log);
  const begun: Parameters<typeof otherEngines>[2] = (other) => hear({ ...other, isMain: false });
  const others = otherEngines(model, settings, begun, () => Promise.reject(new Error('There is no estimator.')));
  const snapshots = { keep: async () => undefined } as Snapshots;
  const engines = new WindowEngines(
    model,
    { others, abilities: model.abilities, summariser: async () => null },
    () => snapshots,
  );
  return { named, engines, model };
}

test('an engine that no agent names any more is let go, and starts no process; others and those at work stay', async () => {
  const { named, engines, model } = openWindow();
  const kept = engines.of('kept');
  const working = engines.of('working');
  named.add('kept');
  const done = engines.hold([working]);
  const seen = ['a', 'b', 'c'].flatMap((name) => {
    const { engine, life } = engines.of(name);
    return [new WeakRef<object>(engine), new WeakRef<object>(life)];
  });
  await engines.release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  collect();
  assert.deepEqual(
    seen.map((one) => one.deref() === undefined),
    seen.map(() => true),
  );
  assert.deepEqual(engines.all.slice(1), [kept, working]);
  done();
  await engines.release();
  assert.deepEqual(engines.all.slice(1), [kept]);
  await assert.rejects(working.engine.count(['a']), /stopped|ended/i);
  assert.equal(model.all.busy, false);
});

// A real store for scenes, and storages whose parts a test may let fail.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Storage } from '../../../src/app/ports/storage.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { temporary } from '../../temporary.ts';

/** A file for stores, which goes with the test. */
export function fileFor(context: TestContext): string {
  const folder = temporary('tidemark-app-');
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'tidemark.sqlite');
}

export async function storeFor(context: TestContext, file = fileFor(context)): Promise<Store> {
  const store = await openStore(file);
  context.after(() => store.close());
  return store;
}

/** The same storage, in which what `fails` names throws. */
export function failing({ sessions, leases, memory }: Storage, fails: (name: string) => boolean): Storage {
  const guard = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (fails(String(name))) throw new FaultError({ kind: 'storeUnavailable', reason: `no ${String(name)}` });
          return Reflect.apply(value, target, args);
        };
      },
    });
  return { sessions: guard(sessions), leases: guard(leases), memory: guard(memory) };
}

// A chat that compacts over a real store, whose parts a test may let fail.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Storage } from '../../../src/app/ports/storage.ts';
import { FaultError } from '../../../src/core/faults/faults.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { temporary } from '../../temporary.ts';
import { folding } from './foldScene.ts';
import { openChat } from './openChat.ts';

export async function storeFor(context: TestContext): Promise<Store> {
  const folder = temporary('tidemark-app-');
  const store = await openStore(join(folder, 'tidemark.sqlite'));
  context.after(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

/** The same storage, in which what `fails` names throws. */
export function failing({ sessions, leases, shelves }: Storage, fails: (name: string) => boolean): Storage {
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
  return { sessions: guard(sessions), leases: guard(leases), shelves: guard(shelves) };
}

let windows = 0;

/** A window on the storage. Its ids are its own, like those of a real one. */
export function openedOn(storage: Storage) {
  windows += 1;
  return folding(openChat([], storage, undefined, `w${windows}-`));
}

// A folder, a store with one session, and edits made in it as a turn makes them.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { stage } from '../../../src/edits/calls/stage.ts';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import type { EditableFiles } from '../../../src/edits/files/editable.ts';
import { hunkKeys } from '../../../src/edits/review/hunks.ts';
import { keepBefore } from '../../../src/edits/review/keeper.ts';
import type { Overwriting } from '../../../src/edits/review/review.ts';
import { Reviews } from '../../../src/edits/review/reviews.ts';
import { openStore } from '../../../src/store/store.ts';
import { newPath, row, user } from '../../store/samples.ts';
import { type Files, makeFolder, openFolder } from '../../tools/sandbox.ts';

export type Edit = readonly [name: string, given: Readonly<Record<string, unknown>>];

export async function reviewing(t: TestContext, given: Files, files: EditableFiles = diskFiles) {
  const root = makeFolder(t, given);
  const store = await openStore(newPath());
  t.after(() => store.close());
  store.sessions.createSession(row);
  for (const message of ['m1', 'm2', 'm3']) store.sessions.appendItem('s1', user(message, null));
  const ports = { store: store.fileSnapshots, files, now: () => 1000 };
  const asked: Overwriting[] = [];
  const says = { yes: false, before: async () => undefined as unknown };
  const failures: unknown[] = [];
  const agree = async (what: Overwriting) => {
    asked.push(what);
    await says.before();
    return says.yes;
  };
  const review = new Reviews({ ...ports, agree, failed: (error) => failures.push(error) });
  const at = (name: string) => join(root, name);
  /** Makes the calls of one turn together. */
  const turnOf = async (session: string, message: string, ...edits: readonly Edit[]) => {
    const calls = edits.map(([name, args], i) => ({ id: String(i), name, arguments: args }));
    for (const unit of await stage(calls, { workspace: openFolder(root), files, seen: null })) {
      const done = await keepBefore(ports, session, message, unit.files);
      await files.change(unit.changes);
      await done();
    }
  };
  const turn = (message: string, ...edits: readonly Edit[]) => turnOf('s1', message, ...edits);
  /** Names of the hunks that wait in a file. */
  const keys = async (name: string) => hunkKeys((await review.standing(at(name)))?.hunks ?? []);
  const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null);
  const write = (name: string, text: string | Uint8Array) => writeFileSync(at(name), text);
  const remove = (name: string) => rmSync(at(name));
  return {
    root,
    store: store.fileSnapshots,
    sessions: store.sessions,
    review,
    asked,
    says,
    failures,
    ports,
    keys,
    turnOf,
    at,
    turn,
    read,
    write,
    remove,
  };
}

export const replace = (path: string, old: string, put: string): Edit => ['edit_file', { path, old, new: put }];
export const create = (path: string, content: string): Edit => ['write_file', { path, content }];

// Whenever the process dies while it changes files or takes changes back: each file is whole, and every snapshot is there.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { diskFiles } from '../../../src/edits/files/diskFiles.ts';
import { Reviews } from '../../../src/edits/review/reviews.ts';
import { openStore } from '../../../src/store/store.ts';
import { newPath, row } from '../../store/samples.ts';
import { makeFolder } from '../../tools/sandbox.ts';
import { damageIn, killOnce } from './killing.ts';
import { fileNames, version } from './versions.ts';

/** 200 with TIDEMARK_KILLS=200. */
const kills = Number(process.env.TIDEMARK_KILLS ?? 12);

test(`after each of ${kills} kills all files are whole, no snapshot is lost, and the first state can be restored`, async (t) => {
  const folder = makeFolder(t, {});
  const first = new Map(fileNames.map((name, i) => [name, version(i)]));
  for (const [name, text] of first) writeFileSync(join(folder, name), text);
  const database = newPath();
  const begun = await openStore(database);
  begun.sessions.createSession(row);
  begun.close();
  for (let i = 0; i < kills; i++) {
    await killOnce(folder, database, i + 1, 5 + ((i * 37) % 160));
    assert.deepEqual(damageIn(folder, database, [...first.values()]), []);
  }
  const store = await openStore(database);
  t.after(() => store.close());
  const ports = { store: store.fileSnapshots, files: diskFiles, now: Date.now, failed: () => assert.fail() };
  const asked: string[] = [];
  const review = new Reviews({ ...ports, agree: async ({ shown }) => asked.push(shown) > 0 });
  const snapshots = store.fileSnapshots.of('s1');
  const changed = new Set(snapshots.map(({ file }) => file));
  assert.deepEqual(await review.undoTurns('s1', new Set(snapshots.map(({ message }) => message))), []);
  assert.ok(changed.size > 0);
  for (const name of fileNames) {
    const path = join(folder, name);
    assert.ok(existsSync(path));
    assert.ok(readFileSync(path, 'utf8') === first.get(name), `${name} is as it was first`);
  }
});
